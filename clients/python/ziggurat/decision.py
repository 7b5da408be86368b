"""What a seat is asked, and how it is answered."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from ziggurat.game import GameInfo, Term, terms
from ziggurat.v1 import play_pb2

Choice = int | tuple[int, ...]
"""Index of an option, a number of a range, or the ascending indexes of a subset."""

KINDS = ("", "options", "subset", "range")
_OPTIONS, _SUBSET, _RANGE = 1, 2, 3


class Plan:
    """A choice, and choices for the decisions of this seat that follow.

    The server takes them while each is offered and nothing new was revealed; then it asks again.
    """

    __slots__ = ("choice", "then")

    def __init__(self, choice: Choice, *then: Choice) -> None:
        self.choice = choice
        self.then = then


class BadChoice(ValueError):
    """`decide` returned something that the decision does not offer; nothing was sent."""


class Decision:
    """A question to a seat. `id` counts the decisions of this seat from 1.

    `deadline` is the time.monotonic() at which the server stops waiting, in seconds; None if it never does.
    """

    __slots__ = ("_event", "_info", "_options", "_raw", "_withdrawn", "deadline", "id", "kind", "low", "high")  # noqa: RUF023

    def __init__(self, info: GameInfo, raw: play_pb2.Decision, deadline: float | None = None) -> None:
        self._info = info
        self._raw = raw
        self._options: list[Term] | None = None
        self._event: Event | None = None
        self._withdrawn = False
        self.id = raw.id
        self.kind = KINDS[raw.kind]
        self.low = raw.low
        self.high = raw.high
        self.deadline = deadline

    @property
    def prompt(self) -> Term:
        """What it is about."""
        return Term(self._info, tuple(self._raw.prompt))

    @property
    def size(self) -> int:
        """Number of options, without building them."""
        each = self._raw.option_size
        return len(self._raw.options) // each if each else len(self._raw.option_sizes)

    @property
    def options(self) -> list[Term]:
        """The options; empty for a range. An option's place in the list is its index."""
        if self._options is None:
            each = self._raw.option_size
            sizes = (each,) * self.size if each else tuple(self._raw.option_sizes)
            self._options = terms(self._info, sizes, tuple(self._raw.options))
        return self._options

    @property
    def default(self) -> Choice:
        """A legal choice."""
        values = tuple(self._raw.default_choice)
        return values if self._raw.kind == _SUBSET else values[0]

    @property
    def cancelled(self) -> Event:
        """Set once an answer has become useless: the server answered itself, or the match is over, or the bot
        stops.
        """
        if self._event is None:
            self._event = Event()
            if self._withdrawn:
                self._event.set()
        return self._event

    @property
    def withdrawn(self) -> bool:
        """Whether `cancelled` is set, for a little less."""
        return self._withdrawn

    def cancel(self) -> None:
        """Set `cancelled`. The client does this."""
        self._withdrawn = True
        if self._event is not None:
            self._event.set()

    def wire(self, choice: object) -> Sequence[int]:
        """A choice as the integers of an answer; raises BadChoice if it is not offered."""
        kind = self._raw.kind
        if kind == _SUBSET:
            return self._subset(choice)
        if not isinstance(choice, int):
            raise BadChoice(f"decision {self.id} ({self.kind}) takes an int, not {choice!r}")
        low, high = (self.low, self.high) if kind == _RANGE else (0, self.size - 1)
        if not low <= choice <= high:
            raise BadChoice(f"decision {self.id} ({self.kind}): {choice} is out of range {low}..{high}")
        return (choice,)

    def _subset(self, choice: object) -> Sequence[int]:
        if not isinstance(choice, tuple | list):
            raise BadChoice(f"decision {self.id} (subset) takes a tuple of indexes, not {choice!r}")
        if not self.low <= len(choice) <= self.high:
            raise BadChoice(
                f"decision {self.id} (subset): {len(choice)} chosen, {self.low}..{self.high} wanted"
            )
        before = -1
        for index in choice:
            if not isinstance(index, int) or not before < index < self.size:
                raise BadChoice(
                    f"decision {self.id} (subset): {choice!r} are not ascending indexes below {self.size}"
                )
            before = index
        return choice
