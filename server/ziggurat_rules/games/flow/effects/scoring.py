"""End game scoring: each point is one Culture icon; no card reads those (R48)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ziggurat_rules.games.flow.effects.effect import (
    CardEffect,
    Per,
    an_amount,
    effect,
    key,
    some_icons,
    some_types,
)

if TYPE_CHECKING:
    from ziggurat_rules.games.flow.table import FlowTable


@effect("score_per")
@dataclass(frozen=True, slots=True)
class ScorePer(Per):
    """Points per icon of a kind, or per card of a type."""

    timings = ("end_game",)


@effect("score_sets")
@dataclass(frozen=True, slots=True)
class ScoreSets(CardEffect):
    """Points per set of one card of each type."""

    timings = ("end_game",)
    amount: int = key(an_amount)
    types: tuple[int, ...] = key(some_types)

    def counted(self, t: FlowTable, seat: int, totals: Sequence[int]) -> int:
        """The scarcest type limits the sets."""
        return self.amount * min(len(t.stack(seat, kind)) for kind in self.types)


@effect("score_icons")
@dataclass(frozen=True, slots=True)
class ScoreIcons(CardEffect):
    """Production icons that come at scoring."""

    timings = ("end_game",)
    icons: tuple[int, ...] = key(some_icons)

    def counted(self, t: FlowTable, seat: int, totals: Sequence[int]) -> int:
        """Icons, not points."""
        return 0
