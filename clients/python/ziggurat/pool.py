"""Where `decide` runs: in threads of its own, or, for an `async def`, on a loop of its own."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from queue import SimpleQueue
from typing import Protocol

from ziggurat.decision import Choice, Decision, Plan
from ziggurat.session import Task
from ziggurat.view import View

Decide = Callable[[View, Decision], "Choice | Plan | Awaitable[Choice | Plan]"]
"""The bot: sync, or `async def`. It may look at `decision.deadline` and `decision.cancelled`."""

HOLD = 0.002
"""Seconds that finished answers may wait for others, so that many leave in one message."""


class Owner(Protocol):
    """Who gets the choices. All of it may be called from any thread."""

    def decided(self, task: Task, choice: object) -> None:
        """A choice was made."""

    def flush(self) -> None:
        """Send what was decided."""

    def fail(self, error: BaseException) -> None:
        """`decide` raised."""


class Pool(Protocol):
    """Runs decisions."""

    def submit(self, tasks: Sequence[Task]) -> None:
        """Decide these, in this order as far as one thread goes."""

    def close(self) -> None:
        """Take no more tasks; what runs may end by itself."""


def pool(decide: Decide, owner: Owner, threads: int) -> Pool:
    """The pool that suits a `decide`."""
    if inspect.iscoroutinefunction(decide) or inspect.iscoroutinefunction(getattr(decide, "__call__", None)):  # noqa: B004
        return LoopPool(decide, owner)
    return ThreadPool(decide, owner, threads)


class ThreadPool:
    """Threads that share one queue. They end with the process: a search can't be interrupted from outside."""

    def __init__(self, decide: Decide, owner: Owner, threads: int) -> None:
        self._decide = decide
        self._owner = owner
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._threads = threads
        for number in range(threads):
            threading.Thread(target=self._work, name=f"ziggurat-decide-{number}", daemon=True).start()

    def submit(self, tasks: Sequence[Task]) -> None:
        """Queue tasks."""
        for task in tasks:
            self._tasks.put(task)

    def close(self) -> None:
        """Let the threads end."""
        for _ in range(self._threads):
            self._tasks.put(None)

    def _work(self) -> None:
        tasks, decide, owner = self._tasks, self._decide, self._owner
        sent = 0.0
        while (task := tasks.get()) is not None:
            _, view, decision = task
            try:
                if not decision.withdrawn:
                    owner.decided(task, decide(view, decision))
            except BaseException as error:
                owner.fail(error)
                return
            now = time.monotonic()
            if tasks.empty() or now - sent > HOLD:
                sent = now
                owner.flush()


class LoopPool:
    """An event loop in a thread, on which all open decisions run at the same time."""

    def __init__(self, decide: Decide, owner: Owner) -> None:
        self._decide = decide
        self._owner = owner
        self._running: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="ziggurat-decide", daemon=True).start()

    def submit(self, tasks: Sequence[Task]) -> None:
        """Start tasks."""
        if tasks:
            self._loop.call_soon_threadsafe(self._start, tuple(tasks))

    def close(self) -> None:
        """Cancel what runs and end the loop."""
        self._loop.call_soon_threadsafe(self._end)

    def _start(self, tasks: Sequence[Task]) -> None:
        for task in tasks:
            running = self._loop.create_task(self._run(task))
            self._running.add(running)
            running.add_done_callback(self._running.discard)

    def _end(self) -> None:
        for running in self._running:
            running.cancel()
        self._loop.call_soon(self._loop.stop)

    async def _run(self, task: Task) -> None:
        _, view, decision = task
        try:
            if not decision.withdrawn:
                choice = self._decide(view, decision)
                self._owner.decided(task, await choice if inspect.isawaitable(choice) else choice)
                self._owner.flush()
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self._owner.fail(error)
