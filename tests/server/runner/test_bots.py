"""Bots as processes: limits, what they may see, who is started again and who is given up."""

from __future__ import annotations

import hmac
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ziggurat_server.runner import bots as launching
from ziggurat_server.runner.bots import Bots, Launch
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.eventfile import BotSpec
from ziggurat_server.runner.processes import Keepers

KEY = bytes(range(32))
linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory and processes in /proc")


class Bench:
    """Bots without a server. `told`: what people would have read."""

    def __init__(self, directory: Path, keepers: Keepers, *, fresh: bool = False) -> None:
        self.directory = directory
        self.told: list[str] = []
        self.launch = Launch(KEY, "127.0.0.1:9", directory, directory, keepers, fresh)
        self.bots = Bots(self.launch, self.told.append)

    def bot(self, text: str, *, played: bool = True, **settings: int) -> None:
        """Enter a bot that is a Python program."""
        file = self.directory / "bot.py"
        file.write_text(text)
        self.bots.know(BotSpec("b", f"{sys.executable} {file}", **settings))
        if played:
            self.bots.played(["b"])
        self.bots.enter("b")

    def look_until(self, what: Callable[[], object], seconds: float = 30) -> None:
        """Look after the bots until something is so."""
        deadline = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < deadline, self.told
            self.bots.look()
            time.sleep(0.01)

    @property
    def output(self) -> str:
        """What the bot has written."""
        file = self.directory / "bot-b.log"
        return file.read_text() if file.exists() else ""


@pytest.fixture
def keepers() -> Iterator[Keepers]:
    with Keepers() as made:
        yield made


@pytest.fixture
def bench(tmp_path: Path, keepers: Keepers, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(launching, "FIRST_PAUSE", 0.01)
    return Bench(tmp_path, keepers)


@linux
def test_a_bot_that_eats_memory_gets_no_more(bench: Bench) -> None:
    bench.bot("held = []\nwhile True: held.append(bytearray(1 << 20))", memory_mb=200, restarts=0)
    bench.look_until(lambda: bench.bots.lost)
    assert bench.told == [
        "bot b ended with exit code 1: MemoryError; it is given up, and its games in play go on by policy"
    ]


@linux
def test_a_bot_that_burns_processor_time_is_ended(bench: Bench) -> None:
    bench.bot("while True: pass", cpu_seconds=1, restarts=0)
    bench.look_until(lambda: bench.bots.lost)
    assert bench.bots.lost["b"].startswith("was ended by SIGXCPU")


FORKS = """
import subprocess, sys
code = "import resource as r, time; print(r.getrlimit(r.RLIMIT_DATA)[0] >> 20, flush=True); time.sleep(600)"
child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
print(child.stdout.readline(), "child", child.pid, flush=True)
"""


@linux
def test_what_a_bot_starts_has_its_limits_and_ends_with_it(bench: Bench) -> None:
    bench.bot(FORKS, memory_mb=300, restarts=0)
    bench.look_until(lambda: bench.bots.lost)
    words = bench.output.split()
    assert words[0] == "300"
    bench.look_until(lambda: zombie(int(words[-1])))


def zombie(pid: int) -> bool:
    """Whether a process is one, or is gone by now."""
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


def test_a_bot_that_ends_before_it_has_played_ends_the_run(bench: Bench) -> None:
    bench.bot("import sys; sys.exit('no model file')", played=False)
    with pytest.raises(
        TournamentError, match=r"bot b \(.*bot.py\) ended with exit code 1: no model file\nits output is"
    ):
        bench.look_until(lambda: False)


def test_a_bot_is_started_again_so_often_and_its_output_is_kept(bench: Bench) -> None:
    bench.bot("import os, sys; print('born', os.getpid()); sys.exit(3)", restarts=2)
    bench.look_until(lambda: bench.bots.lost)
    assert [line.rpartition("; ")[2] for line in bench.told] == [
        "it is started again in 0.01 s",
        "it is started again in 0.02 s",
        "it is given up, and its games in play go on by policy",
    ]
    born = bench.output.split("born ")[1:]
    assert len(born) == len(set(born)) == 3
    for _ in range(20):
        bench.bots.look()
    assert bench.output.count("born") == 3


def test_a_bot_may_be_started_again_as_often_as_can_be_said(bench: Bench) -> None:
    bench.bot("import sys; sys.exit(3)", restarts=2**32 - 1)
    bench.look_until(lambda: bench.told)
    for worker in bench.bots._workers.values():
        worker.ended = 5000
    bench.look_until(lambda: len(bench.told) > 1)
    assert not bench.bots.lost


FAILS_ONCE = """
import os, sys
first = not os.path.exists("seen")
open("seen", "w").close()
sys.exit("error: a" if first else 0)
"""


def test_only_the_last_start_s_words_are_its_last_words(bench: Bench) -> None:
    bench.bot(FAILS_ONCE, restarts=1)
    bench.look_until(lambda: bench.bots.lost)
    assert bench.told[0].startswith("bot b ended with exit code 1: error: a;")
    assert bench.bots.lost["b"] == "ended with exit code 0; it wrote nothing"


SAYS = """
import json, os, time
print(json.dumps({key: value for key, value in os.environ.items() if "ZIGGURAT" in key}), flush=True)
time.sleep(600)
"""
STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("there", flush=True)
time.sleep(600)
"""


def test_a_bot_sees_its_own_token_alone(
    tmp_path: Path, keepers: Keepers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIGGURAT_REDIS", "redis://:secret@store")
    bench = Bench(tmp_path, keepers)
    bench.bot(SAYS)
    bench.look_until(lambda: bench.output.endswith("\n"))
    token = hmac.digest(KEY, b"b", "sha256").hex()
    assert json.loads(bench.output) == {
        "ZIGGURAT_ADDRESS": "127.0.0.1:9",
        "ZIGGURAT_NAME": "b",
        "ZIGGURAT_TOKEN": token,
    }
    assert KEY.hex() not in Path(f"/proc/{keepers.children[0].pid}/environ").read_text()


def test_a_fresh_process_for_each_game(tmp_path: Path, keepers: Keepers) -> None:
    bench = Bench(tmp_path, keepers, fresh=True)
    bench.bot(SAYS)
    assert keepers.children == []
    bench.bots.game_started("it-00000", ["b", "elsewhere"])
    bench.bots.game_started("it-00001", ["b"])
    bench.look_until(lambda: bench.output.count("\n") == 2)
    tokens = {json.loads(line)["ZIGGURAT_TOKEN"] for line in bench.output.splitlines()}
    assert tokens == {hmac.digest(KEY, f"it-0000{n}/b".encode(), "sha256").hex() for n in (0, 1)}
    pids = {child.pid for child in keepers.children}
    bench.bots.game_over("it-00000", ["b", "elsewhere"])
    bench.look_until(lambda: len(keepers.children) == 1)
    assert {child.pid for child in keepers.children} < pids
    bench.bots.game_started("it-00002", ["b"])
    assert {child.pid for child in keepers.children} - pids
    assert bench.told == []


def test_a_bot_that_ignores_sigterm_is_ended_at_the_end_of_its_game(tmp_path: Path, keepers: Keepers) -> None:
    bench = Bench(tmp_path, keepers, fresh=True)
    bench.bot(STUBBORN)
    bench.bots.game_started("it-00000", ["b"])
    bench.look_until(lambda: bench.output)
    bench.bots.game_over("it-00000", ["b"])
    bench.look_until(lambda: not keepers.children)


def test_a_bot_that_left_is_not_started_again(bench: Bench) -> None:
    bench.bot("import time; time.sleep(600)")
    pid = bench.launch.keepers.children[0].pid
    bench.bots.leave("b")
    bench.look_until(lambda: not bench.launch.keepers.children)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert bench.told == [] and bench.bots.lost == {}
