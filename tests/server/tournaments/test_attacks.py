"""What an attacker, a crash or a careless caller may try on events."""

from __future__ import annotations

from tests.server.tournaments.test_events import bots_of, register
from tests.support.fast_bot import playing
from tests.support.tournaments import (
    OWNER,
    create,
    entries_of,
    spec,
)
from tests.support.wire import Wire, refused, sha

from ziggurat.v1 import bot_pb2
from ziggurat.v1 import tournament_pb2 as pb
from ziggurat_server.app import Application


async def test_creating_a_past_event_again_does_not_open_it(server: Application, calls: Wire) -> None:
    async with playing(bots_of(server, ["a", "b"])):
        await create(calls, "past", spec(["a", "b"]))
        await entries_of(calls, "past")
    await create(calls, "past", spec(["a", "b"]))
    await refused(create(calls, "past", spec(["a", "b", "c"])))
    listed = (await calls.events.ListEvents(pb.ListEventsRequest())).events
    assert [event.event_id for event in listed] == ["past"]


async def test_an_event_is_found_again_whatever_became_of_the_register(
    server: Application, calls: Wire
) -> None:
    await register(calls, "a")
    what = spec(["a", "b"])
    what.bots[0].CopyFrom(pb.Entrant(name="a", registered=True))
    first = await create(calls, "again", what)
    await calls.bots.UnregisterBot(bot_pb2.UnregisterBotRequest(name="a", owner_token=OWNER))
    stolen = bot_pb2.RegisterBotRequest(
        name="b", version="9", token_sha256=sha(b"x" * 16), owner_token=b"y" * 16
    )
    await calls.bots.RegisterBot(stolen)
    assert (await create(calls, "again", what)).created_ms == first.created_ms
