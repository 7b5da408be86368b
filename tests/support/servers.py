"""Real server processes for tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path


class ServerProcess:
    """`ziggurat serve` as a process of its own; `address` is where it listens."""

    def __init__(self, directory: Path, redis: str = "", failpoint: str = "", *arguments: str) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        ready = directory / f"ready-{time.monotonic_ns()}"
        self.log = directory / "server.log"
        command = [sys.executable, "-m", "ziggurat_server.cli", "serve", "--listen", "127.0.0.1:0"]
        command += ["--ready-file", str(ready), *arguments]
        command += ["--redis", redis] if redis else ["--data-dir", str(directory / "data")]
        environment = os.environ | ({"ZIGGURAT_FAILPOINT": failpoint} if failpoint else {})
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        deadline = time.monotonic() + 30
        while not ready.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"server did not start:\n{self.log.read_text()}")
            time.sleep(0.01)
        self.address = f"127.0.0.1:{ready.read_text()}"

    def kill(self) -> None:
        """SIGKILL."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """SIGTERM, and wait for the end."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(20)
