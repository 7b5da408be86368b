"""The bot's stream against a scripted server."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from google.rpc import code_pb2
from tests.clients.fake import MATCH, Fake, Mirror, Wire, decision

from ziggurat import BadChoice, Bot, Decision, Plan, Refused, Result, Unreachable, View
from ziggurat.v1 import play_pb2

TOKEN = b"0123456789abcdef"
ACCEPTED, ILLEGAL = play_pb2.VERDICT_STATUS_ACCEPTED, play_pb2.VERDICT_STATUS_ILLEGAL
CLOSED = play_pb2.Closed(standings=[play_pb2.Standing(seat=0, points=3, place=1)])
START = {4: (0,), 1: (-1, 5), 5: (0, -2, 1)}


async def test_pings_are_sent_back_at_once() -> None:
    pongs: list[int] = []

    async def script(wire: Wire) -> None:
        mirror = Mirror()
        await wire.welcome(mirror.update(START, snapshot=True))
        for number in (1, 7):
            await wire.say(ping=number)
            request = await wire.hear()
            assert request is not None
            pongs.append(request.pong)
        await wire.say(CLOSED)
        assert await wire.hear() is None

    async with Fake(script) as fake:
        await play(fake, choose(0))
    assert pongs == [1, 7]


def accepted(answer: play_pb2.Answer) -> play_pb2.Verdict:
    return play_pb2.Verdict(decision_id=answer.decision_id, status=ACCEPTED, move_id=answer.move_id)


def choose(index: int) -> Any:
    return lambda view, decision: index


async def play(fake: Fake, decide: Any, **settings: Any) -> list[Result]:
    results: list[Result] = []
    bot = Bot(decide, fake.address, TOKEN, name="b", matches=1, on_result=results.append, **settings)
    await asyncio.wait_for(bot.play(), 20)
    return results


async def test_a_match_is_opened_played_and_closed() -> None:
    seen: list[View] = []

    def decide(view: View, decision: Decision) -> int:
        seen.append(view)
        return 2

    async def script(wire: Wire) -> None:
        mirror = Mirror()
        hello = await wire.welcome(mirror.update(START, snapshot=True), awaits_ready=True)
        assert (hello.name, hello.token, list(hello.held)) == ("b", TOKEN, [])
        ready = await wire.hear()
        assert ready is not None and list(ready.ready) == [7]
        await wire.say(mirror.update({2: (4,)}, (0, 1), (2,)), decision(1))
        answer = await wire.answer()
        assert (answer.channel, answer.decision_id, list(answer.choice)) == (7, 1, [2])
        assert 0 < len(answer.move_id) <= 16
        await wire.say(accepted(answer), CLOSED)
        assert await wire.hear() is None

    async with Fake(script) as fake:
        (result,) = await play(fake, decide)
        assert fake.fetched == 1
    assert (result.match_id, result.game, result.standings[0].points) == (MATCH, "toy", 3)
    assert [str(event) for event in seen[0].events] == ["seat 1 acts", "no more"]
    assert seen[0].counter("points", 0) == 4


async def test_a_coroutine_decides_and_many_decisions_run_at_once() -> None:
    async def decide(view: View, decision: Decision) -> int:
        await asyncio.sleep(0)
        return 0

    async def script(wire: Wire) -> None:
        await wire.welcome(Mirror().update(START, snapshot=True), decision(1))
        await wire.say(accepted(await wire.answer()), CLOSED)
        await wire.hear()

    async with Fake(script) as fake:
        assert len(await play(fake, decide)) == 1


async def test_a_wrong_hash_asks_for_a_snapshot_and_holds_the_decision_back() -> None:
    points: list[int] = []

    def decide(view: View, decision: Decision) -> int:
        points.append(view.counter("points", 0))
        return 0

    async def script(wire: Wire) -> None:
        mirror = Mirror()
        await wire.welcome(mirror.update(START, snapshot=True))
        await wire.say(mirror.update({2: (1,)}, hash=99), decision(1))
        request = await wire.hear()
        assert request is not None and list(request.resync) == [7] and not request.answers
        mirror.cells[2] = (8,)
        await wire.say(mirror.snapshot())
        await wire.say(accepted(await wire.answer()), CLOSED)
        await wire.hear()

    async with Fake(script) as fake:
        await play(fake, decide)
    assert points == [8]


async def test_a_cut_stream_is_resumed_and_the_open_answer_repeated() -> None:
    mirror = Mirror()
    first: list[play_pb2.Answer] = []
    asked: list[int] = []

    def decide(view: View, decision: Decision) -> int:
        asked.append(decision.id)
        return 1

    async def cut(wire: Wire) -> None:
        await wire.welcome(mirror.update(START, snapshot=True), decision(1))
        first.append(await wire.answer())

    async def resumed(wire: Wire) -> None:
        last = mirror.version
        hello = await wire.welcome(mirror.update({2: (5,)}), decision(1))
        (held,) = hello.held
        assert (held.match_id, held.seat, held.version) == (MATCH, 0, last)
        again = await wire.answer()
        assert again == first[0]
        await wire.say(accepted(again), CLOSED)
        await wire.hear()

    async with Fake(cut, resumed) as fake:
        await play(fake, decide)
        assert fake.fetched == 1
    assert asked == [1]


async def test_rolled_back_forgets_the_answer_and_asks_anew() -> None:
    mirror = Mirror()
    asked: list[int] = []

    def decide(view: View, decision: Decision) -> int:
        asked.append(view.counter("points", 0))
        return len(asked) - 1

    async def cut(wire: Wire) -> None:
        await wire.welcome(mirror.update({**START, 2: (7,)}, snapshot=True), decision(1))
        await wire.answer()

    async def resumed(wire: Wire) -> None:
        await wire.welcome(Mirror().update(START, snapshot=True, rolled_back=True), decision(1))
        answer = await wire.answer()
        assert list(answer.choice) == [1]
        await wire.say(accepted(answer), CLOSED)
        await wire.hear()

    async with Fake(cut, resumed) as fake:
        await play(fake, decide)
    assert asked == [7, 0]


async def test_a_stopping_server_is_attached_to_again() -> None:
    mirror = Mirror()

    async def stops(wire: Wire) -> None:
        await wire.welcome(mirror.update(START, snapshot=True))
        await wire.say(stopping=True)
        assert await wire.hear() is None

    async def again(wire: Wire) -> None:
        hello = await wire.welcome(decision(1))
        assert hello.held[0].version == mirror.version
        await wire.say(accepted(await wire.answer()), CLOSED)
        await wire.hear()

    async with Fake(stops, again) as fake:
        await play(fake, choose(0))


async def test_a_passing_refusal_is_tried_again_and_a_lasting_one_is_raised() -> None:
    async def busy(wire: Wire) -> None:
        await wire.hear()
        await wire.refuse("STORE_UNAVAILABLE", code_pb2.UNAVAILABLE, "")

    async def refused(wire: Wire) -> None:
        await wire.hear()
        await wire.refuse("BAD_TOKEN", code_pb2.PERMISSION_DENIED, "hello.token")

    async with Fake(busy, refused) as fake:
        with pytest.raises(Refused) as caught:
            await play(fake, choose(0))
    assert (caught.value.reason, caught.value.field, caught.value.metadata) == (
        "BAD_TOKEN",
        "hello.token",
        {"a": "b"},
    )
    assert str(caught.value) == "no (BAD_TOKEN, hello.token)"


async def test_a_stream_taken_over_is_not_taken_back() -> None:
    async def taken(wire: Wire) -> None:
        await wire.hear()
        await wire.refuse("SUPERSEDED", code_pb2.ABORTED, "token")

    async with Fake(taken) as fake:
        with pytest.raises(Refused, match="token"):
            await play(fake, choose(0))


async def test_nobody_there_is_unreachable() -> None:
    bot = Bot(choose(0), "127.0.0.1:1", TOKEN, connect_timeout=0.2)
    with pytest.raises(Unreachable, match=r"^no server at 127.0.0.1:1: Connection refused \(UNAVAILABLE\)$"):
        await asyncio.wait_for(bot.play(), 10)


async def test_an_illegal_verdict_is_followed_by_the_default() -> None:
    async def script(wire: Wire) -> None:
        await wire.welcome(Mirror().update(START, snapshot=True), decision(1))
        first = await wire.answer()
        await wire.say(play_pb2.Verdict(decision_id=1, status=ILLEGAL, message="choice: why"))
        second = await wire.answer()
        assert list(first.choice) == [2] and list(second.choice) == [1] and first.move_id != second.move_id
        await wire.say(accepted(second), CLOSED)
        await wire.hear()

    async with Fake(script) as fake:
        await play(fake, choose(2))


async def test_a_choice_that_is_not_offered_is_never_sent() -> None:
    async def script(wire: Wire) -> None:
        await wire.welcome(Mirror().update(START, snapshot=True), decision(1))
        assert await wire.hear() is None

    async with Fake(script) as fake:
        with pytest.raises(BadChoice, match="3 is out of range"):
            await play(fake, choose(3))


async def test_a_plan_goes_along() -> None:
    async def script(wire: Wire) -> None:
        await wire.welcome(Mirror().update(START, snapshot=True), decision(1))
        answer = await wire.answer()
        assert [list(choice.values) for choice in answer.plan] == [[2], [0, 1]]
        await wire.say(accepted(answer), CLOSED)
        await wire.hear()

    async with Fake(script) as fake:
        await play(fake, lambda view, decision: Plan(0, 2, (0, 1)))


async def test_a_search_sees_that_its_decision_was_taken_from_it() -> None:
    searching = threading.Event()
    outcome: list[bool] = []

    def decide(view: View, decision: Decision) -> int:
        if decision.id == 1:
            searching.set()
            outcome.append(decision.cancelled.wait(10))
            assert decision.deadline is not None
        return 0

    async def script(wire: Wire) -> None:
        mirror = Mirror()
        await wire.welcome(mirror.update(START, snapshot=True), decision(1))
        await asyncio.to_thread(searching.wait, 10)
        await wire.say(mirror.update({2: (1,)}), decision(2))
        answer = await wire.answer()
        assert answer.decision_id == 2
        await wire.say(accepted(answer), CLOSED)
        await wire.hear()

    async with Fake(script) as fake:
        await play(fake, decide)
    assert outcome == [True]


async def test_stop_half_closes() -> None:
    ended = asyncio.Event()

    async def script(wire: Wire) -> None:
        await wire.welcome(Mirror().update(START, snapshot=True))
        assert await wire.hear() is None
        ended.set()

    async with Fake(script) as fake:
        bot = Bot(choose(0), fake.address, TOKEN)
        playing = asyncio.create_task(bot.play())
        await asyncio.wait_for(fake.asked.wait(), 5)
        bot.stop()
        await asyncio.wait_for(playing, 5)
        await asyncio.wait_for(ended.wait(), 5)
