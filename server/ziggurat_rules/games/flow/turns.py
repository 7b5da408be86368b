"""A turn of The Flow of History: one action, then the Cleanup. The functions in STEPS go on the agenda."""

from __future__ import annotations

from collections.abc import Callable

from ziggurat_rules.decisions import Effect, choose, choose_number
from ziggurat_rules.games.flow import words as w
from ziggurat_rules.games.flow.effects.gains import gain, gain_effect
from ziggurat_rules.games.flow.scoring import log_scores
from ziggurat_rules.games.flow.symbols import HARVEST, NO_AGE, TRADE
from ziggurat_rules.games.flow.table import NO_SPACE, FlowTable
from ziggurat_rules.terms import Term

TURN, CLEANUP, START, BONUS, BANKER = range(5)
"""Numbers of the steps on the agenda."""

Choices = dict[Term, tuple[int, ...]]
"""What an action's term stands for: the action, then what its function takes."""

INVEST, COMPLETE, SNIPE, ACTIVATE, HARVEST_ACTION, NO_ACTION = range(6)


# Setup of two players


def choose_start(t: FlowTable, seat: int) -> Effect[None]:
    """Keep one of the two starting cards; the other goes back to the box (R50)."""
    dealt = t.zones[t.layout.start + seat]
    kept = yield from choose(seat, w.START(), {w.KEEP(t.ident[card]): card for card in dealt})
    t.put_in_nation(seat, kept)
    for card in dealt[:]:
        t.discard(card)


# Phase I: the action


def take_turn(t: FlowTable, seat: int) -> Effect[None]:
    """One of the five actions, Harvest always (R25). The default gets on: complete, invest, else harvest.

    Options are in order of their verbs: a term of `onward`, if there is one, is the first.
    """
    t.push(CLEANUP, seat)
    gains = harvest_gain(t, seat)
    reap = w.HARVEST(sum(gains))
    onward = completion(t, seat) or investments(t, seat)
    options = {reap: (HARVEST_ACTION, *gains), **onward, **snipes(t, seat), **activations(t, seat)}
    action, *what = yield from choose(seat, w.TURN(), options, default=None if onward else reap)
    yield from ACTIONS[action](t, seat, *what)


def bonus_action(t: FlowTable, seat: int) -> Effect[None]:
    """Two players, after a Complete action: perhaps an Invest or a Snipe (R51)."""
    options = investments(t, seat) | snipes(t, seat)
    options[w.DECLINE()] = (NO_ACTION,)
    action, *what = yield from choose(
        seat, w.BONUS_ACTION(), options, default=w.DECLINE(), skip_if_forced=True
    )
    if action != NO_ACTION:
        yield from ACTIONS[action](t, seat, *what)


def investments(t: FlowTable, seat: int) -> Choices:
    """The non-invested cards, for who has a token and no marker on the Market."""
    if not t.tokens(seat) or t.counters[t.layout.marker + seat] != NO_SPACE:
        return {}
    ident = t.ident
    return {w.INVEST(ident[card]): (INVEST, card) for card in t.free_cards()}


def invest(t: FlowTable, seat: int, card: int) -> Effect[None]:
    """Put the marker and one or more tokens on a card (R13)."""
    amount = yield from choose_number(seat, w.TOKENS(t.ident[card]), 1, t.tokens(seat), skip_if_forced=True)
    t.put_marker(seat, card)
    t.transfer(t.layout.tokens + seat, t.layout.invested + seat, amount)
    t.log(w.INVESTED(seat, t.ident[card], amount))


def completion(t: FlowTable, seat: int) -> Choices:
    """The card invested in, with the bonus that the Nation without it earns."""
    card = t.invested_card(seat)
    if card is None:
        return {}
    pool = t.counters[t.layout.supply] + t.counters[t.layout.invested + seat]
    bonus = min(pool, t.icons(seat, t.face(card).bonus))
    return {w.COMPLETE(t.ident[card], bonus): (COMPLETE, card)}


def complete(t: FlowTable, seat: int, card: int) -> Effect[None]:
    """Bid to the Supply, investor bonus from it, then the card (R18)."""
    t.lift_marker(seat)
    bonus = t.take_from_supply(seat, t.icons(seat, t.face(card).bonus))
    t.log(w.COMPLETED(seat, t.ident[card], bonus))
    yield from gain(t, seat, card)
    if t.layout.banker >= 0:
        t.push(BONUS, seat)


def snipes(t: FlowTable, seat: int) -> Choices:
    """The cards others invested in, no more than the Nation's tokens (R9)."""
    options: Choices = {}
    layout, counters = t.layout, t.counters
    tokens = counters[layout.tokens + seat]
    for owner in layout.investors:
        space = counters[layout.marker + owner]
        bid = counters[layout.invested + owner]
        if space and bid <= tokens and owner != seat:
            card = t.zones[layout.market[space - 1]][0]
            options[w.SNIPE(t.ident[card], owner, bid)] = (SNIPE, card, owner)
    return options


def snipe(t: FlowTable, seat: int, card: int, investor: int) -> Effect[None]:
    """Pay the investor, who then lives on the Supply (R19); the Banker's part goes to the Supply (R53)."""
    bid = t.counters[t.layout.invested + investor]
    if investor == t.layout.banker:
        t.pay_to_supply(seat, bid)
    else:
        t.transfer(t.layout.tokens + seat, t.layout.tokens + investor, bid)
    t.lift_marker(investor)
    if investor != t.layout.banker:
        t.take_from_supply(investor, t.icons(investor, TRADE))
        t.take_from_supply(investor, t.counters[t.layout.supply] // 2)
    t.log(w.SNIPED(seat, t.ident[card], investor))
    yield from gain(t, seat, card)


def activations(t: FlowTable, seat: int) -> Choices:
    """The turn actions that show, can be paid for and do something (R25)."""
    actions, ident = t.edition.turn_actions, t.ident
    return {
        w.ACTIVATE(ident[card]): (ACTIVATE, card)
        for card in t.uncovered(seat)
        if ident[card] in actions and gain_effect(t, card).possible(t, seat)
    }


def activate(t: FlowTable, seat: int, card: int) -> Effect[None]:
    """Use the turn action of a card."""
    t.log(w.ACTIVATED(seat, t.ident[card]))
    with t.resolving(seat, t.ident[card]):
        yield from gain_effect(t, card).resolve(t, seat, card)


def harvest_gain(t: FlowTable, seat: int) -> tuple[int, int, int]:
    """Half of the Supply, then what Supply and Reserve add up to the current age (R4, R5)."""
    layout, counters = t.layout, t.counters
    reserve = counters[layout.reserve]
    added = min(counters[layout.icons[seat][HARVEST]], reserve)
    supply = counters[layout.supply] + added
    half = supply // 2
    short = counters[layout.age] - counters[layout.tokens + seat] - half
    if short <= 0:
        return half, 0, 0
    from_supply = min(short, supply - half) if t.edition.top_up_from_supply else 0
    return half, from_supply, min(short - from_supply, reserve - added)


def harvest(t: FlowTable, seat: int, half: int, from_supply: int, from_reserve: int) -> Effect[None]:
    """Harvest icons' worth from the Reserve to the Supply, half of the Supply, then up to the current age."""
    t.transfer(t.layout.reserve, t.layout.supply, t.icons(seat, HARVEST))
    t.take_from_supply(seat, half + from_supply)
    t.take_from_reserve(seat, from_reserve)
    t.log(w.HARVESTED(seat, half + from_supply + from_reserve))
    return
    yield


ACTIONS: tuple[Callable[..., Effect[None]], ...] = (invest, complete, snipe, activate, harvest)


# Phase II: the Cleanup


def clean_up(t: FlowTable, seat: int) -> None:
    """Replenish, age check, and the end of the game if The Future is out."""
    banker = t.layout.banker
    if banker >= 0:
        discard_bankers_card(t)
    replenish(t)
    while discard_too_old(t):
        replenish(t)
    if t.counters[t.layout.ending]:
        log_scores(t)
        return
    t.push(TURN, (seat + 1) % t.layout.seats)
    if banker >= 0 and t.free_cards():
        t.push(BANKER, seat)


def replenish(t: FlowTable) -> None:
    """Fill the empty spaces from the deck, while it lasts (R44)."""
    for zone in t.layout.market:
        if not t.zones[zone]:
            t.draw_to_market(zone)


def discard_too_old(t: FlowTable) -> bool:
    """Discard the non-invested cards two or more ages behind; says whether there were any (R43)."""
    ages, ident, zones = t.edition.ages, t.ident, t.zones
    oldest = t.counters[t.layout.age] - 1
    if oldest <= 0:
        return False
    old = [c for zone in t.layout.market for c in zones[zone] if NO_AGE < ages[ident[c]] < oldest]
    if old:
        free = t.free_cards()
        old = [card for card in old if card in free]
        for card in old:
            t.discard(card)
    return bool(old)


def discard_bankers_card(t: FlowTable) -> None:
    """The Banker's card, if nobody sniped it, goes; its tokens go to the Supply."""
    card = t.invested_card(t.layout.banker)
    if card is not None:
        t.lift_marker(t.layout.banker)
        t.discard(card)


def place_banker(t: FlowTable, seat: int) -> Effect[None]:
    """Of the current player's choice: half of the Supply, at least the current age (R52, R54)."""
    from_supply = t.counters[t.layout.supply] // 2
    from_reserve = min(max(0, t.counters[t.layout.age] - from_supply), t.counters[t.layout.reserve])
    amount = from_supply + from_reserve
    options = {w.BANK(t.ident[card], amount): card for card in t.free_cards()}
    card = yield from choose(seat, w.BANKER_PLACES(), options, skip_if_forced=True)
    banker = t.layout.banker
    t.put_marker(banker, card)
    t.transfer(t.layout.supply, t.layout.invested + banker, from_supply)
    t.transfer(t.layout.reserve, t.layout.invested + banker, from_reserve)
    t.log(w.INVESTED(banker, t.ident[card], amount))


STEPS = (take_turn, clean_up, choose_start, bonus_action, place_banker)
