"""Runs of the tournament runner as processes of their own, and what they leave behind."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from typer.testing import CliRunner, Result

from ziggurat_server.cli import app

MARK = "TOURNAMENT_TEST_MARK"


def command(*arguments: str) -> list[str]:
    """A `ziggurat tournament` command."""
    return [sys.executable, "-m", "ziggurat_server.cli", "tournament", *arguments]


def ask(*arguments: str) -> Result:
    """The outcome of a command that ends soon, in this process: exit_code, stdout, stderr."""
    return CliRunner().invoke(app, ["tournament", *arguments], catch_exceptions=False)


class RunProcess:
    """A command that runs an event: `tournament run` at Flow by default.

    Everything it starts inherits a mark, by which survivors are found.
    """

    def __init__(self, directory: Path, *arguments: str, event_id: str = "it") -> None:
        self.directory = directory.resolve()
        self.mark = secrets.token_hex(8)
        self.path = directory / "runs" / event_id
        self.records = self.path / "records"
        self.event_id = event_id
        given = ["--records", str(directory / "runs"), "--id", event_id, *arguments]
        game = [] if any(a.endswith(".toml") or a == "--game" for a in arguments) else ["--game", "flow"]
        self.start("run", *game, *given)

    def start(self, *arguments: str) -> None:
        """Start a command in place of the one that has ended."""
        self.process = subprocess.Popen(
            command(*arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {MARK: self.mark},
        )

    def resume(self) -> None:
        """Go on with it."""
        self.start("resume", str(self.path))

    def finish(self, seconds: float = 60) -> tuple[int, str, str]:
        """Wait for its end: exit code, standard output, standard error."""
        out, err = self.process.communicate(timeout=seconds)
        return self.process.returncode, out, err

    def wait_for(self, what: Callable[[], object], seconds: float = 30) -> None:
        """Wait until something is so while it runs."""
        deadline = time.monotonic() + seconds
        while not what():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def wait_for_records(self, count: int) -> None:
        """Wait until so many records are there."""
        self.wait_for(lambda: len(list(self.records.glob("*.zgr"))) >= count)

    def log(self, bot: str) -> str:
        """What a bot has written."""
        return (self.path / "logs" / f"bot-{bot}.log").read_text()

    def family(self) -> dict[int, str]:
        """Command lines of all its processes that are not zombies, itself included."""
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    marked = f"{MARK}={self.mark}".encode() in (entry / "environ").read_bytes()
                    marked |= (
                        self.directory in (entry / "cwd").readlink().parents
                    )  # the store has no environment
                    zombie = "\nState:\tZ" in (entry / "status").read_text()
                    words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                except OSError:
                    continue
                if marked and not zombie:
                    found[int(entry.name)] = words
        return found

    def survivors(self, seconds: float) -> dict[int, str]:
        """What is left of it after so long, or as soon as nothing is."""
        deadline = time.monotonic() + seconds
        while (left := self.family()) and time.monotonic() < deadline:
            time.sleep(0.05)
        return left
