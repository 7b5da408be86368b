"""Round robin: in each round everybody meets everybody, at the tables of a block design."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import gcd

from ziggurat_server.tournaments.formats.checks import check_field, check_round, check_size, games_per_table
from ziggurat_server.tournaments.formats.designs import design, fewest_blocks
from ziggurat_server.tournaments.formats.format import Field, Played
from ziggurat_server.tournaments.formats.history import shuffled
from ziggurat_server.tournaments.results import Round


class RoundRobin:
    """A round is one pass: every pair meets. Neighbours change from round to round; so do the seats in which tables
    begin if they are not turned through all of them."""

    waits = False
    late = False

    def check(self, field: Field) -> None:
        check_field(field, uses=frozenset({"rounds"}))
        rounds = field.spec.rounds or 1
        check_round(field, fewest_blocks(len(field.bots), field.seats))
        tables = len(design(len(field.bots), field.seats).blocks)
        check_round(field, tables)
        check_size(field, tables, rounds)

    def draw(self, field: Field, rounds: Sequence[Round], played: Sequence[Played]) -> Round | None:
        number = len(rounds)
        if number >= (field.spec.rounds or 1) or len(field.bots) < field.seats:
            return None
        plan = design(len(field.bots), field.seats)
        games = games_per_table(field)
        # What a design leaves unbalanced is spread over the bots by new labels after each full turn.
        bots = shuffled(
            field.bots, field.seed, 0 if plan.perfect else number // full_turn(field.seats, games)
        )
        places = places_in(number, field.seats, games)
        return Round(number, tuple(tuple(bots[block[place]] for place in places) for block in plan.blocks))

    def tables_to_come(self, field: Field, drawn: int) -> int:
        if len(field.bots) < field.seats:
            return 0
        return max(0, (field.spec.rounds or 1) - drawn) * len(design(len(field.bots), field.seats).blocks)

    def ranking(self, field: Field, played: Sequence[Played]) -> list[str]:
        """The bots by mean credit of their tables, then entry."""
        return by_mean_credit(field, played)


def by_mean_credit(field: Field, played: Sequence[Played]) -> list[str]:
    """The bots by mean credit of the tables they have results of, then entry."""
    credits = {
        bot: [table[bot] for done in played for table in done.credits if bot in table] for bot in field.bots
    }
    return sorted(field.bots, key=lambda bot: -sum(credits[bot]) / max(1, len(credits[bot])))


def full_turn(seats: int, games: int) -> int:
    """After how many rounds everybody has had each seat equally often."""
    return seats // gcd(seats, games)


def places_in(number: int, seats: int, games: int) -> tuple[int, ...]:
    """Which place of a block sits in each seat in a round's first game: each round goes on turning where the one
    before ended, and after a full turn comes the next cyclic order."""
    orders = _cyclic_orders(seats)
    order = orders[number // full_turn(seats, games) % len(orders)]
    turn = number * games % seats
    return order[turn:] + order[:turn]


@cache
def _cyclic_orders(seats: int) -> tuple[tuple[int, ...], ...]:
    """Who sits left of whom, in all ways up to 7 seats; beyond, turned about alone."""
    places = tuple(range(seats))
    if seats > 7:
        return places, (0, *places[:0:-1])
    return tuple((0, *rest) for rest in permutations(places[1:]))
