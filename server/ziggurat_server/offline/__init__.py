"""What the command line does without a server: show the games, play them here, look into records."""

from __future__ import annotations

import typer

from ziggurat_server.offline.listing import games
from ziggurat_server.offline.show import show
from ziggurat_server.offline.simulation import simulate


def register(app: typer.Typer) -> None:
    """Add the commands `games`, `simulate` and `show`."""
    app.command()(games)
    app.command()(simulate)
    app.command()(show)
