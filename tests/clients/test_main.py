"""A bot as a program, as its author starts it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "clients" / "python" / "README.md"
TOKEN = "00112233445566778899aabbccddeeff"


def smallest_bot(folder: Path) -> Path:
    """The first example of the client's page, as a file."""
    example = re.search(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert example is not None
    file = folder / "bot.py"
    file.write_text(example[1])
    return file


def start(bot: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(bot), *arguments],
        env={**os.environ, "ZIGGURAT_TOKEN": "", **environment},
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        ([], {}, "bot: no token: give --token or ZIGGURAT_TOKEN"),
        (["--address", "nowhere"], {"ZIGGURAT_TOKEN": TOKEN}, "'nowhere' is no address"),
        (["--name", "ann"], {"ZIGGURAT_TOKEN": "12"}, "ann: the token is too short"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], said: str
) -> None:
    process = start(smallest_bot(tmp_path), *arguments, **environment)
    _, text = process.communicate(timeout=30)
    assert process.returncode == 1 and said in text and len(text.splitlines()) == 1


@pytest.mark.slow
def test_sigterm_ends_a_bot_that_finds_no_server(tmp_path: Path) -> None:
    process = start(smallest_bot(tmp_path), "--verbose", ZIGGURAT_TOKEN=TOKEN, ZIGGURAT_ADDRESS="127.0.0.1:1")
    assert process.stderr is not None and "127.0.0.1:1" in process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=10)
    assert process.returncode == 0
