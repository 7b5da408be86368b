"""Two nodes on one store: the seats of a match on different nodes, and news between them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from tests.support.events import Event
from tests.support.stores import valkey
from tests.support.stream_bot import StreamBot
from tests.support.wire import Folded, Wire, token_of, wire

from ziggurat.v1 import match_pb2, play_pb2, record_pb2
from ziggurat_server.app import Application, Settings
from ziggurat_server.errors import ServiceError
from ziggurat_server.log import Cause


@pytest_asyncio.fixture
async def pair(tmp_path: Path) -> AsyncIterator[list[Application]]:
    with valkey(tmp_path / "store", appendonly="yes", appendfsync="always") as url:
        nodes = [Application(Settings(listen="127.0.0.1:0", redis=url)) for _ in range(2)]
        for node in nodes:
            await node.start()
        assert nodes[0]._node is not None
        async with asyncio.timeout(5):
            while not nodes[0]._node.store.wake_others:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        yield nodes
        for node in nodes:
            await node.stop()


@pytest_asyncio.fixture
async def both(pair: list[Application]) -> AsyncIterator[list[Wire]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(wire(f"127.0.0.1:{node.port}")) for node in pair]


async def test_seats_of_a_match_on_different_nodes(pair: list[Application]) -> None:
    event = Event("flow", 4, 8, "spread")
    addresses = [f"127.0.0.1:{node.port}" for node in pair]
    await event.create(addresses[0])
    bots = [
        StreamBot([addresses[seat % 2]], token, 20260, event.matches)
        for seat, token in enumerate(event.tokens)
    ]
    async with asyncio.timeout(60):
        await asyncio.gather(*(bot.run() for bot in bots))
    await event.check(addresses[1], bots)
    assert [bot.attached for bot in bots] == [1] * 4
    assert all(node._node is not None and node._node.memory.faults == 0 for node in pair)


async def test_a_move_is_seen_at_the_other_node_at_once(both: list[Wire]) -> None:
    here, there = both
    await here.create("m")
    view = Folded()
    stream = there.matches.Watch(match_pb2.WatchRequest(match_id="m"))
    for item in (await stream.read()).items:
        view.take(item.update)
    waits = []
    for _ in range(20):
        before = view.version
        begun = time.monotonic()
        assert await here.step("m")
        version = (await here.get("m")).view.version
        while view.version < version:
            for item in (await stream.read()).items:
                view.take(item.update)
        if version > before:
            waits.append(time.monotonic() - begun)
    stream.cancel()
    assert view.faults == [] and view.snapshots == 1
    assert sorted(waits)[len(waits) // 2] < 0.3 and max(waits) < 1.5, waits


async def test_a_match_made_at_one_node_opens_on_a_stream_at_the_other(both: list[Wire]) -> None:
    here, there = both
    stream = there.bots.Play()
    await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of("m", 1))))
    assert (await stream.read()).HasField("welcome")
    await here.create("m", ready=False)
    async with asyncio.timeout(3):
        items = (await stream.read()).items
    assert items[0].opened.match_id == "m" and items[0].opened.seat == 1
    stream.cancel()


async def test_a_seat_with_a_stream_at_another_node_is_not_gone(
    both: list[Wire], pair: list[Application]
) -> None:
    here, there = both
    await here.create("m", policy=record_pb2.Policy(gone_ms=1_000, decision_ms=600_000))
    seat, decision = await here.asked("m")
    stream = there.bots.Play()
    await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of("m", seat))))
    while not any(item.HasField("decision") for item in (await stream.read()).items):
        pass
    first, second = (node._node for node in pair)
    assert first is not None and second is not None
    session = first.memory.sessions["m"]
    async with asyncio.timeout(8):
        while not await second.store.clocks("m") or seat not in session.absences:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    absence = session.absences[seat]
    absence.used += 60
    async with asyncio.timeout(3):
        while absence.used > 60:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "gone m"))
    assert (await here.get("m", seat)).decision.id == decision.id
    stream.cancel()


async def test_what_one_node_cannot_replay_the_other_plays_on_until_it_is_made_void(
    both: list[Wire], pair: list[Application], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = both
    first, second = (node._node for node in pair)
    assert first is not None and second is not None
    await here.create("m")
    await there.get("m")
    watch = here.matches.Watch(match_pb2.WatchRequest(match_id="m"))
    await watch.read()

    def fails(*_: object) -> None:
        raise KeyError("inside of the rules")

    with monkeypatch.context() as patch:
        patch.setattr(first.memory.sessions["m"].live.projector, "advance", fails)
        assert await there.step("m")
        async with asyncio.timeout(5):
            while "m" not in first.memory.faulty:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
    with pytest.raises(ServiceError) as seen:
        await first.session("m")
    assert seen.value.reason == "ENGINE_FAULT"
    assert await there.step("m")  # one node's fault ends nothing
    assert not (await second.session("m")).live.over
    await first.void("m", Cause.ENGINE_FAULT, "two nodes disagree")
    async with asyncio.timeout(5):
        while not (await second.session("m")).live.over:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    for calls in both:
        got = await calls.get("m")
        assert (got.match.void_reason, got.match.decisions) == ("two nodes disagree", 2)
        assert await calls.record("m")
    watch.cancel()


async def test_a_match_that_no_node_can_replay_is_void_for_each_once_it_is_made_void_by_one(
    both: list[Wire], pair: list[Application]
) -> None:
    here, there = both
    first, second = (node._node for node in pair)
    assert first is not None and second is not None
    await here.create("m")
    await first.store._redis.rpush(first.store.keys.log("m"), b"\xff")
    for node in (first, second):
        node.memory.forget("m")
        with pytest.raises(ServiceError, match="could not be replayed"):
            await node.session("m")
    await first.void("m", Cause.ENGINE_FAULT, "damaged")
    assert "m" in second.memory.faulty
    assert (await there.get("m")).match.void_reason == "damaged"
