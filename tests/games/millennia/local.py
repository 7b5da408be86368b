"""The client's view and decision, read straight off a match, so that bots are tested without a server."""

from __future__ import annotations

from typing import Any

from ziggurat_rules.catalogue import Card
from ziggurat_rules.decisions import KIND_NAMES, Decision
from ziggurat_rules.match import Match
from ziggurat_rules.projection import read_cell
from ziggurat_rules.terms import Term


class LocalTerm:
    def __init__(self, match: Match[Any], values: Term) -> None:
        self._game = match.game
        self.values = values
        self._verb = match.game.vocabulary.verbs[values[0]]

    @property
    def verb(self) -> str:
        return self._verb.name

    def __getitem__(self, name: str) -> int:
        names = [argument.name for argument in self._verb.arguments]
        return self.values[1 + names.index(name)]

    def card(self, name: str) -> Card | None:
        return self._game.catalogue.cards[self[name]] if self[name] >= 0 else None

    def word(self, name: str) -> str | None:
        return self._game.vocabulary.words[self[name]] if self[name] >= 0 else None


class LocalView:
    def __init__(self, match: Match[Any], seat: int) -> None:
        self._match = match
        self.seat = seat
        self.seats = match.seats
        self.game = match.game.name

    def _read(self, cells: Any, name: str, owner: int) -> tuple[int, ...]:
        cell = next(cell for cell in cells if (cell.name, cell.owner) == (name, owner))
        return read_cell(self._match.table, cell.key, self.seat)

    def cards(self, zone: str, owner: int = -1) -> list[Card]:
        values = self._read(self._match.table.layout.zones, zone, owner)
        faces, place = [], 0
        while place < len(values):
            if values[place] >= 0:
                faces.append(self._match.game.catalogue.cards[values[place]])
            else:
                place += 1
            place += 1
        return faces

    def counter(self, name: str, owner: int = -1) -> int:
        return self._read(self._match.table.layout.counters, name, owner)[0]

    def list(self, name: str, owner: int = -1) -> tuple[int, ...]:
        return self._read(self._match.table.layout.lists, name, owner)


class LocalDecision:
    def __init__(self, match: Match[Any], decision: Decision) -> None:
        self.kind = KIND_NAMES[decision.kind]
        self.low, self.high = decision.low, decision.high
        self.default = decision.default
        self.prompt = LocalTerm(match, decision.prompt)
        self.options = [LocalTerm(match, term) for term in decision.options]


def ask(strategy: Any, match: Match[Any], seat: int) -> int | tuple[int, ...]:
    """What a bot's strategy chooses for a seat now."""
    choice: int | tuple[int, ...] = strategy(
        LocalView(match, seat), LocalDecision(match, match.decision(seat))
    )
    return choice
