"""Clocks of open decisions. A clock runs from when the decision was first sent, and never while the store is away."""

from __future__ import annotations

from dataclasses import dataclass

from ziggurat_server.log import Policy


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


def limit_ms(policy: Policy, bank_ms: int) -> int:
    """Time that a decision may take in all; 0 if there is no limit."""
    if not policy.decision_ms:
        return policy.hard_cap_ms
    limit = policy.decision_ms + bank_ms
    return min(limit, policy.hard_cap_ms) if policy.hard_cap_ms else limit
