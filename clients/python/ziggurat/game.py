"""What stays the same during a match: cards, words, verbs and cells of a game, and terms said with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ziggurat.v1 import game_pb2


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One face of a game's catalogue; every copy in play is this same object."""

    index: int
    id: str
    name: str
    back: str
    copies: int
    text: str
    facts: dict[str, Any]
    sources: dict[str, str]

    def __str__(self) -> str:
        return self.name


class Verb(NamedTuple):
    """The meaning of terms that begin with this verb: names and kinds of the arguments, and a sentence."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    places: dict[str, int]
    text: str


class Cell(NamedTuple):
    """A cell of a view: a zone, a counter or a list, and whose it is (a seat, a further owner, or -1)."""

    key: int
    kind: str
    name: str
    owner: int
    shown: str
    doc: str
    holds: str


class UnknownName(KeyError):
    """A cell or an argument that this game does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


class GameInfo:
    """A game as played by a number of seats.

    `name`, `title`, `rules_version`, `seats`; `cards`, `verbs`, `words`, `steps`, `backs` and further
    `owners` by number; `cells` by key; `options` as (name, doc, default, allowed values).
    """

    def __init__(self, info: game_pb2.GameInfo) -> None:
        self.id = info.id
        self.name = info.summary.name
        self.title = info.summary.title
        self.rules_version = info.summary.rules_version
        self.seats = info.seats
        self.max_decisions = info.max_decisions
        self.words = tuple(info.words)
        self.steps = tuple(info.steps)
        self.backs = tuple(info.backs)
        self.owners = tuple(info.owners)
        self.options = tuple((o.name, o.doc, o.default_value, tuple(o.choices)) for o in info.options)
        self.cards = tuple(self._card(index, card) for index, card in enumerate(info.cards))
        self.verbs = tuple(_verb(verb) for verb in info.verbs)
        self.cells = {
            c.key: Cell(c.key, c.kind, c.name, c.owner, c.shown, c.doc, c.holds) for c in info.cells
        }
        self._keys = {(cell.kind, cell.name, cell.owner): key for key, cell in self.cells.items()}

    def _card(self, index: int, card: game_pb2.Card) -> Card:
        facts = json.loads(card.facts_json) if card.facts_json else {}
        back = self.backs[card.back] if card.back < len(self.backs) else ""
        return Card(index, card.id, card.name, back, card.copies, card.text, facts, dict(card.sources))

    def key(self, kind: str, name: str, owner: int) -> int:
        """Key of a "zone", "counter" or "list"; raises UnknownName."""
        try:
            return self._keys[kind, name, owner]
        except KeyError:
            pass
        owners = sorted(cell.owner for cell in self.cells.values() if (cell.kind, cell.name) == (kind, name))
        if owners:
            raise UnknownName(f"{self.name}: the {kind} {name!r} has owners {owners}, not {owner}")
        names = sorted({cell.name for cell in self.cells.values() if cell.kind == kind})
        raise UnknownName(f"{self.name} has no {kind} {name!r}, only {', '.join(names)}")

    def owner_name(self, owner: int) -> str:
        """Name of a seat ("seat 2") or of a further owner."""
        if owner < 0:
            return "nobody"
        return f"seat {owner}" if owner < self.seats else self.owners[owner - self.seats]

    def say(self, kind: str, number: int) -> str:
        """A number of the given kind of argument in words."""
        if kind == "amount":
            return str(number)
        if kind == "seat":
            return self.owner_name(number)
        if number < 0:
            return "none"
        if kind == "card":
            return self.cards[number].name
        if kind == "word":
            return self.words[number]
        cell = self.cells[number]
        return cell.name if cell.owner < 0 else f"{cell.name} of {self.owner_name(cell.owner)}"


def _verb(verb: game_pb2.Verb) -> Verb:
    arguments = tuple((argument.name, argument.kind) for argument in verb.arguments)
    return Verb(verb.name, arguments, {name: 1 + i for i, (name, _) in enumerate(arguments)}, verb.text)


class Term:
    """An option, a prompt or an event: a verb with named integer arguments. `str(term)` is a sentence.

    `values` are the verb's number and the arguments, as on the wire; equal values make equal terms of one
    game.
    """

    __slots__ = ("_info", "values")

    def __init__(self, info: GameInfo, values: tuple[int, ...]) -> None:
        self._info = info
        self.values = values

    @property
    def verb(self) -> str:
        """Name of the verb."""
        return self._info.verbs[self.values[0]].name

    def __getitem__(self, name: str) -> int:
        """The argument of this name; raises UnknownName."""
        verb = self._info.verbs[self.values[0]]
        place = verb.places.get(name)
        if place is None:
            raise UnknownName(
                f"{verb.name!r} has no argument {name!r}, only {', '.join(verb.places) or 'none'}"
            )
        return self.values[place]

    def get(self, name: str, default: int = -1) -> int:
        """The argument of this name, or `default` if the verb has none."""
        place = self._info.verbs[self.values[0]].places.get(name)
        return default if place is None else self.values[place]

    def __contains__(self, name: object) -> bool:
        return name in self._info.verbs[self.values[0]].places

    def __iter__(self) -> Iterator[str]:
        return iter(self._info.verbs[self.values[0]].places)

    def card(self, name: str) -> Card | None:
        """The card that an argument names; None if it is -1 or the verb has no such argument."""
        number = self.get(name)
        return self._info.cards[number] if number >= 0 else None

    def word(self, name: str) -> str | None:
        """The word that an argument names; None if it is -1 or the verb has no such argument."""
        number = self.get(name)
        return self._info.words[number] if number >= 0 else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and other.values == self.values

    def __hash__(self) -> int:
        return hash(self.values)

    def __str__(self) -> str:
        verb = self._info.verbs[self.values[0]]
        said = {
            name: self._info.say(kind, number)
            for (name, kind), number in zip(verb.arguments, self.values[1:], strict=True)
        }
        return verb.text.format(**said)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={self[name]}" for name in self)
        return f"{self.verb}({arguments})"


def terms(info: GameInfo, sizes: tuple[int, ...], values: tuple[int, ...]) -> list[Term]:
    """Terms of the given lengths out of one row of integers."""
    made = []
    start = 0
    for size in sizes:
        made.append(Term(info, values[start : start + size]))
        start += size
    return made
