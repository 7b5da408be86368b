"""Events over the wire: what tests of them ask again and again."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import grpc
import grpc.aio
from tests.support.fast_bot import FastBot, token_of
from tests.support.wire import Wire, sha

from ziggurat.v1 import bot_pb2, match_pb2, record_pb2
from ziggurat.v1 import tournament_pb2 as pb
from ziggurat_server.app import Application

OWNER = b"the owner of all events here"
POLICY = record_pb2.Policy(illegal_retries=3, decision_ms=60_000, gone_ms=60_000, ready_ms=60_000)
"""Who is slow or away is waited for for a minute."""


def spec(names: Sequence[str], **more: Any) -> pb.EventSpec:
    """An event of bots that connect by themselves."""
    bots = [pb.Entrant(name=name, token_sha256=sha(token_of(name))) for name in names]
    usual = {"game": "flow", "bots": bots, "seats": 2, "seed": 5, "concurrency": 4, "policy": POLICY}
    return pb.EventSpec(**usual | more)


def bots_of(server: Application, names: Sequence[str], **pauses: float) -> list[FastBot]:
    """A bot for each name; `pauses` makes some slow."""
    address = f"127.0.0.1:{server.port}"
    return [FastBot(address, token_of(name), seed, pauses.get(name, 0.0)) for seed, name in enumerate(names)]


async def register(calls: Wire, name: str, **more: Any) -> None:
    """Register a bot of these tests; all have one owner."""
    await calls.bots.RegisterBot(
        bot_pb2.RegisterBotRequest(
            name=name,
            token_sha256=sha(token_of(name)),
            owner_token=OWNER,
            **{"version": "1"} | more,
        )
    )


async def create(calls: Wire, event_id: str, what: pb.EventSpec) -> pb.Event:
    """Create an event."""
    request = pb.CreateEventRequest(event_id=event_id, spec=what, owner_token_sha256=sha(OWNER))
    return (await calls.events.CreateEvent(request)).event


async def event_of(calls: Wire, event_id: str) -> pb.Event:
    """An event as it is."""
    return (await calls.events.GetEvent(pb.GetEventRequest(event_id=event_id))).event


async def until(
    calls: Wire, event_id: str, wanted: Callable[[pb.Event], bool], seconds: float = 60.0
) -> pb.Event:
    """An event as soon as it is so."""
    async with asyncio.timeout(seconds):
        while True:
            event = await event_of(calls, event_id)
            if wanted(event):
                return event
            await asyncio.sleep(0.02)


async def aborted(calls: Wire, match_id: str, reason: str = "a fault", seconds: float = 60.0) -> None:
    """Abort a try of a game as soon as its match is there."""
    request = match_pb2.AbortMatchRequest(match_id=match_id, token=OWNER, reason=reason)
    async with asyncio.timeout(seconds):
        while True:
            try:
                await calls.matches.AbortMatch(request)
                return
            except grpc.aio.AioRpcError as error:
                assert error.code() == grpc.StatusCode.NOT_FOUND, error.details()
            await asyncio.sleep(0.01)


async def entries_of(calls: Wire, event_id: str, seconds: float = 60.0) -> list[pb.EventEntry]:
    """The whole log of an event, once it is over."""
    entries: list[pb.EventEntry] = []
    async with asyncio.timeout(seconds):
        async for message in calls.events.WatchEvent(pb.WatchEventRequest(event_id=event_id)):
            assert message.first_entry == len(entries)
            entries += message.entries
    return entries


async def results_of(calls: Wire, event_id: str, token: bytes = b"") -> list[pb.GameResult]:
    """All results of an event."""
    results: list[pb.GameResult] = []
    after = 0
    while True:
        page = await calls.events.ListResults(
            pb.ListResultsRequest(event_id=event_id, after_entry=after, limit=7, token=token)
        )
        results += page.results
        after = page.next_after_entry
        if not after:
            return results


async def standings_of(calls: Wire, event_id: str) -> list[pb.BotStanding]:
    """The standings of an event."""
    return list((await calls.events.GetStandings(pb.GetStandingsRequest(event_id=event_id))).bots)


def check_log(entries: Sequence[pb.EventEntry], concurrency: int, rotations: int = 2) -> Counter[str]:
    """What must be true of any log: each game has one result or is dropped, and never too many are in play.

    Returns for each bot the most games it had in play at a time.
    """
    seats: dict[int, list[str]] = {}
    open_games: dict[int, int] = {}
    attempts = Counter[int]()
    over: set[int] = set()
    most = Counter[str]()
    for entry in entries:
        if entry.kind == pb.EVENT_ENTRY_KIND_ROUND:
            for table in entry.round.tables:
                for _ in range(rotations):
                    seats[len(seats)] = list(table.bots)
        elif entry.kind == pb.EVENT_ENTRY_KIND_STARTED:
            assert entry.game not in open_games and entry.game not in over
            assert entry.attempt == attempts[entry.game]
            attempts[entry.game] += 1
            open_games[entry.game] = entry.attempt
            assert len(open_games) <= concurrency
            busy = Counter(name for game in open_games for name in seats[game])
            most |= busy
        elif entry.kind == pb.EVENT_ENTRY_KIND_VOID:
            assert open_games.pop(entry.game) == entry.attempt
        elif entry.kind in (pb.EVENT_ENTRY_KIND_RESULT, pb.EVENT_ENTRY_KIND_DROPPED):
            result = entry.kind == pb.EVENT_ENTRY_KIND_RESULT
            assert not result or open_games.pop(entry.game) == entry.attempt == entry.result.attempt
            assert entry.game not in over
            over.add(entry.game)
    kinds = [entry.kind for entry in entries]
    ending = kinds.index(pb.EVENT_ENTRY_KIND_ENDING)
    assert pb.EVENT_ENTRY_KIND_STARTED not in kinds[ending:]
    assert kinds.index(pb.EVENT_ENTRY_KIND_CLOSED) == len(kinds) - 1
    assert (entries[ending].state, entries[ending].reason) == (entries[-1].state, entries[-1].reason)
    assert not open_games
    if entries[-1].state == pb.EVENT_STATE_FINISHED and entries[-1].reason == "all games are over":
        assert over == seats.keys()
    return most
