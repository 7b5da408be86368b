"""The arithmetic of standings: pure, exact, and finite or absent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction


@dataclass(slots=True)
class Faults:
    """What the server held against a seat, or did in its place."""

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


@dataclass(frozen=True, slots=True)
class Seat:
    """How one bot ended in one game."""

    bot: str
    points: int
    place: int
    tie_break: tuple[int, ...] = ()
    forfeited: bool = False


@dataclass(slots=True)
class Total:
    """Totals of one bot."""

    name: str
    games: int = 0
    points: int = 0
    wins: Fraction = Fraction(0)
    places: list[int] = field(default_factory=list)
    """How often it took place 1, 2, ...; a shared place counts for each who shares it."""
    faults: Faults = field(default_factory=Faults)

    @property
    def win_share(self) -> Fraction | None:
        """Wins by games; a win shared by k counts 1/k."""
        return self.wins / self.games if self.games else None

    @property
    def points_mean(self) -> Fraction | None:
        """Mean points."""
        return Fraction(self.points, self.games) if self.games else None

    @property
    def place_mean(self) -> Fraction | None:
        """Mean place."""
        if not self.games:
            return None
        return Fraction(sum(place * count for place, count in enumerate(self.places, 1)), self.games)


class Standings:
    """Totals of all bots, to which games are added; each game counts once, by its id."""

    def __init__(self, bots: Iterable[str], seats: int) -> None:
        self._totals = {name: Total(name, places=[0] * seats) for name in bots}
        self._counted: set[str] = set()
        self._charged: set[str] = set()

    def add(self, match_id: str, seats: Sequence[Seat]) -> bool:
        """Count the result of a game; False if it was counted before."""
        if match_id in self._counted:
            return False
        self._counted.add(match_id)
        winners = sum(seat.place == 1 for seat in seats)
        for seat in seats:
            total = self._totals[seat.bot]
            total.games += 1
            total.points += seat.points
            total.places[seat.place - 1] += 1
            if seat.place == 1:
                total.wins += Fraction(1, winners)
        return True

    def add_faults(self, match_id: str, faults: dict[str, Faults]) -> None:
        """Count the faults of a game, once."""
        if match_id in self._charged:
            return
        self._charged.add(match_id)
        for bot, found in faults.items():
            self._totals[bot].faults.add(found)

    def ranking(self) -> list[Total]:
        """Best first: win share, then mean place, mean points and name. Bots without a game come last."""

        def key(total: Total) -> tuple[bool, Fraction, Fraction, Fraction, str]:
            share, place, points = total.win_share, total.place_mean, total.points_mean
            if share is None or place is None or points is None:
                return True, Fraction(0), Fraction(0), Fraction(0), total.name
            return False, -share, place, -points, total.name

        return sorted(self._totals.values(), key=key)
