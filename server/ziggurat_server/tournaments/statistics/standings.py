"""Standings: points, places, margins and wins, exact, and one order that is the same on every call.

The order: bots that are still in, then by mean credit, then by the mean credit of those it met, then win share,
margin, points, and last the order of entry. In formats that wait for results (Swiss, knockouts, ladder) the format's
own order over the rounds that are over goes before all that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ziggurat_server.log import Faults
from ziggurat_server.tournaments.results import GameResult, SeatResult, credits_of, win_shares
from ziggurat_server.tournaments.statistics.values import Curve, FaultRow

ZERO = Fraction(0)


@dataclass(slots=True)
class Tally:
    """What a bot has got, in totals."""

    bot: str
    numbers: list[int] = field(default_factory=list)
    """Its games."""
    gains: list[Fraction] = field(default_factory=list)
    """Its credit in each."""
    wins: Fraction = ZERO
    points: int = 0
    margins: list[int] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    opponents: dict[str, int] = field(default_factory=dict)
    """How often it met each."""
    faults: Faults = field(default_factory=Faults)
    faulty: int = 0
    """Games in which something was held against it."""

    @property
    def games(self) -> int:
        """Games with a result."""
        return len(self.numbers)

    @property
    def credit(self) -> Fraction:
        """Mean credit; 0 without games."""
        return _mean(sum(self.gains, ZERO), self.games)

    @property
    def margin(self) -> Fraction:
        """Mean of points minus the best of the others; 0 without games."""
        return _mean(sum(self.margins), len(self.margins))

    @property
    def place(self) -> Fraction:
        """Mean place; 0 without games."""
        return _mean(sum(place * times for place, times in self.places.items()), self.games)

    def counts(self, seats: int) -> tuple[int, ...]:
        """How often it took place 1 to `seats`."""
        return tuple(self.places.get(place, 0) for place in range(1, seats + 1))

    def add(self, number: int, seat: SeatResult, others: Sequence[SeatResult]) -> None:
        """Count a game, but for credit and win, which are those of the whole table."""
        self.numbers.append(number)
        self.points += seat.points
        self.places[seat.place] = self.places.get(seat.place, 0) + 1
        if others:
            self.margins.append(seat.points - max(other.points for other in others))
        for other in others:
            self.opponents[other.bot] = self.opponents.get(other.bot, 0) + 1
        faults = Faults(seat.faults.illegal, seat.faults.late, seat.faults.gone, seat.faults.substitutes)
        faults.forfeits = int(seat.forfeited)
        self.faults.add(faults)
        self.faulty += faults.total > 0


def tallies(bots: Iterable[str], games: Iterable[GameResult]) -> dict[str, Tally]:
    """Totals of each bot, in the order of `bots`; who plays without being among them comes after."""
    found = {bot: Tally(bot) for bot in bots}
    for game in games:
        credits, wins = credits_of(game.seats), win_shares(game.seats)
        for seat in game.seats:
            tally = found.setdefault(seat.bot, Tally(seat.bot))
            tally.add(game.number, seat, [other for other in game.seats if other is not seat])
            tally.gains.append(credits[seat.bot])
            tally.wins += wins[seat.bot]
    return found


def ordered(found: Mapping[str, Tally], withdrawn: Collection[str], places: Mapping[str, int]) -> list[Tally]:
    """Best first. `places`: by bot, where the format has its own order, which then goes before credit."""
    credit = {bot: tally.credit for bot, tally in found.items()}

    def met(tally: Tally) -> Fraction:
        times = sum(tally.opponents.values())
        return _mean(sum((credit[bot] * count for bot, count in tally.opponents.items()), ZERO), times)

    def key(tally: Tally) -> tuple[object, ...]:
        share, points = _mean(tally.wins, tally.games), _mean(tally.points, tally.games)
        scores = (credit[tally.bot], met(tally), share, tally.margin, points)
        return (
            tally.bot in withdrawn,
            not tally.games and tally.bot not in places,
            places.get(tally.bot, len(places)),
            *(-score for score in scores),
        )

    return sorted(found.values(), key=key)  # the sort is stable: the order of entry comes last


def curve(tally: Tally) -> Curve:
    """Mean credit after each game."""
    means: list[float] = []
    total = 0.0
    for games, gain in enumerate(tally.gains, 1):
        total += float(gain)
        means.append(total / games)
    return Curve(tally.bot, tuple(tally.numbers), tuple(means))


def fault_row(tally: Tally) -> FaultRow:
    """What was held against a bot."""
    return FaultRow(tally.bot, tally.games, tally.faulty, tally.faults)


def _mean(total: Fraction | int, count: int) -> Fraction:
    return Fraction(total) / count if count else ZERO
