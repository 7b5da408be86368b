"""Action phase: the menu of one seat and what each of its options does (RB Action Phase)."""

from __future__ import annotations

from collections.abc import Callable

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.millennia.effects import Effect as CardEffect
from ziggurat_rules.games.millennia.facts import GameFacts
from ziggurat_rules.games.millennia.gains import Why, bonuses, gain_all, gain_in_any_order, happen, triggered
from ziggurat_rules.games.millennia.orders import act, choose_gains, play_standard, special, standard_options
from ziggurat_rules.games.millennia.payment import pay
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.tracks import can_enter
from ziggurat_rules.games.millennia.words import (
    ACTION_TURN,
    ACTIVATE,
    BUY,
    CONVERT,
    DEMOCRACY,
    DID,
    DONE,
    PERFORM,
    PLAY,
    POLITICS,
    RETRIEVE,
    SPEND_TECH,
    STANDARD,
    TYRANNY,
    WAY,
    WHICH_TECH,
    WHICH_WAY,
)
from ziggurat_rules.terms import Term

Choice = tuple[int, int, int]
"""Number of the verb, and two numbers that it understands."""


def actions(t: MillenniaTable, seat: int) -> Effect[None]:
    """Actions of one seat, in any order and as often as it likes, until it is done."""
    while True:
        verb, a, b = yield from choose(seat, ACTION_TURN(seat), menu(t, seat), default=DONE(), quiet=True)
        if verb == DONE.number:
            return
        yield from _DO[verb](t, seat, a, b)


def menu(t: MillenniaTable, seat: int) -> dict[Term, Choice]:
    """All actions the seat can perform now."""
    facts, counters = t.layout.facts, t.counters
    payable = t.payable(seat)
    options = _paid_in_techs(facts, payable).copy()
    for face in facts.other_actions:
        if t.can_pay(seat, face.tech_cost, payable):
            options[PERFORM(face.index)] = (PERFORM.number, face.index, 0)
    if payable & facts.influence_patterns and influence_ways(t, seat, payable):
        index = facts.actions["influence"].index
        options[PERFORM(index)] = (PERFORM.number, index, 0)
    for number, counter in enumerate(t.layout.special):
        if counters[counter + seat]:
            options[RETRIEVE(facts.specials[number].index)] = (RETRIEVE.number, number, 0)
    if not counters[t.layout.bought + seat]:
        _offer_research(t, seat, options)
    _offer_cards(t, seat, payable, options)
    return options


def _paid_in_techs(facts: GameFacts, payable: int) -> dict[Term, Choice]:
    """The end of the menu and what a mask of payable patterns allows; kept, a pure function."""
    options = facts.menus.get(payable)
    if options is None:
        options = {DONE(): (DONE.number, 0, 0)}
        for face in facts.tech_actions:
            if payable >> face.tech_cost.pattern & 1:
                options[PERFORM(face.index)] = (PERFORM.number, face.index, 0)
        for face in facts.converts:
            if payable >> face.tech_cost.pattern & 1:
                options[CONVERT(face.index)] = (CONVERT.number, face.index, 0)
        facts.menus[payable] = options
    return options


def _offer_research(t: MillenniaTable, seat: int, options: dict[Term, Choice]) -> None:
    """RB Research Action: one effect per age; claiming needs a card that is not claimed yet."""
    points = t.counters[t.layout.rp + seat]
    for index in t.layout.side.buys:
        face = t.layout.facts.faces[index]
        if face.points <= points and (
            t.unclaimed(seat) or not any(g.g == "claim_research" for g in face.gain)
        ):
            options[BUY(index, face.points)] = (BUY.number, index, 0)


def _offer_cards(t: MillenniaTable, seat: int, payable: int, options: dict[Term, Choice]) -> None:
    L = t.layout
    for card in t.zones[L.buildings + seat]:
        face = t.face(card)
        if face.phase == "action" and can_activate(t, seat, face.effect, payable):
            options[ACTIVATE(face.index)] = (ACTIVATE.number, face.index, card)
    for index in t.claimed(seat):
        if can_activate(t, seat, L.facts.faces[index].effect, payable):
            options[ACTIVATE(index)] = (ACTIVATE.number, index, -1)
    if t.hand(seat):
        for card in t.hand(seat):
            face = t.face(card)
            if face.effect.kind == "action" and t.can_pay(seat, face.effect.cost, payable):
                options[PLAY(face.index)] = (PLAY.number, card, 0)
        for term, (card, what) in standard_options(t, seat).items():
            options[term] = (term[0], card, what)


def can_activate(t: MillenniaTable, seat: int, effect: CardEffect, payable: int = -1) -> bool:
    """Whether a building or claimed research card can be used as an action now."""
    if effect.mod == "extend_tech_duration":
        return t.age in effect.numbers and bool(expiring(t, seat))
    if effect.kind not in ("action", "action_choice") or not t.can_pay(seat, effect.cost, payable):
        return False
    if effect.once and t.counters[t.layout.once + seat]:
        return False
    if effect.kind == "action_choice":
        return any(t.has_room(seat, gains[0].track) for gains in effect.options)
    if effect.options[0][0].g == "tyranny_to_democracy":
        spot = t.reached(seat, POLITICS)
        return t.branch(seat) == TYRANNY and can_enter(t, seat, spot, DEMOCRACY, effect.cost.gold)
    return True


def expiring(t: MillenniaTable, seat: int) -> list[int]:
    """Tech cards that expire in this age."""
    return [card for card in t.tech_cards(seat) if t.last_age(seat, card) == t.age]


# What the options do


def _perform(t: MillenniaTable, seat: int, index: int, _: int) -> Effect[None]:
    face = t.layout.facts.faces[index]
    if face.which == "influence":
        yield from _influence(t, seat, index)
    else:
        yield from pay(t, seat, face.tech_cost, index)
        yield from act(t, seat, face.which)


def influence_ways(t: MillenniaTable, seat: int, payable: int) -> dict[Term, tuple[int, int, int]]:
    """Ways to pay an influence action, with research 233, the Factory and the Opera House: (economics, mixed,
    1: one arts counts double).
    """
    facts = t.layout.facts
    if not payable & facts.influence_patterns:
        return {}
    factory = t.ready_with(seat, "influence_skip_economics") is not None
    opera = t.ready_with(seat, "influence_arts_counts_as") is not None
    fewer = t.has_claimed(seat, "influence_cost_minus")
    full = facts.influence_mixed
    needs = [(1, full, 0)] if not fewer else [(0, full, 0), (1, full - 1, 0)]
    if factory:
        needs += [(0, full - 1 if fewer else full, 1)]
    ways = {}
    for economics, mixed, skip in needs:
        for double in (0, 1) if opera and mixed >= 2 else (0,):
            if payable >> facts.influence_costs[economics, mixed, double].pattern & 1:
                ways[WAY(economics, mixed, skip, double)] = (economics, mixed, double)
    return ways


def _influence(t: MillenniaTable, seat: int, index: int) -> Effect[None]:
    ways = {term: (term[1], term[2], term[3], term[4]) for term in influence_ways(t, seat, t.payable(seat))}
    economics, mixed, skip, double = yield from choose(seat, WHICH_WAY(index), ways, skip_if_forced=True)
    for used, mod in ((skip, "influence_skip_economics"), (double, "influence_arts_counts_as")):
        building = t.ready_with(seat, mod)
        if used and building is not None:
            t.exhaust(seat, building)
    yield from pay(t, seat, t.layout.facts.influence_costs[economics, mixed, double], index)
    yield from act(t, seat, "influence")


def _retrieve(t: MillenniaTable, seat: int, number: int, _: int) -> Effect[None]:
    t.add(t.layout.special[number] + seat, -1)
    yield from special(t, seat, number)


def _convert(t: MillenniaTable, seat: int, index: int, _: int) -> Effect[None]:
    face = t.layout.facts.faces[index]
    yield from pay(t, seat, face.tech_cost, index)
    t.gain_rp(seat, face.points)
    t.log(DID(seat, index))


def _buy(t: MillenniaTable, seat: int, index: int, _: int) -> Effect[None]:
    """RB Research Action: all points are lost after buying; a card claimed by it may already count."""
    L = t.layout
    face = L.facts.faces[index]
    t.set(L.bought + seat, 1)
    t.set(L.rp + seat, 0)
    t.log(DID(seat, index))
    before = tuple(t.claimed(seat))
    why = Why(points=face.points)
    event = ("action", "research")
    with t.resolving(seat, index):
        yield from happen(t, seat, event, index, face.gain, why)
        new = {
            card
            for card in t.claimed(seat)
            if card not in before
            and any(trigger.including_self for trigger in L.facts.faces[card].effect.triggers)
        }
        yield from bonuses(
            t, seat, [b for b in triggered(t, seat, event, why) if b.card < 0 and b.face in new]
        )


def _activate(t: MillenniaTable, seat: int, index: int, card: int) -> Effect[None]:
    face = t.layout.facts.faces[index]
    effect = face.effect
    t.log(DID(seat, index))
    with t.resolving(seat, index):
        if card >= 0 and face.exhaust:
            t.exhaust(seat, card)
        if effect.once:
            t.set(t.layout.once + seat, 1)
        if effect.mod == "extend_tech_duration":
            yield from _extend(t, seat, index)
            return
        yield from pay(t, seat, effect.cost, index)
        gains = effect.options[0]
        if effect.kind == "action_choice":
            gains = yield from choose_gains(t, seat, index, effect.options)
        yield from gain_all(t, seat, gains)


def _extend(t: MillenniaTable, seat: int, index: int) -> Effect[None]:
    """RB Building 179: a tech that expires now lasts one age longer."""
    options = {SPEND_TECH(t.ident[card]): card for card in expiring(t, seat)}
    card = yield from choose(seat, WHICH_TECH(index), options, skip_if_forced=True)
    extended = t.layout.extended + seat
    t.put(extended, [*t.lists[extended], t.ident[card]])


def _play(t: MillenniaTable, seat: int, card: int, _: int) -> Effect[None]:
    face = t.face(card)
    t.discard_diplomacy(seat, card, True)
    with t.resolving(seat, face.index):
        yield from pay(t, seat, face.effect.cost, face.index)
        yield from gain_in_any_order(t, seat, face.index, face.effect.options[0])


def _standard(t: MillenniaTable, seat: int, card: int, what: int) -> Effect[None]:
    play_standard(t, seat, card, what)
    yield from ()


_DO: dict[int, Callable[[MillenniaTable, int, int, int], Effect[None]]] = {
    PERFORM.number: _perform,
    RETRIEVE.number: _retrieve,
    CONVERT.number: _convert,
    BUY.number: _buy,
    ACTIVATE.number: _activate,
    PLAY.number: _play,
    STANDARD.number: _standard,
}
