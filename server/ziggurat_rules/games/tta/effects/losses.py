"""What several cards make a civilization lose: population, buildings."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.facts import Face
from ziggurat_rules.games.tta.table import TtaTable


def buildings(t: TtaTable, seat: int, kinds: Collection[int]) -> list[Face]:
    """The technologies of these kinds with a worker."""
    return [
        face
        for face in t.faces_in(seat, c.TECHNOLOGIES)
        if face.kind in kinds and face.slot >= 0 and t.workers(seat, face.slot)
    ]


def lose_population(t: TtaTable, seat: int, cause: int) -> Effect[None]:
    """R board, losing: an unused worker goes to the yellow bank; without one the owner picks another."""
    if t.get(seat, c.UNUSED):
        t.lose_worker(seat, None)
        return
    staffed = buildings(t, seat, range(len(t.layout.library.slots)))
    if staffed:
        options = {w.CARD(face.index): face.index for face in staffed}
        index = yield from choose(seat, w.LOSE_POPULATION(cause), options, skip_if_forced=True)
        t.lose_worker(seat, t.layout.faces[index])


def destroy_building(
    t: TtaTable, chooser: int, owner: int, cause: int, targets: Sequence[Face]
) -> Effect[int]:
    """One of these buildings is destroyed: its worker goes to the worker pool. Returns its face, -1 if
    none."""
    if not targets:
        return -1
    options = {w.OWN(owner, face.index): face.index for face in targets}
    index = yield from choose(chooser, w.FOR_CARD(cause), options, skip_if_forced=True)
    t.release(owner, t.layout.faces[index])
    return index
