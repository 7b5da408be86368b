"""The sweeper: looks at open matches that no node tends, and drops the hints about matches that are over."""

from __future__ import annotations

import asyncio
import time

from ziggurat_server.errors import ServiceError, StoreUnavailable
from ziggurat_server.matches.clock import LOOK_SECONDS
from ziggurat_server.matches.live import LiveMatch, deal_of
from ziggurat_server.matches.memory import Memory
from ziggurat_server.matches.recovery import Recovery
from ziggurat_server.sessions.store import Store
from ziggurat_server.tasks import Tasks

SWEEP_SECONDS = 2.0
AGAIN_SECONDS = 1.0


class Sweeper:
    """Sweeps: no match stalls for ever, and no hint outlives its match."""

    def __init__(self, store: Store, tasks: Tasks, memory: Memory, recovery: Recovery) -> None:
        self._store = store
        self._tasks = tasks
        self._memory = memory
        self._recovery = recovery
        self._clearing: dict[bytes, set[asyncio.Task[None]]] = {}
        """By deal."""

    async def run(self) -> None:
        """Look at matches whose time has come, for ever."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now_ms = int(time.time() * 1000)
            try:
                for match_id in await self._store.due(now_ms):
                    await self._store.note_due([match_id], now_ms + int(LOOK_SECONDS * 1000))
                    await self._look_after(match_id)
            except StoreUnavailable:
                continue

    async def _look_after(self, match_id: str) -> None:
        try:
            session = await self._memory.find(match_id)
            await self._recovery.look(session)
            if session.live.over:
                await self._drop_hints(session.live)
        except StoreUnavailable:
            raise
        except ServiceError as error:
            if error.reason == "UNKNOWN_MATCH":  # its creation was broken off
                await self._store.forget_due(match_id)

    def clear(self, live: LiveMatch) -> None:
        """Begin to drop the hints about a match that is over."""
        deal = _deal_of(live)
        task = self._tasks.spawn(self._drop_hints(live), f"clear {live.id}")
        self._clearing.setdefault(deal, set()).add(task)
        task.add_done_callback(lambda done: self._done(deal, done))

    def _done(self, deal: bytes, task: asyncio.Task[None]) -> None:
        self._clearing[deal].discard(task)
        if not self._clearing[deal]:
            del self._clearing[deal]

    async def cleared(self, live: LiveMatch) -> None:
        """Wait until the hints have been dropped about all matches of a deal that have ended here till now."""
        if tasks := self._clearing.get(_deal_of(live)):
            await asyncio.wait([*tasks])

    async def _drop_hints(self, live: LiveMatch) -> None:
        """Drop the hints about a match, however long the store is away."""
        tokens = [seat.token_sha256 for seat in live.seats if seat.token_sha256]
        deal = _deal_of(live)
        while True:
            try:
                await self._store.closed(live.id, tokens, deal)
                return
            except StoreUnavailable:
                await asyncio.sleep(AGAIN_SECONDS)


def _deal_of(live: LiveMatch) -> bytes:
    return deal_of(live.header.game, live.header.seed)
