"""Swiss system for tables of any size: bots of like score meet, nobody twice while that can be avoided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice

from ziggurat_server.tournaments.formats.checks import check_field, check_size
from ziggurat_server.tournaments.formats.format import Field, Played
from ziggurat_server.tournaments.formats.history import (
    byes,
    meetings,
    pair,
    scores,
    seeded,
    shuffled,
    snake,
)
from ziggurat_server.tournaments.formats.pairing import REMATCH, pair_up, rematches, without_rematch
from ziggurat_server.tournaments.formats.seating import Seating
from ziggurat_server.tournaments.results import Round

_SCALE = 60
"""Scores are compared in whole 60ths."""
_BYE_CHOICES = 1500


class Swiss:
    """The first round parts the best by rating. Later ones seat like scores together (see history.scores). Bots over
    go without a table, lowest score first, nobody a second time before all have; others than the lowest only where
    that avoids a rematch."""

    waits = True
    late = True

    def check(self, field: Field) -> None:
        check_field(field, uses=frozenset({"rounds"}))
        check_size(
            field,
            len(field.bots) // field.seats,
            field.spec.rounds or default_rounds(len(field.bots), field.seats),
        )

    def draw(self, field: Field, rounds: Sequence[Round], played: Sequence[Played]) -> Round | None:
        first = len(rounds[0].byes) + sum(map(len, rounds[0].tables)) if rounds else len(field.bots)
        if len(rounds) >= (field.spec.rounds or default_rounds(first, field.seats)):
            return None
        if len(field.bots) < field.seats:
            return None
        out, tables = _first(field) if not rounds else _next(field, rounds, played)
        seating = Seating(field, rounds)
        return Round(len(rounds), tuple(seating.seat(table) for table in tables), tuple(out))

    def tables_to_come(self, field: Field, drawn: int) -> int:
        return 0

    def ranking(self, field: Field, played: Sequence[Played]) -> list[str]:
        """The bots by score, then by the mean score of those they met (once for each table), then seed."""
        totals = scores(field.bots, played)
        met: dict[str, list[Fraction]] = {bot: [] for bot in field.bots}
        for table in (table for done in played for table in done.round.tables):
            for bot in table:
                if bot in met:
                    met[bot] += [totals[other] for other in table if other != bot and other in totals]
        strength = {bot: sum(others, Fraction(0)) / max(1, len(others)) for bot, others in met.items()}
        return sorted(seeded(field), key=lambda bot: (-totals[bot], -strength[bot]))


def default_rounds(bots: int, seats: int) -> int:
    """Enough to have one bot left of `bots` if only the winner of a table went on, and one more."""
    rounds, reach = 1, 1
    while reach < bots:
        reach *= seats
        rounds += 1
    return rounds


def _first(field: Field) -> tuple[list[str], list[list[str]]]:
    order = seeded(field)
    tables = len(order) // field.seats
    full = tables * field.seats
    return order[full:], snake(order[:full], tables)


def _next(
    field: Field, rounds: Sequence[Round], played: Sequence[Played]
) -> tuple[list[str], list[list[str]]]:
    totals = scores(field.bots, played)
    order = sorted(shuffled(field.bots, field.seed, len(rounds)), key=lambda bot: -totals[bot])
    met = meetings(rounds)
    whole = {bot: round(total * _SCALE) for bot, total in totals.items()}
    costs = [
        [REMATCH * met[pair(a, b)] + (whole[a] - whole[b]) ** 2 if a != b else 0 for b in order]
        for a in order
    ]
    choices = list(islice(_bye_choices(order, rounds, field.seats), 1 + _BYE_CHOICES // len(order)))
    out, tables = choices[0], _seat_all_but(choices[0], costs, field.seats)
    if rematches(tables, costs):
        everybody = range(len(order))
        for other in choices[1:]:
            if without_rematch(costs, field.seats, [number for number in everybody if number not in other]):
                out, tables = other, _seat_all_but(other, costs, field.seats)
                break
    return [order[number] for number in sorted(out)], [
        [order[number] for number in table] for table in tables
    ]


def _seat_all_but(out: frozenset[int], costs: list[list[int]], seats: int) -> list[list[int]]:
    playing = [number for number in range(len(costs)) if number not in out]
    tables = pair_up([[costs[a][b] for b in playing] for a in playing], seats)
    return [[playing[number] for number in table] for table in tables]


def _bye_choices(order: list[str], rounds: Sequence[Round], seats: int) -> Iterator[frozenset[int]]:
    """Sets of bots to sit out, best choice first: fewest byes so far, then lowest score."""
    over = len(order) % seats
    had = byes(rounds)
    wait = sorted(range(len(order)), key=lambda number: (had[order[number]], -number))
    if not over:
        yield frozenset()
        return
    last = had[order[wait[over - 1]]]
    sure = [number for number in wait if had[order[number]] < last]
    choice = [number for number in wait if had[order[number]] == last]
    for chosen in combinations(choice, over - len(sure)):
        yield frozenset((*sure, *chosen))
