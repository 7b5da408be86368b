"""Tracks: steps, locks, penalties, branches, what stands on the spots, and book tokens (RB Track Effects)."""

from __future__ import annotations

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.millennia.effects import FREE, Gain
from ziggurat_rules.games.millennia.gains import NONE, Bonus, Why, bonuses, book, gain_all, gains, triggered
from ziggurat_rules.games.millennia.payment import pay
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.words import (
    BRANCH,
    BRANCH_WORD,
    DEMOCRACY,
    DID,
    DISCARD,
    GOLD,
    POLITICS,
    RAISE_GOLD,
    STANDARD,
    STAY,
    TRACK,
    TRACK_WORD,
    TRACKS,
    TYRANNY,
    WAR_TRACK,
    WHICH_BRANCH,
    WHICH_DISCARD,
    WHICH_TRACK,
)


def advance(t: MillenniaTable, seat: int, track: int, steps: int) -> Effect[None]:
    """Gain track advancements, one after the other; a step that cannot be taken ends it (RULES.md, Steps)."""
    for number in range(steps):
        went = yield from _step(t, seat, track, number == steps - 1)
        if not went:
            t.stay_behind(seat, track)
            if number:
                yield from _event_bonuses(t, seat, track, [])
            return


def _event_bonuses(t: MillenniaTable, seat: int, track: int, pending: list[Bonus]) -> Effect[None]:
    event = ("gain", TRACKS[track])
    why = Why(track)
    pending += triggered(t, seat, event, why)
    yield from bonuses(t, seat, pending, t.layout.facts.windows.get(event, NONE), why)


def _step(t: MillenniaTable, seat: int, track: int, last: bool) -> Effect[bool]:
    if not t.has_room(seat, track):
        return False
    spot_before = t.reached(seat, track)
    if spot_before == t.track(track).spots:
        t.max_out(seat, track)
        pending = [Bonus(-1, t.track(track).maxed, Why(track))]
    else:
        if track == POLITICS:
            ready = yield from _enter_politics(t, seat, spot_before + 1)
            if not ready:
                return False
        t.advance_marker(seat, track)
        pending = spot_bonuses(t, seat, track)
    pending += triggered(t, seat, ("step", TRACKS[track]), Why(track, points=spot_before + 1))
    if last:
        yield from _event_bonuses(t, seat, track, pending)
    else:
        yield from bonuses(t, seat, pending, NONE, Why(track))
    return True


def spot_bonuses(t: MillenniaTable, seat: int, track: int) -> list[Bonus]:
    """The immediate effects of the spot under the marker."""
    spot = t.spot(seat, track)
    bonuses_here = []
    for part, gain in enumerate(spot.immediate):
        if gain.g == "book_token":
            bonuses_here.append(_book_bonus(t, seat, track, spot.slot))
        else:
            bonuses_here.append(Bonus(spot.face, (gain,), Why(track), part=part, printed=True))
    return bonuses_here


def _enter_politics(t: MillenniaTable, seat: int, spot: int) -> Effect[bool]:
    """Choose the section past the common spots; pay the penalty of the spot. False: the marker stays."""
    facts = t.track(POLITICS)
    branch = t.branch(seat)
    if spot > facts.common and not branch:
        options = {BRANCH(BRANCH_WORD[b]): b for b in (DEMOCRACY, TYRANNY) if can_enter(t, seat, spot, b)}
        if len(options) < 2:
            options[STAY()] = 0
        branch = yield from choose(seat, WHICH_BRANCH(seat), options, skip_if_forced=True)
        if not branch:
            return False
    paid = yield from pay_penalty(t, seat, spot, branch, True)
    if paid and spot > facts.common:
        t.set(t.layout.branch + seat, branch)
    return paid


def can_enter(t: MillenniaTable, seat: int, spot: int, branch: int, gold_first: int = 0) -> bool:
    """Whether the penalty of a politics spot can be paid, selling diplomacy cards if need be."""
    for penalty, n in t.track(POLITICS).spot(spot, branch).penalty:
        if penalty == "discard_diplomacy_or_stop" and len(t.hand(seat)) < n:
            return False
        sold = t.layout.facts.standard[0] * len(t.hand(seat))
        if penalty == "pay_gold_or_stop" and t.gold(seat) - gold_first + sold < n:
            return False
    return True


def pay_penalty(t: MillenniaTable, seat: int, spot: int, branch: int, may_stay: bool) -> Effect[bool]:
    """RB Track Bonuses: what cannot be paid in full keeps the marker off the spot."""
    if not can_enter(t, seat, spot, branch):
        return False
    printed = t.track(POLITICS).spot(spot, branch)
    for penalty, n in printed.penalty:
        if penalty == "war_cap":
            t.go_back(seat, WAR_TRACK, t.reached(seat, WAR_TRACK) - min(n, t.reached(seat, WAR_TRACK)))
        elif penalty == "pay_gold_or_stop":
            raised = yield from _raise_gold(t, seat, printed.face, n, may_stay)
            if not raised:
                return False
            t.pay_gold(seat, n)
        else:
            options = {DISCARD(t.ident[card]): card for card in t.hand(seat)}
            card = yield from choose(seat, WHICH_DISCARD(printed.face), options)
            t.discard_diplomacy(seat, card, False)
    return True


def _raise_gold(t: MillenniaTable, seat: int, face: int, n: int, may_stay: bool) -> Effect[bool]:
    """Sell diplomacy cards until there is enough gold (RULES.md: standard effects at a payment)."""
    while t.gold(seat) < n:
        amount = t.layout.facts.standard[0]
        options = {STANDARD(t.ident[card], GOLD, amount): card for card in t.hand(seat)}
        if may_stay:
            options[STAY()] = -1
        card = yield from choose(seat, RAISE_GOLD(face, n), options)
        if card < 0:
            return False
        t.discard_diplomacy(seat, card, True)
        t.gain_gold(seat, amount)
    return True


def advance_lowest(t: MillenniaTable, seat: int) -> Effect[None]:
    """One step on the lowest track; the owner chooses among equals."""
    lowest = min(t.position(seat, track) for track in range(len(TRACKS)))
    options = {
        TRACK(TRACK_WORD[track]): track for track in range(len(TRACKS)) if t.position(seat, track) == lowest
    }
    track = yield from choose(seat, WHICH_TRACK(seat), options, skip_if_forced=True)
    yield from advance(t, seat, track, 1)


def to_democracy(t: MillenniaTable, seat: int) -> Effect[None]:
    """RB Research 232: to the same spot of the democracy section, with its penalty and bonus."""
    spot = t.reached(seat, POLITICS)
    yield from pay_penalty(t, seat, spot, DEMOCRACY, False)
    t.set(t.layout.branch + seat, DEMOCRACY)
    yield from bonuses(t, seat, spot_bonuses(t, seat, POLITICS), NONE, Why(POLITICS))


# Book tokens


def _book_bonus(t: MillenniaTable, seat: int, track: int, slot: int) -> Bonus:
    token = book(t, slot)
    free = token.tech_cost is FREE and all(gain.plain for gain in token.gain)
    return Bonus(token.index, (Gain("book_token"),), Why(track, slot), free_book=free, printed=True)


def use_book(t: MillenniaTable, seat: int, why: Why) -> Effect[None]:
    """Resolve the book token of a spot, and what activating it triggers."""
    token = book(t, why.slot)
    if not t.can_pay(seat, token.tech_cost):
        return
    yield from repeat_book(t, seat, why)
    t.activate_book(seat, why.slot)
    t.log(DID(seat, token.index))
    event = ("book", TRACKS[why.track])
    yield from bonuses(t, seat, triggered(t, seat, event, why), t.layout.facts.windows.get(event, NONE), why)


def repeat_book(t: MillenniaTable, seat: int, why: Why) -> Effect[None]:
    """The token's effect alone (RB Diplomacy 248: without triggering other cards a second time)."""
    token = book(t, why.slot)
    yield from pay(t, seat, token.tech_cost, token.index)
    yield from gain_all(t, seat, token.gain, why)


@gains("track")
def _gain_track(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> Effect[None]:
    yield from advance(t, seat, gain.track, gain.n)


@gains("advance_lowest")
def _gain_lowest(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> Effect[None]:
    for _ in range(gain.n):
        yield from advance_lowest(t, seat)


@gains("tyranny_to_democracy")
def _gain_democracy(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> Effect[None]:
    yield from to_democracy(t, seat)


@gains("book_token")
def _gain_book(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> Effect[None]:
    yield from use_book(t, seat, why)


@gains("repeat_book_token")
def _gain_book_again(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> Effect[None]:
    yield from repeat_book(t, seat, why)
