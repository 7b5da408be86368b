"""What a report says: the fields are those of the messages on the wire, with curves and faults for exports.

Every number is finite; what cannot be estimated is None.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ziggurat_server.log import Faults


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class BotStanding:
    """A bot in the standings; standings.py says how they are ordered."""

    rank: int
    """From 1; each bot has its own."""
    name: str
    version: str = ""
    withdrawn: bool = False
    games: int = 0
    """Games with a result."""
    wins: float = 0.0
    """A win shared by k counts 1/k."""
    win_share: float | None = None
    """Wins by games."""
    credit: float | None = None
    """Mean part of its opponents in a game that it came before, ties half: 0 to 1. The standings go by it."""
    points: float | None = None
    """Mean points of the game."""
    place: float | None = None
    """Mean place."""
    margin: float | None = None
    """Mean of points minus the best of the others."""
    places: tuple[int, ...] = ()
    """How often it took place 1, 2, ..."""
    faults: Faults = field(default_factory=Faults)
    rating: Estimate | None = None
    """Batch rating over complete blocks (Elo scale, mean of the field 0), order-free."""
    live_mu: float | None = None
    """Live rating (OpenSkill, a scale of its own): mean"""
    live_sigma: float | None = None
    """and its uncertainty."""


@dataclass(frozen=True, slots=True)
class CrossCell:
    """How a bot did against an opponent, in complete blocks."""

    bot: str
    opponent: str
    games: int
    """Games with both."""
    score: float | None = None
    """Share of them in which the bot came before the opponent, ties half."""
    superiority: float | None = None
    """Likelihood that the bot is the better one; a deal counts once, however many of its tables they met at."""


@dataclass(frozen=True, slots=True)
class TestStatus:
    """A sequential test, where it was decided or else where it is."""

    __test__ = False  # it is no test of the suite

    deals: int
    """Deals that it has taken in, in which both bots have a complete block; with independent deals, such blocks."""
    llr: float
    """Log-likelihood ratio of H1 against H0."""
    lower: float
    """H0 is accepted here,"""
    upper: float
    """H1 here."""
    verdict: str = ""
    """BETTER, NOT_BETTER, or empty while it is open."""
    score: float | None = None
    """Mean score of the candidate against the baseline in these deals."""


BETTER = "better"
NOT_BETTER = "not better"


@dataclass(frozen=True, slots=True)
class Curve:
    """How a bot's mean credit came about: after its i-th game, which has `numbers[i]`, it was `credits[i]`."""

    bot: str
    numbers: tuple[int, ...]
    credits: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FaultRow:
    """What was held against a bot over the event."""

    bot: str
    games: int
    """Games with a result."""
    faulty: int
    """Those of them in which something was held against it."""
    faults: Faults


@dataclass(frozen=True, slots=True)
class Report:
    """Standings and statistics of an event."""

    bots: tuple[BotStanding, ...] = ()
    """Best first."""
    cross: tuple[CrossCell, ...] = ()
    """Each pair that has met in a complete block, both ways."""
    seats: tuple[Estimate, ...] = ()
    """What a seat is worth (Elo scale, mean of the seats 0); empty if it cannot be estimated."""
    complete_blocks: int = 0
    """Statistics are made of these alone."""
    incomplete_blocks: int = 0
    """Blocks that were drawn and lack games, whether these are still to come or were given up."""
    variance_ratio: float | None = None
    """Variance of a block's mean credit with duplicate deals, by what it would be with independent games."""
    test: TestStatus | None = None
    """The sequential test, if the event has one."""
    curves: tuple[Curve, ...] = ()
    """Points over time, in the order of the standings; only of bots with games."""
    faults: tuple[FaultRow, ...] = ()
    """In the order of the standings."""
    notes: tuple[str, ...] = ()
    """Why something is absent, or what an interval leaves out, in words."""
