"""Results of games that nobody played, for tests of statistics: written down, or drawn from a model."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import log
from typing import Any

from ziggurat_server.log import Faults
from ziggurat_server.tournaments.event import Entrant, EventSpec, FormatSpec, StopRule
from ziggurat_server.tournaments.formats import FORMATS, Field
from ziggurat_server.tournaments.formats.format import played_rounds
from ziggurat_server.tournaments.results import GameResult, Round, SeatResult


def turned(bots: Sequence[Any], rotation: int) -> tuple[Any, ...]:
    """Bots by seat in a game of a block."""
    return (*bots[rotation:], *bots[:rotation])


def game(
    number: int,
    bots: Sequence[str],
    places: Sequence[int],
    at: tuple[int, int, int] = (0, 0, 0),
    points: Sequence[int] | None = None,
    faults: Mapping[str, Faults] | None = None,
    forfeits: Sequence[str] = (),
) -> GameResult:
    """A game with these bots and places by seat; `at` is (round, table, rotation)."""
    seats = tuple(
        SeatResult(bot, gained, place, (), bot in forfeits, (faults or {}).get(bot, Faults()))
        for bot, place, gained in zip(bots, places, points or [10 - place for place in places], strict=True)
    )
    return GameResult(number, *at, seats)


def pair_event(
    scores: Sequence[str], bots: tuple[str, str] = ("a", "b")
) -> tuple[list[Round], list[GameResult]]:
    """Rounds of one table for two; each is given by its games as the first bot had them: "+", "=" or "-"."""
    places = {"+": (1, 2), "=": (1, 1), "-": (2, 1)}
    rounds = [Round(number, (bots,)) for number in range(len(scores))]
    results: list[GameResult] = []
    for number, block in enumerate(scores):
        for rotation, score in enumerate(block):
            there = turned(places[score], rotation)
            results.append(game(len(results), turned(bots, rotation), there, (number, 0, rotation)))
    return rounds, results


def spec(bots: Sequence[str], seats: int = 2, stop: StopRule | None = None, **format: object) -> EventSpec:
    """An event of these bots."""
    return EventSpec(
        "flow", tuple(Entrant(bot, "1") for bot in bots), seats, format=FormatSpec(**format), stop=stop
    )


def drawn_event(
    strengths: Mapping[str, float],
    worths: Sequence[float],
    blocks: int,
    seed: int,
    shared: float = 0.0,
) -> tuple[list[Round], list[GameResult]]:
    """One table a round, of bots drawn at random, with places by Plackett-Luce: each game for itself is exactly that.

    `worths`: of the seats. `shared`: the chance that a game has the luck of its deal, by seat, and not its own; that
    binds the games of a block together.
    """
    chance = random.Random(seed)
    seats = len(worths)

    def lucks() -> list[float]:
        return [-log(chance.expovariate(1)) for _ in range(seats)]

    rounds, results = [], []
    for number in range(blocks):
        bots = tuple(chance.sample(sorted(strengths), seats))
        rounds.append(Round(number, (bots,)))
        deal = lucks()
        for rotation in range(seats):
            there = turned(bots, rotation)
            luck = deal if chance.random() < shared else lucks()
            values = [
                strengths[bot] + worth + extra for bot, worth, extra in zip(there, worths, luck, strict=True)
            ]
            places = [1 + sum(other > value for other in values) for value in values]
            results.append(game(len(results), there, places, (number, 0, rotation)))
    return rounds, results


def format_event(
    form: FormatSpec, strengths: Mapping[str, float], seats: int, seed: int, swing: float
) -> tuple[list[Round], list[GameResult]]:
    """All rounds of a format, with places by Plackett-Luce.

    `swing`: standard deviation of how much stronger or weaker a bot is in a round, at all its tables, since the deal
    suits it or not.
    """
    chance = random.Random(seed)
    field = Field(tuple(strengths), seats, form, seed, {})
    rounds: list[Round] = []
    results: list[GameResult] = []
    while drawn := FORMATS[form.name].draw(field, rounds, played_rounds(rounds, results)):
        rounds.append(drawn)
        here = {bot: strength + chance.gauss(0, swing) for bot, strength in strengths.items()}
        for table, bots in enumerate(drawn.tables):
            for rotation in range(form.rotations or seats):
                there = turned(bots, rotation)
                values = [here[bot] - log(chance.expovariate(1)) for bot in there]
                places = [1 + sum(other > value for other in values) for value in values]
                results.append(game(len(results), there, places, (drawn.number, table, rotation)))
    return rounds, results


def pair_at_tables(
    chance: random.Random, deals: int, tables: int, edge: float, swing: float
) -> tuple[list[Round], list[GameResult]]:
    """Rounds in which a and b meet at several tables for two: how much the deal suits a is one number for all."""
    rounds = [Round(number, (("a", "b"),) * tables) for number in range(deals)]
    results: list[GameResult] = []
    for number in range(deals):
        odds = 0.5 + edge + chance.uniform(-swing, swing)
        for table in range(tables):
            for rotation in range(2):
                places = turned((1, 2) if chance.random() < odds else (2, 1), rotation)
                results.append(game(len(results), turned("ab", rotation), places, (number, table, rotation)))
    return rounds, results
