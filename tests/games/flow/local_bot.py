"""The client's View and Decision over a match in this process, for what the greedy strategy uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ziggurat_rules import catalogue
from ziggurat_rules.decisions import KIND_NAMES, Choice
from ziggurat_rules.decisions import Decision as Asked
from ziggurat_rules.game import Game
from ziggurat_rules.match import Match


@dataclass(frozen=True, eq=False)
class Card:
    index: int
    id: str
    name: str
    back: str
    facts: dict[str, Any]


class Info:
    """What stays the same during a match."""

    def __init__(self, game: Game[Any], match: Match[Any]) -> None:
        self.verbs = game.vocabulary.verbs
        self.cards = [self._card(game.catalogue, card) for card in game.catalogue.cards]
        self.backs = game.catalogue.backs
        cells = game.layout(match.seats, match.options).cells()
        self.keys = {(cell.kind, cell.name, cell.owner): cell.key for cell in cells}

    @staticmethod
    def _card(all_cards: catalogue.Catalogue, card: catalogue.Card) -> Card:
        return Card(card.index, card.id, card.name, all_cards.backs[card.back], dict(card.facts))


class Term:
    def __init__(self, info: Info, values: tuple[int, ...]) -> None:
        verb = info.verbs[values[0]]
        self.info = info
        self.verb = verb.name
        self.arguments = dict(zip((a.name for a in verb.arguments), values[1:], strict=True))

    def __getitem__(self, name: str) -> int:
        return self.arguments[name]

    def card(self, name: str) -> Card | None:
        number = self.arguments.get(name, -1)
        return self.info.cards[number] if number >= 0 else None


class View:
    def __init__(self, info: Info, match: Match[Any], seat: int) -> None:
        self.info = info
        self.seat = seat
        self.seats = match.seats
        self.cells = match.view(seat)

    def _cell(self, kind: str, name: str, owner: int) -> tuple[int, ...]:
        return self.cells.get(self.info.keys[kind, name, owner], ())

    def cards(self, zone: str, owner: int = -1) -> list[Card]:
        return [self.info.cards[face] for face in self._cell("zone", zone, owner)]

    def hidden(self, zone: str, owner: int = -1) -> dict[str, int]:
        cell = self._cell("zone", zone, owner)
        return {self.info.backs[-1 - b]: count for b, count in zip(cell[::2], cell[1::2], strict=True)}

    def counter(self, name: str, owner: int = -1) -> int:
        return (self._cell("counter", name, owner) or (0,))[0]


class Decision:
    def __init__(self, info: Info, asked: Asked) -> None:
        self.kind = KIND_NAMES[asked.kind]
        self.prompt = Term(info, asked.prompt)
        self.options = [Term(info, term) for term in asked.options]
        self.low, self.high, self.default = asked.low, asked.high, asked.default


Decide = Callable[[Any, Any], Choice]


def play(match: Match[Any], bots: dict[int, Decide], other: Callable[[Match[Any], int], Choice]) -> list[int]:
    """Play to the end; `other` decides for the seats without a bot. Returns the places."""
    info = Info(match.game, match)
    while not match.over:
        seat = match.to_act[0]
        if seat in bots:
            choice = bots[seat](View(info, match, seat), Decision(info, match.decision(seat)))
        else:
            choice = other(match, seat)
        match.apply(seat, choice)
    return [score.place for score in match.scores()]
