"""A server of the run's own: `ziggurat serve` as a child process."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.processes import SERVER_GRACE_SECONDS, Child, Keepers, new_output
from ziggurat_server.runner.settings import Settings

START_SECONDS = 60.0
_SERVES = {"ZIGGURAT_LISTEN", "ZIGGURAT_REDIS", "ZIGGURAT_DATA_DIR"}
"""Ours may serve somewhere else; a tournament's own server is told all of it."""


async def start_server(settings: Settings, keepers: Keepers, logs: Path, scratch: Path) -> tuple[Child, str]:
    """Start it and wait until it serves; returns it and its address."""
    ready = scratch / "port"
    environment = {key: value for key, value in os.environ.items() if key not in _SERVES}
    command = [sys.executable, "-m", "ziggurat_server.cli", "serve", "--listen", "127.0.0.1:0"]
    command += ["--ready-file", str(ready)]
    if settings.redis:
        environment["ZIGGURAT_REDIS"] = settings.redis  # not an argument: it may hold a password
    else:
        command += ["--data-dir", str(settings.data_dir or scratch / "data")]
    child = keepers.start(command, new_output(logs, "server"), environment, SERVER_GRACE_SECONDS)
    deadline = time.monotonic() + START_SECONDS
    while not ready.exists():
        if child.poll() is not None:
            said = child.last_words().removeprefix("error: ")
            raise TournamentError(said or f"the server ended as it started; see {child.output}")
        if time.monotonic() > deadline:
            raise TournamentError(f"no server after {START_SECONDS:.0f} s; see {child.output}")
        await asyncio.sleep(0.02)
    return child, f"127.0.0.1:{ready.read_text()}"
