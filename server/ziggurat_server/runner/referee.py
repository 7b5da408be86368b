"""Calls to the server that are repeated until the server is there: all of them may be."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from ziggurat import Refused, Unreachable, ZigguratError
from ziggurat_server.runner.errors import TournamentError

T = TypeVar("T")

AWAY_SECONDS = 60.0
SEALED_SECONDS = 20.0

WAITING, PLAYING, FINISHED, VOID = 1, 2, 3, 4
"""States of a match on the wire."""


class Standing(Protocol):
    """Of ziggurat.v1.Standing, what a tournament reads."""

    @property
    def seat(self) -> int: ...
    @property
    def points(self) -> int: ...
    @property
    def tie_break(self) -> Iterable[int]: ...
    @property
    def place(self) -> int: ...
    @property
    def forfeited(self) -> bool: ...


class MatchInfo(Protocol):
    """Of ziggurat.v1.MatchInfo, what a tournament reads."""

    @property
    def match_id(self) -> str: ...
    @property
    def rules_version(self) -> int: ...
    @property
    def state(self) -> int: ...
    @property
    def commitment(self) -> bytes: ...
    @property
    def decisions(self) -> int: ...
    @property
    def standings(self) -> Iterable[Standing]: ...
    @property
    def void_reason(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Broken:
    """A match that the server no longer serves, as a MatchInfo."""

    match_id: str
    void_reason: str
    state: int = VOID
    rules_version: int = 0
    commitment: bytes = b""
    decisions: int = 0
    standings: tuple[Standing, ...] = ()


async def patiently(
    call: Callable[[], Awaitable[T]], seconds: float = AWAY_SECONDS, also: tuple[str, ...] = ()
) -> T:
    """The result of a call, tried again while the server or its store is away, or says one of `also`."""
    deadline = time.monotonic() + seconds
    pause = 0.05
    while True:
        try:
            return await call()
        except ZigguratError as error:
            passing = isinstance(error, Unreachable)
            if isinstance(error, Refused):
                passing = error.passing or error.reason in also
            if not passing or time.monotonic() + pause > deadline:
                raise TournamentError(str(error)) from error
        await asyncio.sleep(pause)
        pause = min(pause * 2, 1.0)


def refused_as(error: TournamentError, *reasons: str) -> bool:
    """Whether `patiently` gave up because of one of these refusals."""
    return isinstance(error.__cause__, Refused) and error.__cause__.reason in reasons


async def unsealed(call: Callable[[], Awaitable[bytes]], patient: bool) -> bytes | None:
    """A record; None if it is still sealed (after some seconds, if `patient`) or the match is broken."""
    deadline = time.monotonic() + SEALED_SECONDS
    pause = 0.05
    while True:
        try:
            return await patiently(call)
        except TournamentError as error:
            if refused_as(error, "ENGINE_FAULT", "UNKNOWN_MATCH", "RULES_VERSION"):
                return None
            if not refused_as(error, "SEALED"):
                raise
        if not patient or time.monotonic() > deadline:
            return None
        await asyncio.sleep(pause)
        pause = min(pause * 2, 1.0)
