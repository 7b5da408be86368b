"""The installed games: whatever the entry point group `ziggurat.games` names."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import cast

from ziggurat_rules.errors import UnknownGame
from ziggurat_rules.game import Game
from ziggurat_rules.table import Table

GROUP = "ziggurat.games"


def game_names() -> list[str]:
    """Names of the installed games, sorted."""
    return sorted({point.name for point in entry_points(group=GROUP)})


@cache
def load_game(name: str) -> Game[Table]:
    """The game of this name; raises UnknownGame, which lists the names there are."""
    for point in entry_points(group=GROUP):
        if point.name == name:
            game = cast("Game[Table]", point.load())
            if game.name != name:
                raise ValueError(f"entry point {name} loads a game called {game.name}")
            return game
    raise UnknownGame("game", f"no game {name!r}; there are: {', '.join(game_names()) or 'none'}")
