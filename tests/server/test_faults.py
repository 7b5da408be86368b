"""A fault of one game stays with that game."""

from __future__ import annotations

import asyncio

import pytest
from tests.support.wire import Wire, refused, token_of, usual

from ziggurat.v1 import match_pb2, play_pb2
from ziggurat_server.matches.node import Node


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
        patch.setattr(node.sessions["bad"].live.projector, "advance", fails)
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
    assert node.counts["faults"] == 1


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
    node.sessions.pop("bad")
    await redis.zadd(keys.due, {"bad": 1, "good": 2})
    async with asyncio.timeout(8):  # the sweeper survives it
        while await redis.zcount(keys.due, 0, 2):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert (await refused(calls.get("bad")))[:2] == ("DATA_LOSS", "ENGINE_FAULT")
    listed = await calls.matches.ListMatches(match_pb2.ListMatchesRequest())
    assert [match.match_id for match in listed.matches] == ["good"]
    assert await calls.step("good")
