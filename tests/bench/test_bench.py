"""The benchmark runs, and its figures are numbers."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ziggurat_rules.registry import game_names

TINY = (
    "--matches=4 --probes=1 --seconds=1 --warm=0.2 --unwatched=0.5 "
    "--rules-seconds=0.1 --ceiling-seconds=0.3 --wire-games=1"
)


def numbers(figures: Any) -> Iterator[float]:
    """All numbers in there."""
    if isinstance(figures, dict):
        figures = list(figures.values())
    if isinstance(figures, list):
        for one in figures:
            yield from numbers(one)
    elif isinstance(figures, (int, float)):
        yield figures


def run(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The benchmark as its users start it."""
    command = [sys.executable, "-m", "tests.bench", "--work", str(directory / "work"), *arguments]
    root = Path(__file__).parents[2]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ZIGGURAT_")}
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.slow
def test_figures(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    ran = run(tmp_path, *TINY.split(), "--json", str(file))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    figures = json.loads(file.read_text())
    assert all(math.isfinite(number) for number in numbers(figures))
    assert set(figures["engine"]) == set(game_names())
    assert all(engine["decisions_per_cpu_second"] > 0 for engine in figures["engine"].values())
    assert [one["items_per_second"] > 0 for one in figures["ping_pong"]] == [True, True]
    assert figures["appends"]["appends_per_second"] > 0
    assert figures["appends"]["durability"] == "always"
    for part in ("end_to_end", "end_to_end_unwatched"):
        assert figures[part]["decisions"] > 0
    assert figures["end_to_end"]["watch_messages_a_decision"] > 0
    assert figures["end_to_end"]["latency"]["answers"] > 0
    assert {row["name"][0] for row in figures["compared"]} == {"1", "4", "5"}
    assert "Targets" in ran.stdout
    assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--game", "chess"], "--game 'chess'"),
        (["--seats", "9"], "--seats 9"),
        (["--seconds", "0"], "seconds"),
    ],
)
def test_bad_arguments_are_told(tmp_path: Path, arguments: list[str], told: str) -> None:
    ran = run(tmp_path, *arguments)
    assert ran.returncode == 2
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr
