"""Knockout: the first of each table go on, the others are out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ziggurat_server.tournaments.formats.checks import check_field, check_size
from ziggurat_server.tournaments.formats.format import Field, Played
from ziggurat_server.tournaments.formats.history import ranked, result_of, seeded, seeds_of, snake
from ziggurat_server.tournaments.formats.seating import Seating
from ziggurat_server.tournaments.results import Round


class Knockout:
    """`advance` of each table go on, until as many bots are left as a table has seats: they play the final.

    Every table is full, so numbers that don't fit are mended early: at first the best seeds have a bye, and more than
    `advance` go on from some tables, such that later rounds need neither, or as few as can be. A
    withdrawn bot's place falls to the next of its table. If too few are left for a table, the best of those who went
    out last come back; if one is left, it has won.
    """

    waits = True
    late = False

    def check(self, field: Field) -> None:
        check_field(field, uses=frozenset({"advance"}))
        check_size(field, len(field.bots), 1, "bots")

    def draw(self, field: Field, rounds: Sequence[Round], played: Sequence[Played]) -> Round | None:
        if played and _is_final(played[-1].round):
            return None
        seeds = seeded(field)
        alive = _alive(field, played)
        if len(alive) < 2 or len(seeds) < field.seats:
            return None
        if len(alive) < field.seats:
            alive = set(self.ranking(field, played)[: field.seats])
        order = [bot for bot in seeds if bot in alive]
        seating = Seating(field, rounds)
        if len(order) == field.seats:
            return Round(len(rounds), (seating.seat(order),), labels=("final",))
        tables = len(going_on(len(order), field.seats, advancing(field)))
        resting = len(order) - tables * field.seats
        seated = tuple(seating.seat(table) for table in snake(order[resting:], tables))
        return Round(len(rounds), seated, tuple(order[:resting]), (f"last {len(order)}",) * tables)

    def tables_to_come(self, field: Field, drawn: int) -> int:
        return 0

    def ranking(self, field: Field, played: Sequence[Played]) -> list[str]:
        """Who has not lost, then the others by the round of their last table, place at it, credits, points, seed."""
        alive = _alive(field, played)
        order = by_last_table(field, played)
        return sorted(order, key=lambda bot: bot not in alive)


def by_last_table(field: Field, played: Sequence[Played]) -> list[str]:
    """The bots by the last round that they were in, then place at their table, credits, points, seed."""
    seeds = seeds_of(field)
    keys: dict[str, tuple[int, int, Fraction, Fraction, int]] = {
        bot: (1, 0, Fraction(0), Fraction(0), seed) for bot, seed in seeds.items()
    }
    for number, done in enumerate(played):
        for bot in done.round.byes:
            keys[bot] = (-number, -1, Fraction(0), Fraction(0), seeds.get(bot, len(seeds)))
        for table in range(len(done.round.tables)):
            for place, bot in enumerate(ranked(done, table, seeds)):
                credit, points = result_of(done, table, bot)
                keys[bot] = (-number, place, -credit, -points, seeds.get(bot, len(seeds)))
    return sorted(seeds, key=lambda bot: keys[bot])


def advancing(field: Field) -> int:
    """How many of a table go on."""
    return field.spec.advance or max(1, field.seats // 2)


def going_on(bots: int, seats: int, advance: int) -> list[int]:
    """How many go on from each table of a round with more bots than seats.

    A target is what leads to the final by full tables with exactly `advance` going on. Where the tables that can be
    filled do not put out enough for the next target, the round only makes the number divisible by the seats.
    """
    target = seats
    while (following := target // advance * seats + target % advance) < bots:
        target = following
    if -(-(bots - target) // (seats - advance)) * seats > bots:
        target = bots // seats * seats
    out = min(bots - target, bots // seats * (seats - advance))
    tables = -(-out // (seats - advance))
    least, more = divmod(out, tables)
    return [seats - least - (number < more) for number in range(tables)]


def _is_final(drawn: Round) -> bool:
    return "final" in drawn.labels


def _alive(field: Field, played: Sequence[Played]) -> set[str]:
    """Who has not lost, of those still in."""
    if not played:
        return set(field.bots)
    last = played[-1]
    if _is_final(last.round):
        return set()
    seeds = seeds_of(field)
    alive = set(last.round.byes) & seeds.keys()
    counts = going_on(_size(last.round), field.seats, advancing(field))
    for table, count in enumerate(counts):
        alive.update([bot for bot in ranked(last, table, seeds) if bot in seeds][:count])
    return alive


def _size(drawn: Round) -> int:
    return len(drawn.byes) + sum(map(len, drawn.tables))
