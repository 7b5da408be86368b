"""What the server says of an event, and the same from its records alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.server.runner.exports.played import bots_of, standings, told, versioned
from tests.support.fast_bot import FastBot, playing, token_of
from tests.support.tournaments import OWNER, aborted, create, entries_of, spec, until
from tests.support.wire import Wire

from ziggurat.v1 import play_pb2, record_pb2
from ziggurat.v1 import tournament_pb2 as pb
from ziggurat_server.app import Application
from ziggurat_server.convert import events as convert_events
from ziggurat_server.log import Cause
from ziggurat_server.runner.exports import (
    Summary,
    compare,
    read_records,
    read_result,
    recomputed,
    result_json,
)
from ziggurat_server.tournaments.results import GameResult

STOP = pb.StopRule(candidate="a", baseline="b", h1=0.4, alpha=0.2, beta=0.2)
EVENTS = {
    "round robin": spec("abc", bots=versioned("a", "b", "c"), format=pb.Format(rounds=2)),
    "swiss": spec("abcdefg", seats=3, format=pb.Format(name="swiss", rounds=2)),
    "knockout": spec("abcde", format=pb.Format(name="knockout")),
    "independent": spec("abc", memory=pb.MEMORY_INDEPENDENT, format=pb.Format(rotations=1, rounds=2)),
    "test": spec("abc", format=pb.Format(rounds=12), stop=STOP),
}


class Cheat(FastBot):
    """Answers each second decision with what it does not offer."""

    def _choice(self, decision: play_pb2.Decision) -> Sequence[int]:
        return [999] if decision.id % 2 else decision.default_choice


async def check(calls: Wire, event_id: str, wanted: Summary, records: Path) -> Summary:
    """The records give what the server says, field by field."""
    found = recomputed(wanted.event, records)
    assert convert_events.standings_message(found.report) == await standings(calls, event_id)
    assert found.report == wanted.report and compare(found.report, wanted.report) == []
    assert counted(found) == counted(wanted) and found.event == wanted.event
    return found


def counted(summary: Summary) -> list[GameResult]:
    """The games without evidence, of which the log has less than the records."""
    return [replace(game, faults=()) for game in summary.games]


@pytest.mark.parametrize("name", EVENTS)
async def test_records_give_the_servers_report(
    server: Application, calls: Wire, tmp_path: Path, name: str
) -> None:
    async with playing(bots_of(server, *(bot.name for bot in EVENTS[name].bots))):
        await create(calls, "event", EVENTS[name])
        wanted = await told(calls, "event", tmp_path)
    found = await check(calls, "event", wanted, tmp_path)
    assert len(found.games) >= 4 and found.report.complete_blocks
    assert set(found.commitments) == {game.match_id for game in found.games}
    assert [bot.version for bot in wanted.event.spec.bots] == [bot.version for bot in EVENTS[name].bots]


async def test_ratings_from_before_count_in_live_ratings(
    server: Application, calls: Wire, tmp_path: Path
) -> None:
    async with playing(bots_of(server, *"ab")):
        await create(calls, "first", spec("ab", format=pb.Format(rounds=3)))
        await entries_of(calls, "first")
        await create(calls, "event", spec("ab", format=pb.Format(rounds=1)))
        wanted = await told(calls, "event", tmp_path)
    found = await check(calls, "event", wanted, tmp_path)
    assert {bot.name: bot.live_sigma for bot in found.report.bots}.keys() == wanted.event.ratings.keys()
    assert all(rating.games == 6 for rating in wanted.event.ratings.values())


async def test_rounds_are_rebuilt_from_the_games(server: Application, calls: Wire, tmp_path: Path) -> None:
    async with playing(bots_of(server, *"abcd")):
        await create(calls, "event", spec("abcd", seats=3, format=pb.Format(rounds=1)))
        wanted = await told(calls, "event", tmp_path)
    records = read_records(tmp_path)
    assert records.rounds == tuple(replace(drawn, byes=(), labels=()) for drawn in wanted.event.rounds)
    assert records.policy == wanted.event.spec.policy and records.voids == 0
    assert recomputed(replace(wanted.event, rounds=()), tmp_path).report == wanted.report
    for number in range(3):
        (tmp_path / f"event-0000{number}.zgr").unlink()
    part = recomputed(replace(wanted.event, rounds=()), tmp_path)
    blocks = wanted.report.complete_blocks
    assert (part.report.complete_blocks, part.report.incomplete_blocks) == (blocks - 1, 1)


async def test_a_try_without_a_result_is_told_and_counts_for_nothing(
    server: Application, calls: Wire, tmp_path: Path
) -> None:
    bots = bots_of(server, "a", "b")
    bots[0].go.clear()
    async with playing(bots):
        await create(calls, "event", spec("ab", concurrency=1, format=pb.Format(rounds=1)))
        await aborted(calls, "event-00000")
        bots[0].go.set()
        wanted = await told(calls, "event", tmp_path)
    found = await check(calls, "event", wanted, tmp_path)
    assert found.event.voids == read_records(tmp_path).voids == 1
    assert [game.attempt for game in found.games] == [1, 0]
    assert (tmp_path / "event-00000.zgr").is_file()


async def test_what_was_held_against_bots_is_counted(
    server: Application, calls: Wire, tmp_path: Path
) -> None:
    policy = record_pb2.Policy(
        decision_ms=60_000, gone_ms=60_000, ready_ms=60_000
    )  # no refused answer is forgiven
    cheat = Cheat(f"127.0.0.1:{server.port}", token_of("c"))
    async with playing([*bots_of(server, "a", "b"), cheat]):
        await create(calls, "event", spec("abc", policy=policy, format=pb.Format(rounds=1)))
        wanted = await told(calls, "event", tmp_path)
    found = await check(calls, "event", wanted, tmp_path)
    row = next(row for row in found.report.faults if row.bot == "c")
    assert row.games == row.faulty == 4 and row.faults.illegal == row.faults.substitutes > 4
    held = [fault for game in found.games for fault in game.faults]
    assert len(held) == row.faults.illegal
    assert {(fault.cause, fault.submission) for fault in held} == {(Cause.ILLEGAL, (999,))}
    assert read_result(result_json(found)) == found


async def test_who_was_withdrawn_is_behind_the_others(
    server: Application, calls: Wire, tmp_path: Path
) -> None:
    async with playing(bots_of(server, *"abc")):
        await create(calls, "event", spec("abc", concurrency=1, format=pb.Format(rounds=3)))
        await until(calls, "event", lambda event: event.games_finished >= 2)
        await calls.events.WithdrawBot(
            pb.WithdrawBotRequest(event_id="event", bot="c", token=token_of("c"), reason="broken")
        )
        wanted = await told(calls, "event", tmp_path)
    found = await check(calls, "event", wanted, tmp_path)
    assert found.report.bots[-1].name == "c" and found.report.bots[-1].withdrawn
    assert found.event.withdrawn == {"c": "broken"} and found.event.dropped
    assert found.report.incomplete_blocks


async def test_a_cancelled_event_has_the_blocks_that_were_drawn(
    server: Application, calls: Wire, tmp_path: Path
) -> None:
    async with playing(bots_of(server, "a", "b", pause=0.002)):
        await create(calls, "event", spec("ab", concurrency=4, format=pb.Format(rounds=50)))
        await until(calls, "event", lambda event: event.games_finished >= 3)
        await calls.events.CancelEvent(pb.CancelEventRequest(event_id="event", token=OWNER, reason="enough"))
        wanted = await told(calls, "event", tmp_path)
    found = await check(calls, "event", wanted, tmp_path)
    assert found.event.reason == "enough" and found.report.incomplete_blocks
