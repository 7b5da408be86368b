"""A match as it is kept: header and entries. State, views, clocks and the result are folds of them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import IntEnum

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.game import Score


class Fallback(IntEnum):
    """What the server does in place of a seat."""

    DEFAULT = 1
    RANDOM = 2
    FORFEIT = 3


@dataclass(frozen=True, slots=True)
class Policy:
    """Clocks and faults; times in milliseconds, 0 for none. The rules of clock and grace are those of record.proto."""

    decision_ms: int = 30_000
    bank_ms: int = 120_000
    increment_ms: int = 0
    hard_cap_ms: int = 0
    illegal_retries: int = 3
    on_illegal: Fallback = Fallback.DEFAULT
    on_timeout: Fallback = Fallback.DEFAULT
    gone_ms: int = 60_000
    on_gone: Fallback = Fallback.DEFAULT
    ready_ms: int = 120_000
    bank_every: int = 0
    gone_bank_ms: int = 0


@dataclass(frozen=True, slots=True)
class Wish:
    """A registered bot that is asked for: by name, or any, the nearest to a rating (OpenSkill mean) first."""

    name: str = ""
    near_rating: float | None = None
    max_distance: float | None = None


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """A seat as a match is created; open if it has no token hash. With a wish, name and token are the bot's."""

    name: str = ""
    token_sha256: bytes = b""
    wish: Wish | None = None

    @property
    def asked(self) -> object:
        """What was asked for; the same again if a wish was filled with another bot."""
        return (self.name, self.token_sha256) if self.wish is None else self.wish


@dataclass(frozen=True, slots=True)
class EventGame:
    """Which game of an event a match is; see record.proto."""

    event_id: str
    number: int
    round: int
    table: int
    rotation: int
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Header:
    """How a match began."""

    match_id: str
    game: str
    rules_version: int
    options: dict[str, str]
    packs: tuple[Pack, ...]
    seed: int
    salt: bytes
    commitment: bytes
    seed_chosen: bool
    seats: tuple[SeatSpec, ...]
    policy: Policy
    created_ms: int
    durability: str
    owner_token_sha256: bytes = b""
    event: EventGame | None = None


class Kind(IntEnum):
    """Kinds of log entries; the numbers are those of record.proto."""

    JOINED = 1
    READY = 2
    ANSWER = 3
    SUBSTITUTE = 4
    STRIKE = 5
    FORFEIT = 6
    CLOSE = 7
    VOID = 8
    LATE = 9


MOVES = (Kind.ANSWER, Kind.SUBSTITUTE)
"""The kinds that answer a decision."""
ENDS = (Kind.CLOSE, Kind.VOID)
"""The kinds after which nothing follows."""


class Cause(IntEnum):
    """Why the server stepped in; the numbers are those of record.proto."""

    NONE = 0
    SLOW = 1
    GONE = 2
    ILLEGAL = 3
    FORFEITED = 4
    ABORTED = 5
    NOT_READY = 6
    CAPPED = 7
    SERVER = 8
    ENGINE_FAULT = 9


@dataclass(frozen=True, slots=True)
class Standing:
    """Final standing of a seat."""

    seat: int
    points: int
    tie_break: tuple[int, ...]
    place: int
    forfeited: bool = False


@dataclass(slots=True)  # one is made for every move, and freezing would treble its cost
class Entry:
    """One thing that happened; never changed once it is in a log.

    `choice` is as on the wire: an index, ascending indexes, or a number.
    """

    kind: Kind
    seat: int = 0
    decision_id: int = 0
    choice: tuple[int, ...] = ()
    move_id: bytes = b""
    state_hash: int = 0
    charged_ms: int = 0
    sent_ms: int = 0
    received_ms: int = 0
    cause: Cause = Cause.NONE
    note: str = ""
    name: str = ""
    token_sha256: bytes = b""
    standings: tuple[Standing, ...] = field(default=())
    applied_ms: int = 0
    bank_ms: int = 0
    round_trip_ms: int = 0
    absent_ms: int = 0
    fallback: int = 0
    """A Fallback; 0 for what is no policy's doing."""


@dataclass(slots=True)
class Fault:
    """Something that was held against a seat, with the evidence; see record.proto."""

    seat: int
    decision_id: int
    cause: Cause
    sent_ms: int = 0
    received_ms: int = 0
    applied_ms: int = 0
    charged_ms: int = 0
    bank_ms: int = 0
    round_trip_ms: int = 0
    submission: tuple[int, ...] = ()
    substitute: tuple[int, ...] = ()
    note: str = ""
    fallback: int = 0


@dataclass(slots=True)
class Faults:
    """What the server held against a seat, or did in its place, in numbers."""

    illegal: int = 0
    late: int = 0
    gone: int = 0
    substitutes: int = 0
    forfeits: int = 0

    def add(self, other: Faults) -> None:
        """Count those of another game too."""
        for item in fields(self):
            setattr(self, item.name, getattr(self, item.name) + getattr(other, item.name))

    @property
    def total(self) -> int:
        """Refused answers, timeouts, absences and forfeits (a substitute has one of them as its cause)."""
        return self.illegal + self.late + self.gone + self.forfeits


def standings_of(scores: list[Score], forfeited: set[int]) -> tuple[Standing, ...]:
    """Final standings; seats that forfeited come behind all others, in the order of their scores."""

    def better(a: Score, b: Score) -> bool:
        if (a.seat in forfeited) != (b.seat in forfeited):
            return b.seat in forfeited
        return a.place < b.place

    return tuple(
        Standing(s.seat, s.points, s.tie_break, 1 + sum(better(o, s) for o in scores), s.seat in forfeited)
        for s in scores
    )
