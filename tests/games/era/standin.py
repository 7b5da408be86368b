"""The client's View and Decision over a match in this process, for bots without a server."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

from ziggurat_rules.decisions import KIND_NAMES, Decision
from ziggurat_rules.game import Game
from ziggurat_rules.match import Match
from ziggurat_rules.projection import read_cell
from ziggurat_rules.terms import Term


@cache
def cards_of(game: Game[Any]) -> list[SimpleNamespace]:
    """The catalogue as the client has it."""
    backs = game.catalogue.backs
    return [
        SimpleNamespace(
            index=c.index, id=c.id, name=c.name, back=backs[c.back], text=c.text, facts=dict(c.facts)
        )
        for c in game.catalogue.cards
    ]


class StandInTerm:
    """ziggurat.Term."""

    def __init__(self, game: Game[Any], term: Term) -> None:
        self._game = game
        self._verb = game.vocabulary.verbs[term[0]]
        self._names = [argument.name for argument in self._verb.arguments]
        self._term = term

    @property
    def verb(self) -> str:
        return self._verb.name

    def __getitem__(self, name: str) -> int:
        return self._term[1 + self._names.index(name)]

    def get(self, name: str, default: int = -1) -> int:
        return self[name] if name in self._names else default

    def card(self, name: str) -> SimpleNamespace | None:
        number = self.get(name)
        return cards_of(self._game)[number] if number >= 0 else None

    def word(self, name: str) -> str | None:
        number = self.get(name)
        return self._game.vocabulary.words[number] if number >= 0 else None


class StandInDecision:
    """ziggurat.Decision."""

    def __init__(self, game: Game[Any], decision: Decision) -> None:
        self.kind = KIND_NAMES[decision.kind]
        self.prompt = StandInTerm(game, decision.prompt)
        self.options = [StandInTerm(game, term) for term in decision.options]
        self.low, self.high, self.default = decision.low, decision.high, decision.default


class StandInView:
    """ziggurat.View."""

    def __init__(self, match: Match[Any], seat: int) -> None:
        self._match = match
        self._keys = _keys(match.table.layout)
        self.seat, self.seats, self.game = seat, match.seats, match.game.name

    def _cell(self, kind: str, name: str, owner: int) -> tuple[int, ...]:
        return read_cell(self._match.table, self._keys[kind, name, owner], self.seat)

    def cards(self, zone: str, owner: int = -1) -> list[SimpleNamespace]:
        faces = _split(self._cell("zone", zone, owner))[0]
        return [cards_of(self._match.game)[face] for face in faces]

    def hidden(self, zone: str, owner: int = -1) -> dict[str, int]:
        counts: dict[str, int] = {}
        for back, count in _split(self._cell("zone", zone, owner))[1]:
            name = self._match.game.catalogue.backs[back]
            counts[name] = counts.get(name, 0) + count
        return counts

    def counter(self, name: str, owner: int = -1) -> int:
        return (*self._cell("counter", name, owner), 0)[0]

    def list(self, name: str, owner: int = -1) -> tuple[int, ...]:
        return self._cell("list", name, owner)


@cache
def _keys(layout: Any) -> dict[tuple[str, str, int], int]:
    return {(cell.kind, cell.name, cell.owner): cell.key for cell in layout.cells()}


def _split(values: tuple[int, ...]) -> tuple[list[int], list[tuple[int, int]]]:
    faces, backs, place = [], [], 0
    while place < len(values):
        if values[place] >= 0:
            faces.append(values[place])
            place += 1
        else:
            backs.append((-1 - values[place], values[place + 1]))
            place += 2
    return faces, backs
