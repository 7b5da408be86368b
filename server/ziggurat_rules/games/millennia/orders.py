"""What cards and spots may order: special actions, actions, drawing and claiming (RB Game Board Actions)."""

from __future__ import annotations

from collections.abc import Sequence

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.millennia.effects import Gain
from ziggurat_rules.games.millennia.gains import Why, bonuses, gains, happen, triggered
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.words import (
    CLAIM,
    CLAIMED,
    DID,
    GOLD,
    KEEP,
    KEEP_BOTH,
    OPTION,
    SPECIAL,
    STANDARD,
    TRACK_WORD,
    VP,
    WHICH_CLAIM,
    WHICH_KEEP,
    WHICH_OPTION,
    WHICH_SPECIAL,
)
from ziggurat_rules.terms import Term


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
        if embassy is not None and t.acting:
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


@gains("special_action")
def _gain_special(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> Effect[None]:
    yield from any_special(t, seat)


@gains("action")
def _gain_action(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> Effect[None]:
    yield from act(t, seat, gain.what)


@gains("claim_research")
def _gain_claim(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> Effect[None]:
    yield from claim(t, seat)


@gains("diplomacy_draw_keep")
def _gain_draw(t: MillenniaTable, seat: int, gain: Gain, why: Why) -> Effect[None]:
    yield from draw_and_keep(t, seat, gain.n, gain.keep)
