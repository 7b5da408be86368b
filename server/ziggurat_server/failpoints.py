"""Named places where a test has the server killed: ZIGGURAT_FAILPOINT=name:n kills it at the n-th passing."""

from __future__ import annotations

import os
import signal

NAMES = ("append_sent", "append_confirmed", "applied", "answered")

_name, _, _count = os.environ.get("ZIGGURAT_FAILPOINT", "").partition(":")
_left = int(_count or 0)


def passing(name: str) -> None:
    """Die here, if this is the passing that was asked for."""
    global _left  # noqa: PLW0603
    if name == _name:
        _left -= 1
        if _left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
