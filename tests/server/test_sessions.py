"""Sessions as clients see them: no gap, no overlap, nothing twice, nothing told too early."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import random
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from tests.support.events import Event
from tests.support.servers import ServerProcess
from tests.support.stream_bot import StreamBot
from tests.support.wire import Folded, Wire, refused, sha, token_of, usual, wire

from ziggurat.v1 import match_pb2, play_pb2, record_pb2
from ziggurat_rules.projection import PUBLIC
from ziggurat_server import convert
from ziggurat_server.app import Application
from ziggurat_server.bots.ratings import Ratings
from ziggurat_server.bots.registry import Registry
from ziggurat_server.bots.seating import Seating
from ziggurat_server.log import Kind
from ziggurat_server.matches.live import HISTORY, deal_of
from ziggurat_server.matches.node import Node
from ziggurat_server.records.verify import verify
from ziggurat_server.records.zgr import unpack
from ziggurat_server.services.games import GameInfos
from ziggurat_server.services.matches import Matches
from ziggurat_server.tournaments.events import Events

Status = play_pb2.VerdictStatus


async def until(condition: Any, seconds: float = 10.0) -> None:
    """Wait for something to become true."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def ours() -> list[str]:
    """Tasks of the server's own code."""
    coroutines = [task.get_coro() for task in asyncio.all_tasks()]
    code = [getattr(coroutine, "cr_code", None) for coroutine in coroutines]
    return sorted(one.co_qualname for one in code if one and "ziggurat_server" in one.co_filename)


def watch(calls: Wire, match_id: str, seat: int = PUBLIC, held: Folded | None = None) -> Any:
    """A Watch stream, from a held view on if there is one."""
    request = match_pb2.WatchRequest(match_id=match_id, token=b"" if seat < 0 else token_of(match_id, seat))
    if held is not None:
        request.version, request.hash = held.version, held.hash
    return calls.matches.Watch(request)


async def first_batch(stream: Any) -> list[play_pb2.Update]:
    """The updates of the first message; the stream is cancelled."""
    items = (await stream.read()).items
    stream.cancel()
    return [item.update for item in items if item.HasField("update")]


async def read_to(stream: Any, view: Folded, version: int) -> None:
    """Fold until a version is reached."""
    while view.version < version:
        response = await stream.read()
        assert response is not grpc.aio.EOF
        for item in response.items:
            if item.HasField("update") and view.version < version:
                view.take(item.update)


# OPS-12: snapshot plus diffs


async def test_watchers_who_come_at_any_moment_miss_nothing(server: Application, calls: Wire) -> None:
    event = Event("flow", 3, 6, "fast")
    address = f"127.0.0.1:{server.port}"
    await event.create(address)
    checked = 0
    dice = random.Random(5)

    async def subscribe() -> None:
        nonlocal checked
        while True:
            match_id, seat = dice.choice(event.ids), dice.choice([PUBLIC, 0, 1, 2])
            token = event.tokens[seat] if seat >= 0 else b""
            view = Folded()
            stream = calls.matches.Watch(match_pb2.WatchRequest(match_id=match_id, token=token))
            (snapshot,) = [i.update for i in (await stream.read()).items if i.HasField("update")][:1]
            assert snapshot.snapshot
            view.take(snapshot)
            await asyncio.sleep(dice.random() / 20)
            fresh = await calls.matches.GetMatch(match_pb2.GetMatchRequest(match_id=match_id, token=token))
            full = Folded()
            full.take(fresh.view)
            if fresh.view.version > view.version:
                stream.cancel()
                stream = calls.matches.Watch(
                    match_pb2.WatchRequest(
                        match_id=match_id, token=token, version=snapshot.version, hash=snapshot.hash
                    )
                )
                view.snapshots = 0
                await read_to(stream, view, fresh.view.version)
            stream.cancel()
            assert view.faults == [] and full.faults == []
            assert (view.version, view.hash, view.cells) == (full.version, full.hash, full.cells)
            checked += 1

    watchers = [asyncio.create_task(subscribe()) for _ in range(4)]
    bots = await event.play([address])
    for watcher in watchers:
        watcher.cancel()
    for ended in await asyncio.gather(*watchers, return_exceptions=True):
        assert isinstance(ended, asyncio.CancelledError), ended
    assert checked > 20
    await event.check(address, bots)
    for bot in bots:
        for (match_id, seat), game in bot.games.items():
            token = event.tokens[seat]
            fresh = await calls.matches.GetMatch(match_pb2.GetMatchRequest(match_id=match_id, token=token))
            assert (game.version, game.hash) == (fresh.view.version, fresh.view.hash)


class FlakyBot(StreamBot):
    """Loses its connection again and again."""

    async def _attach(self, channel: grpc.aio.Channel) -> None:
        try:
            async with asyncio.timeout(0.05 + random.random() / 4):
                await super()._attach(channel)
        except TimeoutError:
            pass


async def test_bots_that_lose_their_stream_go_on_without_gap_or_overlap(server: Application) -> None:
    event = Event("flow", 2, 8, "flaky")
    address = f"127.0.0.1:{server.port}"
    await event.create(address)
    bots = [FlakyBot([address], token, 20260, event.matches) for token in event.tokens]
    async with asyncio.timeout(40):
        await asyncio.gather(*(bot.run() for bot in bots))
    await event.check(address, bots)
    assert sum(bot.attached for bot in bots) > 4
    assert all(game.rollbacks == 0 for bot in bots for game in bot.games.values())


async def test_who_comes_late_gets_all_in_the_first_message(calls: Wire) -> None:
    await calls.create("m", 2)
    for _ in range(50):
        assert await calls.step("m")
    for seat in (PUBLIC, 0, 1):
        (snapshot,) = await first_batch(watch(calls, "m", seat))
        full = (await calls.get("m", None if seat < 0 else seat)).view
        assert snapshot.snapshot and not snapshot.rolled_back
        assert (snapshot.version, snapshot.hash) == (full.version, full.hash)
        assert list(snapshot.keys) == list(full.keys) and list(snapshot.values) == list(full.values)


async def test_resuming_from_versions_that_are_kept_and_that_are_not(calls: Wire) -> None:
    await calls.create("m", 4)  # longer than any two players may take
    start = Folded()
    (snapshot,) = await first_batch(watch(calls, "m", 0))
    start.take(snapshot)
    for _ in range(30):
        assert await calls.step("m", 4)
    now = (await calls.get("m", 0)).view
    missing = await first_batch(watch(calls, "m", 0, start))
    assert [update.version for update in missing] == list(range(start.version + 1, now.version + 1))
    assert not any(update.snapshot for update in missing)
    for update in missing:
        start.take(update)
    assert start.faults == [] and start.hash == now.hash
    middle = Folded(dict(start.cells), start.version, start.hash)
    for _ in range(HISTORY + 5):
        assert await calls.step("m", 4)
    now = (await calls.get("m", 0)).view
    (resync,) = await first_batch(watch(calls, "m", 0, middle))
    assert resync.snapshot and not resync.rolled_back and resync.version == now.version
    stranger = Folded(version=now.version, hash=now.hash ^ 1)
    (resync,) = await first_batch(watch(calls, "m", 0, stranger))
    assert resync.snapshot and resync.rolled_back and resync.hash == now.hash
    ahead = Folded(version=now.version + 9, hash=1)
    (resync,) = await first_batch(watch(calls, "m", 0, ahead))
    assert resync.snapshot and resync.rolled_back


async def test_a_watcher_too_slow_for_its_queue_gets_a_snapshot_and_the_end(
    calls: Wire, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ziggurat_server.services.matches.MAX_WATCH_QUEUE", 8)
    await calls.create("m")
    seating = Seating(Registry(node.store), Ratings(node.store), node.announce)
    matches = Matches(node, GameInfos(), seating, Events(node.store))
    stream = matches.Watch(match_pb2.WatchRequest(match_id="m"), None)
    parts = [await anext(stream)]
    await calls.finish("m")
    parts += [part async for part in stream]
    items = [item for part in parts for item in match_pb2.WatchResponse.FromString(part).items]
    view = Folded()
    for item in items:
        if item.HasField("update"):
            view.take(item.update)
    now = (await calls.get("m")).view
    assert view.faults == [] and view.snapshots == 2
    assert (view.version, view.hash) == (now.version, now.hash)
    assert items[-1].HasField("closed") and items[-1].closed.standings


# Once and only once


async def test_repeated_calls_change_nothing(calls: Wire, node: Node) -> None:
    created = await calls.create("m", ready=False)
    keys = sorted(await node.store._redis.keys())
    assert await calls.create("m", ready=False) == created
    assert sorted(await node.store._redis.keys()) == keys
    request = match_pb2.JoinMatchRequest(match_id="m", name="me", token_sha256=sha(token_of("m", 0)))
    length = node.memory.sessions["m"].live.length
    first = await calls.matches.JoinMatch(request)
    assert await calls.matches.JoinMatch(request) == first
    assert node.memory.sessions["m"].live.length == length
    request.ready = True
    for _ in range(3):
        await calls.matches.JoinMatch(request)
    assert node.memory.sessions["m"].live.length == length + 1


async def test_the_same_answer_many_times_at_once(calls: Wire, node: Node) -> None:
    await calls.create("m")
    seat, decision = await calls.asked("m")
    choice = usual("m", seat, decision)
    verdicts = await asyncio.gather(*(calls.act("m", seat, decision.id, choice) for _ in range(20)))
    assert {verdict.status for verdict in verdicts} == {Status.VERDICT_STATUS_ACCEPTED}
    others = await asyncio.gather(*(calls.act("m", seat, decision.id, choice, bytes([n])) for n in range(5)))
    assert {verdict.status for verdict in others} == {Status.VERDICT_STATUS_ANSWERED}
    assert {verdict.move_id for verdict in others} == {b"m"}
    assert node.memory.sessions["m"].live.rules.answers == 1


async def test_plans(calls: Wire, node: Node) -> None:
    await calls.create("m", 2)
    seat, decision = await calls.asked("m")
    stream = calls.bots.Play()
    await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of("m", seat))))
    while not any(item.HasField("decision") for item in (await stream.read()).items):
        pass
    plan = [play_pb2.Choice(values=[0])] * 3 + [play_pb2.Choice(values=[9_999])]
    answer = play_pb2.Answer(channel=1, decision_id=decision.id, choice=[0], move_id=b"p", plan=plan)
    await stream.write(play_pb2.PlayRequest(answers=[answer]))
    session = node.memory.sessions["m"]
    await until(lambda: session.live.rules.answers and not session.queue and session.in_flight is None)
    await stream.write(play_pb2.PlayRequest(heartbeat=3))
    verdicts: list[play_pb2.Verdict] = []
    heartbeat = 0
    while not heartbeat:
        response = await stream.read()
        heartbeat = response.heartbeat
        verdicts += [item.verdict for item in response.items if item.HasField("verdict")]
    stream.cancel()
    assert {verdict.status for verdict in verdicts} == {Status.VERDICT_STATUS_ACCEPTED}
    assert [verdict.plan_taken for verdict in verdicts] == list(range(len(verdicts)))
    assert [verdict.decision_id for verdict in verdicts] == list(range(1, len(verdicts) + 1))
    assert session.live.rules.answers == len(verdicts) <= 4
    await calls.finish("m")
    _, log = unpack(await calls.record("m"))
    answers = [entry for entry in log if entry.kind == Kind.ANSWER]
    assert all(entry.choice == (0,) for entry in answers[: len(verdicts)])
    assert not [entry for entry in log if entry.kind == Kind.STRIKE]


# What nobody may know


async def test_seeds_salts_and_tokens_stay_inside(tmp_path: Path) -> None:
    process = ServerProcess(tmp_path / "server", "", "", "--log-level", "debug")
    seed = int.from_bytes(hashlib.sha256(b"seed").digest()[:8], "little")
    raw: list[bytes] = []
    try:
        async with wire(process.address) as calls:
            raw.append((await calls.create("m", 2, seed=seed)).SerializeToString())
            public = calls.channel.unary_stream("/ziggurat.v1.MatchService/Watch")(
                match_pb2.WatchRequest(match_id="m").SerializeToString()
            )
            bots = [calls.channel.stream_stream("/ziggurat.v1.BotService/Play")() for _ in range(2)]
            for seat, bot in enumerate(bots):
                hello = play_pb2.Hello(name="x", token=token_of("m", seat))
                await bot.write(play_pb2.PlayRequest(hello=hello).SerializeToString())

            async def collect(stream: Any) -> None:
                while (message := await stream.read()) is not grpc.aio.EOF:
                    raw.append(message)

            readers = [asyncio.create_task(collect(stream)) for stream in (public, *bots)]
            said = [await refused(calls.matches.GetRecord(match_pb2.GetRecordRequest(match_id="m")))]
            assert said[0][:3] == ("FAILED_PRECONDITION", "SEALED", "match_id")
            got = [await calls.get("m", seat) for seat in (None, 0, 1)]
            got.append(await calls.matches.ListMatches(match_pb2.ListMatchesRequest()))  # type: ignore[arg-type]
            raw += [message.SerializeToString() for message in got]
            logged_before = process.log.read_bytes()
            await calls.finish("m")
            header, _ = unpack(await calls.record("m"))
            await asyncio.wait_for(readers[0], 10)
            for bot in bots:
                bot.cancel()
            await asyncio.gather(*readers, return_exceptions=True)
    finally:
        process.stop()
    assert header.seed == seed and len(header.salt) == 16 and len(raw) > 100
    secrets = [header.salt, seed.to_bytes(8, "little"), seed.to_bytes(8, "big")]
    secrets += [b"%d" % seed, b"%x" % seed, header.salt.hex().encode()]
    log = process.log.read_bytes()
    assert log.startswith(logged_before)
    for secret in secrets:
        assert not any(secret in message for message in raw)
        assert secret not in log
    kept = b"".join(path.read_bytes() for path in (tmp_path / "server" / "data").rglob("*") if path.is_file())
    assert header.salt in kept  # the scan sees what is there
    for seat in range(2):
        token = token_of("m", seat)
        assert sha(token) in kept
        for form in (token, token.hex().encode()):
            assert form not in kept and form not in log


async def test_an_owner_who_plays_sees_what_the_seat_does(calls: Wire) -> None:
    await calls.create("own", owner_token_sha256=sha(token_of("own", 1)))
    assert (await calls.get("own", 1)).seat == 1
    await calls.create("other", owner_token_sha256=sha(b"the owner"))
    request = match_pb2.GetMatchRequest(match_id="other", token=b"the owner")
    assert (await calls.matches.GetMatch(request)).seat == (await calls.get("other")).seat


async def test_a_record_is_sealed_while_its_deal_is_played_elsewhere(calls: Wire) -> None:
    await calls.create("one", seed=9)
    await calls.create("two", seed=9)
    await calls.create("else", seed=10)
    await calls.finish("one")
    for match_id in ("one", "two"):
        said = await refused(calls.record(match_id))
        assert said[:3] == ("FAILED_PRECONDITION", "SEALED", "match_id")
    await calls.create("one", seed=9, ready=False)  # found again: it is over and opens nothing
    await calls.abort("two")
    assert verify(await calls.record("one")).standings
    assert verify(await calls.record("two")).void_reason == "enough"


async def test_a_creation_that_is_repeated_after_the_end_leaves_nothing(calls: Wire, node: Node) -> None:
    await calls.create("m", seed=9)
    await calls.finish("m")
    store = node.store
    hints = [store.keys.due, store.keys.deal(deal_of("flow", 9))]
    hints += [store.keys.seats(sha(token_of("m", seat))) for seat in (0, 1)]
    live = (await node.session("m")).live
    await node.settled(live)
    assert await store._redis.exists(*hints) == 0
    await calls.create("m", seed=9)  # all is noted before it is known that it is over
    await node.settled(live)  # the sweeper would come in some seconds
    assert await store._redis.exists(*hints) == 0


async def test_a_creation_that_is_broken_off_after_the_end_seals_nothing(calls: Wire, node: Node) -> None:
    await calls.create("m", seed=9)
    await calls.finish("m")
    await node.settled((await node.session("m")).live)
    await node.announce("m")
    await node.store.deal_opened(deal_of("flow", 9), "m")
    assert verify(await calls.record("m")).standings
    await calls.create("n", seed=9)
    assert (await refused(calls.record("m"))).reason == "SEALED"


# Streams that end


async def test_streams_that_were_cancelled_leave_nothing(
    calls: Wire, node: Node, server: Application
) -> None:
    await calls.create("m")
    live = node.memory.sessions["m"].live
    before = ours()
    for _ in range(3):
        streams = [watch(calls, "m", seat) for seat in (PUBLIC, 0, 1) for _ in range(10)]
        for stream in streams:
            await stream.read()
        assert len(live.listeners) == 30
        for stream in streams:
            stream.cancel()
        await until(lambda: not live.listeners)
    expiring = calls.matches.Watch(match_pb2.WatchRequest(match_id="m"), timeout=0.2)
    with pytest.raises(grpc.aio.AioRpcError):
        while await expiring.read() is not grpc.aio.EOF:
            pass
    for _ in range(5):
        bots = []
        for seat in (0, 1):
            bot = calls.bots.Play()
            await bot.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of("m", seat))))
            await bot.read()
            bots.append(bot)
        bots[0].cancel()
        await bots[1].done_writing()
        await until(lambda: not live.listeners and not node.connections.here)
    assert server._services is not None
    await until(lambda: not server._services.play._streams)
    assert not any(node.memory.sessions["m"].present.values())
    await until(lambda: ours() == before)


async def test_pings_of_an_idle_client_are_not_punished(server: Application) -> None:
    often = (
        ("grpc.keepalive_time_ms", 50),
        ("grpc.keepalive_timeout_ms", 5000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
    )
    async with wire(f"127.0.0.1:{server.port}", *often) as calls:
        await calls.create("m", ready=False)
        states = [calls.channel.get_state()]
        bot = calls.bots.Play()
        await bot.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of("m", 0))))
        while not (await bot.read()).items:
            pass
        change = asyncio.create_task(calls.channel.wait_for_state_change(states[0]))
        done, _ = await asyncio.wait([change], timeout=1.5)  # thirty pings; the default allows two
        assert not done
        change.cancel()
        await bot.write(play_pb2.PlayRequest(heartbeat=5))
        while (await bot.read()).heartbeat != 5:
            pass
        bot.cancel()


# Stops


@pytest.mark.chaos
async def test_a_graceful_stop_in_mid_play_loses_nothing(tmp_path: Path) -> None:
    event = Event("flow", 4, 20, "graceful")
    servers = [ServerProcess(tmp_path / "server")]
    addresses = [servers[0].address]
    await event.create(addresses[0])

    async def disturb() -> None:
        for _ in range(2):
            await asyncio.sleep(0.4)
            await asyncio.to_thread(servers[-1].stop)
            assert servers[-1].process.returncode == 0
            servers.append(await asyncio.to_thread(ServerProcess, tmp_path / "server"))
            addresses[:] = [servers[-1].address]

    try:
        bots = await event.play(addresses, disturb)
        await event.check(addresses[-1], bots)
        assert all(bot.attached >= 2 for bot in bots)
        assert "Traceback" not in servers[-1].log.read_text()
    finally:
        servers[-1].stop()


async def test_scripts_flushed_in_mid_play(server: Application, node: Node) -> None:
    event = Event("flow", 2, 10, "flushed")
    address = f"127.0.0.1:{server.port}"
    await event.create(address)
    flushes = 0

    async def disturb() -> None:
        nonlocal flushes
        while flushes < 20:
            await node.store._redis.script_flush()
            flushes += 1
            await asyncio.sleep(0.02)

    bots = await event.play([address], disturb)
    await event.check(address, bots)
    assert flushes == 20 and all(bot.attached == 1 for bot in bots)


def test_policies_come_back_as_they_went() -> None:
    policy = record_pb2.Policy(decision_ms=1, on_illegal=3, on_timeout=2, on_gone=1)
    assert convert.policy_message(convert.read_policy(policy)) == policy


async def test_a_cancellation_that_the_client_swallows_is_not_lost(node: Node) -> None:
    """wait_for of Python 3.11, in redis, gives a result that comes with the cancellation instead of passing that on."""

    async def swallowing() -> bytes:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        return b"PONG"

    task = asyncio.create_task(node.store._call(swallowing()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
