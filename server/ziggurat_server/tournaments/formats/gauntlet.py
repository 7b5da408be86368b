"""Gauntlet: candidates each meet the field, never each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ziggurat_server.tournaments.errors import BadEvent
from ziggurat_server.tournaments.formats.checks import check_field, check_round, check_size, games_per_table
from ziggurat_server.tournaments.formats.colouring import spread_places
from ziggurat_server.tournaments.formats.designs import develop, near_bases
from ziggurat_server.tournaments.formats.format import Field, Played
from ziggurat_server.tournaments.formats.history import shuffled
from ziggurat_server.tournaments.formats.round_robin import by_mean_credit, full_turn, places_in
from ziggurat_server.tournaments.results import Round


class Gauntlet:
    """In a round every candidate meets the same line-ups, seated alike; each bot of the field is in equally many of
    them. The rounds take the base blocks of a design in turn, so that pairs in the field meet about equally often."""

    waits = False
    late = False

    def check(self, field: Field) -> None:
        check_field(field, uses=frozenset({"rounds", "candidates"}))
        _check_candidates(field)
        others = len(field.bots) - len(field.spec.candidates)
        line_ups = others if others >= field.seats else 1
        tables = len(field.spec.candidates) * line_ups
        check_round(field, tables)
        check_size(field, tables, field.spec.rounds or 1)

    def draw(self, field: Field, rounds: Sequence[Round], played: Sequence[Played]) -> Round | None:
        candidates, others = _sides(field)
        number = len(rounds)
        if number >= (field.spec.rounds or 1) or not candidates or len(others) < field.seats - 1:
            return None
        tables: list[tuple[str, ...]] = []
        for line_up in _line_ups(field, others, number):
            tables.extend(_with(candidate, line_up) for candidate in candidates)
        return Round(number, tuple(tables))

    def tables_to_come(self, field: Field, drawn: int) -> int:
        candidates, others = _sides(field)
        if not candidates or len(others) < field.seats - 1:
            return 0
        turn = full_turn(field.seats, games_per_table(field))
        sizes = [len(develop(base, len(others))) for base in near_bases(len(others), field.seats - 1)]
        rounds = field.spec.rounds or 1
        line_ups = _line_ups_before(max(rounds, drawn), sizes, turn) - _line_ups_before(drawn, sizes, turn)
        return len(candidates) * line_ups

    def ranking(self, field: Field, played: Sequence[Played]) -> list[str]:
        """The bots by mean credit of their tables, then entry."""
        return by_mean_credit(field, played)


def _sides(field: Field) -> tuple[list[str], list[str]]:
    """The candidates still in, and the field by keyed chance."""
    candidates = [bot for bot in field.spec.candidates if bot in field.bots]
    return candidates, [bot for bot in shuffled(field.bots, field.seed) if bot not in field.spec.candidates]


def _line_ups_before(number: int, sizes: list[int], turn: int) -> int:
    """Line-ups of the first rounds, when each base block in turn serves so many rounds."""
    cycles, rest = divmod(number, turn * len(sizes))
    started = sum(size * max(0, min(turn, rest - place * turn)) for place, size in enumerate(sizes))
    return cycles * turn * sum(sizes) + started


def _line_ups(field: Field, others: list[str], number: int) -> list[list[str | None]]:
    """Opponents by seat, None where the candidate sits."""
    games = games_per_table(field)
    bases = near_bases(len(others), field.seats - 1)
    base = bases[number // full_turn(field.seats, games) % len(bases)]
    seats: list[str | None] = [*others, None]
    blocks = spread_places([(*block, len(others)) for block in develop(base, len(others))], len(seats))
    places = places_in(number, field.seats, games)
    return [[seats[block[place]] for place in places] for block in blocks]


def _with(candidate: str, line_up: list[str | None]) -> tuple[str, ...]:
    return tuple(candidate if bot is None else bot for bot in line_up)


def _check_candidates(field: Field) -> None:
    key = "format.candidates"
    candidates = field.spec.candidates
    if not candidates:
        raise BadEvent(key, "a gauntlet needs candidates; name one bot or more")
    for bot, count in Counter(candidates).items():
        if count > 1:
            raise BadEvent(key, f"{bot} is named {count} times; name each bot once")
        if bot not in field.bots:
            raise BadEvent(key, f"{bot} is no bot of the event; enter it among the bots or leave it out here")
    others = len(field.bots) - len(candidates)
    if others < field.seats - 1:
        raise BadEvent(
            key,
            f"{len(candidates)} of {len(field.bots)} bots leave {others} opponents for the {field.seats - 1} other"
            " seats of a table; add bots or name fewer candidates",
        )
