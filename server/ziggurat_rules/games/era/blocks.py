"""Block symbols: who chooses what they cancel, and when (rulings 24 and 25)."""

from __future__ import annotations

from ziggurat_rules.decisions import Effect, choose_subset
from ziggurat_rules.games.era.front import Front
from ziggurat_rules.games.era.layout import POSITIONS, Step
from ziggurat_rules.games.era.symbols import KINDS, NORMAL, THREAT, VISION
from ziggurat_rules.games.era.table import EraTable
from ziggurat_rules.games.era.words import BLOCKED, KIND_WORDS, WHICH_BLOCKED


def settle(t: EraTable, era: int) -> None:
    """After a change among the cards of an Era: as many symbols are blocked as blocks can cancel.

    Whoever is affected chooses anew where that number changed; until then the first symbols are blocked.
    """
    slots_open = False
    for side in (NORMAL, THREAT):
        front = t.front(era)
        number = t.layout.blocked[side] + era
        if t.lists[number] or any(front.blocks[side]):
            for kind in range(len(KINDS)):
                if _refit(t, front, era, side, kind) and affected(t, era, side) >= 0:
                    t.push(Step.ASSIGN, affected(t, era, side), era, side, kind)
                    slots_open |= kind == VISION
    if not slots_open:  # else what is stored waits for the choice
        t.tidy_vision(era)


def affected(t: EraTable, era: int, side: int) -> int:
    """Who chooses which symbols of a side are blocked; -1 for nobody.

    Community cards belong to no one: who is about to use them chooses, never their victim.
    """
    if side == NORMAL:
        return era
    if t.seats == 2:
        return 1 - era
    active = t.counters[t.layout.active]
    return active if active != era else -1


def _refit(t: EraTable, front: Front, era: int, side: int, kind: int) -> bool:
    """Make the number of blocked symbols right; whether that leaves a choice."""
    rows = front.symbols[side]
    wanted = min(front.blocks[side][kind], sum(row[kind] for row in rows))
    number = t.layout.blocked[side] + era
    left = [row[kind] for row in rows]
    kept = []
    for entry in t.lists[number]:
        position, blocked = divmod(entry, POSITIONS)
        if blocked == kind and left[position] > 0:
            left[position] -= 1
            kept.append(entry)
    mine = [entry for entry in t.lists[number] if entry % POSITIONS == kind]
    if len(kept) == len(mine) == wanted:
        return False
    spare = [position * POSITIONS + kind for position, n in enumerate(left) for _ in range(n)]
    _replace(t, era, side, kind, (kept + spare)[:wanted])
    return is_open(front, side, kind)


def is_open(front: Front, side: int, kind: int) -> bool:
    """Whether it matters which symbols are blocked: some but not all, of more than one card."""
    counts = [row[kind] for row in front.symbols[side] if row[kind]]
    return len(counts) > 1 and 0 < front.blocks[side][kind] < sum(counts)


def _replace(t: EraTable, era: int, side: int, kind: int, entries: list[int]) -> None:
    number = t.layout.blocked[side] + era
    others = [entry for entry in t.lists[number] if entry % POSITIONS != kind]
    t.put(number, sorted(others + entries))
    t.fronts[era] = None


def push_choices(t: EraTable, seat: int) -> None:
    """As a turn begins: the seat may change what the blocks against its cards cancel."""
    for era in t.living():
        side = NORMAL if era == seat else THREAT
        front = t.front(era)
        if any(front.blocks[side]):
            for kind in reversed(range(len(KINDS))):
                if is_open(front, side, kind):
                    t.push(Step.ASSIGN, seat, era, side, kind)


def assign(t: EraTable, seat: int, era: int, side: int, kind: int) -> Effect[None]:
    """The affected player chooses the symbols that are blocked."""
    front = t.front(era)
    if is_open(front, side, kind):
        yield from _choose_blocked(t, seat, era, side, kind)
    if kind == VISION:  # what is stored waits for this choice and no other
        t.tidy_vision(era)


def _choose_blocked(t: EraTable, seat: int, era: int, side: int, kind: int) -> Effect[None]:
    front = t.front(era)
    t.set(t.layout.idle, 0)
    wanted = front.blocks[side][kind]
    options = [
        (BLOCKED(front.faces[side][position].index, position), position * POSITIONS + kind)
        for position, row in enumerate(front.symbols[side])
        for _ in range(row[kind])
    ]
    prompt = WHICH_BLOCKED(era, KIND_WORDS[kind], wanted)
    chosen = yield from choose_subset(seat, prompt, options, wanted, wanted)
    _replace(t, era, side, kind, list(chosen))
