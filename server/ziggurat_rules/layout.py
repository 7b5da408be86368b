"""The layout of a table: its zones, counters and lists, who may see each, and the cell key of each.

A view is a map from cell key to a tuple of integers. Keys and names are given once; updates carry keys and
values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

NOBODY = -1
"""Owner of what belongs to no seat."""

STACK_KEY, TO_ACT_KEY = 0, 4
_SPECIAL, _ZONE, _COUNTER, _LIST = 0, 1, 2, 3


class ZoneKind(IntEnum):
    """How a zone is shown."""

    OPEN = 0  # every face, in order, to everyone
    HAND = 1  # the faces a viewer knows; of the others a count per back
    PILE = 2  # a count per back, to everyone
    STACK = 3  # in order; the faces a viewer knows, the back of each other card
    SECRET = 4  # every face to its owner; nothing, not even a count, to others


OPEN, HAND, PILE, STACK, SECRET = ZoneKind  # a member looked up in its class costs three times as much


class Audience(IntEnum):
    """Who sees a counter or a list."""

    PUBLIC = 0
    OWNER = 1
    NONE = 2


FOR_ALL, FOR_OWNER, FOR_NONE = Audience


@dataclass(frozen=True, slots=True)
class Cell:
    """One named cell. `owner` is a seat, an index past the seats (see Layout.owners), or NOBODY."""

    key: int
    kind: str  # "zone", "counter" or "list"
    name: str
    owner: int
    shown: int  # ZoneKind of a zone, Audience of a counter or list
    doc: str
    holds: str  # what the integers of a list are: a kind of terms.KINDS


def zone_key(zone: int) -> int:
    """Cell key of a zone number."""
    return zone * 4 + _ZONE


def counter_key(counter: int) -> int:
    """Cell key of a counter number."""
    return counter * 4 + _COUNTER


def list_key(number: int) -> int:
    """Cell key of a list number."""
    return number * 4 + _LIST


class Layout:
    """Declares the cells of one game for a number of seats; the same call order gives the same keys.

    `owners` names further owners after the seats (the Banker, the Automa).
    """

    def __init__(self, seats: int, owners: Sequence[str] = ()) -> None:
        self.seats = seats
        self.owners = tuple(owners)
        self.public = 1 << seats
        """The bit of the public among audiences; bit n is seat n."""
        self.everyone = (2 << seats) - 1
        self.zones: list[Cell] = []
        self.lookers: list[int] = []
        """By zone: bits of the audiences that see every face in it."""
        self.counters: list[Cell] = []
        self.lists: list[Cell] = []

    def zone(self, name: str, kind: ZoneKind, doc: str, owner: int = NOBODY) -> int:
        """Declare one zone; returns its number."""
        self.zones.append(Cell(zone_key(len(self.zones)), "zone", name, owner, kind, doc, "card"))
        mine = kind in (ZoneKind.HAND, ZoneKind.SECRET) and 0 <= owner < self.seats
        self.lookers.append(self.everyone if kind == ZoneKind.OPEN else 1 << owner if mine else 0)
        return len(self.zones) - 1

    def zone_per_seat(self, name: str, kind: ZoneKind, doc: str) -> int:
        """Declare a zone for each seat; seat s has the returned number + s."""
        first = len(self.zones)
        for seat in range(self.seats):
            self.zone(name, kind, doc, seat)
        return first

    def counter(self, name: str, doc: str, owner: int = NOBODY, shown: Audience = Audience.PUBLIC) -> int:
        """Declare one counter; returns its number."""
        key = counter_key(len(self.counters))
        self.counters.append(Cell(key, "counter", name, owner, shown, doc, "amount"))
        return len(self.counters) - 1

    def counter_per_seat(self, name: str, doc: str, shown: Audience = Audience.PUBLIC) -> int:
        """Declare a counter for each seat; seat s has the returned number + s."""
        first = len(self.counters)
        for seat in range(self.seats):
            self.counter(name, doc, seat, shown)
        return first

    def list(
        self,
        name: str,
        doc: str,
        owner: int = NOBODY,
        shown: Audience = Audience.PUBLIC,
        holds: str = "amount",
    ) -> int:
        """Declare one list of integers of the kind `holds`; returns its number."""
        self.lists.append(Cell(list_key(len(self.lists)), "list", name, owner, shown, doc, holds))
        return len(self.lists) - 1

    def list_per_seat(
        self, name: str, doc: str, shown: Audience = Audience.PUBLIC, holds: str = "amount"
    ) -> int:
        """Declare a list for each seat; seat s has the returned number + s."""
        first = len(self.lists)
        for seat in range(self.seats):
            self.list(name, doc, seat, shown, holds)
        return first

    def cells(self) -> Sequence[Cell]:
        """Every declared cell, by key."""
        return sorted((*self.zones, *self.counters, *self.lists), key=lambda cell: cell.key)
