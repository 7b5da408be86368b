"""No process outlives its tournament, whatever ends it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.runner.runs import RunProcess

from ziggurat_server.records.verify import verify

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="survivors are found in /proc")

STUBBORN = """
import signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print("grandchild", child.pid, flush=True)
from ziggurat import Bot
from os import environ
Bot(lambda view, decision: decision.default, environ["ZIGGURAT_ADDRESS"], environ["ZIGGURAT_TOKEN"]).run()
"""


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunProcess]:
    """A run of many games in full swing: a bot ignores SIGTERM and has a child of its own."""
    (tmp_path / "stubborn.py").write_text(STUBBORN)
    bots = ["--bot", f"stubborn={sys.executable} {tmp_path / 'stubborn.py'}", "--bot", "b=random"]
    made = RunProcess(tmp_path, *bots, "--games", "4000", "--data-dir", str(tmp_path / "data"))
    try:
        made.wait_for_records(1)
        family = " ".join(made.family().values())
        for part in (
            "time.sleep(600)",
            " serve ",
            "valkey",
            "stubborn.py",
            "ziggurat_bots random",
            "keeper.py",
        ):
            assert part in family, family
        yield made
    finally:
        made.process.kill()


@pytest.mark.chaos
def test_sigkill_of_the_runner(run: RunProcess) -> None:
    run.process.kill()
    assert run.finish()[0] == -signal.SIGKILL
    assert run.survivors(20) == {}


@pytest.mark.chaos
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_a_run_in_order(run: RunProcess, number: signal.Signals) -> None:
    run.process.send_signal(number)
    code, out, err = run.finish(30)
    assert (code, err) == (128 + number, "")
    assert f"stopped by {number.name}; go on with `ziggurat tournament resume {run.path}`" in out
    assert run.survivors(0) == {}
    assert json.loads((run.path / "result.json").read_text())["event"]["state"] == "running"
    for path in run.records.glob("*.zgr"):
        verify(path.read_bytes())


@pytest.mark.chaos
def test_a_second_signal_ends_it_at_once(run: RunProcess) -> None:
    run.process.send_signal(signal.SIGTERM)
    try:
        run.process.wait(0.3)
    except subprocess.TimeoutExpired:
        run.process.send_signal(signal.SIGTERM)
    run.finish(10)
    assert run.survivors(20) == {}


@pytest.mark.chaos
def test_the_server_s_death_ends_the_run(run: RunProcess) -> None:
    server = next(pid for pid, words in run.family().items() if " serve " in words)
    os.kill(server, signal.SIGKILL)
    code, _, err = run.finish(30)
    assert code == 1
    assert "the server was ended by SIGKILL" in err and len(err.splitlines()) <= 2
    assert run.survivors(5) == {}
