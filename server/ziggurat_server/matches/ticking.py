"""The ticker: sees to what time brings in the matches that are in memory."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog

from ziggurat_server.errors import StoreUnavailable
from ziggurat_server.log import Cause, Entry, Kind
from ziggurat_server.matches.appending import Appender
from ziggurat_server.matches.clock import LOOK_SECONDS, TICK_SECONDS
from ziggurat_server.matches.live import WAITING
from ziggurat_server.matches.memory import Memory
from ziggurat_server.matches.recovery import Recovery
from ziggurat_server.matches.session import Session, Submission
from ziggurat_server.matches.substitutes import Substitutes
from ziggurat_server.sessions.store import Store

log = structlog.get_logger()


class Ticker:
    """Looks at all matches in memory every half second."""

    def __init__(
        self,
        store: Store,
        memory: Memory,
        recovery: Recovery,
        appender: Appender,
        substitutes: Substitutes,
        beat: Callable[[], Awaitable[None]],
    ) -> None:
        """`beat` is called every second."""
        self._store = store
        self._memory = memory
        self._recovery = recovery
        self._appender = appender
        self._substitutes = substitutes
        self._beat = beat
        self._started_ms = time.time() * 1000

    async def run(self) -> None:
        """Tick. While the store is away no clock runs: the ticker waits for it, which makes a stall."""
        last = time.monotonic()
        ticks = 0
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = time.monotonic()
            stalled = now - last - TICK_SECONDS
            last = now
            ticks += 1
            for session in list(self._memory.sessions.values()):
                self._tick(session, stalled, now)
            if ticks % 2 == 0:
                await self._tend(now)
                await self._beat()
            self._memory.forget_idle()

    def _tick(self, session: Session, stalled: float, now: float) -> None:
        if stalled > TICK_SECONDS:  # our own stall, charged to nobody
            session.stalled(stalled, now)
        session.ticked = now
        live = session.live
        if live.over or session.recovering:
            return
        try:
            if live.state == WAITING:
                self._give_up_waiting(session)
            else:
                self._substitutes.in_time(session, now)
        except Exception as error:  # a fault of one game must not reach the others
            self._memory.fault(live.id, error)

    def _give_up_waiting(self, session: Session) -> None:
        """Make a match void whose seats were not ready in time; the time without a server does not count."""
        live, ready_ms = session.live, session.live.header.policy.ready_ms
        age = time.time() * 1000 - max(live.header.created_ms, self._started_ms)
        if ready_ms and age > ready_ms and not session.has(Kind.VOID):
            missing = ", ".join(str(n) for n, seat in enumerate(live.seats) if not seat.ready)
            note = f"seats not ready in time: {missing}"
            self._appender.submit(session, Submission(Entry(Kind.VOID, cause=Cause.NOT_READY, note=note)))

    async def _tend(self, now: float) -> None:
        """Keep clocks, say which matches have a stream here, and read what other nodes may have appended to them."""
        now_ms = int(time.time() * 1000)
        sessions = {match_id: s for match_id, s in self._memory.sessions.items() if not s.live.over}
        tended = {match_id: s for match_id, s in sessions.items() if any(s.present.values())}
        clocks = {match_id: self._old_clocks(s, now, now_ms) for match_id, s in sessions.items()}
        clocks = {match_id: old for match_id, old in clocks.items() if old}
        try:
            if clocks:
                await self._store.save_clocks(clocks)
            await self._store.note_due([*tended], now_ms + int(LOOK_SECONDS * 1000))
            for session in tended.values():
                await self._recovery.refresh(session)
        except StoreUnavailable:
            log.warning("store away; clocks are not kept")

    def _old_clocks(self, session: Session, now: float, now_ms: int) -> dict[int, str]:
        """By seat, as the store keeps them: clocks that have run for a second, and that no other node may keep."""
        return {
            seat: clock.kept(now, now_ms)
            for seat, clock in session.clocks.items()
            if session.live.asks(seat, clock.decision_id)
            and clock.elapsed_ms(now) > 1000
            and (not self._store.wake_others or session.present.get(seat))
        }
