"""The model behind batch ratings: Plackett-Luce with a seat effect, and where its posterior is greatest.

A bot's strength and its seat's worth add up; who comes first is drawn with odds exp(sum), then who comes next among
the rest, and so on (for two seats: Bradley-Terry). Where bots share a place, the log-likelihood is the mean over the
orders that this leaves open, so for two seats a tie is half a win each. Weak normal priors bound what is one-sided.
All this is concave: Newton's method finds the one maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ziggurat_server.tournaments.statistics.blocks import Block

BOT_SPREAD, SEAT_SPREAD = 3.0, 1.0
"""Standard deviations of the priors in natural units: some 520 and 170 Elo."""

Floats = NDArray[np.float64]


@lru_cache(maxsize=1024)
def choices(places: tuple[int, ...]) -> tuple[tuple[float, tuple[int, ...]], ...]:
    """(weight, seats among which one was drawn) of a game: the stages of its order, over all orders left open."""
    found: list[tuple[float, tuple[int, ...]]] = []
    for place in sorted(set(places)):
        tied = [seat for seat, other in enumerate(places) if other == place]
        worse = tuple(seat for seat, other in enumerate(places) if other > place)
        for size in range(1, len(tied) + 1):
            weight = 1 / comb(len(tied), size)
            found += [(weight, (*drawn, *worse)) for drawn in combinations(tied, size)]
    return tuple(found)


class Model:
    """The games of blocks as arrays, to be weighed by bundle. Values are those of the bots, then of the seats.

    A choice is a set of bots in their seats among which one was drawn. The log-likelihood is the sum of the worths of
    all who played minus, for each choice, log(sum of exp(worth)).
    """

    def __init__(self, blocks: Sequence[Block], bundles: Sequence[int], bots: Sequence[str]) -> None:
        """`bundles`: the number, from 0, of the bundle of each block."""
        self.bundles, self.bots = 1 + max(bundles), len(bots)
        self.seats = max(len(block.bots) for block in blocks)
        self.size = self.bots + self.seats
        self.precision = np.repeat([BOT_SPREAD**-2, SEAT_SPREAD**-2], [self.bots, self.seats])
        index = {bot: at for at, bot in enumerate(bots)}
        known: dict[tuple[int, ...], int] = {}
        drawn: list[tuple[int, int, float]] = []
        played: list[tuple[int, int, int]] = []
        for bundle, block in zip(bundles, blocks, strict=True):
            values = (*map(index.__getitem__, block.bots), *range(self.bots, self.bots + len(block.bots)))
            played += [(bundle, value, len(block.games)) for value in values]
            for game in block.games:
                who = [index[result.bot] for result in game.seats]
                for weight, among in choices(tuple(result.place for result in game.seats)):
                    key = tuple(who[seat] if seat in among else -1 for seat in range(self.seats))
                    drawn.append((bundle, known.setdefault(key, len(known)), weight))
        self._drawn_bundle, self._drawn, self._drawn_weight = _columns(drawn)
        self._played_bundle, self._played, self._played_times = _columns(played)
        self._meetings = np.unique(self._played_bundle * self.size + self._played)
        self.present = np.bincount(self._meetings % self.size, minlength=self.size)
        """In how many bundles there is each bot, and each seat."""
        bot_in_seat = np.ascontiguousarray(np.array(list(known)).T)
        self.effort = bot_in_seat.size
        """Places in choices, to which the work for a fit is in proportion."""
        self._open = bot_in_seat >= 0  # seats in lines, which numpy sums much faster than columns
        self._bot = np.maximum(bot_in_seat, 0)
        self._one, self._other = np.triu_indices(self.seats, 1)
        self._pair = (self._bot[self._one] * self.bots + self._bot[self._other]).ravel()

    def weighed(self, weights: Floats) -> tuple[Floats, Floats]:
        """How often each choice was made, and each bot and seat played, if bundles count so often."""
        drawn = weights[self._drawn_bundle] * self._drawn_weight
        played = weights[self._played_bundle] * self._played_times
        return _sums(self._drawn, drawn, self._open.shape[1]), _sums(self._played, played, self.size)

    def _chances(self, values: Floats) -> Floats:
        """For each seat and choice: the chance of the seat to be drawn."""
        bots, seats = values[: self.bots], values[self.bots :]
        odds: Floats = np.exp(bots - bots.max())[self._bot]
        odds *= np.exp(seats - seats.max())[:, None]
        odds *= self._open
        odds /= odds.sum(axis=0)
        return odds

    def _by_bot(self, amounts: Floats) -> Floats:
        """Sums of what there is for seats and choices."""
        return _sums(self._bot.ravel(), amounts.ravel(), self.bots)

    def gradient(self, values: Floats, drawn: Floats, played: Floats) -> Floats:
        """Of the log-posterior."""
        expected = drawn * self._chances(values)
        held = np.concatenate([self._by_bot(expected), expected.sum(axis=1)])
        slope: Floats = played - held - self.precision * values
        return slope

    def curvature(self, values: Floats, drawn: Floats) -> Floats:
        """Of the log-posterior, negated."""
        n, chance = self.bots, self._chances(values)
        expected = drawn * chance
        joint = expected[self._one] * chance[self._other]
        pairs = _sums(self._pair, joint.ravel(), n * n).reshape(n, n)
        found = np.diag(self.precision)
        found[:n, :n] -= pairs + pairs.T
        found[range(n), range(n)] += self._by_bot(expected * (1 - chance))
        for seat in range(self.seats):
            apart = expected * -chance[seat]
            apart[seat] += expected[seat]
            found[:n, n + seat] = found[n + seat, :n] = self._by_bot(apart)
            found[n:, n + seat] += apart.sum(axis=1)
        return found

    def fit(self, drawn: Floats, played: Floats, shift: Floats, start: Floats, close: float = 1e-6) -> Floats:
        """Where the log-posterior, plus shift * values, is greatest.

        It ends with a step under `close`, which leaves an error of about its square.
        """
        values = start
        for _ in range(100):
            gradient = self.gradient(values, drawn, played) + shift
            step = np.linalg.solve(self.curvature(values, drawn), gradient)
            # Damped as befits a log-likelihood whose curvature changes by e per unit at most (Bach 2010).
            reach = np.ptp(step[: self.bots]) + np.ptp(step[self.bots :])
            values = values + step * (np.log1p(reach) / reach if reach > 0 else 1)
            if reach < close:
                break
        return values

    def spread(self, values: Floats) -> tuple[Floats, Floats]:
        """By bot: the sum over bundles of its squared score, and what it would be about if games were independent.

        A score is the slope of a bundle's log-likelihood. At the best fit a bot's scores add up to next to nothing.
        """
        where = np.searchsorted(self._meetings, self._played_bundle * self.size + self._played)
        score = _sums(where, self._played_times, len(self._meetings))
        there = self._open[:, self._drawn]
        at = (self._drawn_bundle * self.size + self._bot[:, self._drawn])[there]
        where = np.searchsorted(self._meetings, at)
        chance = self._chances(values)[:, self._drawn]
        expected = self._drawn_weight * chance
        score -= _sums(where, expected[there], len(score))
        variance = _sums(where, (expected * (1 - chance))[there], len(score))
        of_bots = np.flatnonzero(self._meetings % self.size < self.bots)
        bot, score, variance = self._meetings[of_bots] % self.size, score[of_bots], variance[of_bots]
        share = variance / _sums(bot, variance, self.bots)[bot]
        return _sums(bot, score**2, self.bots), _sums(bot, variance * (1 - share), self.bots)


def _sums(at: NDArray[np.int64], amounts: Floats, size: int) -> Floats:
    """The sum of the amounts at each of so many places."""
    return np.bincount(at, amounts, size).astype(np.float64, copy=False)


def _columns(rows: Sequence[tuple[float, ...]]) -> tuple[NDArray[Any], ...]:
    return tuple(np.array(column) for column in zip(*rows, strict=True))
