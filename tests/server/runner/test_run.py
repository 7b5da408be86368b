"""Whole events: servers, bots and records are real."""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
import shutil
import signal
import stat
import sys
import threading
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from tests.server.runner.runs import RunProcess, ask
from tests.support.servers import ServerProcess

from ziggurat import AsyncClient, Bot, Client, Entrant, EventSpec, Refused, new_token
from ziggurat_server.convert import events
from ziggurat_server.log import Kind
from ziggurat_server.records.verify import verify
from ziggurat_server.records.zgr import unpack
from ziggurat_server.runner.directory import Place, RunDirectory
from ziggurat_server.runner.eventfile import read_event
from ziggurat_server.runner.flags import Given
from ziggurat_server.runner.outcome import empty_state
from ziggurat_server.runner.progress import Progress
from ziggurat_server.runner.session import Run

TWO = ["--bot", "a=random", "--bot", "b=random"]
THREE = [*TWO, "--bot", "c=random", "--seats", "2"]

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
from ziggurat import Bot, Client, Refused, run
def decide(view, decision):
    with Client(os.environ["ZIGGURAT_ADDRESS"]) as client:
        token = os.environ["ZIGGURAT_TOKEN"]
        for call in (
            lambda: client.abort(view.match_id, token, "I am losing"),
            lambda: client.cancel_event("it", token),
            lambda: client.withdraw_bot("it", token, "b"),
        ):
            try:
                call()
            except Refused as refused:
                assert refused.reason == "BAD_TOKEN"
            else:
                raise AssertionError("a bot may do what its owner may")
        assert not client.get_event("it").spec.HasField("seed")
    return decision.default
run(decide)
"""

SLOW = """
import sys, time
from ziggurat import run
pause = float(sys.argv.pop(1))
def decide(view, decision):
    time.sleep(pause)
    return decision.default
run(decide)
"""


def script(directory: Path, text: str) -> str:
    """A bot's command."""
    path = directory / f"bot-{hashlib.sha256(text.encode()).hexdigest()[:8]}.py"
    path.write_text(text)
    return f"{sys.executable} {path}"


def results(run: RunProcess) -> dict[int, list[tuple[str, int, int]]]:
    """By game (bot, points, place) of each seat, from records that are all true."""
    found = {}
    for path in sorted(run.records.glob("*.zgr")):
        data = path.read_bytes()
        good, header = verify(data), unpack(data)[0]
        assert header.event is not None and header.event.event_id == run.event_id
        if good.void_reason:
            continue
        assert header.event.number not in found, "a game has two results"
        names = [seat.name for seat in header.seats]
        found[header.event.number] = [(names[s.seat], s.points, s.place) for s in good.standings]
    return found


def test_three_bots_on_two_seats(tmp_path: Path) -> None:
    run = RunProcess(tmp_path, *THREE, "--games", "10", "--seed", "3", "--option", "edition=ko")
    code, out, err = run.finish()
    assert (code, err) == (0, "")
    assert "12 games instead of 10" in out
    assert "Standings of it" in out and "finished: all games are over" in out
    found = results(run)
    assert sorted(found) == list(range(12))
    places = Counter((bot, seat) for seats in found.values() for seat, (bot, _, _) in enumerate(seats))
    assert set(places.values()) == {4} and len(places) == 6
    entries = [entry for path in run.records.glob("*.zgr") for entry in unpack(path.read_bytes())[1]]
    assert all(entry.kind != Kind.SUBSTITUTE for entry in entries)
    assert run.survivors(0) == {}
    assert list(tmp_path.glob("**/*.new")) == [] and not (run.path / "address").exists()
    event = tomllib.loads((run.path / "event.toml").read_text())
    assert (event["seed"], event["options"]["edition"], event["format"]["rounds"]) == (3, "ko", 2)
    for name in ("key", "run.json"):
        assert stat.S_IMODE((run.path / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(run.path.stat().st_mode) == 0o700


def test_an_event_file_and_a_drawn_seed(tmp_path: Path) -> None:
    """The seed is told when the event is over; a resume then repeats nothing, and brings back what was lost."""
    file = tmp_path / "cup.toml"
    bots = "".join(f'[[bots]]\nname = "{name}"\ncommand = "random"\n' for name in "abc")
    file.write_text(f'game = "flow"\n[format]\nname = "swiss"\nrounds = 2\n{bots}')
    run = RunProcess(tmp_path, str(file), "--seats", "3")
    run.wait_for((run.path / "address").exists)
    event = run.path / "event.toml"
    assert "seed" not in tomllib.loads(event.read_text())
    assert "seed" not in (run.path / "run.json").read_text()
    code, _, err = run.finish()
    assert (code, err) == (0, "")
    assert isinstance(tomllib.loads(event.read_text())["seed"], int)
    before = results(run)
    assert len(before) == 6
    (run.records / "it-00000.zgr").unlink()
    (run.records / "it-00001.zgr").write_bytes(b"ZGR1")
    run.resume()
    code, out, err = run.finish()
    assert (code, err) == (0, "") and "6 games; 6 records" in out
    assert results(run) == before
    done = ask("status", str(run.path))
    first, rest = done.stdout.split("\n", 1)
    assert first == f"it: finished: all games are over; 6 records are in {run.records}"
    assert rest.startswith("Standings of it\n")
    for words in (["pause", str(run.path)], ["cancel", str(run.path)], ["withdraw", str(run.path), "a"]):
        refused = ask(*words)
        assert refused.exit_code == 1
        assert f"{run.path}: the event is over (finished: all games are over)" in refused.stderr


def test_a_fresh_process_for_each_game(tmp_path: Path) -> None:
    run = RunProcess(tmp_path, *TWO, "--games", "4", "--memory", "process", "--concurrency", "2")
    code, _, err = run.finish()
    assert (code, err) == (0, "")
    assert len(results(run)) == 4
    tokens = [unpack(path.read_bytes())[0].seats[0].token_sha256 for path in run.records.glob("*.zgr")]
    assert len(set(tokens)) == 4
    assert run.survivors(0) == {}


def test_a_bot_that_dies_is_started_again(tmp_path: Path) -> None:
    bots = ["--bot", f"mortal={script(tmp_path, DIES)} 60", "--bot", "b=random"]
    run = RunProcess(tmp_path, *bots, "--games", "2", "--concurrency", "1")
    code, out, err = run.finish()
    assert (code, err) == (0, "")
    assert "bot mortal ended with exit code 7: out of memory; it is started again in 0.5 s" in out
    assert len(results(run)) == 2
    entries = [entry for path in run.records.glob("*.zgr") for entry in unpack(path.read_bytes())[1]]
    assert all(entry.kind != Kind.SUBSTITUTE for entry in entries)


def test_a_bot_that_is_given_up_is_taken_out(tmp_path: Path) -> None:
    """Its games in play go on by policy, its games to come are not played, and nobody waits for it."""
    file = tmp_path / "event.toml"
    file.write_text(f"""
game = "flow"
seats = 2
concurrency = 2
policy = {{ gone_ms = 50, on_gone = "forfeit" }}
format = {{ rounds = 3 }}
[[bots]]
name = "mortal"
command = "{script(tmp_path, DIES)} 30"
restarts = 0
[[bots]]
name = "b"
command = "random"
[[bots]]
name = "c"
command = "random"
""")
    run = RunProcess(tmp_path, str(file))
    code, out, err = run.finish()
    assert (code, err) == (1, "")
    assert (
        "bot mortal ended with exit code 7: out of memory; it is given up, and its games in play go on" in out
    )
    assert "bot mortal is out: ended with exit code 7: out of memory" in out
    assert "mortal (lost)" in out
    assert "note: bot mortal ended with exit code 7: out of memory; it was taken out" in out
    assert sum(" not played: a bot was withdrawn" in line for line in out.splitlines()) == 1
    found = results(run)
    lost = [game for game, seats in found.items() if "mortal" in (bot for bot, _, _ in seats)]
    assert 0 < len(lost) <= 2 and len(found) == len(lost) + 6, "two at once, and all of the other two bots"
    assert all(place == 2 for seats in found.values() for bot, _, place in seats if bot == "mortal")


def test_of_a_run_that_never_began_nothing_is_left(tmp_path: Path) -> None:
    text = 'import sys; print("one\\033[2J"); sys.exit("no\\033[2J model file")'
    file = tmp_path / "bot.py"
    file.write_text(text)
    away = ["--json", str(tmp_path / "result.json"), "--records", str(tmp_path / "runs"), "--game", "flow"]
    refused = ask("run", *away, "--bot", f"a={sys.executable} {file}", "--bot", "b=random")
    assert refused.stdout == "a: one\ufffd[2J\na: no\ufffd[2J model file\n", "bots cannot clear the screen"
    assert (
        refused.stderr
        == f"error: bot a ({sys.executable} {file}) ended with exit code 1: no\ufffd[2J model file\n"
    )
    refused = ask("run", *away, *TWO, "--redis", "redis://127.0.0.1:1/0")
    assert refused.exit_code == 1 and "redis://127.0.0.1:1/0 cannot be reached" in refused.stderr
    assert list(tmp_path.iterdir()) == [file]


def test_a_run_whose_server_dies_before_the_first_game_can_be_resumed(tmp_path: Path) -> None:
    run = RunProcess(tmp_path, "--bot", "a=random", "--bot", "b=sleep 600", "--games", "2")
    run.wait_for((run.path / "address").exists)
    run.wait_for(lambda: "ziggurat_bots" in " ".join(run.family().values()))
    os.kill(next(pid for pid, words in run.family().items() if " serve " in words), signal.SIGKILL)
    code, _, err = run.finish()
    assert code == 1 and "the server was ended by SIGKILL" in err
    run.resume()
    run.wait_for((run.path / "address").exists)
    assert ask("cancel", str(run.path)).exit_code == 0
    assert run.finish()[0] == 1


def test_no_bot_may_do_what_its_owner_may(tmp_path: Path) -> None:
    run = RunProcess(tmp_path, "--bot", f"a={script(tmp_path, CHEATS)}", "--bot", "b=random", "--games", "2")
    code, _, err = run.finish()
    assert (code, err) == (0, ""), run.log("a")
    assert len(results(run)) == 2 and "AssertionError" not in run.log("a")


def test_a_bot_that_cannot_start_ends_the_run(tmp_path: Path) -> None:
    run = RunProcess(tmp_path, "--bot", "a=random", "--bot", "b=sh -c 'kill -9 $$'")
    code, _, err = run.finish(20)
    assert code == 1
    assert err.startswith("error: bot b (") and "was ended by SIGKILL" in err and len(err.splitlines()) == 1
    assert not run.path.exists(), "so that it may be tried again under this id"
    assert run.survivors(5) == {}


def test_a_bot_that_does_nothing_loses_by_policy(tmp_path: Path) -> None:
    policy = ["--ready-ms", "500", "--gone-ms", "10", "--on-gone", "forfeit"]
    run = RunProcess(tmp_path, "--bot", "a=random", "--bot", "b=sleep 60", *policy)
    code, out, err = run.finish(30)
    assert (code, err) == (0, "")
    assert "2 forfeit" in out
    assert run.survivors(5) == {}


def test_a_bot_from_elsewhere_is_waited_for(tmp_path: Path) -> None:
    token = bytes(range(16))
    file = tmp_path / "event.toml"
    far = f'name = "far"\ntoken_sha256 = "{hashlib.sha256(token).hexdigest()}"'
    file.write_text(f'game = "flow"\n[[bots]]\nname = "a"\ncommand = "random"\n[[bots]]\n{far}\n')
    run = RunProcess(tmp_path, str(file))
    run.wait_for((run.path / "address").exists)
    address = (run.path / "address").read_text().strip()
    with Client(address) as client:
        run.wait_for(lambda: "it" in {event.event_id for event in client.list_events()})
        run.wait_for(lambda: list(client.get_event("it").waiting_for) == ["far"])
        told = ask("status", str(run.path))
        assert "it: running, 0 of 2 games, 0 open\n" in told.stdout
        assert f"waiting for far: it connects from elsewhere\nserver: {address}\n" in told.stdout
    bot = Bot(lambda view, decision: decision.default, address, token)
    thread = threading.Thread(target=bot.run)
    thread.start()
    try:
        code, out, err = run.finish()
    finally:
        bot.stop()
        thread.join()
    assert (code, err) == (0, "") and out.startswith(f"{address} is where to connect: far\n")
    assert {bot for seats in results(run).values() for bot, _, _ in seats} == {"a", "far"}


# Other shells


def test_pause_resume_add_withdraw_and_cancel(tmp_path: Path) -> None:
    slow = script(tmp_path, SLOW)
    bots = ["--bot", f"a={slow} 0.02", "--bot", "b=random", "--bot", "c=random", "--seats", "2"]
    run = RunProcess(tmp_path, *bots, "--format", "ladder", "--rounds", "50", "--concurrency", "2")
    path = str(run.path)
    run.wait_for_records(2)
    paused = ask("pause", path)
    assert (paused.exit_code, paused.stderr) == (0, "") and "it is paused; " in paused.stdout
    with Client((run.path / "address").read_text().strip()) as client:
        run.wait_for(lambda: client.get_event("it").games_open == 0)
        told = ask("status", path)
        assert told.exit_code == 0 and "it: paused, " in told.stdout and "Standings of it" in told.stdout
        again = ask("resume", path)
        assert (again.exit_code, again.stdout) == (0, "it goes on where it is being run\n")
        assert ask("add-bot", path, "late=random").exit_code == 0
        run.wait_for(lambda: "late" in {bot for seats in results(run).values() for bot, _, _ in seats})
        broken = f"broken={sys.executable} -c 'raise SystemExit(7)'"
        assert ask("add-bot", path, broken, "--restarts", "0").exit_code == 0
        run.wait_for(lambda: any(bot.withdrawn for bot in client.get_standings("it").bots))
        assert ask("withdraw", path, "b").stdout.startswith("b is out; ")
        refused = ask("withdraw", path, "nobody")
        assert refused.exit_code == 1 and "'nobody' takes no part in 'it'" in refused.stderr
        finished = client.get_event("it").games_finished
    run.wait_for(lambda: not any("--name b" in words for words in run.family().values()))
    assert ask("cancel", path, "--reason", "rain").exit_code == 0
    code, out, err = run.finish()
    assert (code, err) == (1, "")
    for words in (
        "paused; ",
        "goes on",
        "bot late is in",
        "bot broken is out: ended with exit code 7",
        "bot b is out: withdrawn by the owner",
        "cancelled: rain",
    ):
        assert words in out
    assert len(results(run)) >= finished
    assert ask("status", path).stdout.startswith("it: cancelled: rain; ")
    assert run.survivors(5) == {}


def test_an_event_whose_store_is_gone_is_not_begun_anew(tmp_path: Path) -> None:
    run = RunProcess(tmp_path, *THREE, "--games", "600")
    run.wait_for_records(1)
    run.process.terminate()
    assert run.finish()[0] == 128 + 15
    result, records = (run.path / "result.json").read_text(), sorted(run.records.iterdir())
    shutil.rmtree(run.path / "store")
    for _ in range(2):
        run.resume()
        code, _, err = run.finish()
        assert code == 1 and "event 'it' had begun there and is gone: put it back, or begin" in err
    assert (run.path / "result.json").read_text() == result and sorted(run.records.iterdir()) == records


def test_commands_to_a_run_that_is_not_live(tmp_path: Path) -> None:
    run = RunProcess(tmp_path, *THREE, "--games", "600", "--seed", "5")
    run.wait_for_records(1)
    refused = ask("add-bot", str(run.path), f"{THREE[1].partition('=')[0]}=greedy")
    assert refused.exit_code == 1 and "a bot of the event has this name; choose another" in refused.stderr
    refused = ask("add-bot", str(run.path), "late=random")
    assert refused.exit_code == 1 and "no bot can join a round_robin once it has begun" in refused.stderr
    assert not list(run.path.glob("added/*"))
    run.process.terminate()
    code, out, err = run.finish()
    path = str(run.path)
    assert (code, err) == (128 + 15, "")
    assert out.rstrip().endswith(f"stopped by SIGTERM; go on with `ziggurat tournament resume {path}`")
    told = ask("status", path).stdout
    assert told.startswith(
        f"it: no server of it is live; `ziggurat tournament resume {path}` goes on with it"
    )
    paused = ask("pause", path)
    assert paused.exit_code == 1 and "no server of this event is live, so nothing is played" in paused.stderr
    ended = ask("cancel", path)
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert "cancelled: cancelled by its owner" in ended.stdout
    assert 0 < len(results(run)) < 600
    run.resume()
    assert run.finish()[0] == 1
    assert run.survivors(5) == {}


def test_a_changed_event_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "event.toml"
    (tmp_path / "pack.toml").write_text("")
    bots = "".join(f'[[bots]]\nname = "{name}"\ncommand = "random"\n' for name in "ab")
    file.write_text(f'id = "it"\ngame = "flow"\nseed = 4\nconcurrency = 3\npacks = ["pack.toml"]\n{bots}')
    run = RunDirectory.create(tmp_path / "runs", read_event(file, Given())[0], Place())
    text = run.event_file.read_text()
    for old, new, says in (
        (
            "concurrency = 3",
            "concurrency = 5",
            "concurrency was 3 when the event began and is 5: put it back",
        ),
        ('command = "random"', 'command = "greedy"', 'bots[0].command was "random" when'),
        ("seed = 4", "seed = 5", "seed was 4 when the event began and is 5"),
        ("seed = 4\n", "", "seed was 4 when the event began and is not set"),
    ):
        run.event_file.write_text(text.replace(old, new, 1))
        refused = ask("resume", str(run.path))
        assert refused.exit_code == 1
        assert refused.stderr.startswith(f"error: {run.event_file}: {says}")
        assert f"`ziggurat tournament run {run.event_file} --id NAME`" in refused.stderr
    run.event_file.write_text(text.replace("decision_ms = 30000\n", ""))
    assert run.read_event().policy.decision_ms == 30_000, "what is left out is its default"
    (run.path / "packs" / "pack.toml").write_text("# other")
    assert "packs[0] was pack.toml " in ask("resume", str(run.path)).stderr
    assert not (run.path / "store").exists()


# Another server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    made = ServerProcess(tmp_path_factory.mktemp("server"))
    yield made
    made.stop()


def test_records_stay_sealed_until_the_deal_is_over(server: ServerProcess, tmp_path: Path) -> None:
    run = RunProcess(
        tmp_path, *TWO, "--games", "2", "--server", server.address, "--concurrency", "1", event_id="seal"
    )
    reasons = []
    with Client(server.address) as client:
        while run.process.poll() is None:
            try:
                client.get_record("seal-00000")
                reasons.append("")
            except Refused as error:
                reasons.append(error.reason)
        assert client.list_matches() == []
        assert client.get_event("seal").games_finished == 2
    code, _, err = run.finish()
    assert (code, err) == (0, "")
    assert "SEALED" in reasons
    refusals = [reason for reason in reasons if reason]
    assert reasons[: len(refusals)] == refusals, "open, then sealed again"
    assert len(list(run.records.glob("*.zgr"))) == 2 and not (run.path / "store").exists()


def test_a_registered_bot_is_entered_by_its_name(server: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "event.toml"
    file.write_text('game = "flow"\n[[bots]]\nname = "a"\ncommand = "random"\n[[bots]]\nname = "known"\n')
    refused = ask("run", str(file), "--id", "known", "--records", str(tmp_path / "none"))
    assert refused.exit_code == 1 and refused.stderr.startswith("error: --server: known has neither")
    assert not (tmp_path / "none").exists()
    token = new_token()
    with Client(server.address) as client:
        client.register_bot("known", token, new_token(), version="2.1", games=["flow"])
    bot = Bot(lambda view, decision: decision.default, server.address, token)
    thread = threading.Thread(target=bot.run)
    thread.start()
    try:
        run = RunProcess(tmp_path, str(file), "--server", server.address, event_id="known")
        code, out, err = run.finish()
    finally:
        bot.stop()
        thread.join()
    assert (code, err) == (0, "") and out.startswith(f"{server.address} is where to connect: known\n")
    assert ",known,2.1," in (run.path / "standings.csv").read_text()
    assert ask("recompute", str(run.path)).exit_code == 0


def test_bots_from_elsewhere_are_entered_late(server: ServerProcess, tmp_path: Path) -> None:
    """One with a token of its own, and one that is registered; both as `add-bot` is told of them."""
    tokens = {"far": new_token(), "listed": new_token()}
    with Client(server.address) as client:
        client.register_bot("listed", tokens["listed"], new_token(), version="2.1")
    slow = script(tmp_path, SLOW)
    more = ["--format", "ladder", "--rounds", "500", "--seats", "2", "--server", server.address]
    run = RunProcess(tmp_path, *TWO, "--bot", f"c={slow} 0.02", *more, event_id="late")
    run.wait_for_records(1)
    path, known = str(run.path), hashlib.sha256(tokens["far"]).hexdigest()
    refused = ask("add-bot", path, "far=random", "--token-sha256", known)
    assert refused.exit_code == 1 and "far has a token of its own, so it is not launched" in refused.stderr
    refused = ask("add-bot", path, "far", "--token-sha256", "abc")
    assert refused.exit_code == 1 and "a SHA-256 (64 hex digits in quotes) is wanted" in refused.stderr
    refused = ask("add-bot", path, "nobody")
    assert refused.exit_code == 1 and "no bot is registered as 'nobody'" in refused.stderr
    added = ask("add-bot", path, "far", "--token-sha256", known, "--version", "7", "--capacity", "1")
    assert added.stdout.endswith(
        f"far is in; it plays from the next round that is drawn, and connects to {server.address}\n"
    )
    assert ask("add-bot", path, "listed").exit_code == 0
    assert sorted(file.stem for file in run.path.glob("added/*")) == ["far", "listed"]
    bots = [Bot(lambda view, decision: decision.default, server.address, token) for token in tokens.values()]
    threads = [threading.Thread(target=bot.run) for bot in bots]
    for thread in threads:
        thread.start()
    try:
        run.wait_for(lambda: tokens.keys() <= {bot for seats in results(run).values() for bot, _, _ in seats})
        assert ask("cancel", path).exit_code == 0
        assert run.finish()[0] == 1
    finally:
        for bot, thread in zip(bots, threads, strict=True):
            bot.stop()
            thread.join()
    standings = (run.path / "standings.csv").read_text()
    assert ",far,7," in standings and ",listed,2.1," in standings
    assert ask("recompute", path).exit_code == 0


def test_a_signal_lets_games_at_another_server_end(server: ServerProcess, tmp_path: Path) -> None:
    run = RunProcess(tmp_path, *THREE, "--games", "600", "--server", server.address, event_id="leave")
    run.wait_for_records(1)
    run.process.terminate()
    code, out, err = run.finish()
    assert (code, err) == (128 + 15, "")
    assert "games in play are let end; a second signal ends the run" in out
    with Client(server.address) as client:
        event = client.get_event("leave")
        assert (event.state, event.games_open) == (2, 0)
        assert 0 < event.games_finished < 600
    told = ask("status", str(run.path))
    assert "leave: paused, " in told.stdout
    run.resume()
    with Client(server.address) as client:
        run.wait_for(lambda: client.get_event("leave").games_finished > event.games_finished + 3)
    assert ask("cancel", str(run.path)).exit_code == 0
    assert run.finish()[0] == 1


def test_a_signal_at_the_end_of_an_event_lets_it_end(server: ServerProcess, tmp_path: Path) -> None:
    """What is over, or about to be, cannot be paused: no failure of the run."""
    bots = "".join(f'[[bots]]\nname = "{name}"\ncommand = "random"\n' for name in "ab")
    (tmp_path / "ends.toml").write_text(f'id = "ends"\ngame = "flow"\n{bots}')
    event, _ = read_event(tmp_path / "ends.toml", Given())
    directory = RunDirectory.create(tmp_path, event, Place(server.address))
    with Client(server.address) as client:
        spec = events.spec_message(event.spec)
        made = client.create_event(spec, directory.owner, event_id="ends", launch_key=directory.key)
        client.cancel_event("ends", directory.owner)
    screen = Console(file=io.StringIO())
    run = Run(directory, event, screen)
    run.state = empty_state(made)

    async def leave() -> None:
        run._leave.set()
        async with AsyncClient(server.address) as calls:
            await run._wait_to_leave(calls, Progress(screen, empty_state(made)))

    asyncio.run(leave())
    assert isinstance(screen.file, io.StringIO) and not screen.file.getvalue()


def test_an_event_that_is_there_with_other_content(server: ServerProcess, tmp_path: Path) -> None:
    with Client(server.address) as client:
        spec = EventSpec(game="flow", bots=[Entrant(name=name) for name in "xy"])
        client.create_event(spec, new_token(), event_id="same", launch_key=new_token())
    run = RunProcess(tmp_path, *TWO, "--games", "2", "--server", server.address, event_id="same")
    code, _, err = run.finish()
    assert code == 1
    assert (
        err.startswith("error: ") and "'same' exists with other content" in err and len(err.splitlines()) <= 2
    )
    assert not run.path.exists(), "so that it may be tried again under this id"


def test_a_server_that_is_not_there_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ziggurat_server.runner.calls.REACH_SECONDS", 0.1)
    for address, says in (
        ("nowhere", "HOST:PORT is wanted"),
        ("127.0.0.1:1", "start it, or name another one"),
    ):
        given = ["--game", "flow", *TWO, "--server", address, "--records", str(tmp_path / "runs")]
        refused = ask("run", *given)
        assert refused.exit_code == 1 and refused.stderr.startswith("error: --server: ")
        assert says in refused.stderr and len(refused.stderr.splitlines()) == 1
    assert not (tmp_path / "runs").exists()
