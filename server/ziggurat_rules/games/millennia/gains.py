"""Gains: what a card, a spot or an action gives, and the order in which bonuses are resolved.

RB Order of Effects: penalties first, then the owner resolves or forfeits bonuses one at a time, in any order.
Bonuses that nothing else can change (gold, VP, jokers, research points) are taken at once; see RULES.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.millennia.effects import FREE, HOST, Cost, Event, Gain, Trigger
from ziggurat_rules.games.millennia.facts import Face
from ziggurat_rules.games.millennia.payment import pay
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.words import DONE, PLAY, RESOLVE, WHICH_BONUS
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
    """An effect that waits to be resolved. `card` is the building to be exhausted for it, or -1."""

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
            yield from GAINERS[gain.g](t, seat, gain, why)


def gain_in_any_order(t: MillenniaTable, seat: int, face: int, gains: Sequence[Gain]) -> Effect[None]:
    """What a card gives, in the owner's order where there is one."""
    pending = [Bonus(face, (gain,), main=True, part=part) for part, gain in enumerate(gains)]
    yield from bonuses(t, seat, pending)


Gainer = Callable[[MillenniaTable, int, Gain, Why], Effect[None]]
GAINERS: dict[str, Gainer] = {}
"""How each kind of gain that may ask something is gained; the modules tracks and orders fill it."""


def gains(kind: str) -> Callable[[Gainer], Gainer]:
    """Register the generator that gives a kind of gain."""

    def register(gainer: Gainer) -> Gainer:
        GAINERS[kind] = gainer
        return gainer

    return register


# Bonuses and their order

ANY_PHASE = frozenset({"step", "gain", "claim", "construct"})
"""Events that buildings and research cards react to in any phase; to others in the action phase only."""


def triggered(
    t: MillenniaTable, seat: int, event: Event, why: Why = NOTHING, choice: str = ""
) -> list[Bonus]:
    """What the seat's buildings and research cards give for an event. (Diplomacy cards: see the windows.)"""
    known = t.layout.facts.triggers.get(event)
    if known is None or not (event[0] in ANY_PHASE or t.acting):
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


def window_open(t: MillenniaTable, seat: int, window: frozenset[int]) -> bool:
    """Whether diplomacy cards of a window may be played: in the action phase, whatever cards are held."""
    return bool(window and t.hand(seat)) and t.acting


def bonuses(
    t: MillenniaTable, seat: int, pending: list[Bonus], window: frozenset[int] = NONE, why: Why = NOTHING
) -> Effect[None]:
    """Resolve or forfeit pending bonuses in the owner's order.

    `window`: diplomacy cards that may be played now. Whoever holds diplomacy cards is asked.
    """
    while True:
        pending = take_at_once(t, seat, pending)
        open_window = window_open(t, seat, window)
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
    possible = [number for number, bonus in enumerate(pending) if _possible(t, seat, bonus)]
    printed = any(pending[number].printed for number in possible)
    options = {
        RESOLVE(pending[number].face, pending[number].part): number
        for number in possible
        if pending[number].printed or not (printed and _steps_on(pending[number].gain, why.track))
    }
    for card in t.hand(seat) if window else ():
        gains = t.face(card).effect.triggers[0].gain if t.ident[card] in window else ()
        if gains and _repeatable(t, seat, gains, why) and not (printed and _steps_on(gains, why.track)):
            options[PLAY(t.ident[card])] = CARD + card
    return options


def _possible(t: MillenniaTable, seat: int, bonus: Bonus) -> bool:
    return (
        (bonus.card < 0 or t.place[bonus.card] == t.layout.buildings + seat)
        and t.can_pay(seat, bonus.cost)
        and t.gold(seat) >= bonus.gold_min
        and _useful(t, seat, bonus)
    )


def _steps_on(gains: Sequence[Gain], track: int) -> bool:
    return any(gain.g == "track" and gain.track == track for gain in gains)


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
    if main.at_once or (not pending and not window_open(t, seat, window)):
        yield from gain_all(t, seat, gains, why)
    else:
        pending.insert(0, main)
    if pending or window:
        yield from bonuses(t, seat, pending, window, why)


def book(t: MillenniaTable, slot: int) -> Face:
    """The facts of the book token on a spot."""
    return t.face(t.zones[t.layout.books][slot])
