"""Events over two nodes of one store: any of them takes care, one at a time is enough, and both see the same."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.fast_bot import FastBot, playing, token_of
from tests.support.servers import ServerProcess
from tests.support.stores import valkey
from tests.support.tournaments import OWNER, check_log, create, entries_of, results_of, spec, until
from tests.support.wire import wire

from ziggurat.v1 import tournament_pb2 as pb

NAMES = ["a", "b", "c"]


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """Two nodes on one store."""
    with valkey(tmp_path / "store", appendonly="yes", appendfsync="always") as url:
        first, second = (ServerProcess(tmp_path / name, url) for name in ("first", "second"))
        yield first, second
        for process in (first, second):
            process.stop()


@pytest.mark.chaos
async def test_an_event_goes_on_at_the_other_node(nodes: tuple[ServerProcess, ServerProcess]) -> None:
    first, second = nodes
    bots = [FastBot(first.address, token_of("a"), 0)]
    bots += [FastBot(second.address, token_of(name), seed) for seed, name in enumerate(NAMES[1:], 1)]
    async with playing(bots), wire(second.address) as there:
        async with wire(first.address) as here:
            await create(here, "event", spec(NAMES, format=pb.Format(rounds=6)))
            watched = asyncio.create_task(entries_of(there, "event", 120))
            await until(here, "event", lambda event: event.games_finished >= 5)
            await there.events.PauseEvent(pb.PauseEventRequest(event_id="event", token=OWNER))
            await until(here, "event", lambda event: event.state == pb.EVENT_STATE_PAUSED)
            await here.events.ResumeEvent(pb.ResumeEventRequest(event_id="event", token=OWNER))
        await asyncio.to_thread(first.kill)
        bots[0].address = second.address
        check_log(await watched, 4)
        results = await results_of(there, "event")
    assert sorted(result.number for result in results) == list(range(36))


@pytest.mark.chaos
async def test_the_end_is_seen_at_a_node_that_only_asks(
    nodes: tuple[ServerProcess, ServerProcess],
) -> None:
    first, second = nodes
    bots = [FastBot(first.address, token_of(name), seed) for seed, name in enumerate(NAMES)]
    async with playing(bots), wire(second.address) as there, wire(first.address) as here:
        await create(here, "event", spec(NAMES))
        await until(there, "event", lambda event: event.games_finished >= 1)
        await entries_of(here, "event")
        event = await until(there, "event", lambda event: event.state == pb.EVENT_STATE_FINISHED, 10)
    assert event.spec.seed == 5
