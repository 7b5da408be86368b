"""Events over the wire, with fast bots."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import grpc
import grpc.aio
import pytest
from tests.support.fast_bot import playing, token_of
from tests.support.tournaments import (
    OWNER,
    POLICY,
    aborted,
    bots_of,
    check_log,
    create,
    entries_of,
    event_of,
    register,
    results_of,
    spec,
    standings_of,
    until,
)
from tests.support.wire import Wire, refused, sha

from ziggurat.v1 import bot_pb2, match_pb2, record_pb2
from ziggurat.v1 import tournament_pb2 as pb
from ziggurat_server.app import Application
from ziggurat_server.tournaments.director import Direction
from ziggurat_server.tournaments.state import Game


async def test_a_round_robin_is_played_to_its_end(server: Application, calls: Wire) -> None:
    names = ["a", "b", "c"]
    async with playing(bots_of(server, names)):
        created = await create(calls, "rr", spec(names, format=pb.Format(rounds=2)))
        assert created.games_planned == 12 and not created.spec.HasField("seed")
        entries = await entries_of(calls, "rr")
    check_log(entries, 4)
    event = await event_of(calls, "rr")
    assert event.state == pb.EVENT_STATE_FINISHED
    assert event.games_finished == event.games_planned == 12
    assert event.spec.seed == entries[-1].seed == 5
    results = await results_of(calls, "rr")
    assert sorted(result.number for result in results) == list(range(12))
    for result in results:
        assert [seat.standing.seat for seat in result.seats] == [0, 1]
        record = await calls.record(result.match_id)
        assert record.startswith(b"ZGR1")


async def test_a_block_is_one_deal_with_the_seats_turned(server: Application, calls: Wire) -> None:
    names = ["a", "b", "c"]
    async with playing(bots_of(server, names)):
        await create(calls, "blocks", spec(names, seats=3, format=pb.Format(rounds=2)))
        await entries_of(calls, "blocks")
    results = sorted(await results_of(calls, "blocks"), key=lambda result: result.number)
    first, second = results[:3], results[3:]
    for block in (first, second):
        assert [result.rotation for result in block] == [0, 1, 2]
        seats = [[seat.bot for seat in result.seats] for result in block]
        assert seats[1] == seats[0][1:] + seats[0][:1] and seats[2] == seats[0][2:] + seats[0][:2]


async def test_records_of_a_deal_stay_closed_until_its_last_game(server: Application, calls: Wire) -> None:
    names = ["a", "b"]
    await create(calls, "sealed", spec(names, concurrency=1, format=pb.Format(rounds=1)))
    bots = bots_of(server, names)
    bots[0].go.clear()
    async with playing(bots):
        await until(calls, "sealed", lambda event: event.games_open > 0)
        await calls.events.PauseEvent(pb.PauseEventRequest(event_id="sealed", token=OWNER))
        bots[0].go.set()
        await until(calls, "sealed", lambda event: event.games_finished >= 1)
        await asyncio.sleep(0.5)
        event = await event_of(calls, "sealed")
        assert (event.games_open, event.games_finished, event.state) == (0, 1, pb.EVENT_STATE_PAUSED)
        said = await refused(calls.record("sealed-00000"))
        assert said.reason == "SEALED"
        await calls.events.ResumeEvent(pb.ResumeEventRequest(event_id="sealed", token=OWNER))
        await entries_of(calls, "sealed")
    assert await calls.record("sealed-00000") and await calls.record("sealed-00001")


async def test_capacities_are_respected_and_a_slow_bot_holds_up_nobody(
    server: Application, calls: Wire
) -> None:
    names = ["a", "b", "c", "slow"]
    what = spec(names, concurrency=6, format=pb.Format(rounds=2))
    what.bots[3].capacity = 1
    what.bots[0].capacity = 2
    bots = bots_of(server, names, slow=0.02)
    async with playing(bots):
        await create(calls, "slow", what)
        entries = await entries_of(calls, "slow")
    most = check_log(entries, 6)
    assert most["slow"] == 1 and most["a"] == 2
    assert bots[3].most_open == 1 and bots[0].most_open <= 2
    results = [entry.result for entry in entries if entry.kind == pb.EVENT_ENTRY_KIND_RESULT]
    with_slow = [any(seat.bot == "slow" for seat in result.seats) for result in results]
    assert all(with_slow[-6:]), "the games of the others were over long before"


async def test_games_wait_for_who_is_not_there_and_then_go_on_without(
    server: Application, calls: Wire
) -> None:
    names = ["a", "b", "away"]
    policy = record_pb2.Policy(illegal_retries=3, decision_ms=60_000, gone_ms=300, ready_ms=1500)
    async with playing(bots_of(server, names[:2])):
        await create(calls, "away", spec(names, policy=policy))
        await until(calls, "away", lambda event: list(event.waiting_for) == ["away"])
        entries = await entries_of(calls, "away")
    check_log(entries, 4)
    begun = [entry.game for entry in entries if entry.kind == pb.EVENT_ENTRY_KIND_STARTED]
    (table,) = (n for n, table in enumerate(entries[0].round.tables) if "away" not in table.bots)
    assert sorted(begun[:2]) == [2 * table, 2 * table + 1]
    for result in await results_of(calls, "away"):
        for seat in result.seats:
            assert (seat.gone > 0) == (seat.bot == "away")


async def test_a_paused_event_waits_for_nobody(server: Application, calls: Wire) -> None:
    await create(calls, "idle", spec(["a", "b"]))
    await until(calls, "idle", lambda event: list(event.waiting_for) == ["a", "b"])
    await calls.events.PauseEvent(pb.PauseEventRequest(event_id="idle", token=OWNER))
    await until(calls, "idle", lambda event: not event.waiting_for)
    await calls.events.ResumeEvent(pb.ResumeEventRequest(event_id="idle", token=OWNER))
    await until(calls, "idle", lambda event: list(event.waiting_for) == ["a", "b"])


async def test_a_paused_event_starts_no_games(server: Application, calls: Wire) -> None:
    names = ["a", "b", "c"]
    async with playing(bots_of(server, names)):
        await create(calls, "pause", spec(names, concurrency=2, format=pb.Format(rounds=6)))
        await until(calls, "pause", lambda event: event.games_finished >= 5)
        paused = (await calls.events.PauseEvent(pb.PauseEventRequest(event_id="pause", token=OWNER))).event
        assert paused.state == pb.EVENT_STATE_PAUSED
        await asyncio.sleep(1.5)
        event = await event_of(calls, "pause")
        assert event.games_open == 0 and event.games_finished < event.games_planned
        await calls.events.ResumeEvent(pb.ResumeEventRequest(event_id="pause", token=OWNER))
        entries = await entries_of(calls, "pause")
    check_log(entries, 2)
    kinds = [entry.kind for entry in entries]
    begin, end = kinds.index(pb.EVENT_ENTRY_KIND_PAUSED), kinds.index(pb.EVENT_ENTRY_KIND_RESUMED)
    assert pb.EVENT_ENTRY_KIND_STARTED not in kinds[begin:end]
    assert kinds.count(pb.EVENT_ENTRY_KIND_RESULT) == 36


async def test_a_cancelled_event_ends_its_games_and_keeps_its_results(
    server: Application, calls: Wire
) -> None:
    names = ["a", "b"]
    async with playing(bots_of(server, names, b=0.01)):
        await create(calls, "cancel", spec(names, concurrency=2, format=pb.Format(rounds=20)))
        await until(calls, "cancel", lambda event: event.games_finished >= 2)
        await calls.events.CancelEvent(
            pb.CancelEventRequest(event_id="cancel", token=OWNER, reason="no more time")
        )
        entries = await entries_of(calls, "cancel")
    event = await event_of(calls, "cancel")
    assert (event.state, event.reason) == (pb.EVENT_STATE_CANCELLED, "no more time")
    started = {e.game for e in entries if e.kind == pb.EVENT_ENTRY_KIND_STARTED}
    done = {e.game for e in entries if e.kind == pb.EVENT_ENTRY_KIND_RESULT}
    for game in started:
        got = await calls.get(f"cancel-{game:05d}")
        wanted = match_pb2.MATCH_STATE_FINISHED if game in done else match_pb2.MATCH_STATE_VOID
        assert got.match.state == wanted
        assert await calls.record(f"cancel-{game:05d}")
    assert not (await calls.matches.ListMatches(match_pb2.ListMatchesRequest())).matches


async def test_a_withdrawn_bot_plays_no_more_games(server: Application, calls: Wire) -> None:
    names = ["a", "b", "c"]
    async with playing(bots_of(server, names)):
        await create(calls, "less", spec(names, concurrency=1, format=pb.Format(rounds=3)))
        await until(calls, "less", lambda event: event.games_finished >= 1)
        said = await refused(
            calls.events.WithdrawBot(pb.WithdrawBotRequest(event_id="less", bot="c", token=token_of("a")))
        )
        assert (said.reason, said.field) == ("BAD_TOKEN", "token")
        request = pb.WithdrawBotRequest(event_id="less", bot="c", token=token_of("c"), reason="broken")
        await calls.events.WithdrawBot(request)
        entries = await entries_of(calls, "less")
    check_log(entries, 1)
    at = next(n for n, e in enumerate(entries) if e.kind == pb.EVENT_ENTRY_KIND_WITHDRAWN)
    later = {entry.game for entry in entries[at:] if entry.kind == pb.EVENT_ENTRY_KIND_STARTED}
    for entry in entries:
        if entry.kind == pb.EVENT_ENTRY_KIND_RESULT and entry.game in later:
            assert all(seat.bot != "c" for seat in entry.result.seats)
    event = await event_of(calls, "less")
    assert event.games_dropped and event.games_finished >= 6


async def test_a_late_bot_plays_from_the_next_round(server: Application, calls: Wire) -> None:
    names = ["a", "b", "late"]
    async with playing(bots_of(server, names)):
        ladder = pb.Format(name="ladder", rounds=30)
        await create(calls, "more", spec(names[:2], concurrency=1, format=ladder))
        await until(calls, "more", lambda event: event.games_finished >= 1)
        bot = pb.Entrant(name="late", token_sha256=sha(token_of("late")))
        request = pb.AddBotRequest(event_id="more", token=OWNER, bot=bot)
        await calls.events.AddBot(request)
        await calls.events.AddBot(request)  # once more does nothing
        entries = await entries_of(calls, "more")
    check_log(entries, 1)
    added = [n for n, e in enumerate(entries) if e.kind == pb.EVENT_ENTRY_KIND_ADDED]
    assert len(added) == 1
    rounds = [(n, e.round) for n, e in enumerate(entries) if e.kind == pb.EVENT_ENTRY_KIND_ROUND]
    for n, drawn in rounds:
        seen = {bot for table in drawn.tables for bot in table.bots} | {*drawn.byes}
        assert ("late" in seen) == (n > added[0])


async def test_a_game_that_ends_without_a_result_is_played_again(server: Application, calls: Wire) -> None:
    names = ["a", "b"]
    bots = bots_of(server, names)
    bots[0].go.clear()
    async with playing(bots):
        await create(calls, "again", spec(names, concurrency=1, format=pb.Format(rounds=1), tries=2))
        await aborted(calls, "again-00000")
        bots[0].go.set()
        entries = await entries_of(calls, "again")
    check_log(entries, 1)
    voids = [entry for entry in entries if entry.kind == pb.EVENT_ENTRY_KIND_VOID]
    assert [(entry.game, entry.attempt, entry.reason) for entry in voids] == [(0, 0, "a fault")]
    assert voids[0].cause == record_pb2.CAUSE_ABORTED
    results = await results_of(calls, "again")
    assert sorted((r.number, r.attempt, r.match_id) for r in results) == [
        (0, 1, "again-00000-again-1"),
        (1, 0, "again-00001"),
    ]


async def test_a_game_without_a_result_after_all_tries_is_dropped(server: Application, calls: Wire) -> None:
    names = ["a", "b"]
    bots = bots_of(server, names)
    bots[0].go.clear()
    async with playing(bots):
        await create(calls, "drop", spec(names, concurrency=2, format=pb.Format(rounds=1), tries=2))
        await aborted(calls, "drop-00000")
        await aborted(calls, "drop-00000-again-1")
        bots[0].go.set()
        entries = await entries_of(calls, "drop")
    check_log(entries, 2)
    event = await event_of(calls, "drop")
    assert (event.games_finished, event.games_dropped, event.voids) == (1, 1, 2)


async def test_creating_an_event_again_finds_it(server: Application, calls: Wire) -> None:
    what = spec(["a", "b"])
    first = await create(calls, "twice", what)
    again = await create(calls, "twice", what)
    assert (again.created_ms, again.spec) == (first.created_ms, first.spec)
    said = await refused(create(calls, "twice", spec(["a", "b"], seed=6)))
    assert (said.reason, said.field) == ("EVENT_EXISTS", "event_id")
    listed = (await calls.events.ListEvents(pb.ListEventsRequest())).events
    assert [event.event_id for event in listed] == ["twice"]


@pytest.mark.parametrize("call", ["PauseEvent", "ResumeEvent", "CancelEvent", "AddBot"])
async def test_only_its_owner_changes_an_event(server: Application, calls: Wire, call: str) -> None:
    await create(calls, "mine", spec(["a", "b"]))
    request = getattr(pb, f"{call}Request")
    said = await refused(getattr(calls.events, call)(request(event_id="mine", token=token_of("a"))))
    assert (said.reason, said.field) == ("BAD_TOKEN", "token")
    said = await refused(getattr(calls.events, call)(request(event_id="none", token=OWNER)))
    assert (said.reason, said.field) == ("UNKNOWN_EVENT", "event_id")


BAD = {
    "game": (spec(["a", "b"], game="chess"), "UNKNOWN_GAME", "game"),
    "no game": (spec(["a", "b"], game=""), "BAD_EVENT", "game"),
    "options": (spec(["a", "b"], options={"x": "1"}), "BAD_OPTION", "options.x"),
    "one bot": (spec(["a"]), "BAD_EVENT", "bots"),
    "no bots": (spec([]), "BAD_EVENT", "bots"),
    "too many": (
        spec([f"b{n}" for n in range(1001)], format=pb.Format(name="ladder", rounds=1)),
        "BAD_EVENT",
        "bots",
    ),
    "too few": (spec(["a", "b"], seats=3), "BAD_EVENT", "bots"),
    "seats": (spec(["a"] * 9, seats=9), "BAD_EVENT", "bots[1].name"),
    "bad seats": (spec(list("abcdefghi"), seats=9), "BAD_EVENT", "seats"),
    "twice": (spec(["a", "b", "a"]), "BAD_EVENT", "bots[2].name"),
    "name": (spec(["a", "b c"]), "BAD_EVENT", "bots[1].name"),
    "format": (spec(["a", "b"], format=pb.Format(name="league")), "BAD_EVENT", "format.name"),
    "rotations": (spec(["a", "b"], format=pb.Format(rotations=3)), "BAD_EVENT", "format.rotations"),
    "concurrency": (spec(["a", "b"], concurrency=501), "BAD_EVENT", "concurrency"),
    "tries": (spec(["a", "b"], tries=101), "BAD_EVENT", "tries"),
    "memory": (spec(["a", "b"], memory=9), "BAD_EVENT", "memory"),
    "process": (spec(["a", "b"], memory=pb.MEMORY_PROCESS), "BAD_EVENT", "bots[0].token_sha256"),
    "on_gone": (spec(["a", "b"], policy=record_pb2.Policy(on_gone=9)), "BAD_FIELD", "policy.on_gone"),
    "gone": (spec(["a", "b"], policy=record_pb2.Policy(ready_ms=1)), "BAD_EVENT", "policy.gone_ms"),
    "ready": (spec(["a", "b"], policy=record_pb2.Policy(gone_ms=1)), "BAD_EVENT", "policy.ready_ms"),
    "clock": (
        spec(["a", "b"], policy=record_pb2.Policy(gone_ms=1, ready_ms=1)),
        "BAD_EVENT",
        "policy.decision_ms",
    ),
    "stop": (
        spec(["a", "b"], stop=pb.StopRule(candidate="a", baseline="x", h1=0.1, alpha=0.05, beta=0.05)),
        "BAD_EVENT",
        "stop.baseline",
    ),
    "never": (
        spec(["a", "b"], stop=pb.StopRule(candidate="a", baseline="b", h1=0.01, alpha=0.01, beta=0.01)),
        "BAD_EVENT",
        "stop",
    ),
    "launch": (
        pb.EventSpec(game="flow", bots=[pb.Entrant(name="a"), pb.Entrant(name="b")], policy=POLICY),
        "BAD_EVENT",
        "launch_key",
    ),
}


@pytest.mark.parametrize("name", BAD)
async def test_what_cannot_be_played_is_refused(server: Application, calls: Wire, name: str) -> None:
    what, reason, field = BAD[name]
    said = await refused(create(calls, "bad", what))
    assert (said.reason, said.field) == (reason, field), said.text
    said = await refused(calls.events.GetEvent(pb.GetEventRequest(event_id="bad")))
    assert said.reason == "UNKNOWN_EVENT"


async def test_a_match_id_taken_by_somebody_else_spoils_one_try_alone(
    server: Application, calls: Wire
) -> None:
    names = ["a", "b"]
    await calls.create("other", policy=POLICY)
    assert server._node is not None
    other = (await server._node.session("other")).live.header
    await server._node.create(replace(other, match_id="taken-00000"))  # no call can do that
    async with playing(bots_of(server, names)):
        await create(calls, "taken", spec(names, format=pb.Format(rounds=1)))
        entries = await entries_of(calls, "taken")
    check_log(entries, 4)
    voids = [(e.game, e.attempt, e.cause) for e in entries if e.kind == pb.EVENT_ENTRY_KIND_VOID]
    assert voids == [(0, 0, record_pb2.CAUSE_SERVER)]
    assert (await event_of(calls, "taken")).games_finished == 2


async def test_registered_bots_play_events_and_are_rated_once(server: Application, calls: Wire) -> None:
    names = ["a", "b", "c"]
    await register(calls, "a", capacity=1)
    await register(calls, "b", games=["flow"])
    what = spec(names, concurrency=6)
    for bot in what.bots[:2]:
        bot.CopyFrom(pb.Entrant(name=bot.name, registered=True))
    what.bots[2].version = "x"
    async with playing(bots_of(server, names)):
        for event_id in ("one", "two"):
            await create(calls, event_id, what)
            await create(calls, event_id, what)  # once more is the same event
            assert check_log(await entries_of(calls, event_id), 6)["a"] == 1
    listed = (await calls.bots.ListBots(bot_pb2.ListBotsRequest(game="flow"))).bots
    assert [(bot.name, bot.version) for bot in listed] == [("a", "1"), ("b", "1")]
    assert [(r.game, r.games, r.events) for bot in listed for r in bot.ratings] == [("flow", 8, 2)] * 2
    event = await event_of(calls, "two")
    assert [(bot.version, bot.capacity, bot.token_sha256) for bot in event.spec.bots] == [
        ("1", 1, b""),
        ("1", 0, b""),
        ("x", 0, b""),
    ]
    first = {bot.name: bot.live_mu for bot in await standings_of(calls, "one")}
    second = {bot.name: bot.live_mu for bot in await standings_of(calls, "two")}
    assert first.keys() == second.keys() and first != second, "the second event begins where the first ended"


async def test_entrants_are_who_they_say(server: Application, calls: Wire) -> None:
    await register(calls, "a", games=["tta"])
    what = spec(["x", "a"])
    what.bots[1].CopyFrom(pb.Entrant(name="a", registered=True))
    said = await refused(create(calls, "event", what))
    assert (said.reason, said.field) == ("BAD_EVENT", "bots[1].name")
    what.bots[1].CopyFrom(pb.Entrant(name="nobody", registered=True))
    said = await refused(create(calls, "event", what))
    assert (said.reason, said.field) == ("UNKNOWN_BOT", "bots[1].name")
    what.bots[1].CopyFrom(pb.Entrant(name="a", token_sha256=sha(b"another token of mine")))
    said = await refused(create(calls, "event", what))
    assert (said.reason, said.field) == ("BOT_EXISTS", "bots[1].name")


async def test_a_bot_plays_no_more_games_than_it_takes_over_all_events(
    server: Application, calls: Wire
) -> None:
    names = ["a", "b", "c"]
    await register(calls, "a", capacity=2)
    what = spec(names, concurrency=8, format=pb.Format(rounds=3))
    what.bots[0].CopyFrom(pb.Entrant(name="a", registered=True))
    bots = bots_of(server, names)
    async with playing(bots):
        for event_id in ("one", "two"):
            await create(calls, event_id, what)
        for event_id in ("one", "two"):
            check_log(await entries_of(calls, event_id, 120), 8)
    assert bots[0].most_open == 2


async def test_a_deal_opens_when_its_last_games_are_dropped(server: Application, calls: Wire) -> None:
    names = ["a", "b", "c"]
    async with playing(bots_of(server, names, b=0.01)):
        await create(calls, "open", spec(names, concurrency=1, format=pb.Format(rounds=20)))
        await until(calls, "open", lambda event: event.games_finished >= 2)
        first = (await results_of(calls, "open"))[0]
        assert (await refused(calls.record(first.match_id))).reason == "SEALED"
        for name in ("b", "c"):
            await calls.events.WithdrawBot(pb.WithdrawBotRequest(event_id="open", bot=name, token=OWNER))
        await entries_of(calls, "open")
        assert await calls.record(first.match_id)


async def test_a_plan_is_drawn_and_audited_and_creates_nothing(server: Application, calls: Wire) -> None:
    what = spec([f"bot{n}" for n in range(7)], seats=3, format=pb.Format(rounds=2))
    plan = await calls.events.PlanEvent(pb.PlanEventRequest(spec=what))
    assert [len(drawn.tables) for drawn in plan.rounds] == [7, 7]
    audit = plan.audit
    assert (audit.games, audit.deals, audit.open_ended) == (42, 2, False)
    assert (audit.games_low, audit.games_high) == (18, 18)
    assert (audit.seat_low, audit.seat_high) == (audit.pair_low, audit.pair_high) == (6, 6)
    assert not plan.spec.HasField("seed") and plan.spec.tries == 3
    what.memory = pb.MEMORY_INDEPENDENT
    assert (await calls.events.PlanEvent(pb.PlanEventRequest(spec=what))).audit.deals == 42
    assert not (await calls.events.ListEvents(pb.ListEventsRequest())).events


async def test_batch_ratings_are_made_anew_when_there_is_news(server: Application, calls: Wire) -> None:
    names = ["a", "b"]
    request = pb.GetStandingsRequest(event_id="rated", ratings=True)
    async with playing(bots_of(server, names)):
        await create(calls, "rated", spec(names, concurrency=1, format=pb.Format(rounds=4)))
        await until(calls, "rated", lambda event: event.games_finished >= 2)
        early = await calls.events.GetStandings(request)
        await entries_of(calls, "rated")
    late = await calls.events.GetStandings(request)
    assert early.complete_blocks < late.complete_blocks == 4
    assert await calls.events.GetStandings(request) == late
    assert all(bot.HasField("rating") for bot in late.bots)
    request.ratings = False
    plain = await calls.events.GetStandings(request)
    assert not any(bot.HasField("rating") for bot in plain.bots)
    assert [bot.credit for bot in plain.bots] == [bot.credit for bot in late.bots]


async def test_a_game_that_ends_as_its_event_is_cancelled_has_its_result(
    server: Application, calls: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert server._director is not None and server._node is not None
    names = ["a", "b"]
    tends, cancelled = Direction._tend, asyncio.Event()

    async def tend(direction: Direction, game: Game) -> None:
        live = (await direction._session_of(game)).live
        if game.number == 1 and not cancelled.is_set():
            while not live.over:  # noqa: ASYNC110  (the director looks away until the match has ended)
                await asyncio.sleep(0.01)
            await calls.events.CancelEvent(pb.CancelEventRequest(event_id="close", token=OWNER))
            cancelled.set()
        await tends(direction, game)

    monkeypatch.setattr(Direction, "_tend", tend)
    async with playing(bots_of(server, names)):
        await create(calls, "close", spec(names, concurrency=1, format=pb.Format(rounds=20)))
        entries = await entries_of(calls, "close")
    check_log(entries, 1)
    event = await event_of(calls, "close")
    assert (event.state, event.games_open) == (pb.EVENT_STATE_CANCELLED, 0)
    assert sorted(result.number for result in await results_of(calls, "close")) == [0, 1]
    assert (await calls.get("close-00001")).match.state == match_pb2.MATCH_STATE_FINISHED


async def test_a_bot_that_hangs_holds_up_no_game_of_others(server: Application, calls: Wire) -> None:
    names = ["a", "b", "c", "hangs"]
    bots = bots_of(server, names)
    bots[3].go.clear()
    async with playing(bots):
        await create(calls, "hang", spec(names, concurrency=4, format=pb.Format(rounds=3)))
        event = await until(calls, "hang", lambda event: event.games_finished == 18)
        assert event.games_planned == 36
        await until(calls, "hang", lambda event: event.games_open == 4)  # its own may have all places then
        bots[3].go.set()
        entries = await entries_of(calls, "hang")
    check_log(entries, 4)
    results = [entry.result for entry in entries if entry.kind == pb.EVENT_ENTRY_KIND_RESULT]
    assert ["hangs" in [seat.bot for seat in result.seats] for result in results] == [False] * 18 + [
        True
    ] * 18


async def sees(calls: Wire, match_id: str, token: bytes = b"") -> bool:
    """Whether a token opens a view of a match, by both calls."""
    watch = calls.matches.Watch(match_pb2.WatchRequest(match_id=match_id, token=token))
    try:
        got = await calls.matches.GetMatch(match_pb2.GetMatchRequest(match_id=match_id, token=token))
        return bool(got.view.keys and (await watch.read()).items)
    except grpc.aio.AioRpcError:
        for call in (calls.get(match_id), watch.read()):
            said = await refused(call)
            assert (said.reason, said.field) == ("SEALED", "match_id")
        return False
    finally:
        watch.cancel()


async def test_who_watches_a_match_is_told_if_it_is_lost_before_that_begins(
    server: Application, calls: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert server._node is not None
    node = server._node

    async def lost(*_: object) -> bool:
        node.memory.fault("lost-00000", ValueError("a fault of the rules"))
        return False

    bots = bots_of(server, ["a", "b"])
    bots[0].go.clear()
    async with playing(bots):
        await create(calls, "lost", spec(["a", "b"], concurrency=1))
        await until(calls, "lost", lambda event: event.games_open == 1)
        while "lost-00000" not in node.memory.sessions:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        monkeypatch.setattr(node.store, "deal_is_open", lost)
        said = await refused(calls.matches.Watch(match_pb2.WatchRequest(match_id="lost-00000")).read())
    assert (said.reason, said.field) == ("ENGINE_FAULT", "match_id")


async def test_the_table_of_a_deal_is_closed_until_its_last_game(server: Application, calls: Wire) -> None:
    bots = bots_of(server, ["a", "b"])
    bots[0].go.clear()
    async with playing(bots):
        apart = spec(["a", "b"], memory=pb.MEMORY_INDEPENDENT)
        for event_id, what in (("table", spec(["a", "b"])), ("apart", apart)):
            await create(calls, event_id, what)
            await until(calls, event_id, lambda event: event.games_open == 2)
        while len((await calls.matches.ListMatches(match_pb2.ListMatchesRequest())).matches) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        assert await sees(calls, "apart-00000")
        assert not await sees(calls, "table-00000")
        assert await sees(calls, "table-00000", OWNER) and await sees(calls, "table-00000", token_of("b"))
        bots[0].go.set()
        await entries_of(calls, "table")
    assert await sees(calls, "table-00000") and await sees(calls, "table-00001")
