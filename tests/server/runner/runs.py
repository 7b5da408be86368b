"""Runs of the tournament runner as processes of their own, and what they leave behind."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

MARK = "TOURNAMENT_TEST_MARK"


class RunProcess:
    """`ziggurat tournament run`. Everything it starts inherits a mark, by which survivors are found."""

    def __init__(self, directory: Path, *arguments: str) -> None:
        self.directory = directory.resolve()
        self.mark = secrets.token_hex(8)
        self.records = directory / "records"
        self.json = directory / "result.json"
        command = [sys.executable, "-m", "ziggurat_server.cli", "tournament", "run", "--game", "flow"]
        command += ["--records", str(self.records), "--json", str(self.json), *arguments]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {MARK: self.mark},
        )

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
