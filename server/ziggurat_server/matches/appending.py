"""Appending: what is submitted goes out in batches, and what the store confirmed is folded.

One append is in flight per match; what is submitted meanwhile is its next batch, after it has been judged again.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

import structlog

from ziggurat_server import convert
from ziggurat_server.errors import StoreUnavailable
from ziggurat_server.failpoints import passing
from ziggurat_server.log import ENDS, MOVES, Entry, Kind
from ziggurat_server.matches.live import ACCEPTED, LiveMatch, Verdict
from ziggurat_server.matches.memory import Memory
from ziggurat_server.matches.recovery import Recovery
from ziggurat_server.matches.session import Session, Submission
from ziggurat_server.sessions.store import Store, chain
from ziggurat_server.sessions.writer import APPENDED, MISSING, UNKNOWN

log = structlog.get_logger()

CONFIRM_SECONDS = 30.0
ABOUT_DECISIONS = (*MOVES, Kind.STRIKE, Kind.FORFEIT, Kind.LATE)
"""Kinds that are right or wrong by what became of a seat's decision."""


class Appender:
    """Appends to the logs of matches."""

    def __init__(
        self, store: Store, memory: Memory, recovery: Recovery, folded: Callable[[Session], None]
    ) -> None:
        """`folded` is told of each match in which something has been confirmed."""
        self._store = store
        self._memory = memory
        self._recovery = recovery
        self._folded = folded

    def submit(self, session: Session, *submissions: Submission) -> None:
        """Queue what is to be appended; what is given together goes out together."""
        for submission in submissions:
            if submission.entry.kind != Kind.ANSWER:
                submission.entry.applied_ms = int(time.time() * 1000)
            session.queue.append(submission)
        self.go_on(session)

    async def append(self, session: Session, entry: Entry) -> None:
        """Append something, and wait until it is folded or not needed any more; raises STORE_UNAVAILABLE."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def reply(_: Verdict) -> None:
            if not done.done():
                done.set_result(None)

        self.submit(session, Submission(entry, reply))
        try:
            async with asyncio.timeout(CONFIRM_SECONDS):
                await done
        except TimeoutError:
            raise StoreUnavailable("the store has not confirmed this; try again") from None

    def go_on(self, session: Session) -> None:
        """Append the next batch, if none is in flight."""
        if session.in_flight is not None or session.recovering:
            return
        live = session.live
        batch = _next_batch(session)
        if not batch:
            return
        for submission in batch:
            if submission.entry.kind in MOVES:  # the others of the batch were checked against this state too
                submission.entry.state_hash = live.state_hash()
                break
        raw = [convert.encode_entry(submission.entry) for submission in batch]
        new_tip = chain(live.tip, raw)
        session.in_flight = batch
        self._store.append(
            live.id, live.tip, new_tip, raw, lambda outcome: self._outcome(session, outcome, new_tip)
        )

    def _outcome(self, session: Session, outcome: int, new_tip: bytes) -> None:
        batch = session.in_flight or []
        session.in_flight = None
        if outcome == APPENDED:
            session.live.tip = new_tip
            session.synced = time.monotonic()
            self._confirmed(session, batch)
            return
        session.queue.extendleft(reversed(batch))
        if outcome == MISSING:
            log.error("the log of a match is gone", match=session.live.id)
        self._recovery.begin(session, wait=outcome == UNKNOWN)

    def _confirmed(self, session: Session, batch: list[Submission]) -> None:
        live = session.live
        left = deque(batch)
        try:
            while left:
                submission = left.popleft()
                entry = submission.entry
                if submission.reply is not None:
                    submission.reply(
                        Verdict(entry.decision_id, ACCEPTED, "", submission.taken, entry.move_id)
                    )
                    passing("answered")
                live.fold(entry)
                passing("applied")
                if submission.plan and submission.reply is not None:
                    _follow_plan(session, submission)
            self._folded(session)
        except Exception as error:  # a fault of one game must not reach the others
            session.queue.extendleft(reversed(left))
            self._memory.fault(live.id, error)


def _next_batch(session: Session) -> list[Submission]:
    """What of the queue can go out together: of a seat nothing after its move, and nothing after an end."""
    batch: list[Submission] = []
    moved: list[int] = []
    queue = session.queue
    while queue:
        submission = queue[0]
        entry = submission.entry
        if entry.kind in ABOUT_DECISIONS and entry.seat in moved:
            break
        queue.popleft()
        if _still_right(session.live, submission):
            if entry.kind in MOVES or entry.kind == Kind.LATE:  # noted once
                moved.append(entry.seat)
            batch.append(submission)
            if entry.kind in ENDS:
                break
    return batch


def _still_right(live: LiveMatch, submission: Submission) -> bool:
    """Judge again what was queued; replies if it no longer stands."""
    if submission.judged_at == live.length:
        return True
    entry = submission.entry
    verdict: Verdict | None = None
    if entry.kind == Kind.ANSWER:
        verdict = live.judge(entry.seat, entry.decision_id, entry.choice, entry.move_id)
    elif entry.kind == Kind.STRIKE:
        if not live.fits(entry):
            verdict = live.judge(entry.seat, entry.decision_id, entry.choice, entry.move_id)
    elif live.over or not live.fits(entry):
        verdict = Verdict(entry.decision_id, ACCEPTED)
    if verdict is None:
        return True
    if submission.reply is not None:
        submission.reply(verdict)
    return False


def _follow_plan(session: Session, done: Submission) -> None:
    """Queue the next choice of a plan, if it is offered and the last one revealed nothing new."""
    live, seat = session.live, done.entry.seat
    choice, rest = done.plan[0], done.plan[1:]
    decision_id = live.seats[seat].decision_id
    if (
        live.asked(seat) is None
        or live.judge(seat, decision_id, choice, b"") is not None
        or live.revealed(seat)
        or live.seats[seat].forfeited
    ):
        return
    entry = Entry(Kind.ANSWER, seat, decision_id, choice, received_ms=done.entry.received_ms)
    session.queue.append(Submission(entry, done.reply, rest, done.taken + 1))
