"""Ratings across events: an event counts once, whoever dies and whoever else counts one meanwhile."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.rate_events import count, one_more

from ziggurat_server.bots.ratings import Ratings, log_id
from ziggurat_server.bots.values import RatedEvent, Rating, RatingMap
from ziggurat_server.convert import bots as convert_bots
from ziggurat_server.errors import StoreUnavailable
from ziggurat_server.services.games import is_match_id
from ziggurat_server.sessions.embedded import EmbeddedStore
from ziggurat_server.sessions.store import Store

ROOT = Path(__file__).parents[3]
A, B = ("a", "1"), ("b", "1")


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[EmbeddedStore]:
    made = EmbeddedStore(tmp_path / "store")
    yield made
    made.stop()


@pytest_asyncio.fixture
async def store(embedded: EmbeddedStore) -> AsyncIterator[Store]:
    made = Store(embedded.url, revive=embedded.revive)
    yield made
    await made.close()


async def entries(store: Store) -> list[RatedEvent]:
    """The events in the log of flow, as they are kept."""
    tail = await store.read(log_id("flow"))
    return [] if tail is None else [convert_bots.decode_rated_event(raw) for raw in tail.entries[1:]]


async def test_an_event_counts_once(store: Store) -> None:
    ratings = Ratings(store)
    assert await ratings.read("flow") == {}
    assert await store.read(log_id("flow")) is None, "looking makes no log"
    first = {A: Rating(26.0, 8.0, 4, 1), B: Rating(24.0, 8.0, 4, 1)}
    await ratings.update("flow", "e1", lambda _: first)
    await ratings.update("flow", "e1", lambda _: {A: Rating(99.0, 1.0, 8, 2)})
    await Ratings(store).update("flow", "e1", lambda _: {A: Rating(99.0, 1.0, 8, 2)})
    assert await ratings.read("flow") == await Ratings(store).read("flow") == first
    assert len(await entries(store)) == 1
    await ratings.update("flow", "e2", lambda _: {A: Rating(27.5, 7.0, 9, 2)})
    assert await ratings.read("flow") == {A: Rating(27.5, 7.0, 9, 2), B: first[B]}
    assert await ratings.read("tta") == {}


async def test_a_new_version_begins_without_a_rating(store: Store) -> None:
    ratings = Ratings(store)
    await ratings.update("flow", "e1", lambda _: {A: Rating(26.0, 8.0, 4, 1)})
    assert ("a", "2") not in await ratings.read("flow")
    await ratings.update("flow", "e2", lambda _: {("a", "2"): Rating(20.0, 8.0, 4, 1)})
    assert (await ratings.read("flow"))[A] == Rating(26.0, 8.0, 4, 1)


async def test_what_is_read_is_the_readers_own(store: Store) -> None:
    ratings = Ratings(store)
    await ratings.update("flow", "e1", lambda _: {A: Rating(26.0, 8.0, 4, 1)})
    (await ratings.read("flow")).clear()  # type: ignore[attr-defined]
    assert A in await ratings.read("flow")


@pytest.mark.parametrize(
    "numbers",
    [(float("nan"), 1.0), (float("inf"), 1.0), (1.0, 0.0), (1.0, -1.0), (1.0, 1.0, -1), (1.0, 1.0, 1, -1)],
)
def test_every_rating_is_finite(numbers: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"no rating|below 0"):
        Rating(*numbers)  # type: ignore[arg-type]


def test_no_match_can_have_the_log_of_ratings() -> None:
    assert not is_match_id(log_id("flow"))


async def test_events_that_end_side_by_side_all_count(embedded: EmbeddedStore) -> None:
    await asyncio.gather(*(count(embedded.url, first, 12) for first in (0, 6, 12, 0)))
    async with AsyncExitStack() as stack:
        store = Store(embedded.url)
        stack.push_async_callback(store.close)
        assert await Ratings(store).read("flow") == {A: Rating(24.0, 5.0, 24, 24)}
        assert sorted(event.event_id for event in await entries(store)) == sorted(
            f"event-{n}" for n in range(24)
        )


async def test_a_large_event_stalls_nobody_and_loses_nobody(store: Store) -> None:
    ratings, go_on = Ratings(store), threading.Event()

    def slow(known: RatingMap) -> RatingMap:
        assert go_on.wait(10), "the event loop stands still"
        return one_more(known)

    large = asyncio.create_task(ratings.update("flow", "large", slow))
    await asyncio.sleep(0.2)
    await ratings.update("flow", "small", one_more)
    go_on.set()
    await large
    assert (await ratings.read("flow"))[A].events == 2


async def test_a_log_that_went_back_is_read_again(store: Store) -> None:
    ratings = Ratings(store)
    for event in ("e1", "e2"):
        await ratings.update("flow", event, one_more)
    lost = store.keys
    await store._redis.delete(lost.tip(log_id("flow")), lost.log(log_id("flow")))
    assert await ratings.read("flow") == {}
    await ratings.update("flow", "e2", one_more)
    assert (await ratings.read("flow"))[A].events == 1


@pytest.mark.chaos
async def test_the_store_is_killed_meanwhile(embedded: EmbeddedStore, store: Store) -> None:
    ratings, done = Ratings(store), []

    async def all_of_them() -> None:
        while len(done) < 200:
            try:
                await ratings.update("flow", f"event-{len(done)}", one_more)
                done.append(True)
            except StoreUnavailable:
                await asyncio.sleep(0.02)

    counting = asyncio.create_task(all_of_them())
    for number in range(3):
        async with asyncio.timeout(20):
            while len(done) < 50 * number + 5:  # noqa: ASYNC110
                await asyncio.sleep(0)
        os.kill(embedded.pid, signal.SIGKILL)
    await asyncio.wait_for(counting, 60)
    assert (await ratings.read("flow"))[A] == Rating(200.0, 5.0, 200, 200)
    assert [event.event_id for event in await entries(store)] == [f"event-{n}" for n in range(200)]


@pytest.mark.chaos
@pytest.mark.parametrize("place", ["append_sent", "append_confirmed"])
async def test_a_node_is_killed_while_it_counts(place: str, embedded: EmbeddedStore, store: Store) -> None:
    events, deaths = 12, 0
    command = [sys.executable, "-m", "tests.support.rate_events", embedded.url, "0", str(events)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    while True:
        failing = environment | {"ZIGGURAT_FAILPOINT": f"{place}:4"}
        ended = await asyncio.to_thread(
            subprocess.run, command, env=failing, capture_output=True, check=False
        )
        if ended.returncode == 0:
            break
        assert ended.returncode == -signal.SIGKILL, ended.stderr
        deaths += 1
        assert deaths < 10
    assert deaths >= 2
    assert (await Ratings(store).read("flow")) == {A: Rating(float(events), 5.0, events, events)}
    assert [event.event_id for event in await entries(store)] == [f"event-{n}" for n in range(events)]
