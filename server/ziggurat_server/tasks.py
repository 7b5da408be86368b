"""Ending tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

AGAIN_SECONDS = 0.2


async def end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks, and wait until they have ended.

    One cancellation may not do: wait_for of Python 3.11, which the store's client sends with, swallows one that comes
    just as it is done.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=AGAIN_SECONDS)
