"""Standings as a screen has room for them."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from tests.server.runner.exports.events import SMALL

from ziggurat_server.runner.outcome import show_standings

ALL = ["#", "bot", "games", "credit", "win share", "points", "rating", "1st", "2nd", "faults"]


def shown(width: int) -> list[str]:
    """The lines of standings on a screen of so many letters."""
    screen = Console(file=io.StringIO(), width=width)
    show_standings(screen, SMALL["20:0"])
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue().splitlines()


@pytest.mark.parametrize(
    ("width", "without"),
    [
        (120, []),
        (85, ["win share"]),
        (72, ["win share", "1st", "2nd"]),
        (60, ["win share", "1st", "2nd", "points"]),
        (56, ["win share", "1st", "2nd", "points", "faults"]),
    ],
)
def test_a_narrow_screen_goes_without_columns_and_breaks_no_cell(width: int, without: list[str]) -> None:
    lines = shown(width)
    assert lines[0] == "Standings of small"
    assert [word.strip() for word in lines[2].strip("┃").split("┃")] == [
        name for name in ALL if name not in without
    ]
    body = [line for line in lines if line.startswith("│")]
    assert len(body) == 2 and all("…" not in line and len(line) <= width for line in body)


def test_what_the_sequential_test_says_is_told_below() -> None:
    assert shown(120)[-1].startswith("Is ann better than bob? ann is better than bob after 9 deals")
