"""ERA as a game of the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, cast

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.errors import BadOption
from ziggurat_rules.game import Game, Group, Options, Score, option, rank
from ziggurat_rules.games.era import blocks, conflict, play, rounds, turn
from ziggurat_rules.games.era.effects.bonus import BONUS_EFFECTS
from ziggurat_rules.games.era.facts import CONFLICT, RESOURCE, GameFacts, load_facts
from ziggurat_rules.games.era.layout import EraLayout, Step, era_layout
from ziggurat_rules.games.era.table import EraTable
from ziggurat_rules.games.era.words import END_WORDS, V
from ziggurat_rules.table import NOWHERE

LONGEST = 200
"""The highest cap of turns that may be asked for."""


@dataclass(frozen=True)
class EraOptions(Options):
    """How ERA may be varied."""

    destroyed: str = option(
        "removed",
        "Where destroyed cards go: out of the game, or to the discard pile.",
        ("removed", "discarded"),
    )
    turn_cap: int = option(
        0, f"Turns of each player after which the game ends, up to {LONGEST}; 0: as the rules file says."
    )

    def check(self) -> None:
        """Refuse a cap that the decisions of a game would not last for."""
        if not 0 <= self.turn_cap <= LONGEST:
            raise BadOption("options.turn_cap", f"{self.turn_cap} is not in 0..{LONGEST}")


class EraGame(Game[EraTable]):
    """ERA for two, and for three and four with community cards and bonus cards."""

    name = "era"
    title = "ERA"
    rules_version = 1
    seats = range(2, 5)
    options = EraOptions
    max_decisions = 40_000
    vocabulary = V
    steps = (
        rounds.choose_era,
        rounds.begin,
        rounds.start_round,
        rounds.draft,
        rounds.reveal_bonus,
        rounds.bonus,
        rounds.end_round,
        turn.turn,
        blocks.assign,
        turn.earn,
        turn.pairs,
        turn.resources,
        turn.resource_menu,
        turn.commit,
        play.act,
        conflict.conflict,
        conflict.fight,
    )

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        self.packs = tuple(packs)
        self.facts: GameFacts = load_facts(packs)
        self.catalogue = self.facts.catalogue
        faces = self.facts.faces
        bonus = {face.id for face in faces if face.bonus is not None}
        if bonus != set(BONUS_EFFECTS):
            raise ValueError(
                f"bonus cards without behaviour, or the reverse: {sorted(bonus ^ set(BONUS_EFFECTS))}"
            )
        no_resource = frozenset(face.index for face in faces if face.kind != RESOURCE)
        no_conflict = frozenset(face.index for face in faces if face.kind != CONFLICT)
        self.classes = (no_resource, no_conflict)

    def with_packs(self, packs: Sequence[Pack]) -> Self:
        """The same game with a user's decks and numbers."""
        return type(self)(packs)

    def layout(self, seats: int, options: Options) -> EraLayout:
        """The cells of a table."""
        return era_layout(seats)

    def setup(self, seed: int, seats: int, options: Options) -> EraTable:
        """Nobody has a deck yet: the first steps are to choose them."""
        chosen = cast("EraOptions", options)
        cap = chosen.turn_cap or self.facts.rules.turn_cap
        table = EraTable(era_layout(seats), seed, self.facts, chosen.destroyed == "discarded", cap)
        table.push(Step.BEGIN)
        for seat in reversed(range(seats)):
            table.push(Step.CHOOSE_ERA, seat)
        return table

    def ending(self, table: EraTable) -> str:
        """By progress, destruction, cap, or because one seat is left."""
        return V.words[END_WORDS[table.counters[table.layout.ending]]]

    def hidden(self, table: EraTable, seat: int) -> list[Group]:
        """Unseen cards by the pool they come from: a seat's deck, a community pile, the bonus cards."""
        pools: dict[int, list[int]] = {}
        for card, known in enumerate(table.known):
            if table.place[card] != NOWHERE and not known >> seat & 1:
                pools.setdefault(table.holder(card), []).append(card)
        return [Group(table.back[cards[0]], tuple(cards)) for _, cards in sorted(pools.items())]

    def scores(self, table: EraTable) -> list[Score]:
        """1 point for the winner, -1 for who was removed; then progress, then fewest destruction tokens."""
        lay, counters = table.layout, table.counters
        winner = counters[lay.winner] - 1
        return rank(
            [
                (
                    (seat == winner) - table.is_out(seat),
                    (counters[lay.progress + seat], -counters[lay.destruction + seat]),
                )
                for seat in range(table.seats)
            ]
        )


GAME = EraGame()
