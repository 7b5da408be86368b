"""Events over the wire with fast bots, and what their logs and records say."""

from __future__ import annotations

from pathlib import Path

from tests.support.fast_bot import FastBot, token_of
from tests.support.tournaments import entries_of, event_of
from tests.support.wire import Wire, sha

from ziggurat.v1 import tournament_pb2 as pb
from ziggurat_server.app import Application
from ziggurat_server.convert import events as convert_events
from ziggurat_server.runner.exports import Summary, summarize
from ziggurat_server.runner.outcome import empty_state
from ziggurat_server.tournaments.log import match_id


def bots_of(server: Application, *names: str, pause: float = 0.0) -> list[FastBot]:
    """A bot for each name."""
    return [
        FastBot(f"127.0.0.1:{server.port}", token_of(name), seed, pause) for seed, name in enumerate(names)
    ]


def versioned(*names: str) -> list[pb.Entrant]:
    """Bots with versions."""
    return [pb.Entrant(name=name, version=f"{name} 1.0", token_sha256=sha(token_of(name))) for name in names]


async def told(calls: Wire, event_id: str, records: Path) -> Summary:
    """The summary of an event by its log, once it is over; its records are fetched too, as a runner does."""
    entries = await entries_of(calls, event_id)
    state = empty_state(await event_of(calls, event_id))
    for entry in entries:
        state.fold(convert_events.decode_event_entry(entry.SerializeToString()))
        if entry.kind in (pb.EVENT_ENTRY_KIND_RESULT, pb.EVENT_ENTRY_KIND_VOID):
            match = match_id(event_id, entry.game, entry.attempt)
            (records / f"{match}.zgr").write_bytes(await calls.record(match))
    return summarize(state, entries[-1].seed)


async def standings(calls: Wire, event_id: str) -> pb.GetStandingsResponse:
    """What the server makes of it."""
    return await calls.events.GetStandings(pb.GetStandingsRequest(event_id=event_id, ratings=True))
