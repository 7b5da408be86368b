"""Bad input over the wire: the right status, reason and field; nothing changes and no other match is disturbed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import grpc.aio
import pytest
import pytest_asyncio
from tests.support.wire import Said, Wire, refused, said_by, sha, token_of, usual

from ziggurat.v1 import game_pb2, match_pb2, play_pb2, record_pb2
from ziggurat_server.app import Application
from ziggurat_server.log import Cause, Kind
from ziggurat_server.matches.node import Node
from ziggurat_server.records.zgr import unpack
from ziggurat_server.services.errors import guarded
from ziggurat_server.services.play import Stream

Status = play_pb2.VerdictStatus


@pytest_asyncio.fixture
async def other(calls: Wire, node: Node) -> AsyncIterator[str]:
    """Another match, in play: it has not moved by the end of the test, nothing else was made, and it goes on."""
    await calls.create("other")
    await calls.step("other")
    held = await calls.get("other", 0)
    yield "other"
    assert await calls.get("other", 0) == held
    assert await calls.step("other")
    assert node.memory.faults == 0


def seats(*tokens: bytes) -> list[record_pb2.SeatSpec]:
    return [record_pb2.SeatSpec(name=f"s{n}", token_sha256=token) for n, token in enumerate(tokens)]


ONE, TWO = sha(b"1" * 16), sha(b"2" * 16)
PACK = '[[card]]\nid = "no-such-card"\nname = "x"\n'

CREATIONS: list[tuple[dict[str, Any], str, str, str]] = [
    ({"game": "chess"}, "NOT_FOUND", "UNKNOWN_GAME", "game"),
    ({"game": ""}, "INVALID_ARGUMENT", "BAD_FIELD", "game"),
    ({"match_id": "a b"}, "INVALID_ARGUMENT", "BAD_FIELD", "match_id"),
    ({"match_id": "x" * 65}, "INVALID_ARGUMENT", "BAD_FIELD", "match_id"),
    ({"match_id": "{other}"}, "INVALID_ARGUMENT", "BAD_FIELD", "match_id"),
    ({"seats": seats(ONE)}, "INVALID_ARGUMENT", "BAD_SEATS", "seats"),
    ({"seats": []}, "INVALID_ARGUMENT", "BAD_SEATS", "seats"),
    ({"seats": seats(*[b""] * 6)}, "INVALID_ARGUMENT", "BAD_SEATS", "seats"),
    ({"seats": seats(ONE, ONE)}, "INVALID_ARGUMENT", "BAD_FIELD", "seats"),
    ({"seats": seats(ONE, b"short")}, "INVALID_ARGUMENT", "BAD_FIELD", "seats[1].token_sha256"),
    (
        {"seats": [record_pb2.SeatSpec(name="n" * 65), record_pb2.SeatSpec()]},
        "INVALID_ARGUMENT",
        "BAD_FIELD",
        "seats[0].name",
    ),
    ({"options": {"colour": "red"}}, "INVALID_ARGUMENT", "BAD_OPTION", "options.colour"),
    ({"game": "era", "options": {"turn_cap": "-3"}}, "INVALID_ARGUMENT", "BAD_OPTION", "options.turn_cap"),
    ({"options": {"edition": "xx"}}, "INVALID_ARGUMENT", "BAD_OPTION", "options.edition"),
    (
        {"options": {"irrigation_tokens": "many"}},
        "INVALID_ARGUMENT",
        "BAD_OPTION",
        "options.irrigation_tokens",
    ),
    (
        {"packs": [game_pb2.CardPack(name="mine.toml", text=PACK)]},
        "INVALID_ARGUMENT",
        "BAD_PACK",
        "mine.toml",
    ),
    (
        {"packs": [game_pb2.CardPack(name="mine.toml", text="= =")]},
        "INVALID_ARGUMENT",
        "BAD_PACK",
        "mine.toml",
    ),
    ({"policy": record_pb2.Policy(on_illegal=9)}, "INVALID_ARGUMENT", "BAD_FIELD", "policy.on_illegal"),
    ({"policy": record_pb2.Policy(on_gone=-1)}, "INVALID_ARGUMENT", "BAD_FIELD", "policy.on_gone"),
    (
        {"policy": record_pb2.Policy(bank_every=3, decision_ms=9)},
        "INVALID_ARGUMENT",
        "BAD_FIELD",
        "policy.bank_every",
    ),
    ({"policy": record_pb2.Policy(increment_ms=3)}, "INVALID_ARGUMENT", "BAD_FIELD", "policy.increment_ms"),
    (
        {"policy": record_pb2.Policy(decision_ms=9, hard_cap_ms=8)},
        "INVALID_ARGUMENT",
        "BAD_FIELD",
        "policy.hard_cap_ms",
    ),
    (
        {"policy": record_pb2.Policy(gone_ms=9, gone_bank_ms=8)},
        "INVALID_ARGUMENT",
        "BAD_FIELD",
        "policy.gone_bank_ms",
    ),
]


@pytest.mark.parametrize(("content", "code", "reason", "field"), CREATIONS)
async def test_a_bad_creation_is_refused(
    content: dict[str, Any], code: str, reason: str, field: str, calls: Wire, other: str, node: Node
) -> None:
    keys = sorted(await node.store._redis.keys())
    request = calls.creation("new", **content)
    said = await refused(calls.matches.CreateMatch(request))
    assert said[:2] == (code, reason)
    assert said.field == field or said.field.startswith(field + ":") or said.field.startswith(field + ".")
    assert said.text.startswith(said.field)
    assert sorted(await node.store._redis.keys()) == keys
    assert len((await calls.matches.ListMatches(match_pb2.ListMatchesRequest())).matches) == 1


async def test_what_is_asked_for_must_exist(calls: Wire, other: str) -> None:
    matches, games = calls.matches, calls.games
    nobody = "no-such-match"
    unknown = Said("NOT_FOUND", "UNKNOWN_MATCH", "match_id", "")[:3]
    tries = [
        matches.GetMatch(match_pb2.GetMatchRequest(match_id=nobody)),
        matches.JoinMatch(match_pb2.JoinMatchRequest(match_id=nobody, name="x", token_sha256=ONE)),
        matches.Act(match_pb2.ActRequest(match_id=nobody, token=b"t" * 16)),
        matches.Watch(match_pb2.WatchRequest(match_id=nobody)).read(),
        matches.GetRecord(match_pb2.GetRecordRequest(match_id=nobody)),
        matches.AbortMatch(match_pb2.AbortMatchRequest(match_id=nobody, token=b"t" * 16)),
        games.GetGame(game_pb2.GetGameRequest(match_id=nobody)),
    ]
    for call in tries:
        assert (await refused(call))[:3] == unknown
    bad = ("INVALID_ARGUMENT", "BAD_FIELD", "match_id")
    for name in ("", "{x}", "a/b"):
        assert (await refused(matches.GetMatch(match_pb2.GetMatchRequest(match_id=name))))[:3] == bad
    assert (await refused(games.GetGame(game_pb2.GetGameRequest(match_id="{x}"))))[:3] == bad
    assert (await refused(games.GetGame(game_pb2.GetGameRequest(game="go"))))[:2] == (
        "NOT_FOUND",
        "UNKNOWN_GAME",
    )
    assert (await refused(games.GetGame(game_pb2.GetGameRequest())))[1:3] == ("BAD_FIELD", "game")
    few = game_pb2.GetGameRequest(game="flow", seats=9)
    assert (await refused(games.GetGame(few)))[:3] == ("INVALID_ARGUMENT", "BAD_SEATS", "seats")
    much = match_pb2.ListMatchesRequest(limit=1001)
    assert (await refused(matches.ListMatches(much)))[:3] == ("INVALID_ARGUMENT", "BAD_FIELD", "limit")


async def test_tokens(calls: Wire, other: str) -> None:
    matches = calls.matches
    stranger = b"s" * 16
    none = ("UNAUTHENTICATED", "NO_TOKEN", "token")
    bad = ("PERMISSION_DENIED", "BAD_TOKEN", "token")
    assert (await refused(matches.Act(match_pb2.ActRequest(match_id=other))))[:3] == none
    assert (await refused(matches.Act(match_pb2.ActRequest(match_id=other, token=stranger))))[:3] == bad
    watch = matches.Watch(match_pb2.WatchRequest(match_id=other, token=stranger))
    assert (await refused(watch.read()))[:3] == bad
    assert (await refused(matches.GetMatch(match_pb2.GetMatchRequest(match_id=other, token=stranger))))[
        :3
    ] == bad
    assert (await refused(matches.AbortMatch(match_pb2.AbortMatchRequest(match_id=other))))[:3] == none
    aborting = match_pb2.AbortMatchRequest(match_id=other, token=stranger)
    assert (await refused(matches.AbortMatch(aborting)))[:3] == bad
    for token, field in ((b"", "hello.token"), (b"short", "hello.token")):
        stream = calls.bots.Play()
        await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token)))
        assert (await refused(stream.read()))[:3] == ("UNAUTHENTICATED", "NO_TOKEN", field)


async def test_seats(calls: Wire, other: str) -> None:
    def join(seat: int, token: bytes, name: str = "x", match_id: str = other) -> Any:
        request = match_pb2.JoinMatchRequest(match_id=match_id, seat=seat, name=name, token_sha256=token)
        return calls.matches.JoinMatch(request)

    mine = sha(token_of(other, 0))
    assert (await refused(join(0, ONE)))[:3] == ("ALREADY_EXISTS", "SEAT_TAKEN", "seat")
    assert (await refused(join(1, mine)))[:3] == ("ALREADY_EXISTS", "SEAT_TAKEN", "token_sha256")
    assert (await refused(join(9, ONE)))[:3] == ("INVALID_ARGUMENT", "NO_SUCH_SEAT", "seat")
    assert (await refused(join(0, b"")))[:3] == ("INVALID_ARGUMENT", "BAD_FIELD", "token_sha256")
    assert (await refused(join(0, ONE, "")))[:3] == ("INVALID_ARGUMENT", "BAD_FIELD", "name")
    await calls.matches.CreateMatch(calls.creation("open", seats=seats(b"", b"")))
    await asyncio.gather(join(0, ONE, match_id="open"), join(0, TWO, match_id="open"), return_exceptions=True)
    names = (await calls.get("open")).match.seats
    assert list(names) == ["x", "s1"]
    await calls.matches.AbortMatch(match_pb2.AbortMatchRequest(match_id="open", token=b"1" * 16))
    assert (await refused(join(1, TWO, match_id="open")))[:2] == ("FAILED_PRECONDITION", "MATCH_OVER")


async def test_a_second_creation_with_other_content(calls: Wire, other: str) -> None:
    for content in ({"options": {"edition": "ko"}}, {"seats": seats(ONE, TWO)}, {"seed": 5}):
        said = await refused(calls.matches.CreateMatch(calls.creation(other, **content)))
        assert said[:3] == ("ALREADY_EXISTS", "MATCH_EXISTS", "match_id")


async def test_answers_that_are_not_wanted(calls: Wire, other: str) -> None:
    await calls.create("m")
    seat, decision = await calls.asked("m")
    choice = usual("m", seat, decision)
    waiting = await calls.act("m", 1 - seat, 1, [0])
    assert waiting.status in (Status.VERDICT_STATUS_NOT_PENDING, Status.VERDICT_STATUS_ILLEGAL, 1)
    early = await calls.act("m", seat, decision.id + 1, choice)
    assert early.status == Status.VERDICT_STATUS_NOT_PENDING and early.message.startswith("decision_id")
    assert (await calls.act("m", seat, decision.id, choice)).status == Status.VERDICT_STATUS_ACCEPTED
    again = await calls.act("m", seat, decision.id, choice)
    assert again.status == Status.VERDICT_STATUS_ACCEPTED and again.move_id == b"m"
    second_thought = await calls.act("m", seat, decision.id, choice, b"n")
    assert second_thought.status == Status.VERDICT_STATUS_ANSWERED and second_thought.move_id == b"m"
    long = await refused(calls.act("m", seat, decision.id, choice, b"x" * 17))
    assert long[:3] == ("INVALID_ARGUMENT", "BAD_FIELD", "answer.move_id")
    await calls.abort("m")
    over = await calls.act("m", seat, 99, [0])
    assert over.status == Status.VERDICT_STATUS_OVER


async def test_illegal_choices_are_struck_then_replaced(calls: Wire, other: str) -> None:
    await calls.create("m", policy=record_pb2.Policy(illegal_retries=2, on_illegal=1))
    seat, decision = await calls.asked("m")
    held = await calls.get("m", seat)
    for choice in ([10_000], [-1]):
        verdict = await calls.act("m", seat, decision.id, choice)
        assert verdict.status == Status.VERDICT_STATUS_ILLEGAL and "out of range" in verdict.message
        assert await calls.get("m", seat) == held
    third = await calls.act("m", seat, decision.id, [])
    assert third.status == Status.VERDICT_STATUS_ILLEGAL and third.message.startswith("choice")
    replaced = await calls.act("m", seat, decision.id, list(decision.default_choice))
    assert replaced.status == Status.VERDICT_STATUS_ANSWERED
    await calls.finish("m")
    _, log = unpack(await calls.record("m"))
    strikes = [entry for entry in log if entry.kind == Kind.STRIKE]
    assert [entry.choice for entry in strikes] == [(10_000,), (-1,), ()]
    (substitute,) = [entry for entry in log if entry.kind == Kind.SUBSTITUTE]
    assert (substitute.cause, substitute.choice) == (Cause.ILLEGAL, tuple(decision.default_choice))


async def test_many_illegal_answers_in_one_message_count_one_by_one(calls: Wire) -> None:
    await calls.create("m", policy=record_pb2.Policy(illegal_retries=2, on_illegal=1))
    seat, decision = await calls.asked("m")
    stream = calls.bots.Play()
    await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of("m", seat))))
    while not any(item.HasField("decision") for item in (await stream.read()).items):
        pass
    wrong = play_pb2.Answer(channel=1, decision_id=decision.id, choice=[10_000])
    await stream.write(play_pb2.PlayRequest(answers=[wrong] * 5))
    verdicts: list[int] = []
    while len(verdicts) < 5:
        verdicts += [i.verdict.status for i in (await stream.read()).items if i.HasField("verdict")]
    assert verdicts[:3] == [Status.VERDICT_STATUS_ILLEGAL] * 3
    await calls.finish("m")
    _, log = unpack(await calls.record("m"))
    assert [entry.kind for entry in log].count(Kind.SUBSTITUTE) == 1


async def test_a_stream_that_breaks_the_rules_of_streams(calls: Wire, other: str) -> None:
    hello = play_pb2.PlayRequest(hello=play_pb2.Hello(name="x", token=token_of(other, 0)))

    async def said(*requests: play_pb2.PlayRequest) -> Said:
        stream = calls.bots.Play()
        for request in requests:
            await stream.write(request)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            while await stream.read() is not grpc.aio.EOF:
                pass
            raise AssertionError("the stream ended well")
        return said_by(caught.value)

    assert (await said(play_pb2.PlayRequest(heartbeat=1)))[:3] == ("INVALID_ARGUMENT", "NO_HELLO", "hello")
    assert (await said(hello, hello))[:3] == ("INVALID_ARGUMENT", "NO_HELLO", "hello")
    flood = play_pb2.PlayRequest(answers=[play_pb2.Answer(channel=1)] * 65)
    assert (await said(hello, flood))[:3] == ("RESOURCE_EXHAUSTED", "LIMIT", "answers")
    long = play_pb2.PlayRequest(answers=[play_pb2.Answer(channel=1, decision_id=1, move_id=b"x" * 17)])
    assert (await said(hello, long))[:3] == ("INVALID_ARGUMENT", "BAD_FIELD", "answers.move_id")


async def test_answers_on_a_channel_that_is_not_open(calls: Wire, other: str) -> None:
    stream = calls.bots.Play()
    await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=b"nobody has this token")))
    await stream.write(
        play_pb2.PlayRequest(answers=[play_pb2.Answer(channel=5, decision_id=3)], ready=[9], resync=[9])
    )
    items: list[play_pb2.MatchItem] = []
    while not items:
        items += (await stream.read()).items
    assert items[0].channel == 5 and items[0].verdict.status == Status.VERDICT_STATUS_UNKNOWN_CHANNEL
    stream.cancel()


async def test_an_oversized_message_ends_its_call_alone(calls: Wire, other: str) -> None:
    huge = game_pb2.CardPack(name="huge", text="#" * 1_100_000)
    said = await refused(calls.matches.CreateMatch(calls.creation("m", packs=[huge])))
    assert said[:3] == ("RESOURCE_EXHAUSTED", "LIMIT", "request")
    stream = calls.bots.Play()
    await stream.write(
        play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of(other, 0), name="n" * 1_100_000))
    )
    assert (await refused(stream.read()))[:3] == ("RESOURCE_EXHAUSTED", "LIMIT", "request")
    beyond = game_pb2.CardPack(name="beyond", text="#" * 9_000_000)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await calls.matches.CreateMatch(calls.creation("m", packs=[beyond]))
    assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_message_that_is_none(calls: Wire, other: str) -> None:
    for method in ("MatchService/CreateMatch", "MatchService/Act", "GameService/GetGame"):
        call = calls.channel.unary_unary(f"/ziggurat.v1.{method}")
        assert (await refused(call(b"\xff\xff\xff\xff")))[:3] == ("INVALID_ARGUMENT", "BAD_FIELD", "request")
    stream = calls.channel.stream_stream("/ziggurat.v1.BotService/Play")()
    await stream.write(b"\xff\xff\xff\xff")
    assert (await refused(stream.read()))[:3] == ("INVALID_ARGUMENT", "BAD_FIELD", "request")


async def test_failures_tell_nothing(
    calls: Wire, other: str, server: Application, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "secret of the inside"

    def broken(*_: Any, **__: Any) -> Any:
        raise KeyError(secret)

    async def internal(call: Any) -> None:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call
        assert said_by(caught.value)[:3] == ("INTERNAL", "INTERNAL", "")
        assert secret not in str(caught.value) and "KeyError" not in str(caught.value)

    with monkeypatch.context() as patch:
        patch.setattr(node, "session", broken)
        await internal(calls.get(other))
        await internal(calls.matches.Watch(match_pb2.WatchRequest(match_id=other)).read())
    with monkeypatch.context() as patch:
        patch.setattr(Stream, "take", broken)
        stream = calls.bots.Play()
        await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token_of(other, 0))))
        await stream.write(play_pb2.PlayRequest(heartbeat=7))

        async def read() -> None:
            while await stream.read() is not grpc.aio.EOF:
                pass

        await internal(read())


async def test_a_client_that_goes_while_it_is_written_to_is_no_failure(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @guarded
    async def write(self: None, request: None, context: None) -> None:
        try:
            raise grpc.aio.InternalError('Failed "execute_batch"')  # what context.write does then
        except grpc.aio.InternalError as error:
            raise ExceptionGroup("tasks", [error]) from None

    with pytest.raises(asyncio.CancelledError):
        await write(None, None, None)
    assert "call failed" not in capsys.readouterr().out
