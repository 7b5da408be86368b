"""Becomes a command: `launch.py PARENT SIGNAL MEMORY_MB CPU_SECONDS COMMAND...`. Standard library only.

On Linux the system sends the command SIGNAL when PARENT ends. A limit of 0 is none. Limits hold for each process
that the command starts, too. Memory is the data segment (RLIMIT_DATA: heap and private writable mappings): a limit
of the address space (RLIMIT_AS) would stop runtimes that reserve far more than they use, such as those of
JavaScript, Java and Go. Who goes over it gets no more memory; who goes over its seconds of processor time is ended.

A program of its own does it, since Python code between fork and exec can deadlock in a process with threads.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys

PR_SET_PDEATHSIG = 1


def limit(kind: int, value: int, grace: int = 0) -> None:
    """Lower a limit; 0 leaves it, and so does one that is lower already. At value + grace there is no more warning."""
    _, hard = resource.getrlimit(kind)
    if value and (hard == resource.RLIM_INFINITY or value + grace < hard):
        resource.setrlimit(kind, (value, value + grace))


def launch(parent: int, number: int, memory_mb: int, cpu_seconds: int, command: list[str]) -> int:
    """Become the command."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)  # kept across exec
        if os.getppid() != parent:  # it ended before the system was told
            return 1
    limit(resource.RLIMIT_DATA, memory_mb << 20)
    limit(resource.RLIMIT_CPU, cpu_seconds, 1)  # SIGXCPU, which names the cause, then SIGKILL
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"cannot start {command[0]!r}: {error.strerror}", file=sys.stderr)
    return 127


if __name__ == "__main__":
    PARENT, NUMBER, MEMORY, SECONDS = map(int, sys.argv[1:5])
    sys.exit(launch(PARENT, NUMBER, MEMORY, SECONDS, sys.argv[5:]))
