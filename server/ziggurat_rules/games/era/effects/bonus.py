"""What the six bonus cards do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ziggurat_rules.decisions import Effect, choose, choose_subset
from ziggurat_rules.games.era.facts import RESOURCE, Face
from ziggurat_rules.games.era.symbols import NORMAL
from ziggurat_rules.games.era.table import BY_PROGRESS, EraTable
from ziggurat_rules.games.era.words import (
    FIND,
    RETURN,
    RETURNED,
    SEARCHED,
    SHIELD,
    SHIELDED,
    WHICH_FOUND,
    WHICH_RETURN,
    WHICH_SHIELD,
)

Run = Callable[[EraTable, int, Face], Effect[None]]
NOT_RESOURCE = 0
"""Class of faces a card found by Search is known to be of."""


@dataclass(frozen=True)
class BonusEffect:
    """When a bonus card acts, and what it does."""

    timing: str
    run: Run


NOTHING = -1

BONUS_EFFECTS: dict[str, BonusEffect] = {}


def effect(card_id: str, timing: str) -> Callable[[Run], Run]:
    """Register what a bonus card does."""

    def register(run: Run) -> Run:
        BONUS_EFFECTS[card_id] = BonusEffect(timing, run)
        return run

    return register


def _number(face: Face, key: str) -> int:
    return face.bonus[key] if face.bonus else 0


@effect("bonus.defense", "reveal")
def defense(t: EraTable, seat: int, face: Face) -> Effect[None]:
    """One of your non-conflict cards in play cannot be attacked until the round ends."""
    tops = t.front(seat).faces[NORMAL]
    options = {SHIELD(top.index, position): position for position, top in enumerate(tops)}
    if options:
        position = yield from choose(seat, WHICH_SHIELD(), options)
        t.set(t.layout.shield + seat, position + 1)
        t.log(SHIELDED(seat, tops[position].index))


@effect("bonus.extra_effort", "deal")
def extra_effort(t: EraTable, seat: int, face: Face) -> Effect[None]:
    """Deal more cards."""
    t.add(t.layout.extra, _number(face, "deal"))
    yield from ()


@effect("bonus.glory", "turn_start")
def glory(t: EraTable, seat: int, face: Face) -> Effect[None]:
    """Gain progress as your turn begins; that may win at once."""
    t.earn(seat, _number(face, "progress"))
    if t.counters[t.layout.progress + seat] >= t.win_target():
        t.end(BY_PROGRESS, seat)
    yield from ()


@effect("bonus.plot", "conflict")
def plot(t: EraTable, seat: int, face: Face) -> Effect[None]:
    """Once this turn a flipped card counts more stars."""
    t.set(t.layout.plot, _number(face, "stars"))
    yield from ()


@effect("bonus.reorganize", "turn_start")
def reorganize(t: EraTable, seat: int, face: Face) -> Effect[None]:
    """Cards of your discard pile are shuffled into your deck."""
    lay = t.layout
    discard = t.zones[lay.discard + seat]
    size = min(_number(face, "cards"), len(discard))
    if size:
        options = [(RETURN(t.ident[card]), place) for place, card in enumerate(discard)]
        chosen = yield from choose_subset(seat, WHICH_RETURN(), options, size, size)
        for card in [discard[place] for place in chosen]:
            t.log(RETURNED(seat, t.ident[card]))
            t.move(card, lay.deck + seat)
        t.shuffle(lay.deck + seat)


@effect("bonus.search", "turn_start")
def search(t: EraTable, seat: int, face: Face) -> Effect[None]:
    """Look through your deck and take a card that is no resource for this turn; deal fewer cards.

    You see the whole deck; the others only know what kind of card you took.
    """
    lay = t.layout
    deck = t.zones[lay.deck + seat]
    for card in deck:
        t.reveal(card, seat)
    t.put(lay.searched + seat, sorted(t.ident[card] for card in deck))
    t.add(lay.extra, _number(face, "deal"))
    t.log(SEARCHED(seat))
    found = {FIND(t.ident[card]): t.ident[card] for card in deck if t.face(card).kind != RESOURCE}
    if deck:
        chosen = yield from choose(seat, WHICH_FOUND(), found or {FIND(NOTHING): NOTHING})
        if chosen != NOTHING:
            card = t.find(lay.deck + seat, chosen)
            t.move(card, lay.hand + seat)
            t.limit[card] = NOT_RESOURCE
    t.shuffle(lay.deck + seat)
