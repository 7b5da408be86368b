"""Bad input ends with one or two lines and exit code 1, before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ziggurat_server.cli import app
from ziggurat_server.runner import session
from ziggurat_server.runner.settings import parse_bot

TWO = ["--bot", "a=random", "--bot", "b=random"]

CASES = [
    (["--game", "chess", *TWO], "no game 'chess'"),
    ([*TWO, "--bot", "a=random"], "--bot a=random: another has this name"),
    (["--bot", "a=random"], "2 seats need 2 bots and there is 1: add --bot NAME=COMMAND"),
    ([*TWO, "--seats", "3"], "3 seats need 3 bots and there are 2: add --bot NAME=COMMAND or lower --seats"),
    ([*TWO, "--seats", "1"], "--seats 1: flow takes 2 to 5"),
    ([*TWO, "--seats", "0"], "--seats 0: 1 or more is wanted"),
    (["--bot", "random", "--bot", "b=random"], "--bot 'random': NAME=COMMAND is wanted, such as mine=random"),
    (["--bot", "a b=random", "--bot", "b=random"], "such as mine=random; a name has"),
    (["--bot", "a=", "--bot", "b=random"], "--bot 'a=': a command is wanted"),
    (["--bot", "a='x", "--bot", "b=random"], "the command cannot be split: No closing quotation"),
    (["--bot", "a=no-such-bot", "--bot", "b=random"], "'no-such-bot' is no command and no built-in bot"),
    ([*TWO, "--games", "0"], "--games 0: 1 or more is wanted"),
    ([*TWO, "--concurrency", "0"], "--concurrency 0: 1 or more is wanted"),
    ([*TWO, "--concurrency", "501"], "--concurrency 501: at most 500"),
    ([*TWO, "--seed", "-1"], "--seed -1: 0 or more is wanted"),
    ([*TWO, "--option", "nothing=1"], "options.nothing: unknown option; this game has: "),
    ([*TWO, "--option", "edition"], "--option 'edition': KEY=VALUE is wanted"),
    ([*TWO, "--option", "edition=en", "--option", "edition=ko"], "--option edition is given twice"),
    ([*TWO, "--decision-ms", "-1"], "--decision-ms -1: 0 to 4294967295"),
    ([*TWO, "--gone-ms", "0"], "--gone-ms 0: a bot that is gone would be waited for without end"),
    ([*TWO, "--on-gone", "shrug"], "--on-gone 'shrug': default, random, forfeit are possible"),
    ([*TWO, "--pack", "no-such-file.toml"], "--pack no-such-file.toml: No such file"),
    ([*TWO, "--server", "x:1", "--redis", "redis://x"], "--server and --redis exclude each other"),
    ([*TWO, "--run-id", "a/b"], "--run-id 'a/b': "),
]


@pytest.fixture(autouse=True)
def nothing_starts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def no_keepers() -> None:
        raise AssertionError("processes were about to be started")

    monkeypatch.setattr(session, "Keepers", no_keepers)
    monkeypatch.chdir(tmp_path)


def refused(*arguments: str) -> str:
    """What is said about refused arguments."""
    game = [] if "--game" in arguments else ["--game", "flow"]
    result = CliRunner().invoke(app, ["tournament", "run", *game, *arguments])
    assert result.exit_code == 1
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert len(result.stderr.splitlines()) <= 2
    return result.stderr


@pytest.mark.parametrize(("arguments", "says"), CASES)
def test_bad_input(arguments: list[str], says: str) -> None:
    assert says in refused(*arguments)


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert f"--records: cannot write in {file}" in refused(*TWO, "--records", str(file))
    assert f"--json: cannot write in {file}" in refused(*TWO, "--json", str(file / "x.json"))
    assert f"--json {tmp_path} is a directory" in refused(*TWO, "--json", str(tmp_path))


def test_a_pack_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "pack.toml"
    file.write_bytes(b"\xff\xfe")
    assert "it is no UTF-8 text" in refused(*TWO, "--pack", str(file))


def test_built_in_bots_and_commands() -> None:
    assert parse_bot("a=random --seed 5").command[1:] == ("-m", "ziggurat_bots", "random", "--seed", "5")
    assert parse_bot("a='my bot' --x='1 2'").command == ("my bot", "--x=1 2")
