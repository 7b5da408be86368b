"""Recovery: brings matches in memory up to what their logs hold.

That is needed when an append has failed or its outcome is unknown, and whenever another node may have written.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import structlog

from ziggurat_server import convert
from ziggurat_server.errors import ServiceError, StoreUnavailable
from ziggurat_server.log import Kind
from ziggurat_server.matches.memory import Memory, engine_fault
from ziggurat_server.matches.session import Session
from ziggurat_server.sessions.store import Store, chain, unknown_match
from ziggurat_server.tasks import Tasks

log = structlog.get_logger()

SYNC_SECONDS = 1.0
"""While there are other nodes, a match is not trusted for longer without reading its tail."""
LOOK_AT_MOST_SECONDS = 5.0
"""How long a caller waits for a tail to be read."""


class Recovery:
    """Reads the tails of logs. While it does, nothing is appended to them from here."""

    def __init__(
        self, store: Store, tasks: Tasks, memory: Memory, caught_up: Callable[[Session], None]
    ) -> None:
        """`caught_up` is told of each match that holds all of its log again."""
        self._store = store
        self._tasks = tasks
        self._memory = memory
        self._caught_up = caught_up

    def begin(self, session: Session, wait: bool) -> None:
        """Read a tail, now or, if the store needs time, after a `wait`, until that succeeds."""
        session.recovering = True
        session.recovery = self._tasks.spawn(self._recover(session, wait), f"recover {session.live.id}")

    async def look(self, session: Session) -> None:
        """Read the tail of a match, unless an append that is in flight will show what it is."""
        if session.in_flight is not None or self._memory.sessions.get(session.live.id) is not session:
            return
        if not session.recovering:
            self.begin(session, wait=False)
        if session.recovery is not None:
            await asyncio.wait({session.recovery}, timeout=LOOK_AT_MOST_SECONDS)

    async def refresh(self, session: Session) -> None:
        """Read the tail of a match, if another node may have written since it was read last."""
        if self._store.wake_others and time.monotonic() - session.synced > SYNC_SECONDS:
            await self.look(session)

    def heard(self, match_id: str, tip: str) -> None:
        """Some node, perhaps this one, has appended to a log, whose tip (hex) is told."""
        session = self._memory.sessions.get(match_id)
        if session is None or session.live.tip.hex() == tip:
            return
        session.synced = 0.0
        if session.live.listeners:
            self._tasks.spawn(self.look(session), f"look {match_id}")

    async def _recover(self, session: Session, wait: bool) -> None:
        pause = 0.05
        while True:
            try:
                if wait:
                    await asyncio.sleep(pause)
                await self._catch_up(session)
                break
            except StoreUnavailable:
                wait, pause = True, min(pause * 2, 1.0)
                session.stalled(pause, time.monotonic())
            except ServiceError as error:
                if session.live.id not in self._memory.faulty:
                    self._memory.drop(session.live.id, error)
                return
        session.recovering = False
        session.synced = time.monotonic()
        self._caught_up(session)

    async def _catch_up(self, session: Session) -> None:
        """Fold what other nodes appended; if the log is not a continuation of ours, start again from it."""
        live = session.live
        tail = await self._store.read(live.id, live.length)
        if tail is None:
            raise unknown_match(live.id)
        if live is not session.live or (tail.length == live.length and tail.tip == live.tip):
            return
        if tail.length < live.length or chain(live.tip, tail.entries) != tail.tip:
            await self._start_again(session)
            return
        try:
            for entry in map(convert.decode_entry, tail.entries):
                live.fold(entry)
                if entry.kind == Kind.ANSWER:
                    session.heard(entry.seat)
        except Exception as error:
            self._memory.fault(live.id, error)
            raise engine_fault(live.id) from None
        live.tip = tail.tip

    async def _start_again(self, session: Session) -> None:
        old = session.live
        tail = await self._store.read(old.id)
        if tail is None:
            raise unknown_match(old.id)
        log.warning("log went back", match=old.id, held=old.length, found=tail.length)
        session.live = self._memory.replay(old.id, tail.entries)
        session.clocks.clear()
        session.live.listeners = old.listeners
        for listener in session.live.listeners:
            listener.resync(session.live)
