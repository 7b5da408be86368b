"""Ratings across events, by game, bot name and version: the fold of one log for each game.

Each entry is an event with the ratings of its bots after it. It is appended only if the log does not have the event,
by compare-and-append, so an event counts exactly once whoever dies at whatever moment and however often it is told.
A new version of a bot begins without a rating.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ziggurat_server.bots.values import BotKey, RatedEvent, Rating, RatingMap
from ziggurat_server.convert import bots as convert_bots
from ziggurat_server.errors import StoreUnavailable
from ziggurat_server.sessions.store import Store, chain
from ziggurat_server.sessions.writer import APPENDED, UNKNOWN

TRY_SECONDS = 30.0
AGAIN_SECONDS = 0.2

Rate = Callable[[RatingMap], RatingMap]
"""From all ratings of a game to those of an event's bots after it."""


@dataclass(slots=True)
class _Fold:
    """A log of ratings as far as it has been read."""

    tip: bytes = b""
    length: int = 0
    ratings: dict[BotKey, Rating] = field(default_factory=dict)
    events: set[str] = field(default_factory=set)

    def take(self, raw: bytes) -> None:
        """Fold the next entry; the first one is the header."""
        if self.length:
            event = convert_bots.decode_rated_event(raw)
            self.events.add(event.event_id)
            self.ratings.update(event.after)
        self.tip = chain(self.tip, [raw])
        self.length += 1


class Ratings:
    """Ratings of all games. All methods raise StoreUnavailable when the store cannot be reached."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._folds: dict[str, _Fold] = {}
        self._reading = asyncio.Lock()

    async def read(self, game: str) -> RatingMap:
        """The ratings in a game; a bot that has not played an event in this version has none."""
        return dict((await self._read(game)).ratings)

    async def update(self, game: str, event_id: str, rate: Rate) -> None:
        """Count an event once: `rate` gives its bots' ratings after it from the ratings that stand.

        It runs in a thread, since a large event takes seconds.
        It is called again if another event is counted meanwhile, so that neither is lost.
        """
        deadline = time.monotonic() + TRY_SECONDS
        await self._store.create(log_id(game), convert_bots.encode_ratings_header(game))
        while True:
            fold = await self._read(game)
            if event_id in fold.events:
                return
            tip, known = fold.tip, dict(fold.ratings)  # others may read on meanwhile
            after = await asyncio.to_thread(rate, known)
            event = RatedEvent(event_id, int(time.time() * 1000), after)
            entries = [convert_bots.encode_rated_event(event)]
            outcome = await self._store.append_and_wait(log_id(game), tip, entries)
            if outcome == APPENDED:
                return
            if time.monotonic() > deadline:
                raise StoreUnavailable(f"the ratings of event {event_id!r} are not confirmed; try again")
            if outcome == UNKNOWN:
                await asyncio.sleep(AGAIN_SECONDS)

    async def _read(self, game: str) -> _Fold:
        """The log as it is now; what was read before is not read again."""
        async with self._reading:
            fold = self._folds.setdefault(game, _Fold())
            tail = await self._store.read(log_id(game), fold.length)
            if fold.length and (tail is None or chain(fold.tip, tail.entries) != tail.tip):
                fold = self._folds[game] = _Fold()  # the log went back, as after a failover of the store
                tail = await self._store.read(log_id(game))
            for raw in tail.entries if tail is not None else ():
                fold.take(raw)
            return fold


def log_id(game: str) -> str:
    """Id of the log; no match has it, for want of the colon."""
    return f"ratings:{game}"
