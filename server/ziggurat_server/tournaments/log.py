"""An event as it is kept: a header and the entries of its log, of the same kind as a match's. All else is a fold."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum

from ziggurat_server.bots.values import Rating
from ziggurat_server.log import Cause
from ziggurat_server.tournaments.event import Entrant, EventSpec
from ziggurat_server.tournaments.results import GameResult, Round

_MATCH_ID = re.compile(r"(.+)-[0-9]{5,}(?:-again-[0-9]+)?")


class State(IntEnum):
    """How far an event is; the numbers are those of tournament.proto."""

    RUNNING = 1
    PAUSED = 2
    FINISHED = 3
    CANCELLED = 4
    ENDING = 5


class Kind(IntEnum):
    """Kinds of entries; the numbers are those of tournament.proto."""

    ROUND = 1
    STARTED = 2
    RESULT = 3
    VOID = 4
    DROPPED = 5
    PAUSED = 6
    RESUMED = 7
    ADDED = 8
    WITHDRAWN = 9
    CLOSED = 10
    ENDING = 11


@dataclass(frozen=True, slots=True)
class EventHeader:
    """How an event began. The spec is all filled in, seed included."""

    event_id: str
    spec: EventSpec
    owner_token_sha256: bytes
    launch_key: bytes
    created_ms: int
    rules_version: int
    seed_chosen: bool
    ratings: dict[str, Rating] = field(default_factory=dict)
    """What was known of the bots before, by name."""


@dataclass(frozen=True, slots=True)
class EventEntry:
    """One thing that happened."""

    kind: Kind
    at_ms: int = 0
    round: Round | None = None
    game: int = 0
    attempt: int = 0
    result: GameResult | None = None
    entrant: Entrant | None = None
    bot: str = ""
    reason: str = ""
    state: State | None = None
    cause: Cause = Cause.NONE


def log_id(event_id: str) -> str:
    """Name of an event's log in the store; no match can have it."""
    return f"event:{event_id}"


def match_id(event_id: str, game: int, attempt: int) -> str:
    """Id of the match that is a try of a game."""
    return f"{event_id}-{game:05d}" + (f"-again-{attempt}" if attempt else "")


def event_of(some_match_id: str) -> str:
    """The event whose match has this id; empty if it is such as no event's match has."""
    found = _MATCH_ID.fullmatch(some_match_id)
    return found[1] if found else ""
