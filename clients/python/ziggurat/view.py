"""What a seat or the public sees of a match, folded from updates, and the hash that proves it right."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple
from zlib import crc32

from ziggurat.game import Card, GameInfo, Term, terms
from ziggurat.v1 import play_pb2

STACK_KEY, TO_ACT_KEY = 0, 4

_PACK = [Struct(f"<I{size}i").pack for size in range(64)]


def cell_hash(key: int, values: tuple[int, ...]) -> int:
    """The part of a cell in the state hash: 32 bits; 0 for an empty cell and for a counter of 0."""
    size = len(values)
    if not size or (size == 1 and key & 3 == 2 and not values[0]):
        return 0
    pack = _PACK[size] if size < 64 else Struct(f"<I{size}i").pack
    part = crc32(pack(key, *values))
    part = ((part ^ (part >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    part = ((part ^ (part >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    return part ^ (part >> 16)


class Board:
    """The cells of one view as held by the client; empty cells and counters of 0 are absent.

    `hash` and `version` are those of the last update; `events` collects terms as (lengths, integers) until
    taken.
    """

    __slots__ = ("_parts", "cells", "events", "hash", "version")

    def __init__(self) -> None:
        self.cells: dict[int, tuple[int, ...]] = {}
        self._parts: dict[int, int] = {}
        self.events: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self.hash = 0
        self.version = 0

    def fold(self, update: play_pb2.Update, verify: bool = True) -> bool:
        """Take in an update. False if the result is not what the server has: then only a snapshot helps."""
        if update.snapshot:
            self.cells.clear()
            self._parts.clear()
            self.events.clear()
            self.hash = 0
        cells, parts, state = self.cells, self._parts, self.hash
        values = tuple(update.values)
        start = 0
        for key, size in zip(update.keys, update.sizes, strict=False):
            cell = values[start : start + size]
            start += size
            if not size or (size == 1 and key & 3 == 2 and cell == (0,)):
                cells.pop(key, None)
                state ^= parts.pop(key, 0)
                continue
            cells[key] = cell
            if verify:
                part = cell_hash(key, cell)
                state ^= part ^ parts.get(key, 0)
                parts[key] = part
        self.version = update.version
        self.hash = update.hash
        if update.event_sizes:
            self.events.append((tuple(update.event_sizes), tuple(update.events)))
        return not verify or (state == update.hash and start == len(values))


class Frame(NamedTuple):
    """An entry of the effect stack: a step of the game, or a card that is being resolved, and whose it is
    (-1: nobody).
    """

    step: str
    seat: int
    card: Card | None


class View:
    """What one audience sees at one moment; it does not change. `seat` is -1 for the public.

    Zones, counters and lists are asked for by name and owner: a seat, a further owner (`info.owners`,
    numbered after the seats) or -1 for what belongs to nobody. A name that the game does not have raises
    UnknownName.
    """

    __slots__ = ("_cells", "_events", "info", "match_id", "seat", "version")

    def __init__(self, match_id: str, seat: int, info: GameInfo, board: Board) -> None:
        self.match_id = match_id
        self.seat = seat
        self.info = info
        self.version = board.version
        self._cells = board.cells.copy()
        self._events = board.events
        board.events = []

    def __repr__(self) -> str:
        whose = f"seat {self.seat}" if self.seat >= 0 else "the public"
        return f"<View of {whose}: {self.game} {self.match_id}, version {self.version}>"

    @property
    def game(self) -> str:
        """Name of the game; `info` is all about it."""
        return self.info.name

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.info.seats

    @property
    def to_act(self) -> tuple[int, ...]:
        """Seats that must act, ascending."""
        return self._cells.get(TO_ACT_KEY, ())

    @property
    def stack(self) -> list[Frame]:
        """What is being resolved, outermost first."""
        flat = self._cells.get(STACK_KEY, ())
        info = self.info
        return [
            Frame(info.steps[step], seat, None) if step >= 0 else Frame("", seat, info.cards[card])
            for step, seat, card in zip(flat[::3], flat[1::3], flat[2::3], strict=True)
        ]

    @property
    def events(self) -> list[Term]:
        """What happened since this seat's last decision (or since the last snapshot), in order."""
        return [term for sizes, values in self._events for term in terms(self.info, sizes, values)]

    def cards(self, zone: str, owner: int = -1) -> list[Card]:
        """The cards of a zone whose faces are known to this audience, in order."""
        cards = self.info.cards
        known, _ = _split(self._cells.get(self.info.key("zone", zone, owner), ()))
        return [cards[face] for face in known]

    def hidden(self, zone: str, owner: int = -1) -> dict[str, int]:
        """How many cards of a zone are unknown to this audience, by back."""
        _, backs = _split(self._cells.get(self.info.key("zone", zone, owner), ()))
        counts: dict[str, int] = {}
        for back, count in backs:
            name = self.info.backs[back]
            counts[name] = counts.get(name, 0) + count
        return counts

    def counter(self, name: str, owner: int = -1) -> int:
        """Value of a counter; 0 if this audience may not see it."""
        values = self._cells.get(self.info.key("counter", name, owner))
        return values[0] if values else 0

    def list(self, name: str, owner: int = -1) -> tuple[int, ...]:
        """Integers of a list; () if this audience may not see it."""
        return self._cells.get(self.info.key("list", name, owner), ())

    def cell(self, key: int) -> tuple[int, ...]:
        """The raw integers of a cell, as on the wire."""
        return self._cells.get(key, ())


def _split(values: tuple[int, ...]) -> tuple[tuple[int, ...] | list[int], list[tuple[int, int]]]:
    """The known faces and the (back, count) pairs of a zone."""
    if not values or min(values) >= 0:
        return values, []
    faces = []
    backs = []
    place = 0
    while place < len(values):
        if values[place] >= 0:
            faces.append(values[place])
            place += 1
        else:
            backs.append((-1 - values[place], values[place + 1]))
            place += 2
    return faces, backs
