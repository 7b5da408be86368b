"""Each format is played for each game, over the wire, by fast bots."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.support.fast_bot import FastBot, playing, token_of
from tests.support.tournaments import check_log, create, entries_of, event_of, results_of, spec
from tests.support.wire import Wire

from ziggurat.v1 import tournament_pb2 as pb
from ziggurat_server.app import Application

NAMES = [f"bot{number}" for number in range(6)]
FORMATS = {
    "round_robin": pb.Format(name="round_robin", rotations=1),
    "gauntlet": pb.Format(name="gauntlet", candidates=NAMES[:2], rotations=1),
    "swiss": pb.Format(name="swiss", rounds=3, rotations=1),
    "knockout": pb.Format(name="knockout", rotations=1),
    "double_elimination": pb.Format(name="double_elimination", rotations=1),
    "ladder": pb.Format(name="ladder", rounds=2, rotations=1),
}


@pytest.mark.parametrize("game", ["flow", "tta", "era", "millennia"])
@pytest.mark.parametrize("name", FORMATS)
async def test_a_format_is_played(server: Application, calls: Wire, name: str, game: str) -> None:
    address = f"127.0.0.1:{server.port}"
    seats = 2 if name != "swiss" else 3
    what = spec(NAMES, game=game, seats=seats, format=FORMATS[name], concurrency=8)
    async with playing([FastBot(address, token_of(bot)) for bot in NAMES]):
        await create(calls, "event", what)
        entries = await entries_of(calls, "event", 250)
    check_log(entries, 8, rotations=1)
    event = await event_of(calls, "event")
    assert event.state == pb.EVENT_STATE_FINISHED, event.reason
    results = await results_of(calls, "event")
    games = Counter(seat.bot for result in results for seat in result.seats)
    assert games.keys() == set(NAMES)
    assert all(len(result.seats) == seats for result in results)
    standings = (await calls.events.GetStandings(pb.GetStandingsRequest(event_id="event"))).bots
    assert {row.name: row.games for row in standings} == games
    assert [row.rank for row in standings] == list(range(1, 7))
