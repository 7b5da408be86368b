"""OPS-04: an event goes on after SIGKILL, and after a pause: nothing twice, nothing lost, never too much at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.fast_bot import FastBot, playing, token_of
from tests.support.servers import ServerProcess
from tests.support.tournaments import (
    OWNER,
    check_log,
    create,
    entries_of,
    results_of,
    spec,
    standings_of,
    until,
)
from tests.support.wire import Wire, wire

from ziggurat.v1 import match_pb2
from ziggurat.v1 import tournament_pb2 as pb
from ziggurat_server.records.verify import verify
from ziggurat_server.records.zgr import unpack

NAMES = list("abcde")
EVENT = spec(NAMES, concurrency=8, format=pb.Format(rounds=2))
GAMES = 40


def bots_at(address: str) -> list[FastBot]:
    """Bots whose every choice follows from the game alone."""
    return [FastBot(address, token_of(name), seed) for seed, name in enumerate(NAMES)]


async def table_of(calls: Wire, event_id: str) -> list[pb.BotStanding]:
    """The standings without live ratings, which go on from event to event."""
    standings = await standings_of(calls, event_id)
    for bot in standings:
        bot.ClearField("live_mu")
        bot.ClearField("live_sigma")
    return standings


async def check_everything(calls: Wire, event_id: str) -> None:
    """Log, results and records say the same, and each game is there once."""
    entries = await entries_of(calls, event_id)
    check_log(entries, 8)
    results = await results_of(calls, event_id)
    assert sorted(result.number for result in results) == list(range(GAMES))
    assert not any(result.attempt or seat.gone for result in results for seat in result.seats)
    seeds: dict[int, set[int]] = {}
    for result in results:
        zgr = await calls.record(result.match_id)
        record = verify(zgr)
        header, _ = unpack(zgr)
        assert header.event is not None and header.event.number == result.number
        seeds.setdefault(result.round, set()).add(header.seed)
        assert [(s.points, s.place) for s in record.standings] == [
            (seat.standing.points, seat.standing.place) for seat in result.seats
        ]
    assert all(len(found) == 1 for found in seeds.values()), "one deal for all line-ups of a round"
    assert len(set.union(*seeds.values())) == len(seeds) == 2, "and another in each round"
    assert not (await calls.matches.ListMatches(match_pb2.ListMatchesRequest())).matches
    standings = await calls.events.GetStandings(pb.GetStandingsRequest(event_id=event_id))
    assert sum(bot.games for bot in standings.bots) == 2 * GAMES
    assert (standings.complete_blocks, standings.incomplete_blocks) == (20, 0)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], ServerProcess]]:
    """Starts a server on one store; at the end the one that is left is stopped."""
    started: list[ServerProcess] = []

    def one() -> ServerProcess:
        started.append(ServerProcess(tmp_path / "server"))
        return started[-1]

    yield one
    for server in started:
        server.stop()


@pytest.mark.chaos
async def test_an_event_survives_its_server(start: Callable[[], ServerProcess]) -> None:
    server = start()
    bots = bots_at(server.address)
    async with playing(bots):
        async with wire(server.address) as calls:
            await create(calls, "event", EVENT)
        for finished in (3, 13, 21, 30):
            async with wire(server.address) as calls:
                await until(calls, "event", lambda event, n=finished: event.games_finished >= n)  # type: ignore[misc]
            await asyncio.to_thread(server.kill)
            server = await asyncio.to_thread(start)
            for bot in bots:
                bot.address = server.address
        async with wire(server.address) as calls:
            await check_everything(calls, "event")
            killed = await table_of(calls, "event")
            await create(calls, "undisturbed", EVENT)
            await check_everything(calls, "undisturbed")
            assert await table_of(calls, "undisturbed") == killed


@pytest.mark.chaos
async def test_an_event_survives_pauses(start: Callable[[], ServerProcess]) -> None:
    server = start()
    async with playing(bots_at(server.address)), wire(server.address) as calls:
        await create(calls, "event", EVENT)
        for finished in (5, 13, 30):
            await until(calls, "event", lambda event, n=finished: event.games_finished >= n)  # type: ignore[misc]
            await calls.events.PauseEvent(pb.PauseEventRequest(event_id="event", token=OWNER))
            await asyncio.sleep(0.1)
            await calls.events.ResumeEvent(pb.ResumeEventRequest(event_id="event", token=OWNER))
        await check_everything(calls, "event")
