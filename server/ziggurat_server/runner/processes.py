"""The processes of a run: the server and the bots, each in a process group of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from ziggurat_server.processes import NO_LIMITS, Limits, bound
from ziggurat_server.runner import keeper

GUARD = [sys.executable, "-I", "-S", str(Path(keeper.__file__).resolve())]
BOT_GRACE_SECONDS = 2.0
SERVER_GRACE_SECONDS = 15.0
LAST_BYTES = 64 * 1024


class Child:
    """A started process. Its exit is noticed before it is reaped, while no other can have its number."""

    def __init__(
        self, process: subprocess.Popen[bytes], output: Path, output_from: int, grace: float, keepers: Keepers
    ) -> None:
        self.output = output
        self._output_from = output_from
        self.grace = grace
        self.status: int | None = None
        self._process = process
        self._keepers = keepers
        self._kill_at: float | None = None

    @property
    def pid(self) -> int:
        """Its process id, which is also its group's."""
        return self._process.pid

    def poll(self) -> int | None:
        """Its exit status, once it has one. What it started ends with it."""
        if self._kill_at is not None and time.monotonic() > self._kill_at:
            keeper.tell(self.pid, signal.SIGKILL)
        if self.status is None and self._has_exited():
            keeper.tell(self.pid, signal.SIGKILL)
            self.status = self._process.wait()
            self._keepers.release(self)
        return self.status

    def _has_exited(self) -> bool:
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def terminate(self, grace: float | None = None) -> None:
        """Ask the whole group to end; after so many seconds `poll` makes it."""
        if self.poll() is None:
            keeper.tell(self.pid, signal.SIGTERM)
            if grace is not None:
                self._kill_at = time.monotonic() + grace

    def kill(self) -> None:
        """End the whole group."""
        if self.poll() is None:
            keeper.tell(self.pid, signal.SIGKILL)

    def said(self) -> list[str]:
        """The last lines of its output."""
        try:
            with self.output.open("rb") as file:
                file.seek(max(self._output_from, file.seek(0, os.SEEK_END) - LAST_BYTES))
                return file.read().decode(errors="replace").splitlines()[-200:]
        except OSError:
            return []

    def last_words(self) -> str:
        """The last line of its output that says something: an error if there is one."""
        said = [line.strip() for line in self.said() if line.strip()]
        errors = [line for line in said if line.lower().startswith(("error:", "cannot start "))]
        return (errors or said or [""])[-1][:300]

    def how_it_ended(self) -> str:
        """Its exit status in words, and its last words."""
        status = self.status or 0
        how = f"ended with exit code {status}" if status >= 0 else f"was ended by {_signal_name(-status)}"
        said = self.last_words()
        return f"{how}: {said}" if said else f"{how}; it wrote nothing"


class Keepers:
    """Starts children and ends them; a context that leaves none behind."""

    def __init__(self) -> None:
        self.children: list[Child] = []
        self._guard = subprocess.Popen(
            GUARD,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )

    def __enter__(self) -> Keepers:
        return self

    def __exit__(self, *_: object) -> None:
        for grace in sorted({child.grace for child in self.children}, reverse=True):
            # The server before its bots: it would take those that it can't see any more for gone.
            self.end([child for child in self.children if child.grace == grace], grace)
        if self._guard.stdin is not None:
            self._guard.stdin.close()
        self._guard.wait()

    def start(
        self,
        command: Sequence[str],
        output: Path,
        environment: Mapping[str, str],
        grace: float,
        *,
        limits: Limits = NO_LIMITS,
        directory: Path | None = None,
    ) -> Child:
        """Start a command. `grace`: seconds that it has to end by itself when it is asked to."""
        death = signal.SIGKILL if grace <= BOT_GRACE_SECONDS else signal.SIGTERM
        with output.open("ab") as file:
            before = file.tell()
            process = subprocess.Popen(
                bound(command, os.getpid(), death, limits),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                env=dict(environment),
                cwd=directory,
                start_new_session=True,
            )
        child = Child(process, output, before, grace, self)
        self.children.append(child)
        self._tell_guard(f"+{child.pid} {grace}\n")
        return child

    def poll(self) -> None:
        """Notice who has ended, and make those end whose time to do so is over."""
        for child in self.children.copy():
            child.poll()

    def release(self, child: Child) -> None:
        """Forget a child that has ended."""
        self.children.remove(child)
        self._tell_guard(f"-{child.pid}\n")

    def _tell_guard(self, line: str) -> None:
        with contextlib.suppress(OSError):
            if self._guard.stdin is not None:
                self._guard.stdin.write(line.encode())

    def end(self, children: Sequence[Child], grace: float) -> None:
        """End children: ask, wait, then make them."""
        waiting = list(children)
        for child in waiting:
            child.terminate()
        deadline = time.monotonic() + grace
        while any(child.poll() is None for child in waiting):
            if time.monotonic() > deadline:
                for child in waiting:
                    child.kill()
            time.sleep(0.01)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
