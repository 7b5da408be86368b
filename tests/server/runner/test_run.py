"""Whole tournaments: servers, bots and records are real."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.runner.runs import RunProcess
from tests.support.servers import ServerProcess
from typer.testing import CliRunner

from ziggurat import Client, Refused
from ziggurat_server.cli import app
from ziggurat_server.log import Kind
from ziggurat_server.records.verify import verify
from ziggurat_server.records.zgr import unpack
from ziggurat_server.runner.schedule import deal_seed

DIES = """
import os, sys
from ziggurat import run
left = int(sys.argv.pop(1))
def decide(view, decision):
    global left
    left -= 1
    if left < 0:
        print("out of memory", file=sys.stderr, flush=True)
        os._exit(7)
    return decision.default
run(decide)
"""

CHEATS = """
import os
from ziggurat import Client, Refused, run
def decide(view, decision):
    with Client(os.environ["ZIGGURAT_ADDRESS"]) as client:
        try:
            client.abort(view.match_id, os.environ["ZIGGURAT_TOKEN"], "I am losing")
        except Refused as refused:
            assert refused.reason == "BAD_TOKEN"
            return decision.default
    raise AssertionError("a bot has ended its match")
run(decide)
"""

ABORTS = """
import os, sys
from ziggurat import Client, run
assert "ZIGGURAT_OWNER_TOKEN" not in os.environ
def decide(view, decision):
    if view.match_id == "it-00001":
        with Client(os.environ["ZIGGURAT_ADDRESS"]) as client:
            client.abort(view.match_id, sys.argv[1], "I have seen enough")
    return decision.default
run(decide, argv=[])
"""


def script(directory: Path, text: str) -> str:
    """A bot's command."""
    path = directory / "bot.py"
    path.write_text(text)
    return f"{sys.executable} {path}"


def read(run: RunProcess) -> dict[str, Any]:
    """The result of a run."""
    result: dict[str, Any] = json.loads(run.json.read_text())
    return result


def test_three_bots_on_two_seats(tmp_path: Path) -> None:
    bots = ["--bot", "a=random", "--bot", "b=random", "--bot", "c=random"]
    run = RunProcess(tmp_path, *bots, "--seats", "2", "--games", "10", "--concurrency", "4", "--seed", "3")
    code, out, err = run.finish()
    assert (code, err) == (0, "")
    assert "12 games instead of 10" in out
    assert "Standings of" in out
    result = read(run)
    assert result["complete"] and result["problems"] == []
    check_records(run, result)
    check_totals(result)
    assert run.survivors(0) == {}
    assert list(tmp_path.glob("**/*.new")) == []


def check_records(run: RunProcess, result: dict[str, Any]) -> None:
    """One good record a game, of the seeds and seats of the schedule."""
    seats: Counter[tuple[str, int]] = Counter()
    assert len(result["games"]) == 12 == len(list(run.records.glob("*.zgr")))
    for game in result["games"]:
        data = (run.records / game["record"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == game["sha256"]
        good = verify(data)
        header, entries = unpack(data)
        assert good.match_id == game["match"]
        assert header.seed == deal_seed(3, game["deal"])
        assert header.commitment.hex() == game["commitment"]
        assert [seat.name for seat in header.seats] == game["seats"]
        assert [(s.points, s.place) for s in good.standings] == [
            (s["points"], s["place"]) for s in game["standings"]
        ]
        assert all(entry.kind != Kind.SUBSTITUTE for entry in entries)
        seats.update((name, seat) for seat, name in enumerate(game["seats"]))
    assert set(seats.values()) == {4}


def check_totals(result: dict[str, Any]) -> None:
    """Totals are the sums of the games."""
    for bot in result["bots"]:
        mine = [s for game in result["games"] for s in game["standings"] if s["bot"] == bot["name"]]
        assert bot["games"] == len(mine) == 8
        assert bot["points_mean"] == pytest.approx(sum(s["points"] for s in mine) / 8)
        assert bot["places"] == [sum(s["place"] == place for s in mine) for place in (1, 2)]
        assert set(bot["faults"].values()) == {0}
    assert sum(bot["win_share"] for bot in result["bots"]) * 8 == pytest.approx(12)
    assert [bot["rank"] for bot in result["bots"]] == [1, 2, 3]


def test_a_bot_that_dies_is_reported_and_its_games_go_on(tmp_path: Path) -> None:
    policy = ["--gone-ms", "50", "--on-gone", "forfeit"]
    bots = ["--bot", f"mortal={script(tmp_path, DIES)} 30", "--bot", "b=random", "--bot", "c=random"]
    run = RunProcess(tmp_path, *bots, *policy, "--seats", "2", "--games", "6", "--concurrency", "2")
    code, out, err = run.finish()
    assert (code, err) == (0, "")
    assert "bot mortal ended with exit code 7: out of memory; its games go on by policy" in out
    result = read(run)
    assert result["complete"]
    bot = next(bot for bot in result["bots"] if bot["name"] == "mortal")
    assert (bot["games"], bot["rank"], bot["faults"]["forfeits"]) == (4, 3, 4)
    assert "exit code 7" in bot["lost"]
    for path in run.records.glob("*.zgr"):
        verify(path.read_bytes())


def test_a_match_without_a_result_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = "0f" * 16
    monkeypatch.setenv("ZIGGURAT_OWNER_TOKEN", owner)
    bots = [
        "--bot",
        f"a={script(tmp_path, ABORTS)} {owner}",
        "--bot",
        "b=random",
        "--games",
        "2",
        "--run-id",
        "it",
    ]
    run = RunProcess(tmp_path, *bots)
    code, _, err = run.finish()
    assert (code, err) == (0, "")
    result = read(run)
    assert result["complete"]
    assert [game["match"] for game in result["games"]] == ["it-00000", "it-00001", "it-00001-again-1"]
    assert result["games"][1]["void"] == "I have seen enough"
    assert [bot["games"] for bot in result["bots"]] == [2, 2]
    assert verify((run.records / "it-00001.zgr").read_bytes()).void_reason == "I have seen enough"


def test_no_bot_can_end_a_match(tmp_path: Path) -> None:
    run = RunProcess(tmp_path, "--bot", f"a={script(tmp_path, CHEATS)}", "--bot", "b=random", "--games", "2")
    code, _, err = run.finish()
    assert (code, err) == (0, "")
    assert [game.get("void") for game in read(run)["games"]] == [None, None]


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (f"{sys.executable} -c 'import sys; sys.exit(\"no model file\")'", "exit code 1: no model file"),
        ("sh -c 'kill -9 $$'", "was ended by SIGKILL"),
    ],
)
def test_a_bot_that_cannot_start_ends_the_run(tmp_path: Path, command: str, says: str) -> None:
    run = RunProcess(tmp_path, "--bot", "a=random", "--bot", f"b={command}")
    code, _, err = run.finish(20)
    assert code == 1
    assert err.startswith("error: bot b (") and says in err and len(err.splitlines()) <= 2
    assert run.survivors(5) == {}
    assert not run.json.exists()


def test_a_bot_that_does_nothing_ends_the_run(tmp_path: Path) -> None:
    run = RunProcess(
        tmp_path, "--bot", "a=random", "--bot", "b=sleep 60", "--ready-ms", "1000", "--concurrency", "1"
    )
    code, _, err = run.finish(20)
    assert code == 1
    assert "seats not ready in time: 1 (seats: 0 a, 1 b)" in err and len(err.splitlines()) <= 2
    assert run.survivors(5) == {}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    made = ServerProcess(tmp_path_factory.mktemp("server"))
    yield made
    made.stop()


def test_records_stay_sealed_until_the_deal_is_over(server: ServerProcess, tmp_path: Path) -> None:
    bots = ["--bot", "a=random", "--bot", "b=random", "--run-id", "it", "--games", "2"]
    run = RunProcess(tmp_path, *bots, "--server", server.address, "--concurrency", "1")
    reasons = []
    with Client(server.address) as client:
        while run.process.poll() is None:
            try:
                client.get_record("it-00000")
                reasons.append("")
            except Refused as error:
                reasons.append(error.reason)
            time.sleep(0.05)
        assert client.list_matches() == []
    code, _, err = run.finish()
    assert (code, err) == (0, "")
    assert "SEALED" in reasons
    refusals = [reason for reason in reasons if reason]
    assert reasons[: len(refusals)] == refusals, "open, then sealed again"
    assert len(list(run.records.glob("*.zgr"))) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--game", "flow", "--option", "edition=xx"], "options.edition: 'xx' is not one of: en, ko"),
        (["--game", "chess"], "--game 'chess': the server has "),
        (["--game", "flow", "--seats", "9"], "9 seats need 9 bots and there are 2"),
    ],
)
def test_what_the_server_refuses_ends_the_run(
    server: ServerProcess, tmp_path: Path, arguments: list[str], says: str
) -> None:
    bots = ["--bot", "a=random", "--bot", "b=random", "--records", str(tmp_path / "records")]
    result = CliRunner().invoke(app, ["tournament", "run", *bots, "--server", server.address, *arguments])
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ") and says in result.stderr
    assert len(result.stderr.splitlines()) <= 2
