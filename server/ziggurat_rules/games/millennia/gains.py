"""Gains: what a card, a spot or an action gives, and the order in which bonuses are resolved.

RB Order of Effects: penalties first, then the owner resolves or forfeits bonuses one at a time, in any order. Bonuses
that nothing else can change (gold, VP, jokers, research points) are taken at once; see RULES.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.millennia.effects import FREE, HOST, Cost, Event, Gain, Trigger
from ziggurat_rules.games.millennia.facts import Face
from ziggurat_rules.games.millennia.payment import pay
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.words import (
    BRANCH,
    BRANCH_WORD,
    CLAIM,
    CLAIMED,
    DEMOCRACY,
    DID,
    DISCARD,
    DONE,
    GOLD,
    KEEP,
    KEEP_BOTH,
    OPTION,
    PLAY,
    POLITICS,
    RAISE_GOLD,
    RESOLVE,
    SPECIAL,
    STANDARD,
    STAY,
    TRACK,
    TRACK_WORD,
    TRACKS,
    TYRANNY,
    VP,
    WAR_TRACK,
    WHICH_BONUS,
    WHICH_BRANCH,
    WHICH_CLAIM,
    WHICH_DISCARD,
    WHICH_KEEP,
    WHICH_OPTION,
    WHICH_SPECIAL,
    WHICH_TRACK,
)
from ziggurat_rules.terms import Term

NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Why:
    """What a gain refers to: the track and book token it comes from, the research points that were needed."""

    track: int = -1
    slot: int = -1
    points: int = 0


NOTHING = Why()


@dataclass(frozen=True, slots=True)
class Bonus:
    """An effect that waits to be resolved. `card` is the building or diplomacy card to be used for it, or -1."""

    face: int
    gain: tuple[Gain, ...]
    why: Why = NOTHING
    cost: Cost = FREE
    card: int = -1
    gold_min: int = 0
    main: bool = False
    part: int = 0
    free_book: bool = False
    printed: bool = False
    """Is printed on the spot: must be done with before the next step on the same track."""

    @property
    def at_once(self) -> bool:
        return self.card < 0 and self.cost is FREE and all(gain.first for gain in self.gain)

    @property
    def plain(self) -> bool:
        return self.card < 0 and self.cost is FREE and all(gain.plain for gain in self.gain)

    def steps_on(self, track: int) -> bool:
        return any(gain.g == "track" and gain.track == track for gain in self.gain)


# Plain gains


def vp_of(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> int:
    """How many VP a gain of VP is worth now."""
    if gain.g == "vp":
        return gain.n
    if gain.g == "vp_track":
        return gain.n * t.position(seat, why.track if gain.track == HOST else gain.track)
    if gain.g == "vp_count":
        return gain.n * t.count(seat, gain.what)
    if gain.g == "vp_count_div":
        return t.count(seat, gain.what) // gain.div
    if gain.g == "vp_per":
        return gain.n * (why.points // gain.div)
    lowest = min(t.position(seat, track) for track in gain.tracks)
    return lowest * (gain.n if gain.g == "vp_lowest_track" else 1)


def take(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> None:
    """A gain that needs no decision."""
    if gain.g == "gold":
        t.gain_gold(seat, gain.n)
    elif gain.g == "joker":
        t.gain_joker(seat, gain.n)
    elif gain.g == "rp_card":
        t.gain_rp(seat, gain.n)
    elif gain.g == "diplomacy_card":
        t.draw_diplomacy(seat, t.layout.hand + seat, gain.n)
    elif gain.g == "unlock":
        t.unlock(seat, gain.what)
    else:
        t.score(seat, vp_of(t, seat, gain, why))


def gain_all(t: MillenniaTable, seat: int, gains: Sequence[Gain], why: Why = NOTHING) -> Effect[None]:
    """Gain everything, in order."""
    for gain in gains:
        if gain.plain:
            take(t, seat, gain, why)
        else:
            yield from _gain(t, seat, gain, why)


def _gain(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> Effect[None]:
    if gain.g == "track":
        yield from advance(t, seat, gain.track, gain.n)
    elif gain.g == "special_action":
        yield from any_special(t, seat)
    elif gain.g == "action":
        yield from act(t, seat, gain.what)
    elif gain.g == "claim_research":
        yield from claim(t, seat)
    elif gain.g == "advance_lowest":
        for _ in range(gain.n):
            yield from advance_lowest(t, seat)
    elif gain.g == "diplomacy_draw_keep":
        yield from draw_and_keep(t, seat, gain.n, gain.keep)
    elif gain.g == "book_token":
        yield from use_book(t, seat, why)
    elif gain.g == "repeat_book_token":
        yield from repeat_book(t, seat, why)
    elif gain.g == "tyranny_to_democracy":
        yield from to_democracy(t, seat)
    else:
        raise ValueError(f"no way to gain {gain.g}")


# Bonuses and their order


def triggered(
    t: MillenniaTable, seat: int, event: Event, why: Why = NOTHING, choice: str = ""
) -> list[Bonus]:
    """What the seat's buildings and research cards give for an event. (Diplomacy cards: see the windows.)"""
    known = t.layout.facts.triggers.get(event)
    if known is None:
        return []
    found = []
    ident = t.ident
    for card in t.zones[t.layout.buildings + seat]:
        for trigger in known.get(ident[card], ()):
            if _holds(t, seat, trigger, event, why, choice):
                exhaust = t.face(card).exhaust
                found.append(Bonus(ident[card], trigger.gain, why, trigger.cost, card if exhaust else -1))
    for face in t.claimed(seat):
        for trigger in known.get(face, ()):
            if _holds(t, seat, trigger, event, why, choice):
                found.append(Bonus(face, trigger.gain, why, trigger.cost, gold_min=trigger.gold_min))
    return found


def _holds(t: MillenniaTable, seat: int, trigger: Trigger, event: Event, why: Why, choice: str) -> bool:
    if trigger.beyond >= 0 and why.points <= trigger.beyond:
        return False
    if trigger.buildings_gt_track >= 0:
        return t.count(seat, "buildings") > t.position(seat, trigger.buildings_gt_track)
    if event[0] == "action" and trigger.least > why.points:
        return False
    return not trigger.choice or trigger.choice == choice


def bonuses(
    t: MillenniaTable, seat: int, pending: list[Bonus], window: frozenset[int] = NONE, why: Why = NOTHING
) -> Effect[None]:
    """Resolve or forfeit pending bonuses in the owner's order.

    `window`: diplomacy cards that may be played now. Whoever holds diplomacy cards is asked, whatever they are.
    """
    while True:
        pending = take_at_once(t, seat, pending)
        open_window = bool(window and t.hand(seat))
        if not pending and not open_window:
            return
        if (
            len(pending) == 1
            and not open_window
            and (pending[0].plain or pending[0].main or pending[0].free_book)
        ):
            if t.gold(seat) >= pending[0].gold_min:
                yield from gain_all(t, seat, pending[0].gain, pending[0].why)
            return
        options = bonus_options(t, seat, pending, window if open_window else NONE, why)
        if not options and not open_window:
            return
        options[DONE()] = -1
        chosen = yield from choose(seat, WHICH_BONUS(seat), options, default=DONE())
        if chosen < 0:
            yield from main_of(t, seat, pending)
            return
        if chosen >= CARD:
            window = yield from play_trigger(t, seat, chosen - CARD, window, why)
        else:
            bonus = pending[chosen]
            pending = pending[:chosen] + pending[chosen + 1 :]
            yield from resolve(t, seat, bonus)


CARD = 1000
"""Values of bonus options: index of the pending bonus, or CARD + handle of a diplomacy card."""


def main_of(t: MillenniaTable, seat: int, pending: Sequence[Bonus]) -> Effect[None]:
    """Done with bonuses: what the action itself gives is gained in any case."""
    for bonus in pending:
        if bonus.main:
            yield from gain_all(t, seat, bonus.gain, bonus.why)


def take_at_once(t: MillenniaTable, seat: int, pending: list[Bonus]) -> list[Bonus]:
    """Gain what is never worse for being gained now; returns the others."""
    left = []
    for bonus in sorted(pending, key=lambda bonus: bonus.gold_min):
        if bonus.at_once and t.gold(seat) >= bonus.gold_min:
            for gain in bonus.gain:
                take(t, seat, gain, bonus.why)
        else:
            left.append(bonus)
    return left


def bonus_options(
    t: MillenniaTable, seat: int, pending: Sequence[Bonus], window: frozenset[int], why: Why
) -> dict[Term, int]:
    """The bonuses that can be resolved now and the cards that can be played."""
    printed = any(bonus.printed for bonus in pending)
    options = {
        RESOLVE(bonus.face, bonus.part): number
        for number, bonus in enumerate(pending)
        if t.can_pay(seat, bonus.cost)
        and t.gold(seat) >= bonus.gold_min
        and not (printed and not bonus.printed and bonus.steps_on(why.track))
        and _useful(t, seat, bonus)
    }
    if window:
        for card in t.hand(seat):
            face = t.face(card)
            if face.index in window and _repeatable(t, seat, face.effect.triggers[0].gain, why):
                options[PLAY(face.index)] = CARD + card
    return options


def _useful(t: MillenniaTable, seat: int, bonus: Bonus) -> bool:
    """Not a claim when nothing is unclaimed, nor a book token that cannot be paid."""
    if any(gain.g == "claim_research" for gain in bonus.gain):
        return bool(t.unclaimed(seat))
    return _repeatable(t, seat, bonus.gain, bonus.why)


def _repeatable(t: MillenniaTable, seat: int, gains: Sequence[Gain], why: Why) -> bool:
    if any(gain.g in ("book_token", "repeat_book_token") for gain in gains):
        return t.can_pay(seat, book(t, why.slot).tech_cost)
    return True


def resolve(t: MillenniaTable, seat: int, bonus: Bonus) -> Effect[None]:
    """Use what the bonus comes from, pay for it and gain it."""
    with t.resolving(seat, bonus.face):
        if bonus.card >= 0:
            t.exhaust(seat, bonus.card)
        yield from pay(t, seat, bonus.cost, bonus.face)
        yield from gain_all(t, seat, bonus.gain, bonus.why)


def play_trigger(
    t: MillenniaTable, seat: int, card: int, window: frozenset[int], why: Why
) -> Effect[frozenset[int]]:
    """Play a diplomacy card for what just happened; returns the window without it."""
    face = t.face(card)
    t.discard_diplomacy(seat, card, True)
    with t.resolving(seat, face.index):
        yield from gain_all(t, seat, face.effect.triggers[0].gain, why)
    return window - {face.index}


def happen(
    t: MillenniaTable,
    seat: int,
    event: Event,
    face: int,
    gains: tuple[Gain, ...],
    why: Why = NOTHING,
    choice: str = "",
) -> Effect[None]:
    """An action with its gains, and whatever it triggers, in the owner's order."""
    pending = triggered(t, seat, event, why, choice)
    main = Bonus(face, gains, why, main=True)
    window = t.layout.facts.windows.get(event, NONE)
    if main.at_once or (not pending and not (window and t.hand(seat))):
        yield from gain_all(t, seat, gains, why)
    else:
        pending.insert(0, main)
    if pending or window:
        yield from bonuses(t, seat, pending, window, why)


# Tracks


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


def standard_options(t: MillenniaTable, seat: int) -> dict[Term, tuple[int, int]]:
    """The standard effect of each diplomacy card in hand: (handle, GOLD or VP)."""
    gold, vp = t.layout.facts.standard
    options: dict[Term, tuple[int, int]] = {}
    for card in t.hand(seat):
        options[STANDARD(t.ident[card], GOLD, gold)] = (card, GOLD)
        options[STANDARD(t.ident[card], VP, vp)] = (card, VP)
    return options


def play_standard(t: MillenniaTable, seat: int, card: int, what: int) -> None:
    """RB Diplomacy Action: the standard effect instead of the card's own."""
    t.discard_diplomacy(seat, card, True)
    gold, vp = t.layout.facts.standard
    if what == GOLD:
        t.gain_gold(seat, gold)
    else:
        t.score(seat, vp)


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


def book(t: MillenniaTable, slot: int) -> Face:
    """The facts of the book token on a spot."""
    return t.face(t.zones[t.layout.books][slot])


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


# Actions that cards and spots order


def special(t: MillenniaTable, seat: int, number: int) -> Effect[None]:
    """Perform a special action (RB Special Actions)."""
    face = t.layout.facts.specials[number]
    t.log(DID(seat, face.index))
    with t.resolving(seat, face.index):
        yield from happen(t, seat, ("special", face.which), face.index, face.gain)


def any_special(t: MillenniaTable, seat: int) -> Effect[None]:
    """Choose a special action and perform it."""
    options = {SPECIAL(face.index): number for number, face in enumerate(t.layout.facts.specials)}
    number = yield from choose(seat, WHICH_SPECIAL(seat), options)
    yield from special(t, seat, number)


def act(t: MillenniaTable, seat: int, which: str) -> Effect[None]:
    """Perform an action that is paid for already or free: its option, its gains, what it triggers."""
    face = t.layout.facts.actions[which]
    gains = face.options[0]
    choice = ""
    if len(face.options) > 1:
        gains = yield from choose_gains(t, seat, face.index, face.options)
        choice = gains[0].g
    t.log(DID(seat, face.index))
    with t.resolving(seat, face.index):
        yield from happen(t, seat, ("action", which), face.index, gains, choice=choice)


def choose_gains(
    t: MillenniaTable, seat: int, face: int, options: Sequence[tuple[Gain, ...]]
) -> Effect[tuple[Gain, ...]]:
    """Choose one of the options of a card or action; steps that cannot be taken are not offered."""
    open_options = {
        OPTION(number, TRACK_WORD[gains[0].track] if gains[0].g == "track" else GOLD, gains[0].n): number
        for number, gains in enumerate(options)
        if gains[0].g != "track" or t.has_room(seat, gains[0].track)
    }
    if not open_options:
        return ()
    number = yield from choose(seat, WHICH_OPTION(face), open_options, skip_if_forced=True)
    return options[number]


def draw_and_keep(t: MillenniaTable, seat: int, draw: int, keep: int) -> Effect[None]:
    """RB Diplomacy Action; RB Building 191: the Embassy keeps both."""
    L = t.layout
    drawn = t.draw_diplomacy(seat, L.drawn + seat, draw)
    while len(drawn) > keep:
        options = {KEEP(t.ident[card]): card for card in drawn}
        embassy = t.ready_with(seat, "diplomacy_keep_both")
        if embassy is not None:
            options[KEEP_BOTH(t.ident[embassy])] = -1
        kept = yield from choose(seat, WHICH_KEEP(keep), options)
        if kept < 0 and embassy is not None:
            t.exhaust(seat, embassy)
            break
        for card in drawn:
            if card != kept:
                t.discard_diplomacy(seat, card, False)
        drawn = [kept]
    for card in drawn:
        t.move(card, L.hand + seat)


def claim(t: MillenniaTable, seat: int) -> Effect[None]:
    """Claim a research card; nothing if none is left."""
    options = {CLAIM(t.ident[card]): t.ident[card] for card in t.unclaimed(seat)}
    if not options:
        return
    face = yield from choose(seat, WHICH_CLAIM(seat), options, skip_if_forced=True)
    t.put(t.layout.claimed + seat, [*t.claimed(seat), face])
    t.log(CLAIMED(seat, face))
    yield from bonuses(t, seat, triggered(t, seat, ("claim", "")))
