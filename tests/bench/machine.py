"""Processes of the benchmark, and what the system says of their cost."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ziggurat_server.processes import bound

GRACE_SECONDS = 10.0
TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class BenchError(Exception):
    """What was to be measured did not run."""


class Children:
    """Starts processes and ends each of them, by its id, at the end of the context."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._running: list[tuple[str, subprocess.Popen[bytes]]] = []

    def __enter__(self) -> Children:
        return self

    def __exit__(self, *_: object) -> None:
        for _name, process in reversed(self._running):  # bots before their server
            end(process)

    def start(
        self, name: str, arguments: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start `python ARGUMENTS`; its output goes to a file."""
        with (self._logs / f"{name}.log").open("ab") as output:
            process = subprocess.Popen(
                bound([sys.executable, *arguments], os.getpid()),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**os.environ, **(environment or {})},
            )
        self._running.append((name, process))
        return process

    def check(self) -> None:
        """Raise BenchError if a process has ended by itself."""
        for name, process in self._running:
            if process.poll() is not None:
                words = (self._logs / f"{name}.log").read_text(errors="replace").strip()[-2000:]
                raise BenchError(f"{name} ended with status {process.returncode}: {words}")

    async def port(self, file: Path, seconds: float = 30.0) -> int:
        """The port that a process writes when it serves."""
        deadline = time.monotonic() + seconds
        while (port := _number_in(file)) is None:
            self.check()
            if time.monotonic() > deadline:
                raise BenchError(f"nothing serves after {seconds:.0f} s")
            await asyncio.sleep(0.02)
        return port


def _number_in(file: Path) -> int | None:
    return int(file.read_text()) if file.exists() else None


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to end, wait, then make it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def cpu_seconds(pid: int) -> float:
    """Processor time of a process so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICK


def alone_estimate(done: int, server_cpu: float, all_cpu: float) -> float:
    """So many a second with all cores to themselves, judged by processor time: one core serves, all share the rest."""
    cores = os.cpu_count() or 1
    limit = max(server_cpu, all_cpu / cores)
    return done / limit if limit else 0.0


def busy_seconds() -> float:
    """Processor time of the whole machine so far, idling left out; 0 where the system does not tell."""
    try:
        times = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    except OSError:
        return 0.0
    return (sum(times) - times[3] - times[4]) / TICK


def resident_mib(pid: int) -> float:
    """Memory of a process; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def fsync_us(directory: Path, times: int = 100) -> float:
    """Median microseconds of a small append and fsync there."""
    taken = []
    path = directory / "fsync"
    with path.open("ab", buffering=0) as file:
        for _ in range(times):
            began = time.perf_counter()
            file.write(b"x" * 100)
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - began)
    path.unlink()
    return percentile(taken, 50) * 1e6


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that so many percent do not exceed; 0 of none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """uvloop if it is there, as in the server."""
    try:
        import uvloop  # noqa: PLC0415  (optional)
    except ImportError:
        return asyncio.new_event_loop
    made: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return made
