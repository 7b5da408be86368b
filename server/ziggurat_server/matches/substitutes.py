"""Substitutes: what the server answers for seats that do not, or that have lost the right to."""

from __future__ import annotations

import time

from ziggurat_server.errors import StoreUnavailable
from ziggurat_server.log import Cause, Entry, Fallback, Kind
from ziggurat_server.matches.appending import Appender
from ziggurat_server.matches.clock import LOOK_SECONDS, Absence, KeptClock
from ziggurat_server.matches.live import LATE, Verdict
from ziggurat_server.matches.session import Reply, Session, Submission
from ziggurat_server.sessions.store import Store
from ziggurat_server.tasks import Tasks


class Substitutes:
    """Answers for seats, as the match's policy says."""

    def __init__(self, store: Store, tasks: Tasks, appender: Appender) -> None:
        self._store = store
        self._tasks = tasks
        self._appender = appender

    def substitute(
        self, session: Session, seat: int, cause: Cause, how: Fallback, reply: Reply | None = None
    ) -> None:
        """Answer for a seat; `reply` is called when that is done, or not needed any more."""
        live = session.live
        if live.asked(seat) is None:
            if reply is not None:
                reply(Verdict(0, LATE))
            return
        decision_id = live.seats[seat].decision_id
        choice = live.fallback(seat, how)
        entry = Entry(Kind.SUBSTITUTE, seat, decision_id, choice, cause=cause, fallback=how)
        submissions = [Submission(session.with_evidence(entry), reply)]
        if how == Fallback.FORFEIT and not live.seats[seat].forfeited:
            forfeit = Entry(Kind.FORFEIT, seat, decision_id, cause=cause, fallback=how)
            submissions.insert(0, Submission(session.with_evidence(forfeit)))
        self._appender.submit(session, *submissions)

    def at_once(self, session: Session) -> None:
        """Answer for seats that have forfeited, or whose grace is over and that are not at another node."""
        for number, seat in enumerate(session.live.seats):
            if seat.decision is None or session.has(Kind.SUBSTITUTE, number):
                continue
            if seat.forfeited:
                self.substitute(session, number, Cause.FORFEITED, Fallback.DEFAULT)
            elif (absence := session.absences.get(number)) is not None:
                self._if_still_gone(session, number, absence)

    def _if_still_gone(self, session: Session, seat: int, absence: Absence) -> None:
        policy, state = session.live.header.policy, session.live.seats[seat]
        if not policy.gone_ms or self._store.wake_others or session.present.get(seat):
            return
        if absence.over(policy, state.absent_ms) and not session.has(Kind.ANSWER, seat):
            absence.owes(state.decision_id, time.monotonic())
            self.substitute(session, seat, Cause.GONE, policy.on_gone)

    def in_time(self, session: Session, now: float) -> None:
        """Answer for seats whose time or grace is over."""
        policy = session.live.header.policy
        for number, seat in enumerate(session.live.seats):
            answered = session.has(Kind.SUBSTITUTE, number) or session.has(Kind.ANSWER, number)
            if seat.decision is None or answered:
                if number in session.absences:
                    session.absences[number].owes_nothing()
                continue
            clock, limit = session.clock(number, seat.decision_id), session.limit_ms(number)
            if clock is not None and limit is not None and clock.elapsed_ms(now) > limit:
                self.substitute(session, number, Cause.SLOW, policy.on_timeout)
            elif not session.present.get(number):
                absence = session.absence(number)
                absence.owes(seat.decision_id, now)
                self._if_gone(session, number, absence)

    def _if_gone(self, session: Session, seat: int, absence: Absence) -> None:
        """A seat must act and has no stream here: perhaps it has one at another node, which then keeps its clock."""
        policy = session.live.header.policy
        if not absence.over(policy, session.live.seats[seat].absent_ms):
            return
        if not self._store.wake_others:
            self.substitute(session, seat, Cause.GONE, policy.on_gone)
        elif absence.used - absence.looked > 2 * LOOK_SECONDS:
            absence.looked = absence.used
            self._tasks.spawn(self._if_gone_everywhere(session, seat, absence), f"gone {session.live.id}")

    async def _if_gone_everywhere(self, session: Session, seat: int, absence: Absence) -> None:
        """Substitute for a seat unless another node keeps the clock of its decision."""
        live = session.live
        decision_id = live.seats[seat].decision_id
        try:
            kept = (await self._store.clocks(live.id)).get(seat)
        except StoreUnavailable:
            return
        if session.live is not live or not live.asks(seat, decision_id) or absence.since is None:
            return
        clock = KeptClock.parse(kept) if kept else None
        age = time.time() * 1000 - clock.written_ms if clock and clock.decision_id == decision_id else None
        if age is None or age > 1000 * LOOK_SECONDS:
            # While the seat stays away, its next decision is looked at at once.
            absence.looked -= 2 * LOOK_SECONDS
            self.substitute(session, seat, Cause.GONE, live.header.policy.on_gone)
        else:
            absence.elsewhere()
