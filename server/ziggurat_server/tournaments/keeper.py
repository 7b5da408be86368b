"""Two small programs that keep a run from leaving processes behind, whatever ends it. Standard library only.

`keeper.py launch PARENT SIGNAL COMMAND...` becomes the command; on Linux the system sends it SIGNAL when
PARENT ends. `keeper.py guard` reads `+GROUP` and `-GROUP` lines. When its input ends, its parent is gone,
perhaps by SIGKILL: it ends the process groups it still holds, with all that their leaders have started.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time

GRACE_SECONDS = 5.0
PR_SET_PDEATHSIG = 1


def launch(parent: int, number: int, command: list[str]) -> int:
    """Become the command."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)
        if os.getppid() != parent:  # it ended before the system was told
            return 1
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"cannot start {command[0]!r}: {error.strerror}", file=sys.stderr)
    return 127


def guard() -> int:
    """Hold groups until the input ends, then end those that are left."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        (groups.add if line[0] == "+" else groups.discard)(group)
    end_groups(groups, GRACE_SECONDS)
    return 0


def end_groups(groups: set[int], grace: float) -> None:
    """SIGTERM to each group, and SIGKILL to those that are still there after so many seconds."""
    left = {group for group in groups if tell(group, signal.SIGTERM)}
    deadline = time.monotonic() + grace
    while left and time.monotonic() < deadline:
        time.sleep(0.02)
        left = {group for group in left if tell(group, 0)}
    for group in left:
        tell(group, signal.SIGKILL)


def tell(group: int, number: int) -> bool:
    """Signal a process group; False if nobody is in it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
        return True
    return False


if __name__ == "__main__":
    if sys.argv[1] == "guard":
        sys.exit(guard())
    sys.exit(launch(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]))
