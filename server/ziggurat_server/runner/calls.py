"""Calls to the server that are repeated until the server is there: all of them may be."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ziggurat import AsyncClient, BadAddress, Refused, Unreachable, ZigguratError
from ziggurat_server.runner.errors import TournamentError, words_of

T = TypeVar("T")

AWAY_SECONDS = 60.0
REACH_SECONDS = 10.0


async def patiently(call: Callable[[], Awaitable[T]], seconds: float = AWAY_SECONDS) -> T:
    """The result of a call, tried again while the server or its store is away."""
    deadline = time.monotonic() + seconds
    pause = 0.05
    while True:
        try:
            return await call()
        except ZigguratError as error:
            passing = isinstance(error, Unreachable) or (isinstance(error, Refused) and error.passing)
            if not passing or time.monotonic() + pause > deadline:
                raise TournamentError(words_of(error)) from error
        await asyncio.sleep(pause)
        pause = min(pause * 2, 1.0)


async def check_reachable(address: str) -> None:
    """Refuse a server that is not there before anything is made for it."""
    try:
        async with AsyncClient(address) as client:
            await patiently(client.list_games, REACH_SECONDS)
    except BadAddress as error:
        raise TournamentError(f"--server: {error}") from None
    except TournamentError as error:
        raise TournamentError(f"--server: {error}; start it, or name another one") from None


def is_refusal(error: TournamentError) -> bool:
    """Whether the server has refused for good what `patiently` asked for, so that it was not done."""
    return isinstance(error.__cause__, Refused) and not error.__cause__.passing


def refused_as(error: TournamentError, *reasons: str) -> bool:
    """Whether `patiently` gave up because of one of these refusals."""
    return isinstance(error.__cause__, Refused) and error.__cause__.reason in reasons
