"""Decisions, and the effects that ask for them.

An effect is a generator. `card = yield from choose(seat, prompt, options)` asks a seat and goes on with its
answer; `together` runs one effect per seat at the same time. What an effect keeps across a question are
handles, seats and numbers only.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, TypeVar, cast

from ziggurat_rules.errors import IllegalChoice
from ziggurat_rules.keyed import below, shuffled
from ziggurat_rules.terms import Term

V = TypeVar("V")

Choice = int | tuple[int, ...]
"""Index of the option; for a subset the ascending indexes; for a range the number itself."""

OPTIONS, SUBSET, RANGE = 0, 1, 2
KIND_NAMES = ("options", "subset", "range")


class Decision:
    """What one seat is asked. Options are sorted; those of a one-of-n decision are unique.

    `values[i]` is what the effect receives for `options[i]`. `low..high` bounds the number of a range or the
    size of a subset. `default` is a legal choice. `quiet`: nothing of the effect so far lives outside the
    Table.
    """

    __slots__ = ("default", "high", "kind", "low", "options", "prompt", "quiet", "seat", "values")

    def __init__(
        self,
        seat: int,
        kind: int,
        prompt: Term,
        options: Sequence[Term],
        values: Sequence[object],
        low: int,
        high: int,
        default: Choice,
        quiet: bool,
    ) -> None:
        self.seat = seat
        self.kind = kind
        self.prompt = prompt
        self.options = options
        self.values = values
        self.low = low
        self.high = high
        self.default = default
        self.quiet = quiet

    def shown(self) -> tuple[object, ...]:
        """All that the seat can see of it, for comparison."""
        return (self.seat, self.kind, self.prompt, tuple(self.options), self.low, self.high, self.default)

    def value(self, choice: Choice) -> object:
        """What the effect receives for a choice; raises IllegalChoice if it is not offered."""
        if self.kind == OPTIONS:
            if type(choice) is not int:
                raise IllegalChoice("choice", "this decision takes the index of one option")
            if not 0 <= choice < len(self.options):
                raise IllegalChoice("choice", f"option {choice} is out of range 0..{len(self.options) - 1}")
            return self.values[choice]
        if self.kind == RANGE:
            if type(choice) is not int:
                raise IllegalChoice("choice", "this decision takes one number")
            if not self.low <= choice <= self.high:
                raise IllegalChoice("choice", f"number {choice} is out of range {self.low}..{self.high}")
            return choice
        if type(choice) is not tuple or any(type(index) is not int for index in choice):
            raise IllegalChoice("choice", "this decision takes a list of option indexes")
        if not self.low <= len(choice) <= self.high:
            raise IllegalChoice("choice", f"{len(choice)} options chosen, {self.low}..{self.high} wanted")
        if any(not 0 <= index < len(self.options) for index in choice):
            raise IllegalChoice("choice", f"an option index is out of range 0..{len(self.options) - 1}")
        if any(a >= b for a, b in pairwise(choice)):
            raise IllegalChoice("choice", "option indexes must ascend, each at most once")
        return tuple(self.values[index] for index in choice)

    def offers(self, value: object) -> bool:
        """Whether some choice gives the effect this value (used when a journal is fed to another world)."""
        if self.kind == RANGE:
            return type(value) is int and self.low <= value <= self.high
        if self.kind == OPTIONS:
            return value in self.values
        if not isinstance(value, tuple) or not self.low <= len(value) <= self.high:
            return False
        left = list(self.values)
        for one in value:
            if one not in left:
                return False
            left.remove(one)
        return True

    def sample(self, number: int) -> Choice:
        """A legal choice picked by a 64-bit number; with uniform numbers all options are about as likely."""
        if self.kind == OPTIONS:
            return (number * len(self.options)) >> 64
        if self.kind == RANGE:
            return self.low + ((number * (self.high - self.low + 1)) >> 64)
        size = self.low + below(self.high - self.low + 1, number, 1)
        return tuple(sorted(shuffled(range(len(self.options)), number, 2)[:size]))


Pending = Mapping[int, Decision]
Answer = tuple[int, Any]
Effect = Generator[Pending | None, Answer | None, V]
"""Yields the pending decisions by seat (or QUIET), is sent (seat, value), and returns V."""

QUIET: Final = None
"""Yielded between two steps: all progress is in the Table."""

HOLD_BACK_AFTER = 24
"""Answers inside `together` without a common quiet point, after which branches wait at a quiet decision."""


def choose(
    seat: int,
    prompt: Term,
    options: Mapping[Term, V],
    *,
    default: Term | None = None,
    quiet: bool = False,
    skip_if_forced: bool = False,
) -> Effect[V]:
    """Ask for one of n options; `options` maps each term to what the effect receives.

    `default` is the legal fallback (the first option in order, if not given). `skip_if_forced` takes a sole
    option without asking: only where everybody can see that it is the sole one.
    """
    terms = sorted(options)
    if not terms:
        raise ValueError(f"a decision without options: prompt {prompt}")
    if skip_if_forced and len(terms) == 1:
        return options[terms[0]]
    values = [options[term] for term in terms]
    index = 0 if default is None else terms.index(default)
    answer = yield {seat: Decision(seat, OPTIONS, prompt, terms, values, 0, 0, index, quiet)}
    assert answer is not None
    chosen: V = answer[1]
    return chosen


def choose_subset(
    seat: int, prompt: Term, options: Iterable[tuple[Term, V]], low: int, high: int, *, quiet: bool = False
) -> Effect[tuple[V, ...]]:
    """Ask for low..high of the options (equal terms may repeat: two copies of one card)."""
    pairs = sorted(options, key=lambda pair: pair[0])
    if not 0 <= low <= high <= len(pairs):
        raise ValueError(f"a subset of {low}..{high} out of {len(pairs)} options: prompt {prompt}")
    terms = [term for term, _ in pairs]
    values = [value for _, value in pairs]
    answer = yield {seat: Decision(seat, SUBSET, prompt, terms, values, low, high, tuple(range(low)), quiet)}
    return cast("tuple[int, tuple[V, ...]]", answer)[1]


def choose_number(
    seat: int,
    prompt: Term,
    low: int,
    high: int,
    *,
    default: int | None = None,
    quiet: bool = False,
    skip_if_forced: bool = False,
) -> Effect[int]:
    """Ask for an integer in low..high."""
    if low > high:
        raise ValueError(f"an empty range {low}..{high}: prompt {prompt}")
    if skip_if_forced and low == high:
        return low
    fallback = low if default is None else default
    answer = yield {seat: Decision(seat, RANGE, prompt, (), (), low, high, fallback, quiet)}
    return cast("tuple[int, int]", answer)[1]


class _Seats:
    """Who is waited for inside `together`, and who is held back."""

    def __init__(self) -> None:
        self.waiting: dict[int, Decision] = {}
        self.held: dict[int, Decision] = {}
        self.branch_of: dict[int, int] = {}
        self.answers = 0

    def park(self, branch: int, pending: Pending | None, offered: Pending) -> None:
        """Wait for a branch again; `offered` is what its seats have been asked already."""
        if pending is None:
            raise ValueError("a branch of `together` marked a quiet point; only its decisions may")
        for seat, decision in pending.items():
            if seat in self.branch_of:
                raise ValueError(f"two branches ask seat {seat}")
            hold = decision.quiet and self.answers >= HOLD_BACK_AFTER and offered.get(seat) is not decision
            (self.held if hold else self.waiting)[seat] = decision
            self.branch_of[seat] = branch

    def ask(self) -> dict[int, Decision]:
        """The decisions to offer; whoever is held back is let go once all the others are quiet."""
        if all(decision.quiet for decision in self.waiting.values()):
            self.waiting.update(self.held)
            self.held.clear()
            self.answers = 0
        return {seat: self.waiting[seat] for seat in sorted(self.waiting)}

    def take(self, seat: int) -> tuple[int, Pending]:
        """The branch that the seat answers, and what that branch's seats had been offered."""
        self.answers += 1
        branch = self.branch_of[seat]
        offered: dict[int, Decision] = {}
        for one in [one for one, owner in self.branch_of.items() if owner == branch]:
            del self.branch_of[one]
            if self.held.pop(one, None) is None:
                offered[one] = self.waiting.pop(one)
        return branch, offered


def together(branches: Mapping[int, Effect[None]]) -> Effect[None]:
    """Run one effect per seat at the same time; any seat that is waited for may answer, in any order.

    The branches must not touch each other's seats: an answer never changes what another seat was offered.
    After HOLD_BACK_AFTER answers without a point where all are quiet, a branch that reaches a quiet decision
    is held back until all have; what was offered is never withdrawn.
    """
    seats = _Seats()
    for branch in sorted(branches):
        try:
            seats.park(branch, next(branches[branch]), {})
        except StopIteration:
            continue
    while seats.branch_of:
        answer = yield seats.ask()
        if answer is None:
            raise ValueError("together was resumed without an answer")
        branch, offered = seats.take(answer[0])
        try:
            seats.park(branch, branches[branch].send(answer), offered)
        except StopIteration:
            continue
