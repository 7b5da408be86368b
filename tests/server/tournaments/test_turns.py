"""Whose turn it is: which due games are started, and when a round is drawn ahead."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Set

import pytest

from ziggurat_server.tournaments.event import Entrant, EventSpec, FormatSpec
from ziggurat_server.tournaments.log import EventEntry, EventHeader, Kind
from ziggurat_server.tournaments.results import GameResult
from ziggurat_server.tournaments.state import EventState
from ziggurat_server.tournaments.turns import held_up, startable, started


def drawn(*bots: Entrant, concurrency: int, rounds: int = 50) -> EventState:
    """An event in its first round, of games of two."""
    form = FormatSpec(rounds=rounds)
    spec = EventSpec("flow", bots, 2, format=form, seed=5, concurrency=concurrency)
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


def in_turn(state: EventState, away: Set[str], elsewhere: Counter[str]) -> list[int]:
    """Games to start, one after the other by the rule that turns.py tells, without its short cuts."""
    busy, left, found = state.busy + elsewhere, list(state.due.values()), list[int]()

    def free(name: str) -> bool:
        capacity = state.entrants[name].capacity
        return name not in away and (not capacity or busy[name] < capacity)

    while len(found) < state.room and (can := [game for game in left if all(map(free, game.seats))]):
        game = min(can, key=lambda game: max(busy[name] for name in game.seats))
        left.remove(game)
        found.append(game.number)
        busy.update(game.seats)
    return found


@pytest.mark.parametrize("seed", range(30))
def test_games_are_started_in_turn_until_all_are_played(seed: int) -> None:
    """Bots come and go, play elsewhere, and have places; tries end without a result."""
    dice = random.Random(seed)
    bots = [Entrant(name, capacity=dice.choice([0, 0, 1, 2])) for name in "abcdef"[: dice.randint(2, 6)]]
    concurrency = dice.randint(1, 6)
    state = drawn(*bots, concurrency=concurrency, rounds=dice.randint(1, 5))
    while state.due or state.open or state.next_round():
        away = {bot.name for bot in bots if dice.random() < 0.15}
        elsewhere = Counter({bot.name: 1 for bot in bots if dice.random() < 0.1})
        while len(state.due) < concurrency or held_up(state, away, elsewhere, state.next_round):
            if (drawn_next := state.next_round()) is None:
                break
            state.fold(EventEntry(Kind.ROUND, round=drawn_next))
        chosen = [game.number for game in startable(state, away, elsewhere, set())]
        assert chosen == in_turn(state, away, elsewhere)
        for entry in started(
            state, away, elsewhere, {number: state.games[number].attempt for number in chosen}
        ):
            state.fold(entry)
        assert len(state.open) <= concurrency
        assert all(not bot.capacity or state.busy[bot.name] <= bot.capacity for bot in bots)
        if state.open:
            game = dice.choice(list(state.open.values()))
            result = GameResult(game.number, game.round, game.table, game.rotation, ())
            kind = Kind.VOID if dice.random() < 0.2 else Kind.RESULT
            state.fold(EventEntry(kind, game=game.number, attempt=game.attempt, result=result))
    assert state.results.keys() == {game.number for game in state.games}
