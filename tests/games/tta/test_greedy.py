"""The greedy strategy: it beats random play, through the client's views, in a plausible course of play."""

from __future__ import annotations

import pytest

from ziggurat_rules.games.tta import GAME
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.match import Match
from ziggurat_server.offline.players import players


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_greedy_beats_random(seed: int) -> None:
    names = ["greedy", "random"] if seed % 2 else ["random", "greedy"]
    seated = players(GAME, 2, GAME.options(), names)
    match = Match(GAME, seed, 2)
    while not match.over:
        seat = match.to_act[0]
        match.apply(seat, seated[seat][1](match, seat))
    greedy = names.index("greedy")
    scores = match.scores()
    assert scores[greedy].place == 1 and scores[greedy].points > 60
    assert scores[1 - greedy].points < scores[greedy].points / 2
    assert 12 <= match.table.common(c.ROUND) <= 30


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, 4])
def test_greedy_plays_with_more_seats(seats: int) -> None:
    seated = players(GAME, seats, GAME.options(), ["greedy"])
    match = Match(GAME, 9, seats)
    while not match.over:
        seat = match.to_act[0]
        match.apply(seat, seated[seat][1](match, seat))
    assert min(score.points for score in match.scores()) > 30
