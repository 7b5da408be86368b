"""Every registered game keeps the contract; ZIGGURAT_CONTRACT_SCALE=20 looks twenty times as long."""

from __future__ import annotations

import pytest
from tests.contract.checks import CHECKS, Check, hidden_cards_do_not_matter
from tests.contract.subjects import ONLY, SCALE, Subject, games, subjects
from tests.rules.toy import ToyGame

USUAL = [subject for subject in subjects() if SCALE > 1 or not subject.long]


@pytest.fixture(scope="module", params=USUAL, ids=str)
def subject(request: pytest.FixtureRequest) -> Subject:
    found: Subject = request.param
    return found


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_game_keeps_the_contract(subject: Subject, check: Check) -> None:
    check(subject)


def test_every_registered_game_loads() -> None:
    loaded, broken = games()
    assert not broken
    assert len(loaded) > 1 or ONLY


@pytest.mark.parametrize("leak", ["options", "events", "counters", "asks"])
@pytest.mark.parametrize("seats", [2, 4])
def test_a_planted_leak_is_found(leak: str, seats: int) -> None:
    game = ToyGame(leak)
    with pytest.raises(AssertionError, match=r"learns what it may not|can tell worlds apart"):
        hidden_cards_do_not_matter(Subject(game, seats, game.options(), f"toy-{leak}"))
