"""The contract in games that go far: three of four answers are the greedy bot's."""

from __future__ import annotations

import pytest
from tests.contract import play
from tests.contract.checks import (
    Check,
    answers_commute,
    cards_are_conserved,
    clone_equals_live,
    hidden_cards_do_not_matter,
    quiet_points_are_quiet,
)
from tests.contract.subjects import Subject
from tests.games.millennia.local import ask

from ziggurat_bots.millennia import decide
from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.game import MillenniaOptions
from ziggurat_rules.keyed import below, keyed
from ziggurat_rules.match import Match

CHECKS = (
    answers_commute,
    cards_are_conserved,
    clone_equals_live,
    hidden_cards_do_not_matter,
    quiet_points_are_quiet,
)


def pick(match: Match, *key: int):
    seat = match.to_act[below(len(match.to_act), *key, 0)]
    if below(4, *key, 9):
        return seat, ask(decide, match, seat)
    return seat, match.decision(seat).sample(keyed(*key, 1))


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "side"), [(1, "A2"), (2, "A1"), (3, "A2")])
def test_the_contract_in_games_that_go_far(seats, side, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "pick", pick)
    subject = Subject(GAME, seats, MillenniaOptions(side=side), f"millennia-deep-{seats}")
    checks: tuple[Check, ...] = CHECKS
    for check in checks:
        check(subject)
    end = play.trace(subject).positions[-1]
    assert max(score.points for score in end.scores()) > 50
    play.trace.cache_clear()
