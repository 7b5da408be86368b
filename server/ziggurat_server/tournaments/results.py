"""What came of games: values that formats, statistics, log and exports share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ziggurat_server.log import Fault, Faults, Standing


@dataclass(frozen=True, slots=True)
class Round:
    """A round as it was drawn. `tables`: the bots of each in seat order of its first game; `byes`: who sits out.

    The games of a table are one block: in game i the bots sit turned by i seats. All games of a round are played
    with one deal, unless the event asks for independent ones.
    """

    number: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    """What each table is (such as "winners" or "final"); empty where the format has one kind."""


Deal = tuple[int, int]
"""What a table's games were dealt, in the order of the schedule; tables with equal ones were dealt the same."""


def deal_at(number: int, table: int, independent: bool) -> Deal:
    """The deal of a table of a round; `independent`: whether each game has its own."""
    return (number, table if independent else 0)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one bot ended in one game. Places are shared: two winners both have place 1, the next has place 3."""

    bot: str
    points: int
    place: int
    tie_break: tuple[int, ...] = ()
    forfeited: bool = False
    faults: Faults = field(default_factory=Faults)


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game of an event that has a result. `number` counts through the event; seats are in order."""

    number: int
    round: int
    table: int
    rotation: int
    seats: tuple[SeatResult, ...]
    match_id: str = ""
    attempt: int = 0
    decisions: int = 0
    faults: tuple[Fault, ...] = ()
    """What was held against seats, with the evidence; the first hundred."""

    def seat_of(self, bot: str) -> SeatResult | None:
        """The result of a bot, if it played."""
        return next((seat for seat in self.seats if seat.bot == bot), None)


def seat_results(
    bots: Sequence[str], standings: Iterable[Standing], faults: Sequence[Faults]
) -> tuple[SeatResult, ...]:
    """How the bots of a game ended, by seat; `bots` and `faults` are by seat, `standings` in any order."""
    return tuple(
        SeatResult(bots[s.seat], s.points, s.place, s.tie_break, s.forfeited, faults[s.seat])
        for s in sorted(standings, key=lambda standing: standing.seat)
    )


def win_shares(seats: Sequence[SeatResult]) -> dict[str, Fraction]:
    """One win, shared among those in first place."""
    winners = sum(seat.place == 1 for seat in seats)
    return {seat.bot: Fraction(seat.place == 1, winners) for seat in seats}


def pair_score(a: SeatResult, b: SeatResult) -> Fraction:
    """1 if a came before b, 1/2 if they share a place, 0 otherwise."""
    return Fraction(1, 2) if a.place == b.place else Fraction(a.place < b.place)


def credits_of(seats: Sequence[SeatResult]) -> dict[str, Fraction]:
    """For each bot the part of its opponents in this game that it came before, ties half: 0 to 1, half on average."""
    others = len(seats) - 1
    return {
        seat.bot: sum((pair_score(seat, other) for other in seats if other is not seat), Fraction(0)) / others
        if others
        else Fraction(1)
        for seat in seats
    }


def block_credits(games: Iterable[GameResult]) -> dict[str, Fraction]:
    """Mean credit of each bot over the games of a block."""
    totals: dict[str, Fraction] = {}
    counts: dict[str, int] = {}
    for game in games:
        for bot, credit in credits_of(game.seats).items():
            totals[bot] = totals.get(bot, Fraction(0)) + credit
            counts[bot] = counts.get(bot, 0) + 1
    return {bot: total / counts[bot] for bot, total in totals.items()}


def mean_points(games: Sequence[GameResult]) -> Mapping[str, Fraction]:
    """Mean points of each bot of a block."""
    totals: dict[str, list[int]] = {}
    for game in games:
        for seat in game.seats:
            totals.setdefault(seat.bot, []).append(seat.points)
    return {bot: Fraction(sum(points), len(points)) for bot, points in totals.items()}
