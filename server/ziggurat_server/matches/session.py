"""A match in a node's memory: its live fold, what waits to be appended, who follows it, clocks and absences."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from ziggurat_server.log import Entry, Kind
from ziggurat_server.matches.clock import MOST_MS, TICK_SECONDS, Absence, Clock, KeptClock, limit_ms
from ziggurat_server.matches.live import Listener, LiveMatch, Verdict

Reply = Callable[[Verdict], None]


@dataclass(slots=True)
class Submission:
    """Something to append; `reply` gets the verdict if it is an answer. `plan`: choices that follow."""

    entry: Entry
    reply: Reply | None = None
    plan: tuple[tuple[int, ...], ...] = ()
    taken: int = 0
    judged_at: int = -1
    """Length of the log when it was last found right."""


@dataclass(slots=True)
class Session:
    """A match in this node's memory."""

    live: LiveMatch
    queue: deque[Submission] = field(default_factory=deque)
    in_flight: list[Submission] | None = None
    clocks: dict[int, Clock] = field(default_factory=dict)
    absences: dict[int, Absence] = field(default_factory=dict)
    """By seat: of those that were found without a connection here."""
    present: dict[int, int] = field(default_factory=dict)
    """By seat: number of streams of it here, whether or not a clock runs."""
    round_trips: dict[int, int] = field(default_factory=dict)
    """By seat: last measured on a stream that has ended, in milliseconds."""
    kept_clocks: dict[int, KeptClock] = field(default_factory=dict)
    touched: float = field(default_factory=time.monotonic)
    synced: float = field(default_factory=time.monotonic)
    """When it was last known to hold all of its log (monotonic)."""
    ticked: float = field(default_factory=time.monotonic)
    """When its clocks were last looked at (monotonic)."""
    recovering: bool = False
    recovery: asyncio.Task[None] | None = None
    """Reads the log while `recovering`; no caller's, since callers are cancelled."""
    ended: bool = False
    """Whether its end has been seen to."""

    @property
    def idle(self) -> bool:
        """Whether nothing is to happen in it unless somebody asks for it."""
        busy = self.live.listeners or self.in_flight is not None or self.queue or self.recovering
        return not busy and (self.live.over or self.live.asks_nobody)

    # Who follows it

    def attach(self, listener: Listener) -> None:
        """Let a listener follow the match."""
        self.live.listeners.append(listener)

    def detach(self, listener: Listener) -> None:
        """End that."""
        if listener in self.live.listeners:
            self.live.listeners.remove(listener)
        self.touched = time.monotonic()

    def seat_here(self, seat: int) -> None:
        """A stream of the seat is here."""
        self.present[seat] = self.present.get(seat, 0) + 1
        self.heard(seat)

    def seat_left(self, seat: int, round_trip_ms: int = 0) -> None:
        """A stream of the seat is gone; `round_trip_ms` was last measured on it."""
        self.present[seat] = max(0, self.present.get(seat, 0) - 1)
        if round_trip_ms:
            self.round_trips[seat] = round_trip_ms
        if not self.present[seat] and self.live.asked(seat) is not None:
            self.absence(seat).owes(self.live.seats[seat].decision_id, time.monotonic())

    def heard(self, seat: int) -> None:
        """The seat is here, by a stream or a call."""
        absence = self.absences.get(seat)
        if absence is not None:
            absence.back(time.monotonic())

    def absence(self, seat: int) -> Absence:
        """The absence of a seat that is not here."""
        return self.absences.setdefault(seat, Absence())

    # What is on its way

    def count(self, kind: Kind, seat: int | None = None) -> int:
        """How many entries of this kind (and seat) are queued or in flight."""
        waiting = (*self.queue, *(self.in_flight or ()))
        return sum(s.entry.kind == kind and (seat is None or s.entry.seat == seat) for s in waiting)

    def has(self, kind: Kind, seat: int | None = None) -> bool:
        """Whether an entry of this kind (and seat) is queued or in flight."""
        return self.count(kind, seat) > 0

    def strikes(self, entry: Entry) -> bool:
        """Whether the same illegal answer, known by its move id, is on its way into the log."""
        same = (Kind.STRIKE, entry.seat, entry.decision_id, entry.move_id, entry.choice)
        waiting = (s.entry for s in (*self.queue, *(self.in_flight or ())))
        return bool(entry.move_id) and any(
            (e.kind, e.seat, e.decision_id, e.move_id, e.choice) == same for e in waiting
        )

    # Time

    def decision_sent(self, seat: int) -> int:
        """Start the clock of a seat's decision if it was not sent before; returns the ms left (0: no limit)."""
        decision_id = self.live.seats[seat].decision_id
        clock = self.clock(seat, decision_id)
        now = time.monotonic()
        self.heard(seat)
        if clock is None:
            kept = self.kept_clocks.pop(seat, None)
            used, sent = 0, int(time.time() * 1000)
            if kept is not None and kept.decision_id == decision_id:
                used, sent = kept.used_ms, kept.sent_ms
            clock = self.clocks[seat] = Clock(decision_id, used, now, sent)
        limit = self.limit_ms(seat)
        return 0 if limit is None else min(max(1, limit - clock.elapsed_ms(now)), MOST_MS)

    def stalled(self, seconds: float, now: float) -> None:
        """So long up to now the seats could not be served: it is charged to nobody."""
        for clock in self.clocks.values():
            clock.skip(seconds, now)

    def limit_ms(self, seat: int) -> int | None:
        """Time that the seat's decision may take in all; None if there is no limit."""
        return limit_ms(self.live.header.policy, self.live.seats[seat].bank_ms)

    def clock(self, seat: int, decision_id: int) -> Clock | None:
        """The clock of this decision of the seat, if it runs."""
        clock = self.clocks.get(seat)
        return clock if clock is not None and clock.decision_id == decision_id else None

    def is_too_late(self, seat: int, elapsed_ms: int) -> bool:
        """Whether a decision's time was over before the ticker saw it; a stall that it has yet to see is no fault."""
        limit = self.limit_ms(seat)
        late = limit is not None and elapsed_ms > limit
        return late and time.monotonic() - self.ticked < 2 * TICK_SECONDS

    def timed(self, entry: Entry, elapsed_ms: int) -> Entry:
        """Note in a move how long the decision took; what is beyond its limit is nobody's."""
        clock = self.clock(entry.seat, entry.decision_id)
        limit = self.limit_ms(entry.seat)
        entry.charged_ms = min(elapsed_ms, MOST_MS if limit is None else limit, MOST_MS)
        entry.sent_ms = clock.sent_ms if clock else 0
        absence = self.absences.get(entry.seat)
        entry.absent_ms = absence.spent_ms(entry.decision_id) if absence else 0
        return entry

    def with_evidence(self, entry: Entry) -> Entry:
        """Note in an entry of the server's own what was known when it was made."""
        clock = self.clock(entry.seat, entry.decision_id)
        self.timed(entry, clock.elapsed_ms(time.monotonic()) if clock else 0)
        entry.bank_ms = self.live.seats[entry.seat].bank_ms
        entry.round_trip_ms = self.round_trip_ms(entry.seat)
        return entry

    def round_trip_ms(self, seat: int) -> int:
        """Last measured round trip to the seat's client, in milliseconds; 0 if none was."""
        here = (listener.round_trip_ms for listener in self.live.listeners if listener.audience == seat)
        return max(here, default=0) or self.round_trips.get(seat, 0)
