"""Time and absence: late answers, clocks that are not restarted, seats that are gone or never ready, forfeits."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from tests.support.stream_bot import StreamBot
from tests.support.wire import Wire, token_of, usual, wire

from ziggurat.v1 import match_pb2, play_pb2, record_pb2
from ziggurat_server.app import Application, Settings
from ziggurat_server.log import Cause, Entry, Kind
from ziggurat_server.matches.node import Node
from ziggurat_server.records.verify import verify
from ziggurat_server.records.zgr import unpack

Status = play_pb2.VerdictStatus


async def entries(calls: Wire, match_id: str, kind: Kind) -> list[Entry]:
    """Entries of a kind in the record."""
    return [entry for entry in unpack(await calls.record(match_id))[1] if entry.kind == kind]


async def attach(calls: Wire, match_id: str, seat: int) -> Any:
    """A Play stream of a seat."""
    stream = calls.bots.Play()
    await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of(match_id, seat))))
    return stream


async def decision_on(stream: Any) -> play_pb2.Decision:
    """The next decision on a stream."""
    while True:
        for item in (await stream.read()).items:
            if item.HasField("decision"):
                return item.decision


@pytest.mark.parametrize("legal", [True, False])
async def test_an_answer_a_little_late_is_late_whatever_it_says(legal: bool, calls: Wire, node: Node) -> None:
    await calls.create("m", policy=record_pb2.Policy(decision_ms=60_000, on_timeout=1))
    seat, decision = await calls.asked("m")
    clock = node.memory.sessions["m"].clocks[seat]
    clock.used_ms += 60_020  # before the ticker looks again
    choice = usual("m", seat, decision) if legal else [9_999]
    verdict = await calls.act("m", seat, decision.id, choice)
    assert verdict.status == Status.VERDICT_STATUS_LATE
    assert (await calls.act("m", seat, decision.id, choice)).status == Status.VERDICT_STATUS_LATE
    await calls.finish("m")
    (substitute,) = await entries(calls, "m", Kind.SUBSTITUTE)
    assert (substitute.cause, substitute.choice) == (Cause.SLOW, tuple(decision.default_choice))
    assert await entries(calls, "m", Kind.STRIKE) == []


async def test_an_answer_in_time_stands_and_uses_the_bank(calls: Wire, node: Node) -> None:
    await calls.create("m", policy=record_pb2.Policy(decision_ms=10_000, bank_ms=5_000, increment_ms=7))
    seat, decision = await calls.asked("m")
    assert 14_000 < decision.left_ms <= 15_000
    node.memory.sessions["m"].clocks[seat].used_ms += 12_000
    verdict = await calls.act("m", seat, decision.id, usual("m", seat, decision))
    assert verdict.status == Status.VERDICT_STATUS_ACCEPTED
    bank = node.memory.sessions["m"].live.seats[seat].bank_ms
    assert 2_000 < bank <= 3_007


async def test_a_slow_seat_is_answered_for_each_time(calls: Wire, node: Node) -> None:
    await calls.create("m", policy=record_pb2.Policy(decision_ms=60_000, on_timeout=2))
    live = node.memory.sessions["m"].live
    for _ in range(3):
        seat, decision = await calls.asked("m")
        taken = live.rules.answers
        node.memory.sessions["m"].clocks[seat].used_ms += 61_000
        async with asyncio.timeout(5):
            while live.rules.answers == taken:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        late = await calls.act("m", seat, decision.id, usual("m", seat, decision))
        assert late.status == Status.VERDICT_STATUS_LATE
    await calls.finish("m")
    assert [entry.cause for entry in await entries(calls, "m", Kind.SUBSTITUTE)] == [Cause.SLOW] * 3
    assert verify(await calls.record("m")).standings


async def test_a_clock_is_not_restarted_by_asking_again_or_attaching_again(calls: Wire, node: Node) -> None:
    await calls.create("m", policy=record_pb2.Policy(decision_ms=60_000))
    seat, decision = await calls.asked("m")
    node.memory.sessions["m"].clocks[seat].used_ms += 20_000
    left = (await calls.get("m", seat)).decision.left_ms
    assert left <= 40_000
    for _ in range(3):
        stream = await attach(calls, "m", seat)
        again = await decision_on(stream)
        assert again.id == decision.id and 0 < again.left_ms <= left
        left = again.left_ms
        await stream.write(play_pb2.PlayRequest(resync=[1], ready=[1], heartbeat=1))
        while not (await stream.read()).heartbeat:
            pass
        assert (await calls.get("m", seat)).decision.left_ms <= left
        stream.cancel()


async def test_a_clock_outlives_its_node(tmp_path: Path) -> None:
    settings = Settings(listen="127.0.0.1:0", data_dir=tmp_path)
    first = Application(settings)
    await first.start()
    async with wire(f"127.0.0.1:{first.port}") as calls:
        await calls.create("m", policy=record_pb2.Policy(decision_ms=60_000))
        seat, _ = await calls.asked("m")
        assert first._node is not None
        first._node.memory.sessions["m"].clocks[seat].used_ms += 30_000
        async with asyncio.timeout(5):
            while not await first._node.store.clocks("m"):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    await first.stop()
    second = Application(settings)
    await second.start()
    async with wire(f"127.0.0.1:{second.port}") as calls:
        assert (await calls.get("m", seat)).decision.left_ms <= 30_000
    await second.stop()


async def test_a_match_that_is_not_ready_in_time_is_void(calls: Wire) -> None:
    await calls.create("m", policy=record_pb2.Policy(ready_ms=100), ready=False)
    watch = calls.matches.Watch(match_pb2.WatchRequest(match_id="m"))
    closed = [item.closed async for response in watch for item in response.items if item.HasField("closed")]
    assert closed[0].void_reason == "seats not ready in time: 0, 1"
    (void,) = await entries(calls, "m", Kind.VOID)
    assert void.cause == Cause.NOT_READY


async def test_the_time_without_a_server_is_not_waited_for_seats(tmp_path: Path) -> None:
    settings = Settings(listen="127.0.0.1:0", data_dir=tmp_path)
    first = Application(settings)
    await first.start()
    async with wire(f"127.0.0.1:{first.port}") as calls:
        await calls.create("m", policy=record_pb2.Policy(ready_ms=900), ready=False)
        created = time.monotonic()
        await first.stop()
    await asyncio.sleep(max(0.0, created + 0.95 - time.monotonic()))
    second = Application(settings)
    await second.start()
    async with wire(f"127.0.0.1:{second.port}") as calls:
        assert (await calls.get("m")).match.state == match_pb2.MATCH_STATE_WAITING
        assert second._node is not None
        session = second._node.memory.sessions["m"]
        ticked = session.ticked
        while session.ticked == ticked:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        assert (await calls.get("m")).match.state == match_pb2.MATCH_STATE_WAITING
        watch = calls.matches.Watch(match_pb2.WatchRequest(match_id="m"))
        closed = [item.closed async for said in watch for item in said.items if item.HasField("closed")]
        assert closed[0].void_reason == "seats not ready in time: 0, 1"
    await second.stop()


async def test_a_seat_that_is_gone_forfeits_and_the_other_ends_the_game(
    calls: Wire, server: Application
) -> None:
    await calls.create("m", 2, policy=record_pb2.Policy(gone_ms=300, on_gone=3, on_timeout=1))
    bot = StreamBot([f"127.0.0.1:{server.port}"], token_of("m", 1), 5, 1)
    await asyncio.wait_for(bot.run(), 30)
    assert bot.faults == []
    (game,) = bot.games.values()
    assert game.closed is not None
    places = {standing.seat: (standing.place, standing.forfeited) for standing in game.closed.standings}
    assert places == {0: (2, True), 1: (1, False)}
    (forfeit,) = await entries(calls, "m", Kind.FORFEIT)
    assert (forfeit.seat, forfeit.cause) == (0, Cause.GONE)
    substitutes = await entries(calls, "m", Kind.SUBSTITUTE)
    assert {entry.seat for entry in substitutes} == {0}
    assert {entry.cause for entry in substitutes} == {Cause.GONE, Cause.FORFEITED}


async def test_a_seat_that_plays_by_calls_is_not_gone(calls: Wire, node: Node) -> None:
    await calls.create("m", policy=record_pb2.Policy(gone_ms=5_000))
    session = node.memory.sessions["m"]
    seat, _ = await calls.asked("m")
    async with asyncio.timeout(5):
        while seat not in session.absences:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    session.absences[seat].used += 4.9
    await calls.finish("m")
    assert await entries(calls, "m", Kind.SUBSTITUTE) == []
