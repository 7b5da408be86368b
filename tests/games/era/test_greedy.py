"""The greedy strategy, through the client's API."""

from __future__ import annotations

import pytest
from tests.games.era.standin import StandInDecision, StandInView

from ziggurat_rules.games.era import GAME
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match

era = pytest.importorskip("ziggurat_bots.era")


def play(seed: int, seats: int, greedy: set[int]) -> Match:
    match = Match(GAME, seed, seats)
    for number in range(GAME.max_decisions):
        if match.over:
            break
        seat = match.to_act[0]
        decision = match.decision(seat)
        if seat in greedy:
            choice = era.decide(StandInView(match, seat), StandInDecision(GAME, decision))
        else:
            choice = decision.sample(keyed(seed, number))
        match.apply(seat, choice)
    assert match.over
    return match


def test_greedy_beats_random_for_two() -> None:
    wins = sum(play(seed, 2, {seed % 2}).scores()[seed % 2].place == 1 for seed in range(40))
    assert wins >= 37


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_games_end_well_before_the_cap(seats: int) -> None:
    for seed in range(8):
        match = play(seed, seats, set(range(seats)))
        assert match.table.counters[match.table.layout.round] < 40
        assert match.table.counters[match.table.layout.winner]
