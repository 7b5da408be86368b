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

from ziggurat.v1 import record_pb2
from ziggurat.v1 import tournament_pb2 as pb
from ziggurat_server.log import Cause, Kind
from ziggurat_server.records.zgr import unpack

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


class Loading(FastBot):
    """A bot that is connected, and is not ready when the game begins all the same."""

    pauses = (8.0, 8.0)  # each is read twice

    @property
    def pause(self) -> float:  # type: ignore[override]
        """Before the next message."""
        now, self.pauses = (self.pauses or (0.0,))[0], self.pauses[1:]
        return now

    @pause.setter
    def pause(self, _: float) -> None:
        """Not from outside."""


@pytest.mark.chaos
async def test_a_bot_that_loads_at_the_other_node_is_not_gone(
    nodes: tuple[ServerProcess, ServerProcess],
) -> None:
    first, second = nodes
    bots = [FastBot(first.address, token_of("a"), 0), Loading(second.address, token_of("b"), 1)]
    policy = record_pb2.Policy(decision_ms=60_000, gone_ms=21_000, ready_ms=6_000)
    what = spec(["a", "b"], concurrency=1, policy=policy, format=pb.Format(rounds=1, rotations=1))
    async with playing(bots), wire(first.address) as here:
        await asyncio.sleep(0.5)
        await create(here, "event", what)
        entries = await entries_of(here, "event")
        zgr = await here.record(next(iter(await results_of(here, "event"))).match_id)
    assert pb.EVENT_ENTRY_KIND_VOID not in [entry.kind for entry in entries]
    header, log = unpack(zgr)
    assert header.event is not None and header.event.attempt == 0
    ready = [entry.applied_ms - header.created_ms for entry in log if entry.kind == Kind.READY]
    assert len(ready) == 2 and 3_000 <= max(ready) < 7_500, "the game began after half of its patience"
    assert not any(entry.cause == Cause.GONE for entry in log)
