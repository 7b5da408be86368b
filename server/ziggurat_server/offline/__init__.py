"""What the command line does without a server: show the games, and play them in this process."""

from __future__ import annotations

import typer

from ziggurat_server.offline.listing import games
from ziggurat_server.offline.simulation import simulate


def register(app: typer.Typer) -> None:
    """Add the commands `games` and `simulate`."""
    app.command()(games)
    app.command()(simulate)
