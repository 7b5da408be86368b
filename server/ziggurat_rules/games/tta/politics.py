"""The politics phase: its options, events, pacts and resignation (rulebook, Politics Phase)."""

from __future__ import annotations

from collections.abc import Callable

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.attacks import (
    attack_cost,
    attackable,
    declare_war,
    play_aggression,
    war_allowed,
)
from ziggurat_rules.games.tta.colonies import settle
from ziggurat_rules.games.tta.effects.leaders import remove_leader
from ziggurat_rules.games.tta.facts import AGGRESSION, EVENT, PACT, TERRITORY, WAR, Face, Op
from ziggurat_rules.games.tta.ratings import refresh
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.games.tta.turn import end_pact, pass_turn
from ziggurat_rules.terms import Term

BOTH_SIDES = 2
LAST_AGE_TO_RESIGN = 3


def politics(t: TtaTable, seat: int, further: int = 0) -> Effect[None]:
    """One political action or none; `further`: the second one that a leader allows."""
    if not further and t.get(seat, c.SKIPS_POLITICS):
        t.put_counter(seat, c.SKIPS_POLITICS, 0)
        return
    if further and not _further_allowed(t, seat):
        return
    leader = t.leader(seat)
    if leader is not None and "peek_current_event" in leader.ops:
        for card in t.pile(c.CURRENT_EVENTS)[-1:]:
            t.reveal(card, seat)
    options = {term: term for term in political_options(t, seat)}
    term = yield from choose(seat, w.POLITICS_PHASE(), options, default=w.PASS())
    if term == w.PASS():
        return
    if further:
        t.change(seat, c.EXTRA_POLITICS_USED, 1)
    elif _further_allowed(t, seat):
        t.push(steps.POLITICS, seat, 1)
    _HANDLERS[term[0]](t, seat, *term[1:])


def _further_allowed(t: TtaTable, seat: int) -> bool:
    leader = t.leader(seat)
    op = leader.op("extra_political_action") if leader is not None else None
    return op is not None and t.get(seat, c.EXTRA_POLITICS_USED) < op["times_per_game"]


def political_options(t: TtaTable, seat: int) -> list[Term]:
    """Every political action of a seat, and to pass."""
    terms = [w.PASS()]
    for index in sorted({t.ident[card] for card in t.zone_of(seat, c.MILITARY_HAND)}):
        face = t.layout.faces[index]
        offers = _OFFERS.get(face.kind)
        if offers is not None:
            terms += offers(t, seat, face)
    leader = t.leader(seat)
    if leader is not None:
        for op in leader.ops.get("political_action", ()):
            terms += _leader_politics(t, seat, leader, op)
    for owner in t.living():
        for card in t.zone_of(owner, c.PACT_ZONE):
            if seat in (owner, t.list_of(owner, c.PACT_TERMS)[0]):
                terms.append(w.CANCEL(t.ident[card], owner))
    if t.layout.resignation and t.common(c.AGE) <= LAST_AGE_TO_RESIGN:
        terms.append(w.RESIGN())
    return terms


def _prepares(t: TtaTable, seat: int, face: Face) -> list[Term]:
    return [w.PREPARE(face.index, face.level)]


def _rivals(t: TtaTable, seat: int) -> list[int]:
    return [other for other in t.living() if other != seat]


def _may_attack(t: TtaTable, seat: int, kind: str) -> bool:
    leader = t.leader(seat)
    return leader is None or not any(kind in op["cards"] for op in leader.ops.get("cannot_play", ()))


def _aggressions(t: TtaTable, seat: int, face: Face) -> list[Term]:
    if not _may_attack(t, seat, "aggression"):
        return []
    terms = []
    for rival in _rivals(t, seat):
        cost = attack_cost(t, face, rival)
        if cost <= t.military_left(seat) and attackable(t, seat, rival, face):
            terms.append(w.AGGRESSION_ON(face.index, rival, cost))
    return terms


def _wars(t: TtaTable, seat: int, face: Face) -> list[Term]:
    last = t.common(c.LAST_ROUND)
    if not _may_attack(t, seat, "war") or (last and t.common(c.ROUND) >= last):
        return []
    terms = []
    for rival in _rivals(t, seat):
        cost = attack_cost(t, face, rival)
        if cost <= t.military_left(seat) and war_allowed(t, seat, rival):
            terms.append(w.WAR_ON(face.index, rival, cost))
    return terms


def _pact_offers(t: TtaTable, seat: int, face: Face) -> list[Term]:
    sides = (0, 1) if face.facts["sides"] else (BOTH_SIDES,)
    return [w.OFFER(face.index, rival, w.SIDE_WORDS[side]) for rival in _rivals(t, seat) for side in sides]


_OFFERS: dict[int, Callable[[TtaTable, int, Face], list[Term]]] = {
    EVENT: _prepares,
    TERRITORY: _prepares,
    AGGRESSION: _aggressions,
    WAR: _wars,
    PACT: _pact_offers,
}


def _leader_politics(t: TtaTable, seat: int, leader: Face, op: Op) -> list[Term]:
    """The leader leaves for yellow tokens, or to settle a territory of the hand."""
    if "gain_yellow_tokens" in op:
        return [w.DISMISS(leader.index, op["gain_yellow_tokens"])]
    hand = {t.ident[card] for card in t.zone_of(seat, c.MILITARY_HAND)}
    return [
        w.SETTLE(leader.index, index) for index in sorted(hand) if t.layout.faces[index].kind == TERRITORY
    ]


# Carrying out


def _prepare(t: TtaTable, seat: int, face: int, culture: int) -> None:
    t.hide_prepared(t.find(t.zone_number(seat, c.MILITARY_HAND), face))
    t.log(w.PREPARED(seat))
    t.score_culture(seat, culture)
    t.push(steps.REVEAL_EVENT, seat)


def _dismiss(t: TtaTable, seat: int, face: int, yellow: int) -> None:
    remove_leader(t, seat)
    t.change_yellow(seat, yellow)
    refresh(t, seat)


def _settle(t: TtaTable, seat: int, leader: int, face: int) -> None:
    remove_leader(t, seat)
    settle(t, seat, t.find(t.zone_number(seat, c.MILITARY_HAND), face))


def _offer(t: TtaTable, seat: int, face: int, partner: int, word: int) -> None:
    card = t.find(t.zone_number(seat, c.MILITARY_HAND), face)
    t.reveal(card)
    t.log(w.OFFERED(seat, face, partner))
    side = w.SIDE_WORDS.index(word)
    t.push(steps.ANSWER_PACT, partner, seat, card, 0 if side == BOTH_SIDES else side)


def answer_pact(t: TtaTable, partner: int, seat: int, card: int, side: int) -> Effect[None]:
    """The partner accepts or refuses; a refused pact stays in the hand, known to all."""
    face = t.ident[card]
    accepted = yield from choose(
        partner, w.ANSWER_PACT(face, seat), {w.ACCEPT(): 1, w.REFUSE(): 0}, default=w.REFUSE()
    )
    if not accepted:
        t.log(w.REFUSED(partner, face))
        return
    if t.zone_of(seat, c.PACT_ZONE):
        end_pact(t, seat)
    t.put_list(seat, c.PACT_TERMS, (partner, side))
    t.put_in_play(seat, card, c.PACT_ZONE)
    refresh(t, seat)
    refresh(t, partner)


def _cancel(t: TtaTable, seat: int, face: int, owner: int) -> None:
    end_pact(t, owner)


def _resign(t: TtaTable, seat: int) -> None:
    """R Resign: everything leaves play, wars against the player score, the others go on."""
    t.log(w.RESIGNED_NOW(seat))
    for owner in t.living():
        if t.zone_of(owner, c.PACT_ZONE) and seat in (owner, t.list_of(owner, c.PACT_TERMS)[0]):
            end_pact(t, owner)
    for owner in t.living():
        _end_wars(t, owner, seat)
    for zone in range(c.ZONES_PER_SEAT):
        for card in t.zone_of(seat, zone)[:]:
            t.discard(card)
    _tokens_to_box(t, seat)
    for number in range(c.LISTS_PER_SEAT):
        t.put_list(seat, number, ())
    t.put_counter(seat, c.RESIGNED, 1)
    while t.agenda:
        t.drop()
    if len(t.living()) > 1:
        pass_turn(t, seat)


def _end_wars(t: TtaTable, owner: int, rival: int) -> None:
    left = []
    for card, other in zip(t.zone_of(owner, c.WARS)[:], t.list_of(owner, c.WAR_RIVALS), strict=True):
        if other == rival:
            t.discard_military(card)
            t.score_culture(owner, t.layout.board.war_resigned_culture)
        else:
            left.append(other)
    t.put_list(owner, c.WAR_RIVALS, left)


def _tokens_to_box(t: TtaTable, seat: int) -> None:
    layout = t.layout
    blue = t.get(seat, c.BLUE_BANK) + t.get(seat, c.STAGES)
    blue += sum(t.get(seat, counter) for counter, _ in layout.all_tokens)
    yellow = t.get(seat, c.YELLOW_BANK) + t.get(seat, c.UNUSED)
    yellow += sum(t.workers(seat, face.slot) for face in layout.library.slots)
    boxes = (t.get(seat, c.BLUE_BOX) + blue, t.get(seat, c.YELLOW_BOX) + yellow)
    for counter in range(layout.per_seat):
        t.put_counter(seat, counter, 0)
    t.put_counter(seat, c.BLUE_BOX, boxes[0])
    t.put_counter(seat, c.YELLOW_BOX, boxes[1])


_HANDLERS: dict[int, Callable[..., None]] = {
    w.PREPARE.number: _prepare,
    w.AGGRESSION_ON.number: play_aggression,
    w.WAR_ON.number: declare_war,
    w.OFFER.number: _offer,
    w.CANCEL.number: _cancel,
    w.DISMISS.number: _dismiss,
    w.SETTLE.number: _settle,
    w.RESIGN.number: _resign,
}
