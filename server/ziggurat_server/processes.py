"""Child processes that do not outlive their parent."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROGRAM = str(Path(__file__).with_name("launch.py"))


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may use; 0 for no limit. See launch.py."""

    memory_mb: int = 0
    cpu_seconds: int = 0


NO_LIMITS = Limits()


def bound(
    command: Sequence[str],
    parent: int,
    number: signal.Signals = signal.SIGTERM,
    limits: Limits = NO_LIMITS,
) -> list[str]:
    """The command, ended by a signal when the thread that starts it ends, however that ends (on Linux alone)."""
    numbers = (parent, int(number), limits.memory_mb, limits.cpu_seconds)
    return [sys.executable, "-I", "-S", PROGRAM, *map(str, numbers), *command]
