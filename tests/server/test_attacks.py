"""Attacks on a running server: what one client sends, or what happens to one match or the store, harms nobody else."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import grpc.aio
import pytest
import redis
from tests.support.servers import ServerProcess
from tests.support.stream_bot import wire_choice

from ziggurat.v1 import game_pb2, match_pb2, match_pb2_grpc, play_pb2, play_pb2_grpc, record_pb2
from ziggurat_rules.keyed import keyed
from ziggurat_server.sessions.embedded import EmbeddedStore, ping

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


async def forgotten(client: redis.Redis, match_id: str) -> None:
    """Until no node is to look at a match any more."""
    while client.zscore("zg:due", match_id) is not None:  # noqa: ASYNC110 (another process's state)
        await asyncio.sleep(0.1)


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
                    await forgotten(client, "ghost")  # the sweeper lives
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


async def test_a_bot_that_never_reads_is_let_go(server: ServerProcess, channel: grpc.aio.Channel) -> None:
    before = resident_mib(server)
    call = play_pb2_grpc.BotServiceStub(channel).Play()
    await call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=b"never reads, ever")))
    answers = [play_pb2.Answer(channel=2**32 - 1, choice=[-(2**31)])] * 64
    with pytest.raises((asyncio.InvalidStateError, grpc.aio.AioRpcError, TimeoutError)):
        for _ in range(10_000):
            await asyncio.wait_for(call.write(play_pb2.PlayRequest(answers=answers)), 1)
    assert b'"bot left"' in server.log.read_bytes()
    assert resident_mib(server) < before + 50


async def test_a_newer_stream_ends_the_older_at_once(channel: grpc.aio.Channel) -> None:
    calls = [play_pb2_grpc.BotServiceStub(channel).Play() for _ in range(2)]
    for call in calls:
        await call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=TOKENS[0])))
        assert (await call.read()).HasField("welcome")
    with pytest.raises(grpc.aio.AioRpcError, match="a newer stream of this token took over"):
        await calls[0].read()


async def test_a_hello_with_more_views_than_any_bot_holds_is_refused(channel: grpc.aio.Channel) -> None:
    call = play_pb2_grpc.BotServiceStub(channel).Play()
    held = [play_pb2.Held(match_id=str(number)) for number in range(20_000)]
    await call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=TOKENS[0], held=held)))
    with pytest.raises(grpc.aio.AioRpcError, match=r"hello\.held"):
        await call.read()


def resident_mib(server: ServerProcess) -> int:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) // 1024


def test_what_the_embedded_store_keeps_is_for_its_user_alone(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / "store")
    store.stop()
    kept = list((tmp_path / "store").rglob("appendonly*"))
    assert kept and not any(path.stat().st_mode & 0o077 for path in kept)


@pytest.mark.chaos
async def test_a_seat_that_another_node_tends_is_not_gone(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / "store")
    servers = [ServerProcess(tmp_path / name, store.url) for name in ("its", "other")]
    try:
        async with (
            grpc.aio.insecure_channel(servers[0].address) as its,
            grpc.aio.insecure_channel(servers[1].address) as other,
        ):
            policy = record_pb2.Policy(gone_ms=1, decision_ms=600_000)
            await begin(match_pb2_grpc.MatchServiceStub(its), "m", policy=policy)
            for token in TOKENS:
                call = play_pb2_grpc.BotServiceStub(its).Play()
                await call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(token=token)))
                await call.read()
            for _ in range(24):
                request = match_pb2.GetMatchRequest(match_id="m")
                state = await match_pb2_grpc.MatchServiceStub(other).GetMatch(request)
                assert state.match.decisions == 0
                await asyncio.sleep(1)
    finally:
        for server in servers:
            server.kill()
        store.stop()


async def test_a_match_says_nothing_of_moves_that_nobody_else_may_notice(
    matches: match_pb2_grpc.MatchServiceStub,
) -> None:
    await begin(matches, "m", seed=2)
    everybody = match_pb2.GetMatchRequest(match_id="m")
    before = await matches.GetMatch(everybody)
    unseen = number = 0
    while before.match.state == match_pb2.MATCH_STATE_PLAYING and unseen < 5:
        seat, decision = await _asked(matches, "m")
        number += 1
        choice = wire_choice(decision, keyed(2, number))
        answer = play_pb2.Answer(decision_id=decision.id, choice=choice)
        await matches.Act(match_pb2.ActRequest(match_id="m", token=TOKENS[seat], answer=answer))
        after = await matches.GetMatch(everybody)
        if after.view.version == before.view.version:
            unseen += 1
            assert after == before
        before = after
    assert unseen


async def test_a_creation_that_was_broken_off_seals_no_record_for_ever(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / "store")
    server = ServerProcess(tmp_path / "server", store.url)
    try:
        async with grpc.aio.insecure_channel(server.address) as channel:
            matches = match_pb2_grpc.MatchServiceStub(channel)
            await matches.CreateMatch(creation("m", seed=7))
            with redis.Redis.from_url(store.url) as client:
                (deal,) = client.keys("zg:deal:*")
                client.sadd(deal, "ghost")
                client.zadd("zg:due", {"ghost": 0})
                await matches.AbortMatch(match_pb2.AbortMatchRequest(match_id="m", token=TOKENS[0]))
                async with asyncio.timeout(10):
                    await forgotten(client, "ghost")
                assert (await matches.GetRecord(match_pb2.GetRecordRequest(match_id="m"))).zgr
                for _ in range(3):  # another seed is drawn each time, and dropped
                    await matches.CreateMatch(creation("drawn"))
                assert len(client.keys("zg:deal:*")) == 1
    finally:
        server.kill()
        store.stop()


@pytest.mark.chaos
async def test_a_call_cancelled_while_it_reads_the_tail_wedges_no_match(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / "store")
    servers = [ServerProcess(tmp_path / name, store.url) for name in ("one", "other")]
    try:
        async with grpc.aio.insecure_channel(servers[1].address) as channel:
            matches = match_pb2_grpc.MatchServiceStub(channel)
            await begin(matches, "m")
            seat, decision = await _asked(matches, "m")
            await asyncio.sleep(2)  # until they know of each other, and what is in memory is old
            os.kill(store.pid, signal.SIGSTOP)
            try:
                with pytest.raises(grpc.aio.AioRpcError, match="Deadline"):
                    await matches.GetMatch(match_pb2.GetMatchRequest(match_id="m"), timeout=0.3)
            finally:
                os.kill(store.pid, signal.SIGCONT)
            answer = play_pb2.Answer(decision_id=decision.id, choice=decision.default_choice)
            act = match_pb2.ActRequest(match_id="m", token=TOKENS[seat], answer=answer)
            taken = await matches.Act(act, timeout=5)
            assert taken.verdict.status == play_pb2.VERDICT_STATUS_ACCEPTED
    finally:
        for server in servers:
            server.kill()
        store.stop()


async def test_nobody_is_charged_for_the_time_that_the_store_takes(
    server: ServerProcess, matches: match_pb2_grpc.MatchServiceStub
) -> None:
    await begin(matches, "m", policy=record_pb2.Policy(decision_ms=1500, illegal_retries=9))
    seat, decision = await _asked(matches, "m")

    async def act(choice: int) -> int:
        answer = play_pb2.Answer(decision_id=decision.id, choice=[choice])
        call = matches.Act(match_pb2.ActRequest(match_id="m", token=TOKENS[seat], answer=answer))
        return (await call).verdict.status

    os.kill(store_pid(server), signal.SIGSTOP)
    refused = asyncio.create_task(act(9999))
    await asyncio.sleep(3)
    os.kill(store_pid(server), signal.SIGCONT)
    assert await refused == play_pb2.VERDICT_STATUS_ILLEGAL
    assert await act(decision.default_choice[0]) == play_pb2.VERDICT_STATUS_ACCEPTED


async def test_a_flood_of_calls_waits_for_the_store_instead_of_failing(
    matches: match_pb2_grpc.MatchServiceStub,
) -> None:
    await asyncio.gather(*(matches.CreateMatch(creation(f"m{number}")) for number in range(100)))


def test_a_store_whose_socket_is_there_is_waited_for_until_it_answers(tmp_path: Path) -> None:
    path = tmp_path / "store.sock"
    with socket.socket(socket.AF_UNIX) as early, socket.socket(socket.AF_UNIX) as slow:
        early.bind(str(path))
        assert ping(path) == b""
        path.unlink()
        slow.bind(str(path))
        slow.listen()
        with ThreadPoolExecutor() as pool:
            answered = pool.submit(ping, path)
            link, _ = slow.accept()
            with link:
                link.recv(64)  # what is unread at the close would reset the connection
                link.sendall(b"-LOADING")
            assert answered.result() == b"-LOADING"
