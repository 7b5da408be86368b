"""Answers of seats: judged, and submitted if they stand; strikes for illegal ones, notes of late ones."""

from __future__ import annotations

import time
from dataclasses import replace

from ziggurat_server.log import Cause, Entry, Kind
from ziggurat_server.matches.appending import Appender
from ziggurat_server.matches.live import ACCEPTED, ILLEGAL, LATE, Verdict
from ziggurat_server.matches.session import Reply, Session, Submission
from ziggurat_server.matches.substitutes import Substitutes

MOST_NOTED = 64
"""So many numbers of a refused answer are kept."""


class Answers:
    """Takes the answers of seats."""

    def __init__(self, appender: Appender, substitutes: Substitutes) -> None:
        self._appender = appender
        self._substitutes = substitutes

    def take(
        self,
        session: Session,
        seat: int,
        decision_id: int,
        choice: tuple[int, ...],
        move_id: bytes,
        plan: tuple[tuple[int, ...], ...],
        reply: Reply,
    ) -> None:
        """Take an answer; `reply` gets the verdict, for an accepted one after it is durable.

        Each choice of the plan that is taken gets a verdict too.
        """
        live = session.live
        verdict = live.judge(seat, decision_id, choice, move_id)
        session.heard(seat)
        clock = session.clock(seat, decision_id)
        elapsed = clock.elapsed_ms(time.monotonic()) if clock else 0
        entry = Entry(Kind.ANSWER, seat, decision_id, choice, move_id, received_ms=int(time.time() * 1000))
        if (verdict is None or verdict.status == ILLEGAL) and session.is_too_late(seat, elapsed):
            self._too_late(session, entry, reply)
        elif verdict is None:
            session.timed(entry, elapsed)
            self._appender.submit(session, Submission(entry, reply, plan, judged_at=live.length))
        elif verdict.status == ILLEGAL:
            self._illegal(session, entry, verdict, reply)
        else:
            if verdict.status == LATE:
                self._note_late(session, entry)
            reply(verdict)

    def _too_late(self, session: Session, answer: Entry, reply: Reply) -> None:
        """Answer for the seat first, unless an answer that came in time stands meanwhile."""
        seat, decision_id = answer.seat, answer.decision_id

        def told(_: Verdict) -> None:
            late = Verdict(decision_id, LATE, "decision_id: its time was over")
            stands = session.live.judge(seat, decision_id, answer.choice, answer.move_id)
            reply(late if stands is None or stands.status == ILLEGAL else stands)

        self._substitutes.substitute(session, seat, Cause.SLOW, session.live.header.policy.on_timeout, told)
        self._note_late(session, answer)

    def _note_late(self, session: Session, answer: Entry) -> None:
        """Note a late answer, the first of each decision."""
        if session.live.over or answer.decision_id in session.live.seats[answer.seat].late:
            return
        entry = replace(answer, kind=Kind.LATE, choice=answer.choice[:MOST_NOTED])
        entry.round_trip_ms = session.round_trip_ms(answer.seat)
        self._appender.submit(session, Submission(entry))

    def _illegal(self, session: Session, answer: Entry, verdict: Verdict, reply: Reply) -> None:
        """Count an illegal answer, unless it is a repeat or its decision is found to be answered before."""
        live, seat, policy = session.live, answer.seat, session.live.header.policy
        strike = replace(answer, kind=Kind.STRIKE, choice=answer.choice[:MOST_NOTED])
        strike.cause, strike.note = Cause.ILLEGAL, verdict.message
        if not live.fits(strike) or session.strikes(strike):
            reply(verdict)
            return

        def told(stands: Verdict) -> None:
            reply(verdict if stands.status == ACCEPTED else stands)

        self._appender.submit(session, Submission(session.with_evidence(strike), told))
        unfolded = session.count(Kind.STRIKE, seat)  # this one too, so that many in one message count
        if live.seats[seat].strikes + unfolded > policy.illegal_retries:
            self._substitutes.substitute(session, seat, Cause.ILLEGAL, policy.on_illegal)
