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
from tests.support.servers import ServerProcess

from ziggurat.v1 import game_pb2, match_pb2, match_pb2_grpc, play_pb2, play_pb2_grpc, record_pb2

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
