"""What the contract is checked on: every registered game and the toy, by seat count and options."""

from __future__ import annotations

import dataclasses
import importlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from zlib import crc32

from tests.rules.toy import TOY

from ziggurat_rules.errors import BadOption
from ziggurat_rules.game import Game, Options, options_dict
from ziggurat_rules.match import Match
from ziggurat_rules.registry import game_names, load_game

SCALE = float(os.environ.get("ZIGGURAT_CONTRACT_SCALE", "1"))
"""How much longer than usual: multiplies the decisions looked at."""

ONLY = os.environ.get("ZIGGURAT_CONTRACT_GAMES", "")
"""Names of games, with commas, to check in place of all: also of those in this tree not registered yet."""


@dataclass(frozen=True)
class Subject:
    """A game, seats, options and a deal. `long`: only for the long form."""

    game: Game[Any]
    seats: int
    options: Options
    label: str
    long: bool = False
    deal: int = 0

    def match(self) -> Match[Any]:
        """A new match."""
        return Match(self.game, self.seed, self.seats, self.options)

    @property
    def seed(self) -> int:
        """The seed of the match; each deal has its own."""
        return crc32(f"{self.label}/{self.deal}".encode())

    def __str__(self) -> str:
        return self.label


@cache
def games() -> tuple[tuple[Game[Any], ...], tuple[str, ...]]:
    """The games, and why others can't be loaded."""
    found: list[Game[Any]] = [TOY]
    broken = []
    for name in ONLY.split(",") if ONLY else game_names():
        try:
            found.append(load_game(name) if name in game_names() else _unregistered(name))
        except Exception as error:
            broken.append(f"{name}: {error!r}")
    return tuple(found), tuple(broken)


def _unregistered(name: str) -> Game[Any]:
    game: Game[Any] = importlib.import_module(f"ziggurat_rules.games.{name}").GAME
    return game


def variants(game: Game[Any]) -> Iterator[tuple[str, Options]]:
    """The default options, then each other value of each option by itself."""
    default = game.options()
    yield "default", default
    for field in dataclasses.fields(game.options):
        values = (True, False) if isinstance(field.default, bool) else field.metadata["choices"]
        for value in values:
            if value == field.default:
                continue
            try:
                options = game.options(**{field.name: value})
                options.check()
            except BadOption:
                continue
            yield f"{field.name}={options_dict(options)[field.name]}", options


@cache
def subjects() -> tuple[Subject, ...]:
    """All of them; outside the long form an option that is not the default is tried with one seat count."""
    found = []
    for game in games()[0]:
        for number, (label, options) in enumerate(variants(game)):
            for seats in game.seats:
                usual = number == 0 or seats == game.seats[(number - 1) % len(game.seats)]
                found.append(Subject(game, seats, options, f"{game.name}-{seats}-{label}", not usual))
    return tuple(found)
