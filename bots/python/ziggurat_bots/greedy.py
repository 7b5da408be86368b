"""Plays each game by the strategy in ziggurat_bots.<game>."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache

import ziggurat_bots
from ziggurat import Choice, Decision, View, ZigguratError

Strategy = Callable[[View, Decision], Choice]


@cache
def strategy(game: str) -> Strategy:
    """The strategy for a game; raises ZigguratError if there is none."""
    if game in games():
        found: Strategy = importlib.import_module(f"ziggurat_bots.{game}").decide
        return found
    known = ", ".join(games()) or "none"
    raise ZigguratError(f"greedy has no strategy for the game {game!r}; it plays: {known}")


@cache
def games() -> tuple[str, ...]:
    """The games that there is a strategy for."""
    found = {module.name for module in pkgutil.iter_modules(ziggurat_bots.__path__)}
    return tuple(sorted(name for name in found if name not in NOT_GAMES and not name.startswith("_")))


NOT_GAMES = {"greedy", "random", "search"}


def decide(view: View, decision: Decision) -> Choice:
    """The choice of the game's strategy."""
    return strategy(view.game)(view, decision)
