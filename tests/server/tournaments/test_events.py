"""Events over the wire, with fast bots."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tests.support.fast_bot import FastBot, playing, token_of
from tests.support.wire import Wire, sha

from ziggurat.v1 import record_pb2
from ziggurat.v1 import tournament_pb2 as pb
from ziggurat_server.app import Application

OWNER = b"the owner of all events here"
POLICY = record_pb2.Policy(illegal_retries=3, gone_ms=60_000, ready_ms=60_000)


def spec(names: Sequence[str], **more: Any) -> pb.EventSpec:
    """An event of bots that connect by themselves."""
    bots = [pb.Entrant(name=name, token_sha256=sha(token_of(name))) for name in names]
    usual = {"game": "flow", "bots": bots, "seats": 2, "seed": 5, "concurrency": 4, "policy": POLICY}
    return pb.EventSpec(**usual | more)


async def create(calls: Wire, event_id: str, what: pb.EventSpec) -> pb.Event:
    """Create an event."""
    request = pb.CreateEventRequest(event_id=event_id, spec=what, owner_token_sha256=sha(OWNER))
    return (await calls.events.CreateEvent(request)).event


async def entries_of(calls: Wire, event_id: str) -> list[pb.EventEntry]:
    """The log of an event, once it is over."""
    entries: list[pb.EventEntry] = []
    async for message in calls.events.WatchEvent(pb.WatchEventRequest(event_id=event_id)):
        assert message.first_entry == len(entries)
        entries += message.entries
    return entries


async def test_a_round_robin_is_played_to_its_end(server: Application, calls: Wire) -> None:
    names = ["a", "b", "c"]
    bots = [FastBot(f"127.0.0.1:{server.port}", token_of(name), seed) for seed, name in enumerate(names)]
    async with playing(bots):
        await create(calls, "rr", spec(names, format=pb.Format(rounds=2)))
        entries = await asyncio.wait_for(entries_of(calls, "rr"), 60)
    print([(e.kind, e.game, e.reason) for e in entries])
    event = (await calls.events.GetEvent(pb.GetEventRequest(event_id="rr"))).event
    assert event.state == pb.EVENT_STATE_FINISHED
    assert event.games_finished == event.games_planned == 12
    assert event.spec.seed == 5
