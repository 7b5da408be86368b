"""Runs that are killed again and again come to the same end as one that is left alone."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.server.runner.runs import RunProcess, ask

from ziggurat_server.records.verify import verify

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

BOTS = [
    "--bot",
    "a=random --seed 1",
    "--bot",
    "b=random --seed 2",
    "--bot",
    "c=random --seed 3",
    "--bot",
    "d=random --seed 4",
    "--bot",
    "e=random --seed 5",
    "--seats",
    "2",
]


def result(run: RunProcess) -> dict[str, Any]:
    """What a run has written, without what differs from run to run."""
    found: dict[str, Any] = json.loads((run.path / "result.json").read_text())
    for game in found["games"]:
        for key in ("match_id", "attempt", "commitment"):
            game.pop(key)
    return found


def in_play(run: RunProcess) -> bool:
    """Whether the run's server is there, or it has ended."""
    return run.process.poll() is not None or (run.path / "address").exists()


def kill_and_resume(run: RunProcess, kills: int, dice: random.Random) -> int:
    """Kill runner and server in turn at random moments; how often it was killed in play."""
    done = 0
    for number in range(kills):
        deadline = time.monotonic() + 30
        while not in_play(run):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(dice.uniform(0, 3))
        if run.process.poll() is not None:
            break
        server = next((pid for pid, words in run.family().items() if " serve " in words), None)
        victim = run.process.pid if number % 2 or server is None else server
        os.kill(victim, signal.SIGKILL)
        run.finish()
        done += 1
        assert run.survivors(20) == {}
        (run.path / "address").unlink(missing_ok=True)
        run.resume()
    return done


def check(tmp_path: Path, games: int, kills: int) -> None:
    """Kill a run of so many games so often, and compare it with one that is left alone."""
    given = [*BOTS, "--games", str(games), "--concurrency", "6", "--seed", "9"]
    killed = RunProcess(tmp_path, *given, event_id="killed")
    assert kill_and_resume(killed, kills, random.Random(kills)) >= 2
    code, out, err = killed.finish(300)
    assert (code, err) == (0, ""), out
    alone = RunProcess(tmp_path, *given, event_id="alone")
    assert alone.finish(300)[0] == 0
    records = list(killed.records.glob("*.zgr"))
    finished = [path for path in records if not verify(path.read_bytes()).void_reason]
    assert len(finished) == games
    a, b = result(killed), result(alone)
    assert [game["number"] for game in a["games"]] == list(range(games))
    assert a["games"] == b["games"]
    assert a["report"] == b["report"]
    done = ask("recompute", str(killed.path))
    assert done.exit_code == 0 and f"all agree with {killed.path / 'result.json'}" in done.stdout


@pytest.mark.chaos
@pytest.mark.slow
def test_a_run_that_is_killed_four_times(tmp_path: Path) -> None:
    check(tmp_path, 60, 4)


@pytest.mark.soak
def test_a_run_of_200_games_that_is_killed_ten_times(tmp_path: Path) -> None:
    check(tmp_path, 200, 10)
