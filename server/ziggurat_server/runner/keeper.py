"""A small program that keeps a run from leaving processes behind, whatever ends it. Standard library only.

It reads lines `+GROUP SECONDS` and `-GROUP`. When its input ends, its parent is gone, perhaps by SIGKILL: it ends the
groups it still holds, each of which has its seconds to end in order.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time


def guard() -> int:
    """Hold groups until the input ends, then end those that are left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: dict[int, float] = {}
    for line in sys.stdin:
        group, *grace = line[1:].split()
        groups.pop(int(group), None)
        if grace:
            groups[int(group)] = float(grace[0])
    end_groups(groups)
    return 0


def end_groups(groups: dict[int, float]) -> None:
    """SIGTERM to each group, and SIGKILL to those that are still there after their seconds."""
    began = time.monotonic()
    left = {group for group in groups if tell(group, signal.SIGTERM)}
    while left:
        time.sleep(0.02)
        for group in list(left):
            late = time.monotonic() - began > groups[group]
            if not tell(group, signal.SIGKILL if late else 0) or late:
                left.discard(group)


def tell(group: int, number: int) -> bool:
    """Signal a process group; False if nobody is in it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
        return True
    return False


if __name__ == "__main__":
    sys.exit(guard())
