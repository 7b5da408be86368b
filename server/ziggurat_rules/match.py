"""A match: one game in progress, the same verbs for every game.

`base` is the Table at the last quiet point, `journal` the answers since. The running generator is only a
cache: a clone re-feeds the journal to a copy of base.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Self, TypeVar, cast

from ziggurat_rules.decisions import Answer, Choice, Decision, Pending
from ziggurat_rules.errors import NotPending
from ziggurat_rules.game import Game, Group, Options, Score
from ziggurat_rules.keyed import below, keyed, shuffled
from ziggurat_rules.projection import Cells, Projector, read_view
from ziggurat_rules.table import Sure, Table

if TYPE_CHECKING:
    from ziggurat_rules.record import Record

T = TypeVar("T", bound=Table)


@dataclass(frozen=True, slots=True)
class Patch:
    """Journal entry of a determinized match: from here on other faces (unless None), another seed."""

    faces: tuple[int, ...] | None
    seed: int
    seat: int = -1
    """In whose eyes the faces may be so."""


_History = tuple[()] | tuple["_History", int, Choice]
"""The choices so far, the last outermost, so that clones share it."""

TRIES = 8
"""Worlds tried by `determinize` before it patches the live table."""


class Match(Generic[T]):
    """Play: read `pending`, `apply` a choice of one of its seats, until `over`.

    `rest_after`: a quiet point is taken as the new base from so many answers on. 0 makes clones cheapest; who seldom
    clones saves the copies with more.
    """

    __slots__ = (
        "_history",
        "_run",
        "_table",
        "answers",
        "base",
        "game",
        "journal",
        "options",
        "pending",
        "rest_after",
        "seats",
        "seed",
    )

    def __init__(self, game: Game[T], seed: int, seats: int, options: Options | None = None) -> None:
        """Raises BadSeats or BadOption. `seed`: 64 bits."""
        game.check_seats(seats)
        self.game = game
        self.seed = seed
        self.seats = seats
        self.options = options if options is not None else game.options()
        self.answers = 0
        self.rest_after = 0
        self._history: _History | None = ()
        self._start(game.setup(seed, seats, self.options))

    @classmethod
    def of_table(cls, game: Game[T], table: T, options: Options | None = None) -> Self:
        """A match that goes on from a prepared table (a position of a test or a puzzle)."""
        match = cls.__new__(cls)
        match.game = game
        match.seed = table.seed
        match.seats = table.layout.seats
        match.options = options if options is not None else game.options()
        match.answers = 0
        match.rest_after = 0
        match._history = None
        match._start(table)
        return match

    def _start(self, table: T) -> None:
        self.base = table.clone()
        self.journal: list[Answer | Patch] = []
        self.pending: Pending = {}
        self._table: T | None = table
        self._run: Generator[Pending | None, Answer | None, None] | None = self.game.turns(table)
        self._advance(None)

    @property
    def table(self) -> T:
        """The current table, for reading."""
        if self._table is None:
            self._revive()
        return cast("T", self._table)

    @property
    def over(self) -> bool:
        """Whether nobody is asked anything any more."""
        return not self.pending

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that are asked, ascending."""
        return tuple(sorted(self.pending))

    def decision(self, seat: int) -> Decision:
        """What the seat is asked; raises NotPending."""
        decision = self.pending.get(seat)
        if decision is None:
            raise NotPending("seat", f"seat {seat} has no decision to take now")
        return decision

    def apply(self, seat: int, choice: Choice) -> None:
        """Take a choice; raises NotPending or IllegalChoice, and then nothing has changed."""
        answer = (seat, self.decision(seat).value(choice))
        if self._run is None:
            self._revive()
        self.journal.append(answer)
        if self._history is not None:
            self._history = (self._history, seat, choice)
        self.answers += 1
        self._advance(answer)

    def _advance(self, answer: Answer | None) -> None:
        run = self._run
        assert run is not None
        try:
            pending = run.send(answer)
            while pending is None:
                if len(self.journal) >= self.rest_after:
                    self._rest()
                pending = run.send(None)
        except StopIteration:
            self.pending = {}
            self._rest()
            return
        self.pending = pending
        for decision in pending.values():
            if not decision.quiet:
                return
        if len(self.journal) >= self.rest_after:
            self._rest()

    def _rest(self) -> None:
        assert self._table is not None
        self.base = self._table.clone()
        self.journal = []

    def _revive(self) -> None:
        """Rebuild table and generator from base and journal."""
        table = self.base.clone()
        run = self.game.turns(table)
        pending = self._first(run)
        for entry in self.journal:
            if isinstance(entry, Patch):
                _patch(table, entry)
            else:
                pending = run.send(entry)
        table.dirty.clear()
        table.events.clear()
        self._table, self._run = table, run
        self.pending = pending or {}

    @staticmethod
    def _first(run: Generator[Pending | None, Answer | None, None]) -> Pending | None:
        for pending in run:
            if pending is not None:
                return pending
        return None

    def clone(self) -> Self:
        """An independent match in the same state; cheap, the copy is rebuilt at its first use."""
        new = type(self).__new__(type(self))
        new.game = self.game
        new.seed = self.seed
        new.seats = self.seats
        new.options = self.options
        new.answers = self.answers
        new.rest_after = self.rest_after
        new._history = self._history
        new.base = self.base
        new.journal = self.journal[:]
        new.pending = self.pending
        new._table = None
        new._run = None
        return new

    def projector(self) -> Projector:
        """A projector of the current state, to be advanced after each `apply`."""
        return Projector(self.table, self.to_act)

    def view(self, audience: int) -> Cells:
        """What an audience sees: a seat, PUBLIC or ARBITER."""
        return read_view(self.table, self.to_act, audience)

    def scores(self) -> list[Score]:
        """Final standings by seat."""
        return self.game.scores(self.table)

    def record(self) -> Record:
        """What it takes to play this match again; only for one that began at setup, in the true world."""
        from ziggurat_rules.record import Record  # noqa: PLC0415 - record builds on match

        if self._history is None:
            raise ValueError("a match that began in mid-game or was determinized has no record")
        answers = []
        history = self._history
        while history:
            history, seat, choice = history
            answers.append((seat, choice))
        return Record.of(self, answers[::-1])

    # Worlds

    def determinize(self, seat: int, key: int, tries: int = TRIES) -> Self:
        """A match that looks the same to this seat: cards it cannot see redealt, future shuffles re-keyed.

        What the seat knows of lots and limits holds in it. It is rebuilt from the journal if the answers
        since the last quiet point are possible with the new faces, else only the live table gets them
        (Patch.faces).
        """
        seed = keyed(self.seed, key, 0)
        mine = self.pending.get(seat)
        before = (self.view(seat), self.to_act, mine and mine.shown())
        faces = list(self.table.ident)
        for attempt in range(tries):
            faces = self._redeal(seat, keyed(key, attempt))
            world = self._refed(seat, faces, seed)
            if world is None:
                continue
            theirs = world.pending.get(seat)
            if (world.view(seat), world.to_act, theirs and theirs.shown()) == before:
                return world
        world = self._fork()
        world.journal.append(Patch(tuple(faces), seed, seat))
        world._revive()
        return world

    def _fork(self) -> Self:
        world = self.clone()
        world._history = None
        return world

    def _refed(self, seat: int, faces: list[int], seed: int) -> Self | None:
        world = self._fork()
        world.base = self.base.clone()
        _redress(world.base, seat, faces)
        if not self._possible(world):
            return None
        world.journal.append(Patch(None, seed))
        world._revive()
        return world

    def _possible(self, world: Self) -> bool:
        """Whether every answer of the journal is offered in the other world."""
        table = world.base.clone()
        run = self.game.turns(table)
        pending = self._first(run)
        for entry in self.journal:
            if isinstance(entry, Patch):
                table.seed = entry.seed
                if entry.faces is not None:
                    return False
                continue
            decision = (pending or {}).get(entry[0])
            if decision is None or not decision.offers(entry[1]):
                return False
            try:
                pending = run.send(entry)
            except StopIteration:
                return False
        return True

    def _redeal(self, seat: int, key: int) -> list[int]:
        table = self.table
        faces = list(table.ident)
        sure = sorted(table.still_sure(seat), key=lambda one: len(one[1]))
        for group in self.game.hidden(table, seat):
            dealing = _Dealing(table, self.game.classes, group, sure, keyed(key, group.back))
            for card, face in dealing.deal().items():
                faces[card] = face
        return faces


def _patch(table: Table, patch: Patch) -> None:
    table.seed = patch.seed
    if patch.faces is not None:
        _redress(table, patch.seat, patch.faces)


def _redress(table: Table, seat: int, faces: Sequence[int]) -> None:
    """Give the cards other faces; what the seat is sure of stays the same faces, told by other cards."""
    sure: dict[tuple[int, ...], tuple[int, ...]] = {}
    told: list[int] = []
    for old, lots in [(old, lots) for lots, cards in table.sure[seat].items() for old in cards]:
        face = table.ident[old]
        fits = (c for c, f in enumerate(faces) if f == face and table.lot[c] in lots and c not in told)
        card = old if faces[old] == face else next(fits, None)
        if card is not None:
            told.append(card)
            sure[lots] = (*sure.get(lots, ()), card)
    table.sure[seat] = sure
    table.ident = tuple(faces)


class _Dealing:
    """Gives the hidden cards of one back new faces, so that what the seat knows of them holds.

    A copy of a face goes to any card, or to one of the lots that the seat is sure of; a card takes any
    face, or one of its class. The true faces are such a deal, so there always is one: where a copy finds no
    card left, others make room for it.
    """

    def __init__(
        self, table: Table, classes: Sequence[frozenset[int]], group: Group, sure: Sequence[Sure], key: int
    ) -> None:
        self.table = table
        self.classes = classes
        self.key = key
        spare = [table.ident[card] for card in shuffled(group.handles, key, 1)]
        self.open = shuffled(group.handles, key, 2)
        self.copies: list[tuple[int, tuple[int, ...]]] = []
        for card, lots in sure:
            if table.back[card] == group.back and table.ident[card] in spare:
                spare.remove(table.ident[card])
                self.copies.append((table.ident[card], lots))
        self.sure = len(self.copies)
        self.copies += [(face, ()) for face in spare]
        self.copy_at: dict[int, int] = {}

    def deal(self) -> dict[int, int]:
        """Faces by card; nothing if there is no deal, which is a fault in what the table says is known."""
        for number in range(self.sure):
            fits = [card for card in self.open if self.fits(card, number)]
            if fits:
                self.put(fits[below(len(fits), self.key, number, 3)], number)
            elif not self.make_room(number, set()):
                return {}
        rest = self.fill_limited(list(range(self.sure, len(self.copies))))
        for number in rest:
            card = self.open[-1]
            if self.fits(card, number):
                self.put(card, number)
            elif not self.make_room(number, set()):
                return {}
        return {card: self.copies[number][0] for card, number in self.copy_at.items()}

    def fits(self, card: int, number: int) -> bool:
        """Whether the card may be this copy."""
        face, lots = self.copies[number]
        limit = self.table.limit.get(card)
        return (not lots or self.table.lot[card] in lots) and (limit is None or face in self.classes[limit])

    def put(self, card: int, number: int) -> None:
        """Give a card that has no face yet its copy."""
        self.copy_at[card] = number
        self.open.remove(card)

    def fill_limited(self, numbers: list[int]) -> list[int]:
        """Serve the cards of limited classes first; returns the copies that are left."""
        for card in [card for card in self.open if card in self.table.limit]:
            number = next((number for number in numbers if self.fits(card, number)), None)
            if number is not None:
                self.put(card, number)
                numbers.remove(number)
        return numbers

    def make_room(self, number: int, tried: set[int]) -> bool:
        """Give a copy a card, if need be one whose copy can go elsewhere."""
        for card in self.open:
            if self.fits(card, number):
                self.put(card, number)
                return True
        for card in list(self.copy_at):
            if card not in tried and self.fits(card, number):
                tried.add(card)
                if self.make_room(self.copy_at[card], tried):
                    self.copy_at[card] = number
                    return True
        return False
