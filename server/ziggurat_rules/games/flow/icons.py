"""How many production icons a Nation shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ziggurat_rules.games.flow.symbols import unpacked

if TYPE_CHECKING:
    from ziggurat_rules.games.flow.table import FlowTable


def icon_totals(t: FlowTable, seat: int, *, scoring: bool = False) -> list[int]:
    """Icons of all stripes and of the permanent effects that show; obsolete ones give none at scoring (R46).

    The fixed amounts come first, then the effects that count something, all on that same total (R55).
    """
    stripes, ident, zones = t.edition.stripes, t.ident, t.zones
    lasting = t.edition.permanent_at_end if scoring else t.edition.permanent
    counts = 0
    for zone in t.layout.nation[seat]:
        for card in zones[zone]:
            counts += stripes[ident[card]]
    counting = []
    for card in t.uncovered(seat):
        effect = lasting[ident[card]]
        if effect is not None:
            counts += effect.packed_icons
            if effect.icon >= 0:
                counting.append(effect)
    totals = unpacked(counts)
    for icon, amount in [(effect.icon, effect.counted(t, seat, totals)) for effect in counting]:
        totals[icon] += amount
    return totals
