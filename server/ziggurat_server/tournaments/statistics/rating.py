"""Batch rating: Plackett-Luce with a seat effect, independent of the order of the games.

A bot's strength and its seat's worth add up; who comes first is drawn with odds exp(sum), then who comes next among
the rest, and so on (for two seats: Bradley-Terry). Where bots share a place, the log-likelihood is the mean over the
orders that this leaves open, so for two seats a tie is half a win each. Weak normal priors bound what is one-sided.
All this is concave: Newton's method finds the one maximum.

The module imports numpy; it is itself imported only when there is something to rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, log

import numpy as np
from numpy.typing import NDArray

from ziggurat_server.tournaments.statistics.blocks import Block
from ziggurat_server.tournaments.statistics.values import Estimate

ELO = 400 / log(10)
BOT_SPREAD, SEAT_SPREAD = 3.0, 1.0
"""Standard deviations of the priors in natural units: some 520 and 170 Elo."""
REPLICATES = (100, 400)
"""Fewest and most draws of the bootstrap;"""
EFFORT = 10_000_000
"""between them so many that draws times places in choices come to this: large fields take seconds, not minutes."""
SEED = 20_110_607
MODEL_BLOCKS = 2
"""As many further blocks, with the model's own variance, keep few blocks from looking all too certain."""

Floats = NDArray[np.float64]
Counts = NDArray[np.number]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings by bot, worth by seat, and why some are absent."""

    bots: dict[str, Estimate]
    seats: tuple[Estimate, ...]
    note: str = ""


def rate(blocks: Sequence[Block], bots: Sequence[str]) -> Ratings:
    """Rate the bots of the largest group that games connect, if it is more than half of those that played."""
    blocks = [block for block in blocks if len(block.bots) > 1]
    field, note = _field(blocks, bots)
    if not field:
        return Ratings({}, (), note)
    data = _Data([block for block in blocks if block.bots[0] in field], field)
    values = [Estimate(*(float(number) for number in row)) for row in data.estimate().T]
    return Ratings(dict(zip(field, values, strict=False)), tuple(values[len(field) :]), note)


def _field(blocks: Iterable[Block], bots: Sequence[str]) -> tuple[list[str], str]:
    """The bots that can be compared, and a note on the others."""
    group: dict[str, set[str]] = {}
    for block in blocks:
        merged = set(block.bots).union(*(group.get(bot, ()) for bot in block.bots))
        for bot in merged:
            group[bot] = merged
    if not group:
        return [], "No ratings: no block is complete."
    largest = max((group[bot] for bot in bots if bot in group), key=len)
    if 2 * len(largest) <= len(group):
        return [], "No ratings: complete blocks do not connect more than half of the bots that played."
    left = [bot for bot in bots if bot not in largest]
    note = (
        f"Not rated, since no complete block connects them with the others: {', '.join(left)}."
        if left
        else ""
    )
    return [bot for bot in bots if bot in largest], note


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


class _Data:
    """Games as arrays. An item is a bot in a seat; a choice is a set of items among which one was drawn.

    The log-likelihood is the sum of the worths of all items minus, for each choice, log(sum of exp(worth)).
    """

    def __init__(self, blocks: Sequence[Block], bots: Sequence[str]) -> None:
        self.blocks, self.bots = len(blocks), len(bots)
        self.seats = max(len(block.bots) for block in blocks)
        index = {bot: at * self.seats for at, bot in enumerate(bots)}
        known: dict[tuple[int, ...], int] = {}
        rows: list[tuple[int, int, float]] = []
        won: list[tuple[int, int]] = []
        for at, block in enumerate(blocks):
            for game in block.games:
                items = [index[result.bot] + seat for seat, result in enumerate(game.seats)]
                won += [(at, item) for item in items]
                for weight, among in choices(tuple(result.place for result in game.seats)):
                    key = tuple(sorted(items[seat] for seat in among))
                    rows.append((at, known.setdefault(key, len(known)), weight))
        self.row_block, self.row_choice = (np.array([row[i] for row in rows]) for i in (0, 1))
        self.row_weight = np.array([row[2] for row in rows])
        self.won_block, self.won_item = np.array(won).T
        width = max(map(len, known))
        self.items = np.array([[*key, *[key[0]] * (width - len(key))] for key in known])
        self.open = np.array([[i < len(key) for i in range(width)] for key in known])
        played = [sum(bot in block.bots for block in blocks) for bot in bots]
        held = [sum(seat < len(block.bots) for block in blocks) for seat in range(self.seats)]
        self.present = np.array([*played, *held])
        count = self.bots * self.seats
        self.pairs = (self.items[:, :, None] * count + self.items[:, None, :]).ravel()
        self.precision = np.array([BOT_SPREAD**-2] * self.bots + [SEAT_SPREAD**-2] * self.seats)

    def estimate(self) -> Floats:
        """Ratings and seats in Elo, centred, with their intervals: (value, low and high; bots + seats).

        A replicate weighs the blocks at random (Bayesian bootstrap) and shifts the gradient by as much as the prior,
        and MODEL_BLOCKS further blocks, would vary it: without that, one-sided results would have no interval.
        """
        size = self.bots + self.seats
        best, curvature = self.fit(np.ones(self.blocks), np.zeros(size), np.zeros(size))
        share = MODEL_BLOCKS / (self.blocks + MODEL_BLOCKS - 1)
        model = curvature - np.diag(self.precision)
        root = np.linalg.cholesky(share * model + np.diag(self.precision))
        random = np.random.default_rng(SEED)
        found = []
        for _ in range(min(REPLICATES[1], max(REPLICATES[0], EFFORT // self.items.size))):
            weights = random.standard_exponential(self.blocks)
            shift = root @ random.standard_normal(size)
            found.append(self.fit(weights / weights.mean(), shift, best, 1e-3)[0])
        values, replicates = self.centred(best), self.centred(np.array(found))
        low, high = np.quantile(replicates, (0.025, 0.975), axis=0)
        stretch = 1 + 1.2 / np.maximum(2, self.present - 1)  # about Student's quantile by the normal one
        lows = values + stretch * np.minimum(low - values, 0)
        highs = values + stretch * np.maximum(high - values, 0)
        return np.round([values, lows, highs], 6) + 0.0  # no -0

    def centred(self, values: Floats) -> Floats:
        """In Elo; the mean of the bots 0, and of the seats."""
        bots, seats = values[..., : self.bots], values[..., self.bots :]
        parts = [part - part.mean(axis=-1, keepdims=True) for part in (bots, seats)]
        return ELO * np.concatenate(parts, axis=-1)

    def fit(
        self, weights: Floats, shift: Floats, start: Floats, close: float = 1e-6
    ) -> tuple[Floats, Floats]:
        """Where the weighted log-posterior, plus shift * values, is greatest, and its curvature there.

        It ends with a step under `close`, which leaves an error of about its square.
        """
        count = self.bots * self.seats
        drawn = np.bincount(self.row_choice, weights[self.row_block] * self.row_weight, len(self.items))
        won = np.bincount(self.won_item, weights[self.won_block], count)
        values = start
        for _ in range(100):
            gradient, curvature = self._slopes(values, drawn, won)
            step = np.linalg.solve(curvature, gradient + shift - self.precision * values)
            # Damped as befits a log-likelihood whose curvature changes by e per unit at most (Bach 2010).
            reach = np.ptp(step[: self.bots]) + np.ptp(step[self.bots :])
            values = values + step * (np.log1p(reach) / reach if reach > 0 else 1)
            if reach < close:
                break
        return values, curvature

    def _slopes(self, values: Floats, drawn: Counts, won: Counts) -> tuple[Floats, Floats]:
        """Gradient of the log-likelihood, and the curvature (negated) of the log-posterior."""
        shape, count = (self.bots, self.seats), self.bots * self.seats
        worth = (values[: self.bots, None] + values[self.bots :]).ravel()
        odds = np.exp(worth - worth.max())[self.items] * self.open
        chance = odds / odds.sum(axis=1, keepdims=True)
        expected = drawn[:, None] * chance
        held = np.bincount(self.items.ravel(), expected.ravel(), count)
        joint = expected[:, :, None] * chance[:, None, :]
        four = np.bincount(self.pairs, joint.ravel(), count * count).reshape(*shape, *shape)
        held, gained = held.reshape(shape), (won - held).reshape(shape)
        between = held - four.sum(axis=(1, 2))
        bots = np.diag(held.sum(axis=1)) - four.sum(axis=(1, 3))
        seats = np.diag(held.sum(axis=0)) - four.sum(axis=(0, 2))
        curvature = np.block([[bots, between], [between.T, seats]]) + np.diag(self.precision)
        return np.concatenate([gained.sum(axis=1), gained.sum(axis=0)]), curvature
