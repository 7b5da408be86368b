"""The Table: the whole state of one game as plain data, and the verbs that are alone in changing it.

Cards are handles: `ident[handle]` is the face (index in the catalogue). Zones, counters and lists are
numbered by the layout. Every verb notes the cells it changes, so that views are updated by what changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from ziggurat_rules import keyed
from ziggurat_rules.layout import STACK_KEY, Layout, list_key
from ziggurat_rules.terms import Term

NOWHERE = -1
"""Place of a card that is in no zone (in the box)."""


Sure = tuple[int, tuple[int, ...]]
"""What a seat is sure of: a card with the face of this handle is among the unseen ones of these lots."""


def _take_off(left: dict[tuple[int, ...], list[int]], ident: Sequence[int], card: int, lot: int) -> None:
    """A card of a lot was seen: one certainty less about its face, the narrowest that it may have been."""
    face = ident[card]
    found: tuple[int, int, list[int]] | None = None
    for lots, cards in left.items():
        if lot in lots and (found is None or len(lots) < found[0]):
            told = next((one for one in cards if ident[one] == face), None)
            if told is not None:
                found = (len(lots), told, cards)
    if found is not None:
        found[2].remove(found[1])


class Resolving:
    """Keeps an entry on the effect stack of a table while its block runs to the end."""

    # A class of its own: contextlib's generators cost three times as much.
    __slots__ = ("entry", "table")

    def __init__(self, table: Table, entry: tuple[int, int]) -> None:
        self.table = table
        self.entry = entry

    def __enter__(self) -> None:
        """Put the entry on top."""
        self.table.frames.append(self.entry)
        self.table.dirty.add(STACK_KEY)

    def __exit__(self, fault: type[BaseException] | None, *_: object) -> None:
        """Take the entry off, which need not be on top: inside `together` other seats may have begun since.

        It stays if the effect is broken off (a generator thrown away): the table is another's by then.
        """
        if fault is None:
            frames = self.table.frames
            del frames[len(frames) - 1 - frames[::-1].index(self.entry)]
            self.table.dirty.add(STACK_KEY)


class Table:
    """State of one game. A game's own Table subclasses it with named verbs, and slots only where needed."""

    __slots__ = (
        "agenda",
        "back",
        "counted",
        "counters",
        "dirty",
        "epochs",
        "events",
        "frames",
        "ident",
        "known",
        "layout",
        "limit",
        "lists",
        "lot",
        "place",
        "seed",
        "shuffles",
        "sure",
        "zones",
    )

    def __init__(self, layout: Layout, seed: int, faces: Sequence[int], backs: Sequence[int]) -> None:
        """`faces[h]` is the face of handle h, `backs[h]` its public back; cards start nowhere, unknown."""
        self.layout = layout
        self.seed = seed
        self.ident = tuple(faces)
        self.back = tuple(backs)
        self.known = [0] * len(faces)
        self.place = [NOWHERE] * len(faces)
        self.lot = (0,) * len(faces)  # number of the last shuffle that a card was in
        self.limit: dict[int, int] = {}  # handle -> number of a class of faces it is known to belong to
        self.shuffles = 0
        self.sure: list[Mapping[tuple[int, ...], tuple[int, ...]]] = [
            {}
        ] * layout.seats  # by seat: cards by lots
        # by card: the seats whose `sure` has taken into account that they know it
        self.counted = (0,) * len(faces)
        self.zones: list[list[int]] = [[] for _ in layout.zones]
        self.counters = [0] * len(layout.counters)
        self.lists: list[list[int]] = [[] for _ in layout.lists]
        self.epochs: dict[int, int] = {}
        self.agenda: list[tuple[int, ...]] = []
        self.frames: list[tuple[int, int]] = []
        self.dirty: set[int] = set()
        self.events: list[tuple[int, Term]] = []

    def clone(self) -> Self:
        """An independent copy, without the notes of changes and events."""
        new = type(self).__new__(type(self))
        new.layout = self.layout
        new.seed = self.seed
        new.ident = self.ident
        new.back = self.back
        new.known = self.known[:]
        new.place = self.place[:]
        new.lot = self.lot
        new.limit = self.limit.copy()
        new.shuffles = self.shuffles
        new.sure = self.sure[:]
        new.counted = self.counted
        new.zones = list(map(list.copy, self.zones))
        new.counters = self.counters[:]
        new.lists = list(map(list.copy, self.lists))
        new.epochs = self.epochs.copy()
        new.agenda = self.agenda[:]
        new.frames = self.frames[:]
        new.dirty = set()
        new.events = []
        return new

    # Cards

    def move(self, card: int, zone: int, at: int | None = None) -> None:
        """Move a card to a zone (on top, or to position `at`); whoever may look there learns its face."""
        zones, layout, dirty = self.zones, self.layout, self.dirty
        old = self.place[card]
        if old != NOWHERE:
            zones[old].remove(card)
            dirty.add(layout.zones[old].key)
        if at is None:
            zones[zone].append(card)
        else:
            zones[zone].insert(at, card)
        self.place[card] = zone
        self.known[card] |= layout.lookers[zone]
        dirty.add(layout.zones[zone].key)

    def move_all(self, cards: Sequence[int], zone: int) -> None:
        """Move cards onto a zone, the last one on top: what `move` does with each in turn."""
        if not cards:
            return
        gone = set(cards)
        for old in {self.place[card] for card in cards} - {NOWHERE}:
            self.zones[old][:] = [card for card in self.zones[old] if card not in gone]
            self.dirty.add(self.layout.zones[old].key)
        self.zones[zone] += cards
        bits = self.layout.lookers[zone]
        for card in cards:
            self.place[card] = zone
            self.known[card] |= bits
        self.dirty.add(self.layout.zones[zone].key)

    def remove(self, card: int) -> None:
        """Put a card out of the game, into the box; what was known of it stays known."""
        zone = self.place[card]
        self.zones[zone].remove(card)
        self.place[card] = NOWHERE
        self.dirty.add(self.layout.zones[zone].key)

    def draw(self, pile: int, zone: int) -> int | None:
        """Move the top card (the last of the list) of a pile to a zone; None if the pile is empty."""
        if not self.zones[pile]:
            return None
        card = self.zones[pile][-1]
        self.move(card, zone)
        return card

    def reveal(self, card: int, *seats: int) -> None:
        """Show a card where it lies to these seats, or to everyone if none is named."""
        bits = 0
        for seat in seats:
            bits |= 1 << seat
        self.known[card] |= bits or self.layout.everyone
        if self.place[card] != NOWHERE:
            self.dirty.add(self.layout.zones[self.place[card]].key)

    def shuffle(self, zone: int) -> None:
        """Shuffle a zone: nobody knows which card is which, but each seat knows the faces it knew went in."""
        cards = self.zones[zone]
        self.shuffles += 1
        lots = {self.lot[card] for card in cards}
        there: list[int] = []
        last: set[int] = set()
        seen = 0
        for card in cards:
            seen |= self.known[card]
        for seat in range(self.layout.seats):
            if not self.sure[seat] and not seen >> seat & 1:
                continue  # nothing to carry over: a lot without a certainty never gets one
            linked = self._linked_lots(seat, lots)
            if linked != last:
                there = [card for card, lot in enumerate(self.lot) if lot in linked]
                last = linked
            self._carry_over(seat, cards, linked, there)
        counted, lot = list(self.counted), list(self.lot)
        for card in cards:
            self.known[card] = counted[card] = 0
            lot[card] = self.shuffles
            self.limit.pop(card, None)
        self.counted, self.lot = tuple(counted), tuple(lot)
        epoch = self.epochs[zone] = self.epochs.get(zone, 0) + 1
        self.zones[zone] = keyed.shuffled(cards, self.seed, zone, epoch)
        self.dirty.add(self.layout.zones[zone].key)

    def still_sure(self, seat: int) -> list[Sure]:
        """What a seat knows to be in which lots, besides the cards it knows by themselves."""
        left = {lots: list(cards) for lots, cards in self.sure[seat].items()}
        if left:
            for card, known in enumerate(self.known):
                if (known & ~self.counted[card]) >> seat & 1:
                    _take_off(left, self.ident, card, self.lot[card])
        return [(card, lots) for lots, cards in left.items() for card in cards]

    def _linked_lots(self, seat: int, lots: set[int]) -> set[int]:
        """These lots and all that a certainty of the seat ties to them."""
        linked = lots.copy()
        ties = [tie for tie in self.sure[seat] if len(tie) > 1]
        size = 0
        while ties and size < len(linked):
            size = len(linked)
            for tie in ties:
                if not linked.isdisjoint(tie):
                    linked.update(tie)
        return linked

    def _carry_over(self, seat: int, cards: Sequence[int], linked: set[int], there: Sequence[int]) -> None:
        """Bring what a seat is sure of up to date before these cards become the lot `self.shuffles`.

        Only certainties about the linked lots change, by what became of the cards that are `there`.
        """
        bit = 1 << seat
        known, counted = self.known, list(self.counted)
        sure: dict[tuple[int, ...], tuple[int, ...]] = {}
        left: dict[tuple[int, ...], list[int]] = {}
        for lots, told in self.sure[seat].items():
            if lots[0] in linked:
                left[lots] = list(told)
            else:
                sure[lots] = told
        leave: set[int] = set()
        stay: set[int] = set()
        going = set(cards)
        for card in there:
            if not known[card] & bit:
                (leave if card in going else stay).add(self.lot[card])
            elif not counted[card] & bit:
                counted[card] |= bit
                if left:
                    _take_off(left, self.ident, card, self.lot[card])
        for lots, remain in left.items():
            if remain:
                after = lots if leave.isdisjoint(lots) else (*sorted(stay.intersection(lots)), self.shuffles)
                sure[after] = (*sure.get(after, ()), *remain)
        seen = [card for card in cards if known[card] & bit]
        if seen:
            sure[self.shuffles,] = (*sure.get((self.shuffles,), ()), *seen)
        self.sure[seat] = sure
        self.counted = tuple(counted)

    def random_below(self, bound: int, purpose: int) -> int:
        """A random number in 0..bound-1; `purpose` (any number below 0) tells apart what it is for."""
        epoch = self.epochs[purpose] = self.epochs.get(purpose, 0) + 1
        return keyed.below(bound, self.seed, purpose, epoch)

    # Counters and lists

    def set(self, counter: int, value: int) -> None:
        """Set a counter."""
        if self.counters[counter] != value:
            self.counters[counter] = value
            self.dirty.add(self.layout.counters[counter].key)

    def add(self, counter: int, amount: int) -> None:
        """Add to a counter (or take away)."""
        if amount:
            self.counters[counter] += amount
            self.dirty.add(self.layout.counters[counter].key)

    def transfer(self, source: int, target: int, amount: int) -> int:
        """Move up to `amount` from one counter to another, at most what is there; returns how many went."""
        counters, cells, dirty = self.counters, self.layout.counters, self.dirty
        there = counters[source]
        moved = amount if amount < there else there
        if moved <= 0:
            return 0
        counters[source] = there - moved
        counters[target] += moved
        dirty.add(cells[source].key)
        dirty.add(cells[target].key)
        return moved

    def put(self, number: int, values: Iterable[int]) -> None:
        """Set a list."""
        self.lists[number] = list(values)
        self.dirty.add(list_key(number))

    # Agenda, effect stack, events

    def push(self, step: int, *arguments: int) -> None:
        """Put a step on top of the agenda: it runs next. The first argument, if any: its seat."""
        self.agenda.append((step, *arguments))
        self.dirty.add(STACK_KEY)

    def drop(self) -> tuple[int, ...]:
        """Take the top step off the agenda."""
        self.dirty.add(STACK_KEY)
        return self.agenda.pop()

    def resolving(self, seat: int, card: int) -> Resolving:
        """Show a card's effect on the effect stack while it is resolved (the card's face must be public)."""
        return Resolving(self, (seat, card))

    def log(self, event: Term, *seats: int) -> None:
        """Note an event for everyone, or for the named seats only."""
        bits = 0
        for seat in seats:
            bits |= 1 << seat
        self.events.append((bits or self.layout.everyone, event))
