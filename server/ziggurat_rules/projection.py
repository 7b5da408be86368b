"""What each audience sees of a table: cells, their hash, and what changed.

One projection serves snapshots, diffs and tests. Cells that are the same for everyone are worked out once.
State hash: XOR over the non-empty cells of fmix32 (MurmurHash3's finalizer) of CRC-32 of the key (uint32,
little endian) followed by each value (int32, little endian); a counter of 0 counts as empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from struct import Struct, pack
from zlib import crc32

from ziggurat_rules.layout import (
    FOR_ALL,
    FOR_OWNER,
    HAND,
    OPEN,
    PILE,
    SECRET,
    STACK,
    STACK_KEY,
    TO_ACT_KEY,
    Cell,
    Layout,
)
from ziggurat_rules.table import Table
from ziggurat_rules.terms import Term

PUBLIC = -1
ARBITER = -2
"""Audiences besides the seats 0..n-1: what everybody may know, and all there is."""

Cells = dict[int, tuple[int, ...]]


_LAYOUTS = [Struct(f"<I{size}i") for size in range(16)]


def is_empty(key: int, values: tuple[int, ...]) -> bool:
    """Whether a cell counts as empty: no values, or a counter of 0."""
    return not values or (values == (0,) and key & 3 == 2)


def cell_hash(key: int, values: tuple[int, ...]) -> int:
    """The part of one cell in the state hash (32 bits)."""
    if is_empty(key, values):
        return 0
    size = len(values)
    value = crc32(_LAYOUTS[size].pack(key, *values) if size < 16 else pack(f"<I{size}i", key, *values))
    value = ((value ^ (value >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    return value ^ (value >> 16)


def state_hash(cells: Mapping[int, tuple[int, ...]]) -> int:
    """The state hash of a view."""
    value = 0
    for key, values in cells.items():
        value ^= cell_hash(key, values)
    return value


def _owns(audience: int, cell: Cell) -> bool:
    return audience >= 0 and audience == cell.owner  # what belongs to nobody is not the public's


def _count_by_back(table: Table, cards: Iterable[int]) -> list[int]:
    counts: dict[int, int] = {}
    for card in cards:
        back = table.back[card]
        counts[back] = counts.get(back, 0) + 1
    flat: list[int] = []
    for back in sorted(counts):
        flat += (-1 - back, counts[back])
    return flat


def read_zone(table: Table, zone: int, audience: int) -> tuple[int, ...]:
    """A zone as this audience sees it: known faces (>= 0) in order, for hidden cards (-1 - back, count)."""
    cell = table.layout.zones[zone]
    cards = table.zones[zone]
    ident = table.ident
    if audience == ARBITER or cell.shown == OPEN:
        return tuple(map(ident.__getitem__, cards))
    if cell.shown == PILE:
        return tuple(_count_by_back(table, cards))
    if cell.shown == SECRET:
        return tuple(map(ident.__getitem__, cards)) if _owns(audience, cell) else ()
    bit = table.layout.public if audience == PUBLIC else 1 << audience
    known = table.known
    if cell.shown == STACK:
        shown: list[int] = []
        for card in cards:
            shown += (ident[card],) if known[card] & bit else (-1 - table.back[card], 1)
        return tuple(shown)
    faces = [ident[card] for card in cards if known[card] & bit]
    return tuple(faces + _count_by_back(table, [card for card in cards if not known[card] & bit]))


def read_stack(table: Table) -> tuple[int, ...]:
    """The effect stack, bottom first: (step, seat, -1) of the agenda, then (-1, seat, card) of effects."""
    shown: list[int] = []
    for step in table.agenda:
        shown += (step[0], step[1] if len(step) > 1 else -1, -1)
    for seat, face in table.frames:
        shown += (-1, seat, face)
    return tuple(shown)


def read_cell(table: Table, key: int, audience: int) -> tuple[int, ...]:
    """One cell as this audience sees it; () if it may not."""
    number, kind = divmod(key, 4)
    if kind == 1:
        return read_zone(table, number, audience)
    if kind == 0:
        return read_stack(table)
    cell = table.layout.counters[number] if kind == 2 else table.layout.lists[number]
    if cell.shown == FOR_OWNER:
        visible = audience == ARBITER or _owns(audience, cell)
    else:
        visible = audience == ARBITER or cell.shown == FOR_ALL
    if not visible:
        return ()
    return (table.counters[number],) if kind == 2 else tuple(table.lists[number])


def depends_on_viewer(layout: Layout) -> frozenset[int]:
    """Keys of the cells that are not the same for all seats and the public."""
    keys = [c.key for c in layout.zones if c.shown in (HAND, STACK, SECRET)]
    keys += [c.key for c in (*layout.counters, *layout.lists) if c.shown != FOR_ALL]
    return frozenset(keys)


def hidden_from_all(layout: Layout) -> frozenset[int]:
    """Keys of the cells that show the arbiter something else than the public."""
    return depends_on_viewer(layout) | frozenset(c.key for c in layout.zones if c.shown == PILE)


def read_view(table: Table, to_act: Iterable[int], audience: int) -> Cells:
    """The whole view of an audience; empty cells and counters of 0 are left out."""
    cells: Cells = {TO_ACT_KEY: tuple(to_act)}
    for key in (STACK_KEY, *(cell.key for cell in table.layout.cells())):
        cells[key] = read_cell(table, key, audience)
    return {key: values for key, values in cells.items() if not is_empty(key, values)}


class Changes:
    """What one move changed: for all (`shared`), besides that for one audience (`own`), and the events."""

    __slots__ = ("events", "own", "shared")

    def __init__(self, shared: Cells, own: dict[int, Cells], events: list[tuple[int, Term]]) -> None:
        self.shared = shared
        self.own = own
        self.events = events


class Projector:
    """Keeps the views of all audiences of one match, their hashes and versions, move by move.

    A version counts the moves that this audience could notice; it is a fold of the log, equal on every node.
    """

    def __init__(self, table: Table, to_act: Iterable[int]) -> None:
        layout = table.layout
        self.audiences = (*range(layout.seats), PUBLIC, ARBITER)
        self._bit = {seat: 1 << seat for seat in range(layout.seats)} | {PUBLIC: layout.public, ARBITER: -1}
        self._viewer_keys = depends_on_viewer(layout)
        self._hidden_keys = hidden_from_all(layout)
        self.shared: Cells = {}
        self.own: dict[int, Cells] = {audience: {} for audience in self.audiences}
        self._shared_hash = 0
        self._cell_hashes: dict[int, int] = {}
        self._pile_hash = 0  # the part of the shared cells that the arbiter sees otherwise
        self._own_hash = dict.fromkeys(self.audiences, 0)
        self.version = dict.fromkeys(self.audiences, 0)
        table.dirty.update(cell.key for cell in layout.cells())
        table.dirty.add(STACK_KEY)
        self.advance(table, to_act)

    def advance(self, table: Table, to_act: Iterable[int]) -> Changes:
        """Take in what the table noted since the last call."""
        shared: Cells = {}
        own: dict[int, Cells] = {}
        self._put_shared(TO_ACT_KEY, tuple(to_act), shared)
        for key in sorted(table.dirty):
            if key not in self._viewer_keys:
                self._put_shared(key, read_cell(table, key, PUBLIC), shared)
            else:
                for audience in self.audiences[:-1]:
                    self._put_own(audience, key, read_cell(table, key, audience), own)
            if key in self._hidden_keys:
                self._put_own(ARBITER, key, read_cell(table, key, ARBITER), own)
        table.dirty.clear()
        events = table.events
        table.events = []
        if shared:
            self.version = {audience: version + 1 for audience, version in self.version.items()}
        else:
            self._count_for_some(own, events)
        return Changes(shared, own, events)

    def _count_for_some(self, own: Mapping[int, Cells], events: Iterable[tuple[int, Term]]) -> None:
        heard = 0
        for bits, _ in events:
            heard |= bits
        self.version = {
            audience: version + (1 if heard & self._bit[audience] or audience in own else 0)
            for audience, version in self.version.items()
        }

    def _put_shared(self, key: int, values: tuple[int, ...], changes: Cells) -> None:
        if values != self.shared.get(key, ()):
            new = cell_hash(key, values)
            change = self._cell_hashes.get(key, 0) ^ new
            self._cell_hashes[key] = new
            self._shared_hash ^= change
            if key in self._hidden_keys:
                self._pile_hash ^= change
            self.shared[key] = changes[key] = values

    def _put_own(self, audience: int, key: int, values: tuple[int, ...], own: dict[int, Cells]) -> None:
        cells = self.own[audience]
        old = cells.get(key, ())
        if values != old:
            self._own_hash[audience] ^= cell_hash(key, old) ^ cell_hash(key, values)
            cells[key] = own.setdefault(audience, {})[key] = values

    def hash(self, audience: int) -> int:
        """The state hash of an audience's view."""
        if audience != ARBITER:
            return self._shared_hash ^ self._own_hash[audience]
        return self._shared_hash ^ self._pile_hash ^ self._own_hash[ARBITER]

    def hashes(self) -> dict[int, int]:
        """The state hashes of all audiences but the arbiter."""
        shared = self._shared_hash
        return {audience: shared ^ own for audience, own in self._own_hash.items() if audience != ARBITER}

    def view(self, audience: int) -> Cells:
        """The whole view of an audience; empty cells and counters of 0 are left out."""
        cells = {
            key: values
            for key, values in self.shared.items()
            if audience != ARBITER or key not in self._hidden_keys
        }
        cells |= self.own[audience]
        return {key: values for key, values in cells.items() if not is_empty(key, values)}

    def events_for(self, audience: int, changes: Changes) -> list[Term]:
        """The events of a move that this audience hears of."""
        bit = self._bit[audience]
        return [event for bits, event in changes.events if bits & bit]
