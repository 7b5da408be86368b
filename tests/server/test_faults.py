"""A fault of one game stays with that game."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import pytest
from tests.support.wire import Wire, refused, token_of, usual

from ziggurat.v1 import match_pb2, play_pb2
from ziggurat_rules.errors import BadRecord
from ziggurat_server.errors import ServiceError
from ziggurat_server.log import Cause, Kind
from ziggurat_server.matches.node import Node
from ziggurat_server.matches.void import entry_of
from ziggurat_server.records.verify import verify


async def test_a_game_whose_rules_fail_takes_no_other_with_it(
    calls: Wire, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    await calls.create("bad")
    await calls.create("good")
    seat, decision = await calls.asked("bad")
    stream = calls.bots.Play()
    await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of("bad", 1 - seat))))
    while not any(item.HasField("opened") for item in (await stream.read()).items):
        pass

    def fails(*_: object) -> None:
        raise KeyError("inside of the rules")

    with monkeypatch.context() as patch:
        patch.setattr(node.memory.sessions["bad"].live.projector, "advance", fails)
        verdict = await calls.act("bad", seat, decision.id, usual("bad", seat, decision))
    assert verdict.status == play_pb2.VERDICT_STATUS_ACCEPTED  # it is in the log
    closed = None
    while closed is None:
        for item in (await stream.read()).items:
            closed = item.closed if item.HasField("closed") else closed
    assert closed.void_reason == "engine fault on this node" and not closed.standings
    said = await refused(calls.get("bad", seat))
    assert said[:3] == ("DATA_LOSS", "ENGINE_FAULT", "match_id") and "inside" not in said.text
    stream.cancel()
    await calls.finish("good")
    assert node.memory.faults == 1


async def test_an_answer_in_flight_when_its_game_fails_gets_one_verdict(
    calls: Wire, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    await calls.create("bad")
    seat, decision = await calls.asked("bad")
    watch = calls.matches.Watch(match_pb2.WatchRequest(match_id="bad"))
    await watch.read()
    stream = calls.bots.Play()
    await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of("bad", seat))))
    while not any(item.HasField("decision") for item in (await stream.read()).items):
        pass
    held: list[tuple[Any, ...]] = []
    append = node.store.append
    monkeypatch.setattr(node.store, "append", lambda *arguments: held.append(arguments))
    choice = usual("bad", seat, decision)
    answer = play_pb2.Answer(channel=1, decision_id=decision.id, choice=choice)
    await stream.write(play_pb2.PlayRequest(answers=[answer]))
    async with asyncio.timeout(5):
        while not held:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    node.memory.fault("bad", KeyError("inside of the rules"))
    confirmed = asyncio.Event()
    *what, done = held[0]
    append(*what, lambda outcome: (done(outcome), confirmed.set()))
    await asyncio.wait_for(confirmed.wait(), 5)
    await stream.write(play_pb2.PlayRequest(heartbeat=7))
    verdicts: list[play_pb2.Verdict] = []
    heartbeat = 0
    while not heartbeat:
        response = await stream.read()
        heartbeat = response.heartbeat
        verdicts += [item.verdict for item in response.items if item.HasField("verdict")]
    (verdict,) = verdicts
    assert verdict.status == play_pb2.VERDICT_STATUS_OVER and "engine fault" in verdict.message
    stream.cancel()
    watch.cancel()


@pytest.mark.parametrize("damage", [b"\xff\xff\xff", b"\x08\x63", b"\x08\x03\x10\x63\x18\x01"])
async def test_a_damaged_log_is_refused_and_looked_after_no_more(
    damage: bytes, calls: Wire, node: Node
) -> None:
    await calls.create("good")
    await calls.create("bad")
    for _ in range(3):
        assert await calls.step("bad")
    redis, keys = node.store._redis, node.store.keys
    await redis.lset(keys.log("bad"), -2, damage)
    node.memory.forget("bad")
    await redis.zadd(keys.due, {"bad": 1, "good": 2})
    async with asyncio.timeout(8):  # the sweeper survives it
        while await redis.zcount(keys.due, 0, 2):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert (await refused(calls.get("bad")))[:2] == ("DATA_LOSS", "ENGINE_FAULT")
    listed = await calls.matches.ListMatches(match_pb2.ListMatchesRequest())
    assert [match.match_id for match in listed.matches] == ["good"]
    assert await calls.step("good")


async def broken(calls: Wire, node: Node, match_id: str, damage: bytes = b"\xff\xff\xff") -> None:
    """A match whose log the rules cannot follow at its last entry."""
    await calls.create(match_id, seed=5)
    for _ in range(3):
        assert await calls.step(match_id)
    await node.store._redis.lset(node.store.keys.log(match_id), -1, damage)
    node.memory.forget(match_id)
    assert (await refused(calls.get(match_id)))[:2] == ("DATA_LOSS", "ENGINE_FAULT")


async def test_a_match_that_cannot_be_replayed_is_made_void_and_frees_its_deal(
    calls: Wire, node: Node
) -> None:
    await broken(calls, node, "bad")
    await calls.create("same", seed=5)
    await calls.finish("same")
    assert (await refused(calls.record("same")))[:2] == ("FAILED_PRECONDITION", "SEALED")
    with pytest.raises(ServiceError) as seen:  # what who runs an event sees
        await node.session("bad")
    assert seen.value.reason == "ENGINE_FAULT"
    faults = node.memory.faults
    await node.void("bad", Cause.ENGINE_FAULT, "to be played again")
    got = await calls.get("bad", 0)
    assert got.match.state == match_pb2.MATCH_STATE_VOID and got.match.void_reason == "to be played again"
    assert got.match.decisions == 2 and not got.HasField("decision")
    assert (await node.session("bad")).live.void_cause == Cause.ENGINE_FAULT
    assert node.memory.faults == faults
    assert (await calls.record("same")) and (await calls.record("bad"))
    with pytest.raises(BadRecord):  # it says no more than it can
        verify(await calls.record("bad"))
    keys, redis = node.store.keys, node.store._redis
    assert await redis.zscore(keys.due, "bad") is None
    assert await node.store.seats_of(hashlib.sha256(token_of("bad", 0)).digest()) == []
    length = await redis.llen(keys.log("bad"))
    await node.void("bad", Cause.SERVER, "once more")  # over is over
    assert await redis.llen(keys.log("bad")) == length


async def test_the_owner_ends_a_match_that_cannot_be_replayed(calls: Wire, node: Node) -> None:
    owner = b"o" * 16
    await calls.create("bad", owner_token_sha256=hashlib.sha256(owner).digest())
    assert await calls.step("bad")
    await node.store._redis.lset(node.store.keys.log("bad"), -1, b"\xff")
    node.memory.forget("bad")

    def abort(token: bytes) -> match_pb2.AbortMatchRequest:
        return match_pb2.AbortMatchRequest(match_id="bad", token=token)

    said = await refused(calls.matches.AbortMatch(abort(token_of("bad", 0))))
    assert said[:3] == ("PERMISSION_DENIED", "BAD_TOKEN", "token")
    done = await calls.matches.AbortMatch(abort(owner))
    assert done.match.state == match_pb2.MATCH_STATE_VOID
    assert "could not be replayed" in done.match.void_reason
    assert await calls.record("bad")
    last = entry_of(await node.store._redis.lindex(node.store.keys.log("bad"), -1))
    assert last is not None and (last.kind, last.cause) == (Kind.VOID, Cause.ENGINE_FAULT)


async def test_a_seat_ends_a_match_without_owner_that_cannot_be_replayed(calls: Wire, node: Node) -> None:
    await broken(calls, node, "bad")
    foreign = match_pb2.AbortMatchRequest(match_id="bad", token=b"x" * 16)
    assert (await refused(calls.matches.AbortMatch(foreign)))[:2] == ("PERMISSION_DENIED", "BAD_TOKEN")
    await calls.abort("bad")
    assert (await calls.get("bad")).match.void_reason == "enough"


async def test_a_match_whose_header_is_damaged_holds_no_deal_once_it_is_void(calls: Wire, node: Node) -> None:
    await calls.create("same", seed=5)
    await broken(calls, node, "bad")
    await node.store._redis.lset(node.store.keys.log("bad"), 0, b"\xff")
    await calls.finish("same")
    await node.void("bad", Cause.ENGINE_FAULT, "")
    assert await calls.record("same")
    assert (await refused(calls.get("bad")))[:2] == ("DATA_LOSS", "ENGINE_FAULT")


async def test_a_match_in_play_is_made_void_for_all_who_follow_it(calls: Wire, node: Node) -> None:
    await calls.create("m")
    stream = calls.bots.Play()
    await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of("m", 0))))
    while not any(item.HasField("opened") for item in (await stream.read()).items):
        pass
    await node.void("m", Cause.SERVER, "the machine failed")
    closed = None
    async with asyncio.timeout(5):
        while closed is None:
            closed = next((i.closed for i in (await stream.read()).items if i.HasField("closed")), None)
    assert closed.void_reason == "the machine failed"
    stream.cancel()
    with pytest.raises(ServiceError) as seen:
        await node.void("nobody", Cause.SERVER, "")
    assert seen.value.reason == "UNKNOWN_MATCH"
    assert verify(await calls.record("m")).void_reason == "the machine failed"
