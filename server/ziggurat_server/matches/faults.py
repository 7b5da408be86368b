"""What a log holds against its seats, and the evidence: a fold of the entries, pure."""

from __future__ import annotations

from collections.abc import Iterable

from ziggurat_server.log import Cause, Entry, Fault, Faults, Header, Kind

_TIME_OVER = (Cause.SLOW, Cause.GONE)


class Evidence:
    """Faults in the order of the log, and counts by seat, as far as entries were taken in.

    Each fault is in `faults` once and in one of the counts: illegal, late, gone, forfeits. Decisions that the server
    took (`substitutes`) are counted besides; those of a seat that has forfeited are no faults of their own.
    """

    def __init__(self, seats: int) -> None:
        self.faults: list[Fault] = []
        self.counts = [Faults() for _ in range(seats)]
        self._last: dict[tuple[int, int], Fault] = {}
        """By seat and decision: the fault that a substitute or a late answer belongs to."""

    def take(self, entry: Entry) -> None:
        """Take in the next entry of the log."""
        if entry.kind == Kind.STRIKE:
            self._held(entry).submission = entry.choice
            self.counts[entry.seat].illegal += 1
        elif entry.kind == Kind.SUBSTITUTE:
            self.counts[entry.seat].substitutes += 1
            self._substituted(entry)
        elif entry.kind == Kind.FORFEIT:
            self._held(entry, Cause.FORFEITED)
            self.counts[entry.seat].forfeits += 1
        elif entry.kind == Kind.LATE:
            fault = self._last.get((entry.seat, entry.decision_id))
            if fault is not None and fault.cause in _TIME_OVER and not fault.received_ms:
                fault.received_ms, fault.submission = entry.received_ms, entry.choice

    def _substituted(self, entry: Entry) -> None:
        fault = self._last.get((entry.seat, entry.decision_id))
        counts = self.counts[entry.seat]
        if entry.cause in _TIME_OVER:
            fault = self._held(entry)
            counts.late += entry.cause == Cause.SLOW
            counts.gone += entry.cause == Cause.GONE
        elif entry.cause != Cause.ILLEGAL or fault is None:
            return
        fault.substitute, fault.applied_ms, fault.fallback = entry.choice, entry.applied_ms, entry.fallback

    def _held(self, entry: Entry, cause: Cause | None = None) -> Fault:
        fault = Fault(
            entry.seat,
            entry.decision_id,
            entry.cause if cause is None else cause,
            entry.sent_ms,
            entry.received_ms,
            entry.applied_ms,
            entry.charged_ms,
            entry.bank_ms,
            entry.round_trip_ms,
            note=entry.note,
            fallback=entry.fallback,
        )
        self.faults.append(fault)
        if cause is None:
            self._last[entry.seat, entry.decision_id] = fault
        return fault


def evidence_of(entries: Iterable[Entry], header: Header) -> Evidence:
    """What these entries of a log with this header hold against its seats; IndexError if they name one too many."""
    evidence = Evidence(len(header.seats))
    for entry in entries:
        evidence.take(entry)
    return evidence
