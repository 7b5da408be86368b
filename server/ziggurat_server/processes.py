"""Child processes that do not outlive their parent."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_BIND = (
    "import ctypes,os,signal,sys;"
    "ctypes.CDLL(None).prctl(1,signal.SIGTERM);"  # PR_SET_PDEATHSIG: kept across exec
    "os.getppid()!=int(sys.argv[1]) and sys.exit(1);"
    "os.execvp(sys.argv[2],sys.argv[2:])"
)


def bound(command: Sequence[str], parent: int) -> list[str]:
    """The command, ended by SIGTERM when the thread that starts it ends, however that ends (Linux; elsewhere as is).

    A program of its own does it, since Python code between fork and exec can deadlock in a process with threads.
    """
    if sys.platform != "linux":
        return list(command)
    return [sys.executable, "-I", "-S", "-c", _BIND, str(parent), *command]
