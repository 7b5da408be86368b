"""Whose turn it is: which due games are started, and when a round is drawn ahead."""

from __future__ import annotations

from collections import Counter

from ziggurat_server.tournaments.event import Entrant, EventSpec, FormatSpec
from ziggurat_server.tournaments.log import EventEntry, EventHeader, Kind
from ziggurat_server.tournaments.state import EventState
from ziggurat_server.tournaments.turns import held_up, startable


def drawn(*bots: Entrant, concurrency: int) -> EventState:
    """An event in its first round of many, of games of two."""
    spec = EventSpec(
        "flow", bots, 2, format=FormatSpec(rounds=50, rotations=2), seed=5, concurrency=concurrency
    )
    state = EventState(EventHeader("event", spec, b"", b"", 0, 1, True))
    state.fold(EventEntry(Kind.ROUND, round=state.next_round()))
    return state


def test_no_round_is_drawn_ahead_for_bots_that_have_no_place() -> None:
    """One game takes two of three bots with a place each; no later round has one for the third alone."""
    state = drawn(*(Entrant(name, capacity=1) for name in "abc"), concurrency=2)
    assert not held_up(state, set(), Counter(), state.next_round)
    (first,) = startable(state, set(), Counter(), set())
    state.fold(EventEntry(Kind.STARTED, game=first.number))
    assert state.room and not held_up(state, set(), Counter(), state.next_round)


def test_a_round_is_drawn_ahead_for_those_that_wait_for_a_bot_that_plays_elsewhere() -> None:
    state = drawn(Entrant("a"), Entrant("b"), Entrant("full", capacity=1), concurrency=1)
    for game in [game for game in state.games if "full" not in game.seats]:
        state.fold(EventEntry(Kind.DROPPED, game=game.number))
    assert not held_up(state, set(), Counter(), state.next_round)
    elsewhere = Counter({"full": 1})
    assert not list(startable(state, set(), elsewhere, set()))
    assert held_up(state, set(), elsewhere, state.next_round)
