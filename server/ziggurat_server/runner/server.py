"""A server of the run's own: `ziggurat serve` as a child process."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ziggurat_server.runner.directory import RunDirectory
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.files import write_whole
from ziggurat_server.runner.processes import SERVER_GRACE_SECONDS, Child, Keepers

START_SECONDS = 60.0
_SERVES = {"ZIGGURAT_LISTEN", "ZIGGURAT_REDIS", "ZIGGURAT_DATA_DIR"}
"""Ours may serve somewhere else; a tournament's own server is told all of it."""


@asynccontextmanager
async def served(run: RunDirectory, keepers: Keepers) -> AsyncIterator[tuple[Child | None, str]]:
    """The server of a run, started if it is its own, and its address, which others find while it is there."""
    if run.place.server:
        yield None, run.place.server
        return
    child, address = await _start(run, keepers)
    write_whole(run.address_file, address.encode() + b"\n")
    try:
        yield child, address
    finally:
        run.address_file.unlink(missing_ok=True)


async def _start(run: RunDirectory, keepers: Keepers) -> tuple[Child, str]:
    run.port_file.unlink(missing_ok=True)
    place = run.place
    environment = {key: value for key, value in os.environ.items() if key not in _SERVES}
    command = [sys.executable, "-m", "ziggurat_server.cli", "serve", "--listen", "127.0.0.1:0"]
    command += ["--ready-file", str(run.port_file)]
    if place.redis:
        environment["ZIGGURAT_REDIS"] = place.redis  # not an argument: it may hold a password
    else:
        command += ["--data-dir", str(run.store)]
    output = run.logs / "server.log"
    child = keepers.start(command, output, environment, SERVER_GRACE_SECONDS)
    port = await _port(run, child)
    run.port_file.unlink()
    return child, f"127.0.0.1:{port}"


async def _port(run: RunDirectory, child: Child) -> str:
    deadline = time.monotonic() + START_SECONDS
    while not run.port_file.exists():
        if child.poll() is not None:
            said = child.last_words().removeprefix("error: ")
            raise TournamentError(said or f"the server ended as it started; see {child.output}")
        if time.monotonic() > deadline:
            raise TournamentError(f"no server after {START_SECONDS:.0f} s; see {child.output}")
        await asyncio.sleep(0.02)
    return run.port_file.read_text()
