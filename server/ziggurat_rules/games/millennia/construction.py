"""Construction phase (RB Construction Phase)."""

from __future__ import annotations

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.millennia.facts import Face
from ziggurat_rules.games.millennia.gains import bonuses, triggered
from ziggurat_rules.games.millennia.orders import play_standard, standard_options
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.words import (
    ARCHITECT,
    BUILD,
    BUILT,
    CONSTRUCTION_TURN,
    DISCOUNT,
    DISCOUNTS,
    DONE,
    INFLUENCE,
    PASS,
    PASSED,
    PAY,
)
from ziggurat_rules.terms import Term

BUILDING, STANDARD_EFFECT, STOP = range(3)


def items(t: MillenniaTable) -> list[int]:
    """Current wonders and available buildings."""
    return t.zones[t.layout.wonders_current] + t.zones[t.layout.buildings_available]


def price(t: MillenniaTable, seat: int, face: Face) -> int:
    """The cost after what applies by itself: influence for wonders, research 237 for yellow buildings."""
    if face.table == "wonder":
        return max(0, face.cost - t.track(INFLUENCE).wonder_discount[t.reached(seat, INFLUENCE)])
    cost = face.cost
    for claimed in t.claimed(seat):
        effect = t.layout.facts.faces[claimed].effect
        if effect.mod == "construct_discount" and effect.what == face.color:
            cost -= effect.n
    return max(0, cost)


def has_architect(t: MillenniaTable, seat: int, face: Face) -> bool:
    """Whether the architect's discount can be used for it (RB Architect Token: buildings, once per age)."""
    L = t.layout
    return face.table == "building" and t.counters[L.architect] == seat and not t.counters[L.architect_used]


def _discount_cards(t: MillenniaTable, seat: int, face: Face) -> list[int]:
    faces = t.layout.facts.discounts[face.color or "wonder"]
    return [card for card in t.hand(seat) if t.ident[card] in faces]


def _possible_discount(t: MillenniaTable, seat: int, face: Face) -> int:
    """All discounts that the seat can choose to use."""
    architect = t.layout.facts.architect_discount if has_architect(t, seat, face) else 0
    return architect + sum(t.face(card).effect.n for card in _discount_cards(t, seat, face))


def construct_turn(t: MillenniaTable, seat: int, again: bool) -> Effect[int]:
    """One decision of a turn: returns BUILDING (something was built), STOP, or STANDARD_EFFECT (it goes on).

    `again`: the Bank's second item, which may be declined without passing.
    """
    options: dict[Term, tuple[int, int]] = {}
    gold = t.gold(seat)
    for card in items(t):
        face = t.face(card)
        cost = price(t, seat, face)
        if cost <= gold or cost - _possible_discount(t, seat, face) <= gold:
            options[BUILD(face.index, cost)] = (BUILDING, card)
    for term, (card, what) in standard_options(t, seat).items():
        options[term] = (STANDARD_EFFECT + 1 + what, card)
    options[DONE() if again else PASS()] = (-1, -1)
    kind, card = yield from choose(
        seat, CONSTRUCTION_TURN(seat), options, default=DONE() if again else PASS(), skip_if_forced=True
    )
    if kind < 0:
        if not again:
            t.set(t.layout.passed + seat, 1)
            t.log(PASSED(seat))
        return STOP
    if kind > STANDARD_EFFECT:
        play_standard(t, seat, card, kind - STANDARD_EFFECT - 1)
        return STANDARD_EFFECT
    yield from construct(t, seat, card)
    return BUILDING


def construct(t: MillenniaTable, seat: int, card: int) -> Effect[None]:
    """Choose discounts, pay, and place the card."""
    face = t.face(card)
    cost = yield from _settle(t, seat, face)
    t.pay_gold(seat, cost)
    take_item(t, card)
    L = t.layout
    zone = {"wonder": L.wonders, "building": L.yellow if face.color == "yellow" else L.buildings}[face.table]
    t.move(card, zone + seat)
    t.log(BUILT(seat, face.index, cost))
    yield from bonuses(t, seat, triggered(t, seat, ("construct", "")))


def _settle(t: MillenniaTable, seat: int, face: Face) -> Effect[int]:
    """The price after the discounts the seat chooses; who holds diplomacy cards is asked in any case."""
    L = t.layout
    cost = price(t, seat, face)
    window = L.facts.discounts[face.color or "wonder"]
    while cost > 0:
        options: dict[Term, int] = {}
        if has_architect(t, seat, face):
            options[ARCHITECT(L.facts.architect_discount)] = -2
        open_window = bool(window and t.hand(seat))
        if open_window:
            for card in t.hand(seat):
                if t.ident[card] in window:
                    options[DISCOUNT(t.ident[card], t.face(card).effect.n)] = card
        if not options and not open_window:
            return cost
        if cost <= t.gold(seat):
            options[PAY(cost)] = -1
        default = PAY(cost) if cost <= t.gold(seat) else None
        chosen = yield from choose(seat, DISCOUNTS(face.index, cost), options, default=default)
        if chosen == -1:
            return cost
        if chosen == -2:
            t.set(L.architect_used, 1)
            cost -= L.facts.architect_discount
        else:
            cost -= t.face(chosen).effect.n
            window -= {t.ident[chosen]}
            t.discard_diplomacy(seat, chosen, True)
    return 0


def take_item(t: MillenniaTable, card: int) -> None:
    """Empty the position of a wonder or building."""
    for slots in (t.layout.wonder_slots, t.layout.building_slots):
        if t.ident[card] in t.lists[slots]:
            t.put(slots, [-1 if face == t.ident[card] else face for face in t.lists[slots]])
