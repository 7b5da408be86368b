"""What an attacker, a crash or a careless caller may try on events."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from typing import Any

import pytest
from tests.support.fast_bot import FastBot, playing, token_of
from tests.support.tournaments import (
    OWNER,
    aborted,
    bots_of,
    check_log,
    create,
    entries_of,
    event_of,
    register,
    results_of,
    spec,
    until,
)
from tests.support.wire import Wire, refused, sha

from ziggurat.v1 import bot_pb2, play_pb2, record_pb2
from ziggurat.v1 import tournament_pb2 as pb
from ziggurat_server.app import Application
from ziggurat_server.matches.live import deal_of
from ziggurat_server.records.zgr import unpack
from ziggurat_server.services import tournaments
from ziggurat_server.sessions.store import chain
from ziggurat_server.tournaments import check, events
from ziggurat_server.tournaments.director import _drop_unplayable
from ziggurat_server.tournaments.event import EventSpec
from ziggurat_server.tournaments.events import in_ms
from ziggurat_server.tournaments.log import EventEntry, Kind, State
from ziggurat_server.tournaments.state import EventState
from ziggurat_server.tournaments.turns import startable, started


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


async def test_a_damaged_event_takes_no_other_along(server: Application, calls: Wire, node: Any) -> None:
    await create(calls, "broken", spec(["a", "b"]))
    await calls.events.PauseEvent(pb.PauseEventRequest(event_id="broken", token=OWNER))
    assert server._director is not None
    events = server._director.events
    await events.store._redis.rpush(events.store.keys.log("event:broken"), b"\xff\xff")
    events._logs.pop("broken")
    for task in list(server._director._tasks.values()):
        task.cancel()
    await asyncio.sleep(0)
    await events.store.note_event("broken", 0)
    await events.store.note_event("header", 0)
    await events.store.create("event:header", b"\xff\xff")
    await asyncio.sleep(2.5)
    assert server._director._sweeper is not None and not server._director._sweeper.done()
    listed = await calls.events.ListEvents(pb.ListEventsRequest())
    assert not listed.events
    said = await refused(event_of(calls, "broken"))
    assert (said.reason, said.field) == ("ENGINE_FAULT", "event_id")


async def test_a_registered_bot_has_its_capacity_over_all_events(server: Application, calls: Wire) -> None:
    await register(calls, "shared", capacity=1)
    bots = bots_of(server, ["shared", "x", "y"], shared=0.01)
    async with playing(bots):
        for event_id, other in (("one", "x"), ("two", "y")):
            what = spec(["shared", other], format=pb.Format(rounds=3))
            what.bots[0].CopyFrom(pb.Entrant(name="shared", registered=True))
            await create(calls, event_id, what)
        for event_id in ("one", "two"):
            entries = await entries_of(calls, event_id)
            check_log(entries, 4)
    assert bots[0].most_open == 1


async def test_nobody_can_take_the_ids_of_an_events_matches(server: Application, calls: Wire) -> None:
    for match_id in ("ev-00000", "ev-00000-again-1", "ev-123456"):
        said = await refused(calls.create(match_id, ready=False))
        assert (said.reason, said.field) == ("BAD_FIELD", "match_id")
    await calls.create("ev-0000")


@pytest.mark.parametrize(
    ("bot", "field"),
    [
        (pb.Entrant(name="c d", token_sha256=sha(token_of("c"))), "bot.name"),
        (pb.Entrant(name="a", token_sha256=sha(token_of("c"))), "bot.name"),
        (pb.Entrant(name="gone", token_sha256=sha(token_of("gone"))), "bot.name"),
        (pb.Entrant(name="c", token_sha256=sha(token_of("a"))), "bot.token_sha256"),
        (pb.Entrant(name="c", token_sha256=b"c"), "bot.token_sha256"),
        (pb.Entrant(name="c"), "launch_key"),
    ],
)
async def test_who_cannot_join_is_refused(
    server: Application, calls: Wire, bot: pb.Entrant, field: str
) -> None:
    await create(calls, "join", spec(["a", "b", "gone"], format=pb.Format(name="ladder", rounds=30)))
    await calls.events.WithdrawBot(pb.WithdrawBotRequest(event_id="join", bot="gone", token=OWNER))
    said = await refused(calls.events.AddBot(pb.AddBotRequest(event_id="join", token=OWNER, bot=bot)))
    assert (said.reason, said.field) == ("BAD_EVENT", field), said.text


async def test_no_more_bots_join_than_a_round_can_be_drawn_for(
    server: Application, calls: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "MOST_BOTS", 3)
    await create(calls, "full", spec(list("abc"), format=pb.Format(name="ladder", rounds=30)))
    late = pb.Entrant(name="d", token_sha256=sha(token_of("d")))
    said = await refused(calls.events.AddBot(pb.AddBotRequest(event_id="full", token=OWNER, bot=late)))
    assert (said.reason, said.field) == ("BAD_EVENT", "bots"), said.text


async def test_an_event_goes_on_from_a_log_that_went_back(server: Application, calls: Wire) -> None:
    async with playing(bots_of(server, ["a", "b"], a=0.01)):
        await create(calls, "back", spec(["a", "b"], concurrency=1, format=pb.Format(rounds=5)))
        await until(calls, "back", lambda event: event.games_finished >= 4)
        assert server._director is not None
        store = server._director.events.store
        raw = await store._redis.lrange(store.keys.log("event:back"), 0, 5)
        pipe = store._redis.pipeline()
        pipe.ltrim(store.keys.log("event:back"), 0, 5)
        pipe.set(store.keys.tip("event:back"), chain(b"", raw))
        await pipe.execute()
        await asyncio.sleep(2.0)
        await store.note_event("back", 0)  # so that it is taken care of again at once
        entries = await entries_of(calls, "back")
    check_log(entries, 1)
    assert sorted(result.number for result in await results_of(calls, "back")) == list(range(10))


async def test_a_clock_that_is_set_back_leaves_no_event_and_no_match_alone(
    server: Application, calls: Wire
) -> None:
    """Hints that a server left before its clock was set back by an hour are not for an hour from now."""
    assert server._director is not None
    store = server._director.events.store
    await create(calls, "ahead", spec(["a", "b"]))
    for task in list(server._director._tasks.values()):
        task.cancel()
    await asyncio.sleep(0)
    await store.note_event("ahead", in_ms(3600))
    await store.note_due(["match"], in_ms(3600))
    assert "match" in await store.due(in_ms(0))
    await store._redis.zadd(store.keys.present, {sha(token_of("c")): in_ms(3600) / 1000})
    assert not await store.bots.connected([sha(token_of("c"))])
    await store._redis.zadd(store.keys.nodes, {"old": in_ms(3600) / 1000})
    assert await store.node_alive("new", 15.0) == 2
    async with playing(bots_of(server, ["a", "b"])):
        check_log(await entries_of(calls, "ahead"), 4)


async def test_a_deal_that_was_drawn_at_a_node_that_died_is_closed(server: Application, calls: Wire) -> None:
    """The node died after the round was drawn, and before a game of it was started."""
    assert server._director is not None
    await create(calls, "died", spec(["a", "b"], concurrency=1, format=pb.Format(rounds=1)))
    await until(calls, "died", lambda event: event.entries == 1)
    for task in list(server._director._tasks.values()):
        task.cancel()
    await asyncio.sleep(0)
    await server._director.events.store.note_event("died", 0)
    bots = bots_of(server, ["a", "b"])
    bots[0].go.clear()
    async with playing(bots):
        await until(calls, "died", lambda event: event.games_open == 1)
        await calls.events.PauseEvent(pb.PauseEventRequest(event_id="died", token=OWNER))
        bots[0].go.set()
        await until(calls, "died", lambda event: event.games_finished == 1)
        assert (await refused(calls.record("died-00000"))).reason == "SEALED"
        assert (await refused(calls.get("died-00000"))).reason == "SEALED"


async def test_a_deal_that_another_node_closed_is_opened(server: Application, calls: Wire) -> None:
    """The other one has started its games, and has died since."""
    assert server._director is not None
    await create(calls, "both", spec(["a", "b"], concurrency=2, format=pb.Format(rounds=2)))
    await until(calls, "both", lambda event: event.entries == 1)
    await calls.events.PauseEvent(pb.PauseEventRequest(event_id="both", token=OWNER))
    events = server._director.events
    event = await events.find("both")
    deal = deal_of("flow", event.state.deal_seed(0))
    await events.store.event_deals("both", {deal: 0}, {})
    await event.append(lambda _: [EventEntry(Kind.STARTED, game=game) for game in (0, 1)])
    async with playing(bots_of(server, ["a", "b"])):
        await until(calls, "both", lambda event: event.games_finished == 2)
        async with asyncio.timeout(10):
            while await events.store.deal_is_open(deal, "both"):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
    assert await calls.record("both-00000")


async def test_an_event_whose_node_died_as_it_ended_comes_to_its_end(
    server: Application, calls: Wire
) -> None:
    assert server._director is not None
    events = server._director.events
    bots = bots_of(server, ["a", "b"])
    bots[0].go.clear()
    async with playing(bots):
        await create(calls, "dying", spec(["a", "b"], concurrency=1))
        await until(calls, "dying", lambda event: event.games_open == 1)
        for task in list(server._director._tasks.values()):
            task.cancel()
        await asyncio.sleep(0)
        event = await events.find("dying")
        ending = EventEntry(Kind.ENDING, state=State.CANCELLED, reason="rain")
        await event.append(lambda _: [ending])
        assert not (await event_of(calls, "dying")).spec.HasField("seed")
        await events.store.note_event("dying", 0)
        entries = await entries_of(calls, "dying")
    check_log(entries, 1)
    assert [entry.game for entry in entries if entry.kind == pb.EVENT_ENTRY_KIND_VOID] == [0]
    over = await event_of(calls, "dying")
    assert (over.state, over.reason, over.spec.seed) == (pb.EVENT_STATE_CANCELLED, "rain", 5)
    assert await calls.record("dying-00000")


async def test_a_list_of_past_events_reads_each_log_once_and_keeps_none(
    server: Application, calls: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logs of events are long; whoever lists a thousand of them must not fill the server's memory."""
    names = ["one", "two", "three"]
    async with playing(bots_of(server, ["a", "b"])):
        for event_id in names:
            await create(calls, event_id, spec(["a", "b"]))
            await entries_of(calls, event_id)
    assert server._director is not None
    events = server._director.events
    events._logs.clear()
    listed = await calls.events.ListEvents(pb.ListEventsRequest())
    assert [event.event_id for event in listed.events] == names[::-1] and not events._logs
    monkeypatch.setattr(events.store, "read", None)
    assert await calls.events.ListEvents(pb.ListEventsRequest()) == listed
    monkeypatch.undo()
    assert (await event_of(calls, "one")) == listed.events[2]


async def test_a_list_reads_an_open_event_of_another_node_once(
    server: Application, calls: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert server._director is not None
    events = server._director.events
    await create(calls, "open", spec(["a", "b"]))
    await until(calls, "open", lambda event: event.entries >= 1)
    for task in list(server._director._tasks.values()):
        task.cancel()
    await asyncio.sleep(0)
    events._logs.clear()
    read, whole = events.store.read, 0

    async def counted(log_id: str, start: int = 0) -> Any:
        nonlocal whole
        whole += not start
        return await read(log_id, start)

    monkeypatch.setattr(events.store, "read", counted)
    for _ in range(2):
        listed = await calls.events.ListEvents(pb.ListEventsRequest())
        assert [(event.event_id, event.games_planned > 0) for event in listed.events] == [("open", True)]
    assert whole == 1


async def test_events_that_nobody_needs_are_forgotten(
    server: Application, calls: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither one that is over, nor one that another node takes care of."""
    assert server._director is not None
    async with playing(bots_of(server, ["a", "b"])):
        await create(calls, "over", spec(["a", "b"]))
        await entries_of(calls, "over")
    for event_id in ("here", "elsewhere"):
        await create(calls, event_id, spec(["a", "b"]))
        await until(calls, event_id, lambda event: event.entries >= 1)
    tasks = server._director._tasks
    tasks["elsewhere"].cancel()
    while tasks.keys() != {"here"}:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    monkeypatch.setattr(events, "KEEP_SECONDS", 0.0)
    await create(calls, "new", spec(["a", "b"]))
    assert sorted(server._director.events._logs) == ["here", "new"]


async def test_pages_of_results_fit_into_messages(
    server: Application, calls: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(bots_of(server, list("abc"))):
        await create(calls, "pages", spec(list("abc")))
        await entries_of(calls, "pages")
    monkeypatch.setattr(tournaments, "PAGE_BYTES", 1)
    page = await calls.events.ListResults(pb.ListResultsRequest(event_id="pages"))
    assert len(page.results) == 1 and page.next_after_entry
    assert sorted(result.number for result in await results_of(calls, "pages")) == list(range(6))


async def test_one_plan_is_made_at_a_time(calls: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes a processor for seconds, which games in play need too."""
    plan_of, now, most = check.plan_of, 0, 0

    def slow(what: EventSpec) -> Any:
        nonlocal now, most
        now += 1
        most = max(most, now)
        time.sleep(0.05)
        now -= 1
        return plan_of(what)

    monkeypatch.setattr(check, "plan_of", slow)
    asked = pb.PlanEventRequest(spec=spec(["a", "b"]))
    await asyncio.gather(*(calls.events.PlanEvent(asked) for _ in range(4)))
    assert most == 1


async def test_nothing_is_appended_to_a_log_that_has_ended(server: Application, calls: Wire) -> None:
    await create(calls, "end", spec(["a", "b", "c"]))
    await until(calls, "end", lambda event: event.entries >= 1)
    assert server._director is not None
    event = await server._director.events.find("end")
    withdrawn = EventEntry(Kind.WITHDRAWN, bot="c")
    ending = EventEntry(Kind.ENDING, state=State.CANCELLED)
    await asyncio.gather(
        event.append(lambda _: [withdrawn]), event.append(lambda _: [ending]), event.append(_drop_unplayable)
    )
    assert (await entries_of(calls, "end"))[-1].kind == pb.EVENT_ENTRY_KIND_CLOSED


async def test_events_are_left_though_a_cancellation_is_lost(server: Application) -> None:
    async def deaf() -> None:
        for _ in range(2):
            with contextlib.suppress(asyncio.CancelledError):  # as wait_for of Python 3.11 may
                await asyncio.sleep(60)

    assert server._director is not None
    server._director._tasks["deaf"] = asyncio.create_task(deaf())
    await asyncio.sleep(0)
    async with asyncio.timeout(10):
        await server._director.stop()


async def test_what_another_node_did_meanwhile_is_not_done_again(
    server: Application, calls: Wire, node: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While this node looks at a try that ended, another takes it down and starts the next one."""
    assert server._director is not None
    bots = bots_of(server, ["a", "b"])
    bots[0].go.clear()
    async with playing(bots):
        await create(calls, "meanwhile", spec(["a", "b"], concurrency=1, tries=9))
        await until(calls, "meanwhile", lambda event: event.games_open == 1)
        event = await server._director.events.find("meanwhile")
        session = node.session

        async def slow(match_id: str) -> Any:
            found = await session(match_id)
            if match_id == "meanwhile-00000" and found.live.over and not event.state.voids:
                entries = [EventEntry(Kind.VOID, attempt=0), EventEntry(Kind.STARTED, attempt=1)]
                await event.append(lambda state: () if state.voids else entries)
            return found

        monkeypatch.setattr(node, "session", slow)
        await aborted(calls, "meanwhile-00000")
        bots[0].go.set()
        entries = await entries_of(calls, "meanwhile")
    check_log(entries, 1)
    assert [(e.game, e.attempt) for e in entries if e.kind == pb.EVENT_ENTRY_KIND_VOID] == [(0, 0)]


async def test_games_are_started_by_what_holds_when_they_are(server: Application, calls: Wire) -> None:
    what = spec(["a", "b", "c", "d"], concurrency=12)
    what.bots[0].capacity = 1
    await create(calls, "holds", what)
    await until(calls, "holds", lambda event: event.entries >= 1)
    assert server._director is not None
    state = (await server._director.events.find("holds")).state
    chosen = {game.number: 0 for game in startable(state, set(), Counter(), set())}
    first = next(game for game in state.games if "a" in game.seats)
    assert chosen and first.number in chosen
    other = next(game for game in state.games if "a" in game.seats and game is not first)
    state.fold(EventEntry(Kind.STARTED, game=other.number))  # by another node
    state.fold(EventEntry(Kind.WITHDRAWN, bot="d"))
    found = [state.games[entry.game].seats for entry in started(state, set(), Counter(), chosen)]
    assert found and not any({"a", "d"} & set(seats) for seats in found)


async def test_who_is_wanted_follows_from_the_games_that_are_due(
    server: Application, calls: Wire, node: Any
) -> None:
    names = ["a", "b", "c"]
    bots = bots_of(server, names)
    for bot in bots:
        bot.go.clear()
    async with playing(bots):
        await create(calls, "wanted", spec(names, concurrency=2, format=pb.Format(rounds=4), tries=2))
        await until(calls, "wanted", lambda event: event.games_open == 2)
        assert server._director is not None
        event = await server._director.events.find("wanted")
        again = EventState(event.header)
        await aborted(calls, "wanted-00000")
        for bot in bots:
            bot.go.set()
        await until(calls, "wanted", lambda event: event.games_finished >= 5)
        await calls.events.WithdrawBot(pb.WithdrawBotRequest(event_id="wanted", bot="c", token=OWNER))
        await entries_of(calls, "wanted")
    for entry in event.entries:
        again.fold(entry)
        assert +again.wanted == Counter(name for game in again.due.values() for name in game.seats)


class Unready(FastBot):
    """A bot that never says ready."""

    def _take(
        self, item: play_pb2.MatchItem, channels: dict[int, str], request: play_pb2.PlayRequest
    ) -> None:
        super()._take(item, channels, request)
        del request.ready[:]


async def test_a_bot_that_is_never_ready_voids_no_game(server: Application, calls: Wire) -> None:
    policy = record_pb2.Policy(illegal_retries=3, decision_ms=60_000, gone_ms=60_000, ready_ms=3000)
    address = f"127.0.0.1:{server.port}"
    async with playing([FastBot(address, token_of("a")), Unready(address, token_of("b"))]):
        await create(calls, "event", spec(["a", "b"], policy=policy))
        entries = await entries_of(calls, "event")
    check_log(entries, 4)
    event = await event_of(calls, "event")
    assert (event.games_finished, event.voids, event.games_dropped) == (2, 0, 0)


async def test_nobody_closes_the_records_of_an_event_again(server: Application, calls: Wire) -> None:
    address = f"127.0.0.1:{server.port}"
    async with playing([FastBot(address, token_of(name)) for name in "ab"]):
        await create(calls, "event", spec("ab"))
        await entries_of(calls, "event")
    header, _ = unpack(await calls.record("event-00000"))
    await calls.create("mine", ready=False, seed=header.seed)
    assert await calls.record("event-00001")
