"""Bad input ends with one or two lines and exit code 1, before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ziggurat_server.cli import app
from ziggurat_server.runner import session
from ziggurat_server.runner.eventfile import BotSpec

TWO = ["--bot", "a=random", "--bot", "b=random"]

CASES = [
    (["--game", "chess", *TWO], "--game: "),
    ([*TWO, "--bot", "a=random"], "--bot a=random: another has this name; give each its own"),
    (["--bot", "a=random"], "--bot: 2 seats need 2 bots and there is 1: enter more"),
    ([*TWO, "--bot", "a"], "--bot a: another has this name; give each its own"),
    ([*TWO, "--seats", "3"], "--bot: 3 seats need 3 bots and there are 2: enter more or lower the seats"),
    ([*TWO, "--seats", "1"], "--seats: 1: flow takes 2 to 5"),
    (["--bot", "random", "--bot", "b=random"], "the server, or give it one of them, such as mine=random"),
    (
        ["--bot", "known", "--bot", "b=random"],
        "known has neither a command nor a token, so it is the bot registered",
    ),
    (
        ["--bot", "=random", "--bot", "b=random"],
        "--bot '=random': NAME=COMMAND is wanted, such as mine=random",
    ),
    (["--bot", "a b=random", "--bot", "b=random"], "--bot: 'a b': 1 to 32 of a-z"),
    (["--bot", "a=", "--bot", "b=random"], "--bot 'a=': a command is wanted"),
    (["--bot", "a='x", "--bot", "b=random"], "cannot be split: No closing quotation"),
    (["--bot", "a=no-such-bot", "--bot", "b=random"], "'no-such-bot' is no command and no built-in bot"),
    (
        ["--bot", "a=random --seed 1", "--bot", "b=random --sed 2"],
        "--bot: 'random --sed 2': unrecognized arguments",
    ),
    (
        ["--bot", "a=random", "--bot", "b=greedy --seed 2"],
        "--bot: 'greedy --seed 2': greedy does not play by chance",
    ),
    (["--bot", "a=random --threads x", "--bot", "b=random"], "argument --threads: invalid int value: 'x'"),
    (["--bot", "a=random -h", "--bot", "b=random"], "--bot: 'random -h': it would only tell its usage"),
    ([*TWO, "--games", "-1"], "--games: a whole number from 1"),
    ([*TWO, "--rounds", "0"], "wanted, not 0; left out it is as many as the format needs"),
    ([*TWO, "--concurrency", "501"], "--concurrency: 501: 1 to 500 are possible"),
    ([*TWO, "--seed", "-1"], "--seed: a whole number from 0 to 18446744073709551615 is wanted, not -1"),
    ([*TWO, "--option", "nothing=1"], "--option nothing: unknown option; this game has: "),
    ([*TWO, "--option", "edition"], "--option 'edition': KEY=VALUE is wanted"),
    ([*TWO, "--option", "edition=en", "--option", "edition=ko"], "--option edition is given twice"),
    ([*TWO, "--decision-ms", "-1"], "--decision-ms: a whole number from 0 to 4294967295 is wanted, not -1"),
    ([*TWO, "--gone-ms", "0"], "--gone-ms: 0: a bot that is gone would be waited for without end"),
    ([*TWO, "--on-gone", "shrug"], "--on-gone: 'shrug': there are default, random, forfeit"),
    ([*TWO, "--memory", "none"], "--memory: 'none': there are stateless, process, independent"),
    ([*TWO, "--pack", "no-such-file.toml"], "no-such-file.toml: No such file"),
    ([*TWO, "--format", "swis"], "--format: no format 'swis'"),
    ([*TWO, "--stop-better", "a"], "--stop-better 'a': A:B is wanted"),
    ([*TWO, "--h1", "0.1"], "--stop-better: it is missing"),
    ([*TWO, "--server", "x:1", "--redis", "redis://x"], "--server and --redis exclude each other"),
    ([*TWO, "--run-id", "a/b"], "--id: 'a/b': "),
]


@pytest.fixture(autouse=True)
def nothing_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def no_keepers() -> None:
        raise AssertionError("processes were about to be started")

    monkeypatch.setattr(session, "Keepers", no_keepers)
    monkeypatch.chdir(tmp_path)


def refused(*arguments: str, command: str = "run") -> str:
    """What is said about refused arguments."""
    game = [] if "--game" in arguments or command not in ("run", "plan") else ["--game", "flow"]
    result = CliRunner().invoke(app, ["tournament", command, *game, *arguments])
    assert result.exit_code == 1
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert len(result.stderr.splitlines()) <= 2
    return result.stderr


@pytest.mark.parametrize(("arguments", "says"), CASES)
def test_bad_input(tmp_path: Path, arguments: list[str], says: str) -> None:
    assert says in refused(*arguments)
    assert not list(tmp_path.iterdir()), "nothing is left of it"


def test_a_plan_refuses_the_same() -> None:
    assert "--seats: 1: flow takes 2 to 5" in refused(*TWO, "--seats", "1", command="plan")


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert f"{file} is no directory; name another place" in refused(*TWO, "--records", str(file))
    assert "name another place" in refused(*TWO, "--records", str(file / "x"))
    assert f"--json: cannot write in {file}" in refused(*TWO, "--json", str(file / "x.json"))
    assert f"--json {tmp_path} is a directory" in refused(*TWO, "--json", str(tmp_path))


def test_a_run_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "records" / "it").mkdir(parents=True)
    said = refused(*TWO, "--id", "it")
    assert "records/it is there" in said and "go on with `ziggurat tournament resume records/it`" in said
    assert "or name another --id" in said


@pytest.mark.parametrize("command", ["resume", "status", "pause", "cancel"])
def test_what_is_no_run(tmp_path: Path, command: str) -> None:
    assert "is no directory of a run: it has no run.json" in refused(str(tmp_path), command=command)


def test_a_pack_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "pack.toml"
    file.write_bytes(b"\xff\xfe")
    assert "it is no UTF-8 text" in refused(*TWO, "--pack", str(file))


def test_built_in_bots_and_commands() -> None:
    assert BotSpec("a", "random --seed 5").argv[1:] == ["-m", "ziggurat_bots", "random", "--seed", "5"]
    assert BotSpec("a", "'my bot' --x='1 2'").argv == ["my bot", "--x=1 2"]
