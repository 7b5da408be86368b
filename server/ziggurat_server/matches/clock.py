"""Clocks of open decisions, and the grace of absent seats; the rules are those of Policy in record.proto.

A clock runs from when the decision was first sent, and never while the store is away.
"""

from __future__ import annotations

from dataclasses import dataclass

from ziggurat_server.errors import ServiceError
from ziggurat_server.log import Policy

MOST_MS = 2**32 - 1
"""What the wire and the log can say of a time."""
TICK_SECONDS = 0.5
"""So often the ticker looks at clocks and absences."""
LOOK_SECONDS = 10.0
"""A match that no node tends is looked at after so long."""
STEP_SECONDS = 1.0
"""Absence is looked at more often than this; what is longer was a stall, and is nobody's."""


@dataclass(slots=True)
class Clock:
    """Time used on one decision: `used_ms` up to `since` (monotonic seconds), and running from then on."""

    decision_id: int
    used_ms: float
    since: float
    sent_ms: int

    def elapsed_ms(self, now: float) -> int:
        """Milliseconds used so far."""
        return int(self.used_ms + max(0.0, now - self.since) * 1000)

    def skip(self, seconds: float, now: float) -> None:
        """Time up to now that is charged to nobody."""
        self.since = min(self.since + seconds, max(now, self.since))

    def kept(self, now: float, now_ms: int) -> str:
        """As the store keeps it: decision, time used, when sent, when written."""
        return f"{self.decision_id} {self.elapsed_ms(now)} {self.sent_ms} {now_ms}"


@dataclass(frozen=True, slots=True)
class KeptClock:
    """A clock as read from the store."""

    decision_id: int
    used_ms: int
    sent_ms: int
    written_ms: int

    @classmethod
    def parse(cls, text: str) -> KeptClock:
        """Parse what Clock.kept wrote."""
        return cls(*map(int, text.split()))


@dataclass(slots=True)
class Absence:
    """Grace that a seat without a connection has used up, in seconds. It grows only while the seat owes a decision."""

    used: float = 0.0
    """In this absence."""
    decision_id: int = 0
    on_decision: float = 0.0
    """On this decision, in all absences."""
    looked: float = 0.0
    """Of `used`, when other nodes were last asked."""
    since: float | None = None
    """From when on it is yet to be counted (monotonic seconds); None while the seat is here or owes nothing."""

    def owes(self, decision_id: int, now: float) -> None:
        """The seat is away and owes a decision: count the time since the last look."""
        if decision_id != self.decision_id:
            self.decision_id, self.on_decision, self.since = decision_id, 0.0, None
        if self.since is not None:
            step = min(max(0.0, now - self.since), STEP_SECONDS)
            self.used += step
            self.on_decision += step
        self.since = now

    def owes_nothing(self) -> None:
        """The seat is away, and nobody waits for it."""
        self.since = None

    def back(self, now: float) -> None:
        """The seat is here (again)."""
        if self.since is not None:
            self.owes(self.decision_id, now)
        self.used = self.looked = 0.0
        self.since = None

    def use_up(self, policy: Policy) -> None:
        """The grace of this absence is over: the seat was missed for long enough before it owed anything."""
        self.used = max(self.used, policy.gone_ms / 1000 + STEP_SECONDS)

    def elsewhere(self) -> None:
        """It was no absence: another node serves the seat."""
        self.used = self.looked = self.on_decision = 0.0

    def spent_ms(self, decision_id: int) -> int:
        """What is to be logged with the move that answers a decision."""
        return min(int(self.on_decision * 1000), MOST_MS) if decision_id == self.decision_id else 0

    def over(self, policy: Policy, absent_ms: int) -> bool:
        """Whether the grace is used up; `absent_ms`: what the log has of the seat's earlier decisions."""
        if policy.gone_ms and self.used * 1000 > policy.gone_ms:
            return True
        return bool(policy.gone_bank_ms) and absent_ms + self.on_decision * 1000 > policy.gone_bank_ms


def limit_ms(policy: Policy, bank_ms: int) -> int | None:
    """Time that a decision may take in all; None if there is no limit."""
    limits = []
    if policy.decision_ms or policy.bank_ms:
        limits.append(policy.decision_ms + bank_ms)
    if policy.hard_cap_ms:
        limits.append(policy.hard_cap_ms)
    return min(limits, default=None)


def bank_after(policy: Policy, bank_ms: int, charged_ms: int, taken: int | None) -> int:
    """The bank after a decision; `taken`: how many the seat has taken in time with this one, None if it did not."""
    if policy.decision_ms or policy.bank_ms:
        bank_ms = max(0, bank_ms - max(0, charged_ms - policy.decision_ms))
    if taken is not None:
        bank_ms = min(bank_ms + policy.increment_ms, MOST_MS)
        if policy.bank_every and taken % policy.bank_every == 0:
            bank_ms = max(bank_ms, policy.bank_ms)
    return bank_ms


def check_clocks(policy: Policy) -> None:
    """Refuse clocks that contradict themselves; raises ServiceError BAD_FIELD with the field and the remedy."""
    if policy.bank_every and not policy.bank_ms:
        _refuse("bank_every", "there is no bank to fill; set bank_ms, or leave it out")
    if policy.increment_ms and not (policy.decision_ms or policy.bank_ms):
        _refuse("increment_ms", "there is no clock to add to; set decision_ms or bank_ms, or leave it out")
    if policy.hard_cap_ms and policy.hard_cap_ms < policy.decision_ms:
        _refuse("hard_cap_ms", "is less than decision_ms, which would never be reached; lower decision_ms")
    if policy.gone_bank_ms and policy.gone_bank_ms < policy.gone_ms:
        _refuse("gone_bank_ms", "is less than gone_ms, which would never be reached; lower gone_ms")


def _refuse(name: str, reason: str) -> None:
    raise ServiceError("BAD_FIELD", f"policy.{name}", reason)
