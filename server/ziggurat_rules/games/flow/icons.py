"""How many production icons a Nation shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ziggurat_rules.games.flow.symbols import NO_ICONS

if TYPE_CHECKING:
    from ziggurat_rules.games.flow.table import FlowTable


def icon_totals(t: FlowTable, seat: int, *, scoring: bool = False) -> list[int]:
    """Icons of all stripes and of the permanent effects that show; obsolete ones give none at scoring (R46).

    The fixed amounts come first, then the effects that count something, all on that same total (R55).
    """
    faces, ident, zones = t.edition.faces, t.ident, t.zones
    rows = [NO_ICONS]
    rows += [faces[ident[card]].stripe for zone in t.layout.nation[seat] for card in zones[zone]]
    shown = [faces[ident[card]] for card in t.uncovered(seat)]
    effects = [face.effect for face in shown if face.permanent and not (scoring and face.obsolete)]
    rows += [effect.icons for effect in effects]
    totals = [sum(column) for column in zip(*rows, strict=True)]
    more = [(effect.icon, effect.counted(t, seat, totals)) for effect in effects if effect.icon >= 0]
    for icon, amount in more:
        totals[icon] += amount
    return totals
