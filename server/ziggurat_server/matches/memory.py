"""The matches in a node's memory. They are read from their logs when somebody asks for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import structlog

from ziggurat_server.errors import EngineFault, ServiceError
from ziggurat_server.matches.clock import KeptClock
from ziggurat_server.matches.live import OVER, LiveMatch, Verdict
from ziggurat_server.matches.session import Session
from ziggurat_server.matches.void import is_void, replayed
from ziggurat_server.sessions.store import Store, chain, unknown_match
from ziggurat_server.tasks import Shared

log = structlog.get_logger()

KEEP_SECONDS = 30.0
"""How long a match without listeners stays in memory."""


class Memory:
    """The matches in memory, and the names of those that this node cannot replay."""

    def __init__(
        self, store: Store, loaded: Callable[[Session], None], lost: Callable[[LiveMatch], None]
    ) -> None:
        """`loaded` is told of each match that has come into memory, `lost` of each that is served no more."""
        self.sessions: dict[str, Session] = {}
        self.faulty: set[str] = set()
        self.faults = 0
        """How many engine faults there were."""
        self._store = store
        self._loaded = loaded
        self._lost = lost
        self._loading = Shared(self._load)

    async def find(self, match_id: str) -> Session:
        """A match, read from its log if need be. Raises UNKNOWN_MATCH or ENGINE_FAULT."""
        if match_id in self.faulty:
            if not await is_void(self._store, match_id):
                raise engine_fault(match_id)
            self.faulty.discard(match_id)
        session = self.sessions.get(match_id)
        if session is None:
            session = await self._loading.get(match_id)
        session.touched = time.monotonic()
        return session

    async def find_new(self, match_id: str) -> Session:
        """A match whose log may just have begun: a load that was under way before that finds nothing."""
        self._loading.renew(match_id)
        return await self.find(match_id)

    async def _load(self, match_id: str) -> Session:
        tail = await self._store.read(match_id)
        if tail is None:
            raise unknown_match(match_id)
        session = Session(self.replay(match_id, tail.entries))
        kept = await self._store.clocks(match_id)
        session.kept_clocks = {seat: KeptClock.parse(text) for seat, text in kept.items()}
        self.sessions[match_id] = session
        self._loaded(session)
        return session

    def replay(self, match_id: str, raw: Sequence[bytes]) -> LiveMatch:
        """The match that a log tells; raises ENGINE_FAULT if that cannot be made out."""
        try:
            live = replayed(raw)
        except ServiceError:
            raise
        except Exception as error:  # damaged bytes, or a fault of the rules: this match's, and no other's
            self.fault(match_id, error)
            raise engine_fault(match_id) from None
        live.tip = chain(live.tip, raw[1:])
        return live

    def fault(self, match_id: str, error: Exception) -> None:
        """Serve a match no longer. What is wrong with it is for the log alone: it may tell of hidden cards."""
        self.faulty.add(match_id)
        self.faults += 1
        log.error(
            "engine fault: match no longer served here",
            match=match_id,
            error=repr(error),
            exc_info=None if isinstance(error, EngineFault) else error,
        )
        self._let_go(match_id, "engine fault on this node")

    def drop(self, match_id: str, error: ServiceError) -> None:
        """Let go of a match whose log cannot be followed any more."""
        log.error("match dropped", match=match_id, error=str(error))
        self._let_go(match_id, str(error))

    def _let_go(self, match_id: str, reason: str) -> None:
        """Tell all who wait for something of a match that it is not served here any more."""
        session = self.sessions.pop(match_id, None)
        if session is None:
            return
        session.live.void_reason = reason
        waiting = [*(session.in_flight or ()), *session.queue]
        session.queue.clear()
        for submission in waiting:
            if submission.reply is not None:
                submission.reply(Verdict(submission.entry.decision_id, OVER, f"match: {reason}"))
                submission.reply = None  # one verdict each, whatever becomes of it in the log
        for listener in list(session.live.listeners):
            listener.closed(session.live)
        self._lost(session.live)

    def forget_idle(self) -> None:
        """Forget matches that nobody has asked for lately and that nothing is to happen in."""
        now = time.monotonic()
        for match_id, session in list(self.sessions.items()):
            if session.idle and now - session.touched > KEEP_SECONDS:
                self.forget(match_id)

    def forget(self, match_id: str) -> None:
        """Forget a match, to be read from its log again."""
        self.sessions.pop(match_id, None)


def engine_fault(match_id: str) -> ServiceError:
    """The error for a match that this node could not replay; the log says why."""
    return ServiceError("ENGINE_FAULT", "match_id", f"{match_id!r} could not be replayed on this node")
