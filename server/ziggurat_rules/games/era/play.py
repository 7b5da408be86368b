"""The card-play phase: tactics, playing and flourishing, vision, and community cards."""

from __future__ import annotations

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.era.blocks import settle
from ziggurat_rules.games.era.conflict import conflict
from ziggurat_rules.games.era.facts import CONFLICT, Face
from ziggurat_rules.games.era.layout import FRESH, STRIDE, Step
from ziggurat_rules.games.era.payment import pay
from ziggurat_rules.games.era.symbols import NORMAL, THREAT, VISION
from ziggurat_rules.games.era.table import EraTable
from ziggurat_rules.games.era.words import (
    CARD_PLAY,
    CASCADED,
    DREW_BACK,
    END_PLAY,
    FLOURISH,
    FLOURISHED,
    PLAY,
    PLAY_COMMUNITY,
    PLAYED,
    STORED,
    TACTICS,
    USED_TACTICS,
    VISION_DRAW,
    VISION_STORE,
)
from ziggurat_rules.terms import Term

Move = tuple[int, int, int]
"""What is done, with which face (or community pile), at which position."""

PASS, TACTIC, ENTER, STACK, STORE, TAKE, COMMUNITY = range(7)


def card_play(t: EraTable, seat: int) -> None:
    """The phase is skipped by a seat that kept no cards."""
    if t.zones[t.layout.hand + seat]:
        t.push(Step.ACT, seat)
    else:
        end_play(t, seat)


def act(t: EraTable, seat: int) -> Effect[None]:
    """One action of the phase; then the menu comes again."""
    lay = t.layout
    if t.seats == 2 and not t.zones[lay.hand + seat] and not t.zones[lay.stored + seat]:
        end_play(t, seat)
        return
    kind, what, position = yield from choose(seat, CARD_PLAY(), menu(t, seat), default=END_PLAY())
    if kind == PASS:
        end_play(t, seat)
        return
    if kind == TACTIC:
        tactics(t, seat, t.find(lay.hand + seat, what))
        return
    t.set(lay.acted, 1)
    t.push(Step.ACT, seat)
    if kind == ENTER:
        yield from play(t, seat, t.find(lay.hand + seat, what))
    elif kind == STACK:
        yield from flourish(t, seat, t.find(lay.hand + seat, what), position)
    elif kind == COMMUNITY:
        yield from play_community(t, seat, what)
    else:
        move_vision(t, seat, kind, what, position)


def menu(t: EraTable, seat: int) -> dict[Term, Move]:
    """All that the seat may do now."""
    lay = t.layout
    options: dict[Term, Move] = {END_PLAY(): (PASS, 0, 0)}
    hand = t.zones[lay.hand + seat]
    exhausted = t.counters[lay.exhaustion + seat] and len(hand) >= t.facts.rules.exhaustion
    if not t.counters[lay.acted] and not exhausted:
        for card in hand:
            options[TACTICS(t.ident[card])] = (TACTIC, t.ident[card], 0)
    budget = t.counters[lay.credit] + t.purse(seat)
    open_slots = _open_slots(t, seat)
    for index in dict.fromkeys(t.ident[card] for card in hand):
        face = t.facts.faces[index]
        if face.cost <= budget and t.may_enter(*_where(t, seat, face), face):
            options[PLAY(face.index, face.cost)] = (ENTER, index, 0)
        if face.kind != CONFLICT:
            _offer_stacks(t, seat, face, budget, options)
            for position in open_slots:
                options[VISION_STORE(face.index, position)] = (STORE, index, position)
    if t.zones[lay.stored + seat]:
        _offer_stored(t, seat, options)
    if t.seats > 2:
        _offer_community(t, seat, budget, options)
    return options


def _where(t: EraTable, seat: int, face: Face) -> tuple[int, int]:
    """The Era and side a hand card goes to."""
    return (1 - seat, THREAT) if face.kind == CONFLICT else (seat, NORMAL)


def _offer_stacks(t: EraTable, seat: int, face: Face, budget: int, options: dict[Term, Move]) -> None:
    if 0 <= face.flourish_cost <= budget and t.may_flourish(seat, face):
        for position, top in enumerate(t.front(seat).faces[NORMAL]):
            if top is face:
                options[FLOURISH(face.index, position, face.flourish_cost)] = (STACK, face.index, position)


def _open_slots(t: EraTable, seat: int) -> list[int]:
    front = t.front(seat)
    if not front.totals[NORMAL][VISION]:
        return []
    return [position for position in range(len(front.faces[NORMAL])) if t.slots(seat, position) > 0]


def _offer_stored(t: EraTable, seat: int, options: dict[Term, Move]) -> None:
    """Cards stored on an earlier turn may be drawn back."""
    for position, fresh in enumerate(t.lists[t.layout.stacks + seat][FRESH::STRIDE]):
        under = t.stored_under(seat, position)
        for card in under[: len(under) - fresh]:
            options[VISION_DRAW(t.ident[card], position)] = (TAKE, t.ident[card], position)


def _offer_community(t: EraTable, seat: int, budget: int, options: dict[Term, Move]) -> None:
    lay = t.layout
    for owner in t.others(seat):
        face = top_of_pile(t, owner)
        if face is None or face.cost > budget or not t.may_enter(owner, THREAT, face):
            continue
        if face.cost or not t.counters[lay.free_played] >> owner & 1:
            options[PLAY_COMMUNITY(face.index, owner, face.cost)] = (COMMUNITY, owner, 0)


def top_of_pile(t: EraTable, owner: int) -> Face | None:
    """The face-up card of a community pile."""
    pile = t.zones[t.layout.community + owner]
    return t.face(pile[-1]) if pile else None


def play(t: EraTable, seat: int, card: int) -> Effect[None]:
    """Show a card, pay for it and put it into play."""
    face = t.face(card)
    t.reveal(card)
    yield from pay(t, seat, face.index, face.cost)
    t.log(PLAYED(seat, face.index, face.cost))
    era, side = _where(t, seat, face)
    if side == THREAT:
        t.threaten(era, card)
    else:
        t.lay_out(seat, card)
        t.recover(seat, face)
    settle(t, era)


def flourish(t: EraTable, seat: int, card: int, position: int) -> Effect[None]:
    """Show a card, pay its flourish cost and put it onto a stack of its name."""
    face = t.face(card)
    t.reveal(card)
    yield from pay(t, seat, face.index, face.flourish_cost)
    t.lay_on(seat, card, position)
    t.log(FLOURISHED(seat, face.index, position))
    t.recover(seat, face)
    settle(t, seat)


def tactics(t: EraTable, seat: int, card: int) -> None:
    """One hand card goes face down on the conflict pile; nothing is played, and nothing attacks this turn."""
    lay = t.layout
    if len(t.zones[lay.hand + seat]) >= t.facts.rules.exhaustion:
        t.exhaust(seat)
    t.mingle(seat)
    t.move(card, lay.conflict + seat)
    t.set(lay.calm, 1)
    t.log(USED_TACTICS(seat))
    end_play(t, seat)


def move_vision(t: EraTable, seat: int, kind: int, face: int, position: int) -> None:
    """Store a hand card under a stack, or draw one back."""
    t.set(t.layout.credit, 0)
    if kind == STORE:
        t.store(seat, t.find(t.layout.hand + seat, face), position)
        t.log(STORED(seat, position))
    else:
        t.draw_back(seat, next(c for c in t.stored_under(seat, position) if t.ident[c] == face), position)
        t.log(DREW_BACK(seat, face))


def end_play(t: EraTable, seat: int) -> None:
    """Discard the rest of the hand; the conflict phase follows."""
    lay = t.layout
    t.set(lay.credit, 0)
    t.move_all(t.zones[lay.hand + seat][:], lay.discard + seat)
    conflict(t, seat)


# Community cards (three and four players)


def play_community(t: EraTable, seat: int, owner: int) -> Effect[None]:
    """Pay for the top card of an opponent's community pile; tops of the other opponents may come along."""
    lay = t.layout
    rules = t.facts.rules
    card = t.zones[lay.community + owner][-1]
    face = t.face(card)
    yield from pay(t, seat, face.index, face.cost)
    t.log(PLAYED(seat, face.index, face.cost))
    if face.cost >= rules.initiative_cost:
        t.add(lay.initiative + seat, rules.initiative)
    else:
        t.set(lay.free_played, t.counters[lay.free_played] | 1 << owner)
    along = [other for other in t.others(seat) if other != owner and _cascades(t, other, face.cost)]
    for other in along:
        t.log(CASCADED(t.ident[t.zones[lay.community + other][-1]], other))
    for pile in (owner, *along):
        t.threaten(pile, t.zones[lay.community + pile][-1])
        t.uncover(pile)
        settle(t, pile)


def _cascades(t: EraTable, owner: int, cost: int) -> bool:
    face = top_of_pile(t, owner)
    return face is not None and face.cost <= cost and t.may_enter(owner, THREAT, face)
