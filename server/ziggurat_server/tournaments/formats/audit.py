"""How balanced rounds are, in numbers and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from ziggurat_server.tournaments.formats.checks import games_per_table
from ziggurat_server.tournaments.formats.format import Field
from ziggurat_server.tournaments.formats.history import Pair, pair
from ziggurat_server.tournaments.formats.seating import seats_of
from ziggurat_server.tournaments.results import Round

_MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class Audit:
    """How balanced a schedule is. For formats that wait for results: of the rounds drawn so far."""

    open_ended: bool
    """Whether the rounds after these depend on results."""
    games: int
    deals: int
    """One for each round."""
    games_low: int
    """Fewest games of a bot."""
    games_high: int
    seat_low: int
    """Fewest games of a bot in a seat."""
    seat_high: int
    pair_low: int
    """Fewest games in which two bots meet; in a gauntlet, a candidate and another."""
    pair_high: int
    notes: tuple[str, ...] = ()
    """Findings in words: what is not balanced, and why."""


class _Counts:
    """Games of each bot, seat and pair."""

    def __init__(self, rounds: Iterable[Round], field: Field) -> None:
        turns = games_per_table(field)
        self.games: Counter[str] = Counter(dict.fromkeys(field.bots, 0))
        self.seats: Counter[tuple[str, int]] = Counter(
            {(bot, seat): 0 for bot in field.bots for seat in range(field.seats)}
        )
        self.pairs: Counter[Pair] = Counter({pair(a, b): 0 for a, b in combinations(field.bots, 2)})
        for drawn in rounds:
            for table in drawn.tables:
                self._table(table, turns)

    def _table(self, table: Sequence[str], turns: int) -> None:
        for place, bot in enumerate(table):
            self.games[bot] += turns
            for seat in seats_of(place, len(table), turns):
                self.seats[bot, seat] += 1
        for a, b in combinations(table, 2):
            self.pairs[pair(a, b)] += turns

    def uneven_seats(self, seats: int) -> dict[str, int]:
        """The bots that do not sit equally often in each seat, with the difference."""
        spreads = {}
        for bot in self.games:
            row = [self.seats[bot, seat] for seat in range(seats)]
            spreads[bot] = max(row) - min(row)
        return {bot: spread for bot, spread in spreads.items() if spread}


def balance(rounds: Sequence[Round], field: Field, *, open_ended: bool) -> Audit:
    """Counts over rounds; every bot of the field counts, and every seat and pair."""
    counts = _Counts(rounds, field)
    pairs = _pairs_of_interest(counts, field)
    games = games_per_table(field) * sum(len(drawn.tables) for drawn in rounds)
    notes = [
        *_games_notes(rounds, counts, field),
        *_seat_notes(counts, field),
        *(_open_notes(rounds) if open_ended else _pair_notes(pairs)),
    ]
    return Audit(
        open_ended,
        games,
        len(rounds),
        min(counts.games.values(), default=0),
        max(counts.games.values(), default=0),
        min(counts.seats.values(), default=0),
        max(counts.seats.values(), default=0),
        min(pairs, default=0),
        max(pairs, default=0),
        tuple(notes),
    )


def _pairs_of_interest(counts: _Counts, field: Field) -> list[int]:
    candidates = set(field.spec.candidates)
    if not candidates:
        return list(counts.pairs.values())
    return [count for (a, b), count in counts.pairs.items() if (a in candidates) != (b in candidates)]


def _games_notes(rounds: Sequence[Round], counts: _Counts, field: Field) -> Iterable[str]:
    if field.spec.candidates:
        yield "Candidates play more games than the field: each meets all of it. They never meet each other."
    elif len(set(counts.games.values())) > 1:
        yield f"Bots play {min(counts.games.values())} to {max(counts.games.values())} games."
    for drawn in rounds:
        if drawn.byes:
            yield f"Round {drawn.number + 1}: {_names(drawn.byes)} sit out, since every table has {field.seats} seats."


def _seat_notes(counts: _Counts, field: Field) -> Iterable[str]:
    uneven = counts.uneven_seats(field.seats)
    if uneven:
        yield (
            f"{len(uneven)} of {len(counts.games)} bots do not sit equally often in each seat (they differ by up to"
            f" {max(uneven.values())} games): tables are turned {games_per_table(field)} of {field.seats} times."
        )


def _pair_notes(pairs: Sequence[int]) -> Iterable[str]:
    if pairs and min(pairs) != max(pairs):
        yield (
            f"Pairs meet in {min(pairs)} to {max(pairs)} games: the search found no design of reasonable size in"
            " which all meet equally often."
        )


def _open_notes(rounds: Iterable[Round]) -> Iterable[str]:
    seen: Counter[Pair] = Counter()
    for drawn in rounds:
        here = [pair(a, b) for table in drawn.tables for a, b in combinations(table, 2)]
        again = sum(seen[met] > 0 for met in here)
        if again:
            yield f"Round {drawn.number + 1}: {again} of {len(here)} pairs have met before."
        seen.update(here)
    yield "The rounds after these depend on results."


def _names(bots: Sequence[str]) -> str:
    shown = ", ".join(bots[:_MOST_NAMES])
    return shown if len(bots) <= _MOST_NAMES else f"{shown} and {len(bots) - _MOST_NAMES} more"
