"""Tasks: what several wait for is done once, and what an owner began ends with it."""

from __future__ import annotations

import asyncio

import pytest

from ziggurat_server.tasks import Shared, Tasks


class Finder:
    """Finds what it is told to, when it is let."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.let = asyncio.Event()
        self.shared = Shared(self._find)

    async def _find(self, key: str) -> str:
        self.asked.append(key)
        number = len(self.asked)
        await self.let.wait()
        if key == "missing":
            raise KeyError(key)
        return f"{key} {number}"

    async def begun(self, *keys: str) -> list[asyncio.Task[str]]:
        """Callers that wait."""
        tasks = [asyncio.create_task(self.shared.get(key)) for key in keys]
        for _ in range(3):
            await asyncio.sleep(0)
        return tasks


async def test_who_asks_meanwhile_gets_the_same_and_who_asks_later_does_not() -> None:
    finder = Finder()
    tasks = await finder.begun("a", "a", "b")
    finder.let.set()
    assert await asyncio.gather(*tasks) == ["a 1", "a 1", "b 2"]
    assert await finder.shared.get("a") == "a 3"


async def test_who_gives_up_takes_it_from_nobody() -> None:
    finder = Finder()
    first, second = await finder.begun("a", "a")
    first.cancel()
    await asyncio.wait({first})
    finder.let.set()
    assert first.cancelled() and await second == "a 1"


async def test_all_who_wait_get_the_error_and_then_it_is_tried_again() -> None:
    finder = Finder()
    tasks = await finder.begun("missing", "missing")
    finder.let.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in found] == [KeyError, KeyError] and finder.asked == ["missing"]
    with pytest.raises(KeyError):
        await finder.shared.get("missing")
    assert finder.asked == ["missing"] * 2


async def test_what_is_being_found_is_old_once_something_has_changed() -> None:
    finder = Finder()
    (old,) = await finder.begun("a")
    finder.shared.renew("a")
    new, also = await finder.begun("a", "a")
    finder.let.set()
    assert await asyncio.gather(old, new, also) == ["a 1", "a 2", "a 2"]


async def test_tasks_end_with_their_owner_though_one_has_failed() -> None:
    tasks = Tasks()
    ended = []

    async def fails() -> None:
        raise KeyError

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    failed = tasks.spawn(fails(), "fails")
    begun = [tasks.spawn(waits(), "waits") for _ in range(2)]
    await asyncio.wait({failed})
    await tasks.end()
    assert ended == [True, True] and all(task.cancelled() for task in begun)
