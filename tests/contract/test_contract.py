"""Every registered game keeps the contract; ZIGGURAT_CONTRACT_SCALE=20 looks twenty times as long."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.contract.checks import CHECKS, Check, hidden_cards_do_not_matter
from tests.contract.digest import digest
from tests.contract.subjects import ONLY, SCALE, Subject, games, subjects
from tests.rules.toy import ToyGame

USUAL = [subject for subject in subjects() if SCALE > 1 or not subject.long]
ROOT = Path(__file__).parents[2]
DEALS = int(os.environ.get("ZIGGURAT_SOAK_DEALS", "10"))


@pytest.fixture(scope="module", params=USUAL, ids=str)
def subject(request: pytest.FixtureRequest) -> Subject:
    found: Subject = request.param
    return found


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_game_keeps_the_contract(subject: Subject, check: Check) -> None:
    check(subject)


@pytest.mark.soak
@pytest.mark.parametrize("deal", range(1, DEALS + 1))
@pytest.mark.parametrize("subject", subjects(), ids=str)
def test_a_game_keeps_the_contract_at_length(subject: Subject, deal: int) -> None:
    for check in CHECKS:
        check(dataclasses.replace(subject, deal=deal))


@pytest.mark.parametrize("game", games()[0], ids=lambda game: game.name)
def test_other_processes_play_the_same(game) -> None:
    label = f"{game.name}-{game.seats[-1]}-default"
    for hash_seed in ("1", "2"):
        told = subprocess.run(
            [sys.executable, "-m", "tests.contract.digest", label],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert int(told.stdout) == digest(label)


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
