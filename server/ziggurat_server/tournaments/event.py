"""What an event is: bots, game, format, deals, policies, stop rule. The fields are those of EventSpec on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from ziggurat_rules.catalogue import Pack
from ziggurat_server.log import Policy


class Memory(IntEnum):
    """What keeps a bot from using what it saw of a deal from another seat; numbers as on the wire."""

    STATELESS = 1
    """Nothing: the bots are trusted to keep nothing of one game for another."""
    PROCESS = 2
    """Each game is played by a fresh process, with a token of its own; only for bots that the runner launches."""
    INDEPENDENT = 3
    """Each game has a deal of its own, so there is nothing to remember, and no gain by duplicate deals."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in an event. One without a token hash that is not registered is launched by the event's runner."""

    name: str
    version: str = ""
    """Ratings across events are kept by name and version."""
    token_sha256: bytes = b""
    capacity: int = 0
    """Most games that it plays at once; 0 for no limit of its own."""
    registered: bool = False
    """Whether it is the bot registered under this name: the rest is then taken from the register."""


@dataclass(frozen=True, slots=True)
class FormatSpec:
    """Who plays whom. What a format does not use must be left at its default."""

    name: str = "round_robin"
    """A key of formats.FORMATS."""
    rounds: int = 0
    """Rounds to play; 0 for as many as the format needs by itself (round robin, gauntlet: 1)."""
    candidates: tuple[str, ...] = ()
    """Gauntlet: the bots that each meet the field."""
    advance: int = 0
    """Knockout and double elimination: how many of each table go on; 0 for half of the seats, rounded down."""
    rotations: int = 0
    """Games of a block, each with the seats turned by one; 0 for as many as there are seats, which is fair."""


@dataclass(frozen=True, slots=True)
class StopRule:
    """A sequential test of whether `candidate` is better than `baseline`: the event ends with its verdict.

    The score of a deal is the candidate's share of the pair's games in it, at all tables of the round, ties half: 0 to
    1; if deals are independent, that of a block. H0: the mean is 0.5 + h0; H1: it is 0.5 + h1. alpha and beta bound the
    risks of a false "better" and a false "not better".
    """

    candidate: str
    baseline: str
    h0: float = 0.0
    h1: float = 0.05
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True, slots=True)
class EventSpec:
    """A whole event."""

    game: str
    bots: tuple[Entrant, ...]
    seats: int = 0
    """Seats of a table; 0 for as many as bots and game allow."""
    options: dict[str, str] = field(default_factory=dict)
    packs: tuple[Pack, ...] = ()
    format: FormatSpec = field(default_factory=FormatSpec)
    seed: int | None = None
    """All deals follow from it; drawn by the server if None. One that can be guessed gives them away."""
    memory: Memory = Memory.STATELESS
    concurrency: int = 4
    """Most games at once."""
    policy: Policy = field(default_factory=Policy)
    tries: int = 3
    """How often a game is played that ends by a fault of the server, before it is given up."""
    stop: StopRule | None = None
