"""Millennia: Tracks of Time as a game of the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.game import Game, Options, Score, option, rank
from ziggurat_rules.games.millennia.facts import GameFacts
from ziggurat_rules.games.millennia.layout import Board
from ziggurat_rules.games.millennia.phases import STEPS
from ziggurat_rules.games.millennia.schema import SIDES
from ziggurat_rules.games.millennia.scoring import result
from ziggurat_rules.games.millennia.steps import BEGIN_AGE
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.upkeep import prepare
from ziggurat_rules.games.millennia.words import V


@dataclass(frozen=True)
class MillenniaOptions(Options):
    """How the game may be varied."""

    side: str = option("A1", "Side of the game board.", SIDES)
    simultaneous: bool = option(
        True, "Prosperity, income and actions at the same time, or one by one from the leader."
    )
    automa: str = option("normal", "Difficulty of the solo opponent.", ("normal", "hard"))


class MillenniaGame(Game[MillenniaTable]):
    """1 to 4 seats; alone against the Automa."""

    name = "millennia"
    title = "Millennia: Tracks of Time"
    rules_version = 1
    seats = range(1, 5)
    options = MillenniaOptions
    max_decisions = 6000
    vocabulary = V
    steps = STEPS
    golden = (
        *((seats, {"side": side} if side != "A1" else {}) for seats in range(1, 5) for side in SIDES),
        (1, {"automa": "hard"}),
        (3, {"simultaneous": False}),
    )

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        self.facts = GameFacts(packs)
        self.catalogue = self.facts.catalogue
        self.packs = tuple(packs)
        self._boards: dict[tuple[int, Options], Board] = {}

    def with_packs(self, packs: Sequence[Pack]) -> Self:
        return type(self)(packs) if packs else self

    def layout(self, seats: int, options: Options) -> Board:
        assert isinstance(options, MillenniaOptions)
        key = (seats, options)
        if key not in self._boards:
            hard = options.automa == "hard"
            self._boards[key] = Board(self.facts, seats, options.side, options.simultaneous, hard)
        return self._boards[key]

    def table(self, seed: int, seats: int, options: Options) -> MillenniaTable:
        """A table with every card in the box."""
        cards = self.catalogue.cards
        faces = [card.index for card in cards for _ in range(card.copies)]
        if seats > 1:
            faces = [face for face in faces if not self.facts.faces[face].table.startswith("automa")]
        return MillenniaTable(self.layout(seats, options), seed, faces, [cards[face].back for face in faces])

    def setup(self, seed: int, seats: int, options: Options) -> MillenniaTable:
        table = self.table(seed, seats, options)
        prepare(table)
        table.push(BEGIN_AGE)
        return table

    def scores(self, table: MillenniaTable) -> list[Score]:
        """RB Victory: the player later in the turn order of age 1 wins a tie."""
        L = table.layout
        return rank([(result(table, seat), (table.counters[L.starter + seat],)) for seat in range(L.seats)])


GAME = MillenniaGame()
