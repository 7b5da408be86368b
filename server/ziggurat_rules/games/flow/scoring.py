"""The end of the game: points, and what breaks a tie."""

from __future__ import annotations

from dataclasses import dataclass

from ziggurat_rules.games.flow import words as w
from ziggurat_rules.games.flow.effects.scoring import ScoreIcons
from ziggurat_rules.games.flow.icons import icon_totals
from ziggurat_rules.games.flow.symbols import CULTURE
from ziggurat_rules.games.flow.table import FlowTable


@dataclass(frozen=True, slots=True)
class Points:
    """Where the victory points of a Nation come from."""

    culture: int
    icons: int
    effects: int

    @property
    def total(self) -> int:
        """Victory points."""
        return self.culture + self.icons + self.effects


def points_of(t: FlowTable, seat: int) -> Points:
    """Points of a Nation, without obsolete effects: Culture, half of the other icons, scoring effects."""
    totals = icon_totals(t, seat, scoring=True)
    shown = [t.face(card) for card in t.uncovered(seat)]
    effects = [face.effect for face in shown if face.timing == "end_game"]
    late = [effect.icons for effect in effects if isinstance(effect, ScoreIcons)]
    final = [sum(column) for column in zip(totals, *late, strict=True)]
    counted = final if t.edition.late_icons_count_in_half_points else totals
    return Points(
        culture=counted[CULTURE],
        icons=(sum(counted) - counted[CULTURE]) // 2,
        effects=sum(effect.counted(t, seat, final) for effect in effects),
    )


def tie_break(t: FlowTable, seat: int) -> tuple[int, int]:
    """Cards in the Nation, then tokens in it (R49)."""
    zones = t.layout.nation[seat] if t.edition.future_counts_as_card else t.layout.nation[seat][:-1]
    return sum(len(t.zones[zone]) for zone in zones), t.tokens(seat)


def log_scores(t: FlowTable) -> None:
    """Tell where everybody's points come from."""
    for seat in range(t.seats):
        points = points_of(t, seat)
        t.log(w.SCORED(seat, points.culture, points.icons, points.effects))
