"""`ziggurat tournament plan` prints the whole schedule and how balanced it is, and starts nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.runner.runs import ask

THREE = ["--game", "flow", "--bot", "a=random", "--bot", "b=random", "--bot", "c=random"]


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def rows(text: str) -> list[list[str]]:
    """The cells of the schedule."""
    lines = [line for line in text.splitlines() if line.startswith("│")]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]


def test_a_round_robin_is_printed_to_its_end(tmp_path: Path) -> None:
    done = ask("plan", *THREE, "--seats", "2", "--rounds", "2", "--seed", "1")
    assert done.exit_code == 0
    table = rows(done.stdout)
    assert [row[2] for row in table] == ["0-1", "2-3", "4-5", "6-7", "8-9", "10-11"]
    assert all(len(set(row[3].split())) == 2 for row in table)
    assert "12 games, 2 deals" in done.stdout
    assert "games of a bot: 8; in a seat: 4; of a pair: 4" in done.stdout
    assert "the seed is drawn" not in done.stdout
    assert not list(tmp_path.iterdir())


def test_of_a_swiss_the_first_round_is_known() -> None:
    done = ask("plan", *THREE, "--seats", "2", "--format", "swiss", "--rounds", "3")
    assert done.exit_code == 0
    table = rows(done.stdout)
    assert len(table) == 2 and table[1][4] == "sit out"
    assert "2 games in the rounds known so far, 1 deal\n" in done.stdout
    assert "the seed is drawn when the event begins" in done.stdout
    assert "note: The rounds after these depend on results." in done.stdout
