"""In which order the bots of a table sit: each in each seat equally often, with new neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, permutations

from ziggurat_server.tournaments.formats.checks import games_per_table
from ziggurat_server.tournaments.formats.format import Field
from ziggurat_server.tournaments.formats.history import shuffled
from ziggurat_server.tournaments.results import Round

_MOST_ORDERS = 720
"""Orders tried for one table: all of them for up to 6 seats."""


def seats_of(place: int, seats: int, games: int) -> list[int]:
    """Where the bot sits that is at a place of the first game: one seat lower each time."""
    return [(place - turn) % seats for turn in range(games)]


class Seating:
    """Knows who sat where and beside whom, and seats tables accordingly."""

    def __init__(self, field: Field, rounds: Iterable[Round]) -> None:
        self._seats = field.seats
        self._games = games_per_table(field)
        self._seed = field.seed
        self._sat: Counter[tuple[str, int]] = Counter()
        self._left: Counter[tuple[str, str]] = Counter()
        self._round = 0
        for drawn in rounds:
            self._round += 1
            for table in drawn.tables:
                self._note(table)

    def seat(self, bots: Sequence[str]) -> tuple[str, ...]:
        """The bots of a table in seat order of its first game."""
        orders = islice(permutations(shuffled(bots, self._seed, self._round)), _MOST_ORDERS)
        best = min(orders, key=self._cost)
        self._note(best)
        return best

    def _cost(self, order: Sequence[str]) -> tuple[int, int]:
        """How often these bots had these seats, then these neighbours."""
        sat = sum(self._sat[bot, seat] for place, bot in enumerate(order) for seat in self._seats_of(place))
        return sat, sum(self._left[pair] for pair in _neighbours(order))

    def _seats_of(self, place: int) -> list[int]:
        # A full turn gives everybody every seat: there is nothing to choose.
        return [] if self._games == self._seats else seats_of(place, self._seats, self._games)

    def _note(self, table: Sequence[str]) -> None:
        for place, bot in enumerate(table):
            for seat in self._seats_of(place):
                self._sat[bot, seat] += 1
        self._left.update(_neighbours(table))


def _neighbours(order: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(order, (*order[1:], order[0]), strict=True))
