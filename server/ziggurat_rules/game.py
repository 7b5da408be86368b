"""What a game is to the rest of Ziggurat: one folder, one object, one entry point."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import isgeneratorfunction
from typing import Any, ClassVar, Generic, Self, TypeVar

from ziggurat_rules.catalogue import Catalogue, Pack
from ziggurat_rules.decisions import QUIET, Effect
from ziggurat_rules.errors import BadOption, BadPack, BadSeats
from ziggurat_rules.layout import Layout
from ziggurat_rules.table import Table
from ziggurat_rules.terms import Vocabulary

T = TypeVar("T", bound=Table)


@dataclass(frozen=True)
class Options:
    """How a game may be varied. A game subclasses it with fields made by `option`."""

    def check(self) -> None:
        """Raise BadOption if two options contradict each other."""


def option(default: Any, doc: str, choices: Sequence[Any] = ()) -> Any:
    """A field of an Options class: bool, int or str by its default; `choices`: what is allowed."""
    return dataclasses.field(default=default, metadata={"doc": doc, "choices": tuple(choices)})


def parse_options(kind: type[Options], given: Mapping[str, object]) -> Options:
    """Options from values or texts ("true", "3"); raises BadOption naming the option and what it takes."""
    fields = {field.name: field for field in dataclasses.fields(kind)}
    values: dict[str, object] = {}
    for name, raw in given.items():
        if name not in fields:
            known = ", ".join(sorted(fields)) or "none"
            raise BadOption(f"options.{name}", f"unknown option; this game has: {known}")
        values[name] = _option_value(name, raw, fields[name])
    options = kind(**values)
    options.check()
    return options


def _option_value(name: str, raw: object, field: dataclasses.Field[Any]) -> object:
    kind = type(field.default)
    value = raw
    if isinstance(raw, str) and kind is not str:
        words = {"true": True, "false": False} if kind is bool else {}
        value = words.get(raw.lower(), raw)
        if kind is int and raw.removeprefix("-").isdecimal():
            value = int(raw)
    choices = field.metadata["choices"]
    if type(value) is not kind or (choices and value not in choices):
        wanted = (
            ", ".join(map(str, choices))
            if choices
            else {bool: "true, false", int: "an integer"}.get(kind, "text")
        )
        raise BadOption(f"options.{name}", f"{raw!r} is not one of: {wanted}")
    return value


def options_dict(options: Options) -> dict[str, str]:
    """Options as texts, as headers and records keep them."""
    return {
        field.name: str(getattr(options, field.name)).lower()
        if isinstance(field.default, bool)
        else str(getattr(options, field.name))
        for field in dataclasses.fields(options)
    }


@dataclass(frozen=True, slots=True)
class Score:
    """Final standing of one seat: points, tie-breakers (more is better), place from 1 (may be shared)."""

    seat: int
    points: int
    tie_break: tuple[int, ...]
    place: int


def rank(results: Sequence[tuple[int, tuple[int, ...]]]) -> list[Score]:
    """Scores by seat from (points, tie-breakers) by seat; place = 1 + the number of seats that did better."""
    return [
        Score(seat, points, ties, 1 + sum(other > (points, ties) for other in results))
        for seat, (points, ties) in enumerate(results)
    ]


@dataclass(frozen=True, slots=True)
class Group:
    """Hidden cards that a seat cannot tell apart but for what it knows: handles of one public back."""

    back: int
    handles: tuple[int, ...]


Step = Callable[..., Any]


class Game(ABC, Generic[T]):
    """One game with its card facts. Instances are shared and never change; all state is in the Table."""

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    seats: ClassVar[range]
    options: ClassVar[type[Options]] = Options
    max_decisions: ClassVar[int]
    vocabulary: ClassVar[Vocabulary]
    steps: ClassVar[tuple[Step, ...]]
    """What the agenda holds, by number: `step(table, *arguments)`. A step that asks is a generator function;
    a plain function runs through."""
    classes: tuple[frozenset[int], ...] = ()
    """Classes of faces that Table.limit names."""
    golden: ClassVar[tuple[tuple[int, Mapping[str, object]], ...]] = ()
    """Seats and options of the playthroughs that tests keep; empty: each seat count, each `edition`."""

    catalogue: Catalogue
    packs: tuple[Pack, ...] = ()

    @abstractmethod
    def layout(self, seats: int, options: Options) -> Layout:
        """The cells of a table (kept and shared between matches by the implementation)."""

    @abstractmethod
    def setup(self, seed: int, seats: int, options: Options) -> T:
        """The table as the game begins, with the first step on its agenda."""

    @abstractmethod
    def scores(self, table: T) -> list[Score]:
        """Final standings by seat; only asked when the game is over."""

    def ending(self, table: T) -> str:
        """How the game ended, in a word, for statistics; empty where there is but one way."""
        return ""

    def with_packs(self, packs: Sequence[Pack]) -> Self:
        """The same game with other card facts; raises BadPack with file, card and key."""
        if packs:
            raise BadPack(packs[0].name, f"{self.name} takes no card packs")
        return self

    def turns(self, table: T) -> Effect[None]:
        """The game from any quiet point on: runs the agenda's top step until none is left."""
        steps = self._kinds()
        agenda = table.agenda
        while agenda:
            step, asks = steps[agenda[-1][0]]
            if asks:
                yield QUIET
                yield from step(table, *table.drop()[1:])
            else:
                step(table, *table.drop()[1:])

    @classmethod
    def _kinds(cls) -> list[tuple[Step, bool]]:
        if "_step_kinds" not in cls.__dict__:
            cls._step_kinds = [(step, isgeneratorfunction(step)) for step in cls.steps]
        return cls._step_kinds

    _step_kinds: ClassVar[list[tuple[Step, bool]]]

    def hidden(self, table: T, seat: int) -> list[Group]:
        """The cards whose faces this seat does not know, by back."""
        by_back: dict[int, list[int]] = {}
        for card, known in enumerate(table.known):
            if not known >> seat & 1:
                by_back.setdefault(table.back[card], []).append(card)
        return [Group(back, tuple(cards)) for back, cards in sorted(by_back.items())]

    def check_seats(self, seats: int) -> None:
        """Raise BadSeats unless the game is played by so many."""
        if seats not in self.seats:
            raise BadSeats(
                "seats", f"{self.name} takes {self.seats.start} to {self.seats.stop - 1}, not {seats}"
            )


def step_names(steps: Iterable[Step]) -> list[str]:
    """Names of the agenda's steps, as the catalogue serves them."""
    return [step.__name__ for step in steps]
