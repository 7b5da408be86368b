"""The sequential test in the fold of an event's log: at each entry it is where a report of the same games has it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tests.support.outcomes import pair_at_tables, spec

from ziggurat_server.tournaments.event import EventSpec, Memory, StopRule
from ziggurat_server.tournaments.log import EventEntry, EventHeader, Kind, State
from ziggurat_server.tournaments.results import GameResult, Round
from ziggurat_server.tournaments.state import EventState
from ziggurat_server.tournaments.statistics import report
from ziggurat_server.tournaments.statistics.values import TestStatus

RULE, WIDE = StopRule("a", "b"), StopRule("a", "b", -0.3, 0.3)
"""One that 24 scores cannot decide, and one that a few do."""
MEMORIES = [Memory.STATELESS, Memory.INDEPENDENT]


def event_of(memory: Memory, rule: StopRule = RULE) -> EventSpec:
    return replace(spec("abcd", 2, rule, rounds=8), memory=memory, seed=1)


def drawn_state(event: EventSpec, rounds: list[Round]) -> EventState:
    state = EventState(EventHeader("event", event, b"", b"", 0, 1, False))
    for drawn in rounds:
        state.fold(EventEntry(Kind.ROUND, round=drawn))
    return state


def reported(event: EventSpec, state: EventState) -> TestStatus | None:
    rounds = [drawn.round for drawn in state.rounds]
    return report(event, rounds, state.results.values(), pending=state.pending_blocks(), rated=False).test


def played(seed: int) -> tuple[list[Round], list[GameResult]]:
    """The pair at three tables of a round, and other bots at a fourth."""
    rounds, results = pair_at_tables(random.Random(seed), 8, 4, 0.1, 0.3)
    others = {"a": "c", "b": "d"}
    seats = [
        tuple(replace(seat, bot=others[seat.bot]) for seat in game.seats) if game.table == 1 else game.seats
        for game in results
    ]
    tables = (("a", "b"), ("c", "d"), ("a", "b"), ("a", "b"))
    return [replace(drawn, tables=tables) for drawn in rounds], [
        replace(game, seats=there) for game, there in zip(results, seats, strict=True)
    ]


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("drop", [0.0, 0.1])
def test_fold_and_report_agree_at_each_entry(memory: Memory, seed: int, drop: float) -> None:
    event, chance = event_of(memory), random.Random(seed)
    rounds, results = played(seed)
    state = drawn_state(event, rounds)
    taken = []
    for game in chance.sample(results, len(results)):
        if chance.random() < drop:
            state.fold(EventEntry(Kind.DROPPED, game=game.number))
        else:
            state.fold(EventEntry(Kind.RESULT, game=game.number, result=game))
        assert state.test is not None and state.test == reported(event, state)
        taken.append(state.test.deals)
    assert taken == sorted(taken)
    most = 24 if memory == Memory.INDEPENDENT else 8
    assert taken[-1] == most if not drop else most / 2 < taken[-1] <= most


@pytest.mark.parametrize("memory", MEMORIES)
def test_the_verdict_does_not_depend_on_the_order_of_results(memory: Memory) -> None:
    event, (rounds, results) = event_of(memory, WIDE), played(1)
    found = set()
    for seed in range(5):
        state = drawn_state(event, rounds)
        for game in random.Random(seed).sample(results, len(results)):
            state.fold(EventEntry(Kind.RESULT, game=game.number, result=game))
            assert state.test == reported(event, state)
        found.add(state.test)
    [test] = found
    assert test is not None and test.verdict


def test_a_cancelled_event_counts_what_is_complete_of_a_deal() -> None:
    event, (rounds, results) = event_of(Memory.STATELESS), played(2)
    state = drawn_state(event, rounds)
    for game in results[:6]:  # all but the last table of the first round
        state.fold(EventEntry(Kind.RESULT, game=game.number, result=game))
    assert state.test is not None and state.test.deals == 0
    state.fold(EventEntry(Kind.CLOSED, state=State.CANCELLED))
    assert state.test.deals == 1 and state.test == reported(event, state)
    scores = [game.seat_of("a").place == 1 for game in results[:6] if game.table != 1]  # type: ignore[union-attr]
    assert state.test.score == sum(scores) / 4
