"""Registered bots for tests: their tokens, and calls about them over the wire."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from tests.support.wire import Wire, sha

from ziggurat.v1 import bot_pb2, match_pb2, play_pb2, record_pb2

OWNER = b"owner of them all"


def token(name: str) -> bytes:
    """The token that a bot of this name connects with."""
    return hashlib.sha256(b"bot " + name.encode()).digest()[:16]


def registration(name: str, /, **more: Any) -> bot_pb2.RegisterBotRequest:
    """The request that registers a bot; `more` replaces fields."""
    usual = {"name": name, "token_sha256": sha(token(name)), "owner_token": OWNER}
    return bot_pb2.RegisterBotRequest(**usual | more)


async def enlist(wire: Wire, *names: str, **more: Any) -> None:
    """Register bots."""
    for name in names:
        await wire.bots.RegisterBot(registration(name, **more))


async def listed(wire: Wire, **more: Any) -> dict[str, bot_pb2.BotInfo]:
    """What ListBots says, by name."""
    return {bot.name: bot for bot in (await wire.bots.ListBots(bot_pb2.ListBotsRequest(**more))).bots}


async def until_connected(wire: Wire, name: str, connected: bool = True) -> None:
    """Wait until a bot is listed as connected, or not."""
    async with asyncio.timeout(15):
        while (await listed(wire))[name].connected != connected:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


@asynccontextmanager
async def here(wire: Wire, *names: str) -> AsyncIterator[None]:
    """Let bots be connected: each has a stream, on which it does nothing."""
    streams = []
    for name in names:
        stream = wire.bots.Play()
        await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(name=name, token=token(name))))
        assert (await stream.read()).HasField("welcome")
        streams.append(stream)
    yield
    for stream in streams:
        stream.cancel()


def named(*names: str) -> list[record_pb2.SeatSpec]:
    """Seats for these bots; "" for any."""
    return [record_pb2.SeatSpec(bot=bot_pb2.BotWish(name=name)) for name in names]


def near(rating: float, most: float | None = None) -> record_pb2.SeatSpec:
    """A seat for a bot with about this rating."""
    return record_pb2.SeatSpec(bot=bot_pb2.BotWish(near_rating=rating, max_distance=most))


async def create(
    wire: Wire, seats: Sequence[record_pb2.SeatSpec], match_id: str = "", **more: Any
) -> match_pb2.MatchInfo:
    """Create a match of flow with these seats."""
    request = match_pb2.CreateMatchRequest(match_id=match_id, game="flow", seats=seats, **more)
    return (await wire.matches.CreateMatch(request)).match
