"""Attacks on a running server: what one client sends, or what happens to one match or the store, harms nobody else."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import grpc
import grpc.aio
import pytest
import redis
from tests.support.servers import ServerProcess

from ziggurat.v1 import game_pb2, match_pb2, match_pb2_grpc, play_pb2, play_pb2_grpc, record_pb2
from ziggurat_server.sessions.embedded import EmbeddedStore

TOKENS = [bytes([65 + seat]) * 16 for seat in range(2)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    made = ServerProcess(tmp_path)
    yield made
    made.stop()


@pytest.fixture
async def channel(server: ServerProcess) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(server.address) as made:
        yield made


@pytest.fixture
def matches(channel: grpc.aio.Channel) -> match_pb2_grpc.MatchServiceStub:
    return match_pb2_grpc.MatchServiceStub(channel)


def creation(match_id: str, **more: object) -> match_pb2.CreateMatchRequest:
    seats = [
        record_pb2.SeatSpec(name=f"s{n}", token_sha256=hashlib.sha256(token).digest())
        for n, token in enumerate(TOKENS)
    ]
    return match_pb2.CreateMatchRequest(match_id=match_id, game="flow", seats=seats, **more)  # type: ignore[arg-type]


async def begin(matches: match_pb2_grpc.MatchServiceStub, match_id: str, **more: object) -> None:
    """Create a match in which both seats are ready."""
    await matches.CreateMatch(creation(match_id, **more))
    for seat, token in enumerate(TOKENS):
        token_hash = hashlib.sha256(token).digest()
        await matches.JoinMatch(
            match_pb2.JoinMatchRequest(
                match_id=match_id, seat=seat, name="s", token_sha256=token_hash, ready=True
            )
        )


def store_pid(server: ServerProcess) -> int:
    return int((server.log.parent / "data" / "store.pid").read_text())


async def test_the_embedded_store_comes_back_though_nothing_is_being_appended(
    server: ServerProcess, matches: match_pb2_grpc.MatchServiceStub
) -> None:
    await matches.CreateMatch(creation("before"))
    os.kill(store_pid(server), signal.SIGKILL)
    async with asyncio.timeout(10):
        while True:
            try:
                await matches.CreateMatch(creation("after"))
                break
            except grpc.aio.AioRpcError as error:
                assert error.code() == grpc.StatusCode.UNAVAILABLE
                await asyncio.sleep(0.1)
    listed = await matches.ListMatches(match_pb2.ListMatchesRequest())
    assert {match.match_id for match in listed.matches} == {"before", "after"}


async def test_a_policy_that_no_clock_can_show_is_refused_or_cut(
    matches: match_pb2_grpc.MatchServiceStub,
) -> None:
    with pytest.raises(grpc.aio.AioRpcError, match=r"policy\.on_illegal: 99"):
        await matches.CreateMatch(creation("unknown", policy=record_pb2.Policy(on_illegal=99)))  # type: ignore[arg-type]
    most = 2**32 - 1
    await begin(matches, "long", policy=record_pb2.Policy(decision_ms=most, bank_ms=most, increment_ms=most))
    states = [
        await matches.GetMatch(match_pb2.GetMatchRequest(match_id="long", token=token)) for token in TOKENS
    ]
    assert max(state.decision.left_ms for state in states) == most


async def test_an_answer_queued_behind_an_abort_does_not_spoil_the_log(
    server: ServerProcess, matches: match_pb2_grpc.MatchServiceStub
) -> None:
    await begin(matches, "m")
    seat, decision = await _asked(matches, "m")
    pid = store_pid(server)

    def act(choice: int) -> asyncio.Task[match_pb2.ActResponse]:
        answer = play_pb2.Answer(decision_id=decision.id, choice=[choice])
        call = matches.Act(match_pb2.ActRequest(match_id="m", token=TOKENS[seat], answer=answer))
        return asyncio.ensure_future(call)

    os.kill(pid, signal.SIGSTOP)
    try:
        calls: list[asyncio.Future[object]] = [act(9999)]  # its strike is in flight while the others wait
        await asyncio.sleep(0.1)
        calls.append(
            asyncio.ensure_future(
                matches.AbortMatch(match_pb2.AbortMatchRequest(match_id="m", token=TOKENS[0]))
            )
        )
        await asyncio.sleep(0.1)
        calls.append(act(decision.default_choice[0]))
        await asyncio.sleep(0.1)
    finally:
        os.kill(pid, signal.SIGCONT)
    illegal, _, late = await asyncio.gather(*calls)
    assert illegal.verdict.status == play_pb2.VERDICT_STATUS_ILLEGAL
    assert late.verdict.status == play_pb2.VERDICT_STATUS_OVER
    assert (await matches.GetMatch(match_pb2.GetMatchRequest(match_id="m"))).match.void_reason == "aborted"
    assert (await matches.GetRecord(match_pb2.GetRecordRequest(match_id="m"))).zgr


async def test_a_damaged_log_takes_no_other_match_with_it(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / "store")
    servers = [ServerProcess(tmp_path / "first", store.url)]
    try:
        async with grpc.aio.insecure_channel(servers[0].address) as channel:
            for match_id in ("bad", "good", "odd"):
                await begin(match_pb2_grpc.MatchServiceStub(channel), match_id)
        servers[0].kill()
        with redis.Redis.from_url(store.url) as client:
            client.lset("zg:{bad}:log", 1, b"\xff\xff\xff")
            client.lset("zg:{odd}:log", 1, record_pb2.LogEntry(kind=2, seat=77).SerializeToString())  # type: ignore[arg-type]
            client.zadd("zg:due", {"bad": 0, "odd": 1, "ghost": 2})
            servers.append(ServerProcess(tmp_path / "other", store.url))
            async with grpc.aio.insecure_channel(servers[1].address) as channel:
                matches = match_pb2_grpc.MatchServiceStub(channel)
                call = play_pb2_grpc.BotServiceStub(channel).Play()
                await call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=TOKENS[0])))
                async with asyncio.timeout(10):
                    await call.read()
                    assert (await call.read()).items[0].opened.match_id == "good"
                    while client.zscore("zg:due", "ghost") is not None:  # noqa: ASYNC110  (the sweeper lives)
                        await asyncio.sleep(0.1)
                for match_id in ("bad", "odd"):
                    with pytest.raises(grpc.aio.AioRpcError) as refused:
                        await matches.GetMatch(match_pb2.GetMatchRequest(match_id=match_id))
                    assert refused.value.code() == grpc.StatusCode.DATA_LOSS
                listed = await matches.ListMatches(match_pb2.ListMatchesRequest())
                assert [match.match_id for match in listed.matches] == ["good"]
    finally:
        for server in servers:
            server.kill()
        store.stop()


async def _asked(matches: match_pb2_grpc.MatchServiceStub, match_id: str) -> tuple[int, play_pb2.Decision]:
    for seat, token in enumerate(TOKENS):
        state = await matches.GetMatch(match_pb2.GetMatchRequest(match_id=match_id, token=token))
        if state.HasField("decision"):
            return seat, state.decision
    raise AssertionError("nobody is asked")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a=" + "[" * 100_000, id="nested"),
        pytest.param(".".join("a" * 100_000) + "=1", id="dotted"),
        pytest.param("a=" + "9" * 100_000, id="digits"),
        pytest.param("a=1\n" * 150_000, id="long"),
    ],
)
async def test_a_card_pack_of_any_shape_is_refused_in_time(
    text: str, matches: match_pb2_grpc.MatchServiceStub
) -> None:
    async with asyncio.timeout(5):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await matches.CreateMatch(creation("m", packs=[game_pb2.CardPack(name="p", text=text)]))
    assert refused.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert "p: " in (refused.value.details() or "")


async def test_an_error_about_something_huge_still_arrives(matches: match_pb2_grpc.MatchServiceStub) -> None:
    for request in (
        match_pb2.CreateMatchRequest(game="ü" * 400_000),
        creation("m", options={"x" * 400_000: "1"}),
        creation("m", packs=[game_pb2.CardPack(name="p" * 400_000, text="a=")]),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await matches.CreateMatch(request)
        assert refused.value.code() in (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT)
