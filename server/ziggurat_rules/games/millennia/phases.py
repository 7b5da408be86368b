"""The steps of the agenda: ages and their phases (RB Age Phases)."""

from __future__ import annotations

from collections.abc import Callable

from ziggurat_rules.decisions import Effect, together
from ziggurat_rules.games.millennia.actions import actions
from ziggurat_rules.games.millennia.automa import automa_constructs, automa_drafts, automa_wages_war
from ziggurat_rules.games.millennia.construction import BUILDING, STANDARD_EFFECT, construct_turn
from ziggurat_rules.games.millennia.drafting import MARKERS, draft_turn
from ziggurat_rules.games.millennia.prosperity import income, prosperity
from ziggurat_rules.games.millennia.schema import AGES
from ziggurat_rules.games.millennia.scoring import final_scoring, last_card
from ziggurat_rules.games.millennia.steps import (
    ACTION_PHASE,
    ALL_TOGETHER,
    BEGIN_AGE,
    BEGIN_CONSTRUCTION,
    BEGIN_PHASE,
    CONSTRUCT,
    DRAFT,
    END,
    FINAL,
    INCOME_PHASE,
    LAST,
    ONE_SEAT,
    PROSPERITY_PHASE,
    UPKEEP,
    WAR_PHASE,
)
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.upkeep import clean_up, lay_out
from ziggurat_rules.games.millennia.words import AGE, WAR, WAR_TRACK

PHASES: tuple[Callable[[MillenniaTable, int], Effect[None]], ...] = (prosperity, income, actions)


def begin_age(t: MillenniaTable) -> None:
    """Put the phases of the age on the agenda."""
    L = t.layout
    t.log(AGE(t.age))
    if t.age < AGES:
        t.push(UPKEEP)
        t.push(WAR_PHASE)
    else:
        t.push(END)
        t.push(WAR_PHASE)
    t.push(BEGIN_PHASE, -1, ACTION_PHASE)
    t.push(BEGIN_CONSTRUCTION)
    t.push(BEGIN_PHASE, -1, INCOME_PHASE)
    t.push(BEGIN_PHASE, -1, PROSPERITY_PHASE)
    for player in range(L.players):
        t.set(L.markers + player, MARKERS)
    t.push(DRAFT, t.counters[L.leader])


def draft(t: MillenniaTable, player: int) -> Effect[None]:
    """One marker, then the next player's turn while markers are left."""
    if player == t.layout.automa:
        automa_drafts(t)
    else:
        yield from draft_turn(t, player)
    following = t.next_player(player)
    if t.counters[t.layout.markers + following]:
        t.push(DRAFT, following)


def begin_phase(t: MillenniaTable, _: int, phase: int) -> None:
    """A phase that all play at the same time, or (option `simultaneous` off) in turn from the leader."""
    L = t.layout
    for seat in range(L.seats):
        t.set(L.finished + seat, 0)
        t.set(L.unlocks["income"] + seat, 0)
    if L.simultaneous:
        t.push(ALL_TOGETHER, -1, phase)
    else:
        for seat in reversed(t.from_leader()):
            t.push(ONE_SEAT, seat, phase)


def all_together(t: MillenniaTable, _: int, phase: int) -> Effect[None]:
    """Every seat that has not finished plays the phase; the step stays on the agenda until all have."""
    t.push(ALL_TOGETHER, -1, phase)
    seats = [seat for seat in range(t.layout.seats) if not t.counters[t.layout.finished + seat]]
    yield from together({seat: _part(t, seat, phase) for seat in seats})
    t.drop()


def one_seat(t: MillenniaTable, seat: int, phase: int) -> Effect[None]:
    """One seat plays the phase."""
    t.push(ONE_SEAT, seat, phase)
    yield from together({seat: _part(t, seat, phase)})
    t.drop()


def _part(t: MillenniaTable, seat: int, phase: int) -> Effect[None]:
    yield from PHASES[phase](t, seat)
    t.set(t.layout.finished + seat, 1)


def begin_construction(t: MillenniaTable) -> None:
    """The holder of the architect token constructs first."""
    L = t.layout
    for player in range(L.players):
        t.set(L.passed + player, 0)
    t.push(CONSTRUCT, t.counters[L.architect], 0)


def construct(t: MillenniaTable, player: int, again: int) -> Effect[None]:
    """One turn; with the Bank a second item (RB Building 158); then the next who has not passed."""
    L = t.layout
    if player == L.automa:
        t.set(L.passed + player, int(not automa_constructs(t)))
    else:
        done = yield from construct_turn(t, player, bool(again))
        bank = t.ready_with(player, "two_constructions_per_turn") is not None
        if done == STANDARD_EFFECT or (done == BUILDING and bank and not again):
            t.push(CONSTRUCT, player, again if done == STANDARD_EFFECT else 1)
            return
    if L.automa >= 0 and t.counters[L.passed]:
        return  # RB Solo Variant: when the solo player passes, the Automa passes
    following = [p for p in _after(player, L.players) if not t.counters[L.passed + p]]
    if following:
        t.push(CONSTRUCT, following[0], 0)


def _after(player: int, players: int) -> list[int]:
    return [(player + step) % players for step in range(1, players + 1)]


def war_phase(t: MillenniaTable) -> None:
    """RB War Phase; in the last age only the Automa's war card is drawn."""
    L = t.layout
    if L.automa >= 0:
        automa_wages_war(t)
    if t.age == AGES:
        return
    for seat in range(L.seats):
        _fortify(t, seat)
    lowest = min(t.reached(player, WAR_TRACK) for player in range(L.players))
    for player in range(L.players):
        t.go_back(player, WAR_TRACK, lowest)
    if lowest:
        t.log(WAR(lowest))


def _fortify(t: MillenniaTable, seat: int) -> None:
    """Buildings that act at the beginning of the war phase (RB Building 148)."""
    L = t.layout
    for card in t.zones[L.buildings + seat][:]:
        face = t.face(card)
        if any(event == ("war", "") for trigger in face.effect.triggers for event in trigger.events):
            t.exhaust(seat, card)
            for player in range(L.players):
                for gain in face.effect.opponents if player != seat else ():
                    t.go_back(player, WAR_TRACK, gain.n)


def upkeep(t: MillenniaTable) -> None:
    """Clean up and lay out the next age."""
    clean_up(t)
    t.add(t.layout.age, 1)
    lay_out(t)
    t.push(BEGIN_AGE)


def last(t: MillenniaTable, seat: int) -> Effect[None]:
    """The last card a seat may play."""
    yield from last_card(t, seat)


def end(t: MillenniaTable) -> None:
    """Last cards in the leader's order, then the final scoring."""
    t.push(FINAL)
    for seat in reversed(t.from_leader()):
        t.push(LAST, seat)


STEPS = (
    begin_age,
    draft,
    begin_phase,
    all_together,
    one_seat,
    begin_construction,
    construct,
    war_phase,
    upkeep,
    last,
    end,
    final_scoring,
)
