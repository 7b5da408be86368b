"""The greedy bot: legal everywhere, and far better than random."""

from __future__ import annotations

import pytest
from tests.games.millennia.local import ask

from ziggurat_bots.millennia import _OPTIONS, decide
from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.game import MillenniaOptions
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match


def play(seed: int, seats: int, greedy: set[int], side: str = "A1") -> Match:
    match = Match(GAME, seed, seats, MillenniaOptions(side=side))
    number = 0
    while not match.over:
        seat = match.to_act[0]
        number += 1
        if seat in greedy:
            match.apply(seat, ask(decide, match, seat))
        else:
            match.apply(seat, match.decision(seat).sample(keyed(seed, number)))
    return match


@pytest.mark.parametrize("side", ["A1", "A2"])
def test_greedy_beats_random(side) -> None:
    for seed in range(6):
        scores = play(seed, 2, {seed % 2}, side).scores()
        assert scores[seed % 2].place == 1
        assert scores[seed % 2].points > 2 * scores[1 - seed % 2].points


@pytest.mark.parametrize("seats", [1, 3, 4])
def test_greedy_plays_with_any_number_of_seats(seats) -> None:
    assert play(1, seats, set(range(seats))).over


def test_greedy_knows_every_option_of_the_game() -> None:
    verbs = {verb.name for verb in GAME.vocabulary.verbs}
    assert set(_OPTIONS) <= verbs
    first, last = "draft", "copy"
    names = [verb.name for verb in GAME.vocabulary.verbs]
    assert set(names[names.index(first) : names.index(last) + 1]) == set(_OPTIONS)
