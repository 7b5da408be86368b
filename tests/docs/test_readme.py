"""What the README shows runs as printed, and what it names is there."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ziggurat_rules.registry import game_names, load_game
from ziggurat_server.cli import app

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def block(language: str, holding: str) -> str:
    """The code block of a language that holds a text."""
    (found,) = [code for code in re.findall(rf"```{language}\n(.*?)```", README, re.S) if holding in code]
    return str(found)


def commands() -> list[list[str]]:
    """The commands that let the bot play and verify what it played, for this machine."""
    lines = block("sh", "bot.py").replace(".venv/bin/python", sys.executable).splitlines()
    split = [shlex.split(line) for line in lines]
    assert [words[0] for words in split] == [".venv/bin/ziggurat"] * 2
    return [[sys.executable, "-m", "ziggurat_server.cli", *words[1:]] for words in split]


@pytest.mark.slow
def test_the_bot_plays_as_printed(tmp_path: Path) -> None:
    code = block("python", "run(decide)")
    assert len(code.splitlines()) <= 20
    (tmp_path / "bot.py").write_text(code)
    play, check = commands()
    done = subprocess.run(
        [*play, "--json", "result.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((tmp_path / "result.json").read_text())
    assert len(list((tmp_path / "records").rglob("*.zgr"))) == 4
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and "4 of 4 records verified" in done.stdout


def test_the_event_is_one_that_can_be_played(tmp_path: Path) -> None:
    file = tmp_path / "event.toml"
    file.write_text(block("toml", "[[bots]]"))
    result = CliRunner().invoke(app, ["tournament", "plan", str(file)])
    assert result.exit_code == 0, result.stderr
    assert "gauntlet, tables of 3, 3 bots" in result.stdout


def test_the_table_of_games_is_right() -> None:
    rows = re.findall(r"\| `(\w+)` \| ([^|]+) \| (\d) to (\d) \|", README)
    assert sorted(row[0] for row in rows) == sorted(game_names())
    for name, title, low, high in rows:
        game = load_game(name)
        assert title.split(",")[0] == game.title
        assert range(int(low), int(high) + 1) == game.seats


def test_every_command_is_there() -> None:
    table = README[README.index("## The command line") : README.index("## A client")]
    for row in re.findall(r"^\| `([a-z ]+?)(?: [-A-Z\[].*?)?` \|", table, re.M):
        assert CliRunner().invoke(app, [*row.split(), "--help"]).exit_code == 0, row
    named = {row.split()[0] for row in re.findall(r"^\| `([a-z]+)", table, re.M)}
    offered = {
        command.name or command.callback.__name__ for command in app.registered_commands if command.callback
    }
    offered |= {group.name for group in app.registered_groups if group.name}
    assert named == offered - {"version"}


@pytest.mark.parametrize(
    "document", ["README.md", "CONTRIBUTING.md", "deploy/README.md", "clients/python/README.md"]
)
def test_links_lead_somewhere(document: str) -> None:
    path = ROOT / document
    for link in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        if "://" not in link:
            assert (path.parent / link).exists(), link
