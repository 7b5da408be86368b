"""Tasks: those of one owner, those that several wait for, and how tasks are ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Generic, TypeVar

import structlog

log = structlog.get_logger()

AGAIN_SECONDS = 0.2

Found = TypeVar("Found")


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


class Tasks:
    """Tasks of one owner, which end with it."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Begin a task; if it fails, the log tells."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task failed", task=task.get_name(), exc_info=error)

    async def end(self) -> None:
        """End all of them."""
        await end(self._tasks)


class Shared(Generic[Found]):
    """Finds things by key: who asks for one that is being found waits for the same task."""

    def __init__(self, find: Callable[[str], Coroutine[Any, Any, Found]]) -> None:
        self._find = find
        self._tasks: dict[str, asyncio.Task[Found]] = {}

    async def get(self, key: str) -> Found:
        """What is found under a key; raises what `find` does."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(self._find(key))
            task.add_done_callback(lambda done: self._done(key, done))
        return await asyncio.shield(task)  # who gives up takes it from nobody else

    def renew(self, key: str) -> None:
        """Something has changed: who asks from now on does not get what is being found."""
        self._tasks.pop(key, None)

    def _done(self, key: str, task: asyncio.Task[Found]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
