"""The greedy strategy against random play."""

from __future__ import annotations

import pytest
from tests.games.flow.local_bot import play

from ziggurat_bots.flow import decide
from ziggurat_rules.decisions import Choice
from ziggurat_rules.games.flow import GAME
from ziggurat_rules.games.flow.game import FlowOptions
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match
from ziggurat_rules.table import Table


def at_random(match: Match[Table], seat: int) -> Choice:
    return match.decision(seat).sample(keyed(match.seed, match.answers))


@pytest.mark.parametrize("edition", ["en", "ko"])
@pytest.mark.parametrize(("seats", "wins"), [(2, 11), (3, 9), (4, 8), (5, 6)])
def test_greedy_clearly_beats_random_play(seats: int, wins: int, edition: str) -> None:
    """Of 12 games."""
    won = 0
    for seed in range(12):
        match = Match(GAME, seed, seats, FlowOptions(edition=edition))
        places = play(match, {seed % seats: decide}, at_random)
        won += places[seed % seats] == 1
    assert won >= wins


def test_greedy_plays_itself_to_the_end() -> None:
    for seats in GAME.seats:
        match = Match(GAME, 5, seats)
        play(match, dict.fromkeys(range(seats), decide), at_random)
        assert match.answers < 600
