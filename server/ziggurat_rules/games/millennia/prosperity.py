"""Prosperity and income phases; the part of a seat touches no other (RB Prosperity, Income Phase)."""

from __future__ import annotations

from collections.abc import Sequence

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.millennia.gains import gain_all
from ziggurat_rules.games.millennia.orders import play_standard, standard_options
from ziggurat_rules.games.millennia.payment import classes
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.tracks import advance
from ziggurat_rules.games.millennia.words import (
    DONE,
    INCOME,
    INCOME_TURN,
    MATCH,
    ONE_ICON,
    PLAY,
    PROSPERED,
    PROSPERITY,
    PROSPERITY_TURN,
    TRADE,
)
from ziggurat_rules.terms import Term

PLAY_CARD, USE_GRANARY, SPEND = range(3)


def held_types(t: MillenniaTable, seat: int) -> int:
    """Types of the tech cards in the area; only tech cards count here."""
    held = 0
    for card in t.tech_cards(seat):
        held |= 1 << t.face(card).type
    return held


def missing(t: MillenniaTable, seat: int, matched: Sequence[int], one_icon: int) -> list[list[int]]:
    """For each pair the prosperity cards not matched; `one_icon` is the pair for which one is enough."""
    held = held_types(t, seat)
    cards = t.zones[t.layout.prosperity]
    pairs = []
    for at in range(0, len(cards), 2):
        lacks = [
            card for card in cards[at : at + 2] if not held >> t.face(card).type & 1 and card not in matched
        ]
        pairs.append([] if at // 2 == one_icon and len(lacks) < 2 else lacks)
    return pairs


def prosperity(t: MillenniaTable, seat: int) -> Effect[None]:
    """Check for matches, with the Granary, research 241 and diplomacy 254 if wanted, and advance."""
    matched: tuple[int, ...] = ()
    one_icon, steps, first = -1, 1, True
    while True:
        pairs = missing(t, seat, matched, one_icon)
        full = sum(1 for lacks in pairs if not lacks)
        window = bool(t.hand(seat)) and steps == 1
        options = _ways_to_match(t, seat, pairs, one_icon) if full < (2 if window else 1) else {}
        ask_card = window and full >= 2
        if ask_card:
            faces = t.layout.facts.windows["pairs", ""]
            options |= {
                PLAY(t.ident[card]): (PLAY_CARD, card, 0) for card in t.hand(seat) if t.ident[card] in faces
            }
        if not options and not ask_card:
            break
        options[DONE()] = (-1, 0, 0)
        kind, card, other = yield from choose(
            seat, PROSPERITY_TURN(seat, full), options, default=DONE(), quiet=first
        )
        first = False
        if kind == PLAY_CARD:
            trigger = t.face(card).effect.triggers[0]
            steps = t.face(card).effect.n
            t.discard_diplomacy(seat, card, True)
            yield from gain_all(t, seat, trigger.gain)
        elif kind == USE_GRANARY:
            t.exhaust(seat, card)
            one_icon = other
        elif kind == SPEND:
            t.exhaust(seat, card)
            matched = (*matched, other)
        else:
            break
    if full:
        yield from _prosper(t, seat, full, steps)


def _ways_to_match(
    t: MillenniaTable, seat: int, pairs: Sequence[Sequence[int]], one_icon: int
) -> dict[Term, tuple[int, int, int]]:
    options: dict[Term, tuple[int, int, int]] = {}
    L = t.layout
    granary = t.ready_with(seat, "prosperity_one_icon_enough")
    spendable = _spendable(t, seat)
    for number, lacks in enumerate(pairs):
        first, second = t.zones[L.prosperity][2 * number : 2 * number + 2]
        if len(lacks) == 1 and granary is not None and one_icon < 0:
            term = ONE_ICON(t.ident[granary], t.ident[first], t.ident[second])
            options[term] = (USE_GRANARY, granary, number)
        # Matching one card of two helps only if the other can be matched as well.
        if lacks and len(lacks) <= len(spendable) + (granary is not None and one_icon < 0):
            for _, tech in classes(t, seat, spendable):
                for card in lacks:
                    options[MATCH(t.ident[tech], t.ident[card])] = (SPEND, tech, card)
    return options


def _spendable(t: MillenniaTable, seat: int) -> list[tuple[int, int]]:
    """(types, handle) of the ready tech cards that research 241 may spend."""
    facts = t.layout.facts
    mask = 0
    for face in t.claimed(seat):
        if facts.faces[face].effect.kind == "prosperity_option":
            mask |= facts.faces[face].effect.cost.groups[0][0]
    ready = [(facts.mask[t.ident[card]], card) for card in t.zones[t.layout.techs + seat]]
    return [(types, card) for types, card in ready if types & mask]


def _prosper(t: MillenniaTable, seat: int, pairs: int, steps: int) -> Effect[None]:
    t.log(PROSPERED(seat, pairs))
    for card in t.tech_cards(seat):
        effect = t.layout.facts.type_effects[t.face(card).type]
        if effect.kind == "prosperity_gold":
            t.gain_gold(seat, effect.n)
    yield from advance(t, seat, PROSPERITY, steps)


# Income


def has_income_unlock(t: MillenniaTable, seat: int) -> bool:
    """RB Locked income: the starter card in age 1, an energy tech card, the Hunting Camp, diplomacy 275."""
    L = t.layout
    facts = L.facts
    starter = facts.starters[t.counters[L.starter + seat] - 1]
    if t.age in starter.numbers or t.counters[L.unlocks["income"] + seat]:
        return True
    if any(facts.type_effects[t.face(card).type].kind == "income_unlock" for card in t.tech_cards(seat)):
        return True
    return any(t.face(card).effect.kind == "unlock" for card in t.zones[L.buildings + seat])


def income_of(t: MillenniaTable, seat: int) -> int:
    """What the seat would receive now."""
    L = t.layout
    unlocked = has_income_unlock(t, seat)
    gold = t.spot(seat, TRADE).income
    for row, face in enumerate(L.facts.rows):
        if unlocked or not face.locked:
            gold += face.income * t.counters[L.row[row] + seat]
    for claimed in t.claimed(seat):
        effect = L.facts.faces[claimed].effect
        if effect.kind == "income":
            gold += min(effect.numbers[0], effect.n * t.count(seat, effect.what))
    return gold


def income(t: MillenniaTable, seat: int) -> Effect[None]:
    """Play cards, if any is in hand, then receive the income."""
    while t.hand(seat):
        options: dict[Term, tuple[int, int]] = dict(standard_options(t, seat))
        for card in t.hand(seat):
            if t.face(card).effect.kind == "income":
                options[PLAY(t.ident[card])] = (card, -1)
        options[DONE()] = (-1, -1)
        card, what = yield from choose(
            seat, INCOME_TURN(seat, income_of(t, seat)), options, default=DONE(), quiet=True
        )
        if card < 0:
            break
        if what >= 0:
            play_standard(t, seat, card, what)
        else:
            gains = t.face(card).effect.options[0]
            t.discard_diplomacy(seat, card, True)
            yield from gain_all(t, seat, gains)
    gold = income_of(t, seat)
    t.gain_gold(seat, gold)
    t.log(INCOME(seat, gold))
