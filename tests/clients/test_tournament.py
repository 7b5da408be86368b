"""The client's calls about events, against a real server."""

from __future__ import annotations

import hmac
import threading
from collections.abc import Iterator

import pytest
from tests.support.servers import ServerProcess

from ziggurat import AsyncClient, Bot, Client, Entrant, EventSpec, Format, Refused, new_token

OWNER, KEY = new_token(), new_token()
SPEC = EventSpec(
    game="flow",
    bots=[Entrant(name=name) for name in "abc"],
    seats=2,
    seed=5,
    format=Format(name="round_robin"),
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = ServerProcess(tmp_path_factory.mktemp("server"))
    bots = [
        Bot(
            lambda view, decision: decision.default, server.address, hmac.digest(KEY, name.encode(), "sha256")
        )
        for name in "abcd"
    ]
    threads = [threading.Thread(target=bot.run) for bot in bots]
    for thread in threads:
        thread.start()
    yield server.address
    for bot, thread in zip(bots, threads, strict=True):
        bot.stop()
        thread.join()
    server.stop()


def test_an_event_from_plan_to_results(address: str) -> None:
    with Client(address) as client:
        plan = client.plan_event(SPEC)
        assert (plan.audit.games, len(plan.rounds), plan.spec.HasField("seed")) == (6, 1, False)
        event = client.create_event(SPEC, OWNER, event_id="whole", launch_key=KEY)
        assert (
            client.create_event(SPEC, OWNER, event_id="whole", launch_key=KEY).created_ms == event.created_ms
        )
        entries = list(client.watch_event("whole"))
        assert [number for number, _ in entries] == list(range(len(entries)))
        assert entries[-1].entry.seed == 5
        assert list(client.watch_event("whole", from_entry=3)) == entries[3:]
        event = client.get_event("whole")
        assert (event.games_finished, event.entries) == (6, len(entries))
        found = list(client.list_results("whole", OWNER))
        assert sorted(result.number for result in found) == list(range(6))
        standings = client.get_standings("whole").bots
        assert sum(bot.games for bot in standings) == 12 and not any(
            bot.HasField("rating") for bot in standings
        )
        rated = client.get_standings("whole", ratings=True)
        assert rated.seats and all(bot.HasField("rating") for bot in rated.bots)
        assert "whole" in {event.event_id for event in client.list_events()}
        assert len(client.get_record(found[0].match_id)) > 100


async def test_an_event_is_paused_changed_and_cancelled(address: str) -> None:
    spec = EventSpec()
    spec.CopyFrom(SPEC)
    spec.format.CopyFrom(Format(name="ladder", rounds=400))
    async with AsyncClient(address) as client:
        await client.create_event(spec, OWNER, event_id="long", launch_key=KEY)
        with pytest.raises(Refused) as error:
            await client.pause_event("long", new_token())
        assert error.value.reason == "BAD_TOKEN"
        assert (await client.pause_event("long", OWNER)).state == 2
        await client.add_bot("long", OWNER, Entrant(name="d"))
        await client.withdraw_bot("long", OWNER, "a", "tired")
        assert (await client.resume_event("long", OWNER)).state == 1
        async for _, entry in client.watch_event("long"):
            if "d" in {seat.bot for seat in entry.result.seats}:
                break
        await client.cancel_event("long", OWNER, "enough")
        kinds = [entry.reason async for _, entry in client.watch_event("long") if entry.reason]
        assert "tired" in kinds and kinds[-1] == "enough"
        with pytest.raises(Refused) as error:
            await client.get_event("never")
        assert error.value.reason == "UNKNOWN_EVENT"
