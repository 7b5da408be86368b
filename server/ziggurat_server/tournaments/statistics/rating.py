"""Batch rating: bots and seats on one scale (see model.py), independent of the order of the games, with intervals.

The intervals are a bootstrap by bundle (see blocks.py): what a deal does to a bot at several tables is not taken for
as many findings. Where few bundles hold a bot, its own spread over them is eked out by that of all bots.

The module imports numpy; it is itself imported only when there is something to rate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from ziggurat_server.tournaments.statistics.blocks import Block, bundles
from ziggurat_server.tournaments.statistics.model import Floats, Model
from ziggurat_server.tournaments.statistics.values import Estimate

ELO = 400 / log(10)
REPLICATES = (100, 400)
"""Fewest and most draws of the bootstrap;"""
EFFORT = 10_000_000
"""between them so many that draws times places in choices come to this: large fields take seconds, not minutes."""
SEED = 20_110_607
CLOSE = 0.1
"""Last step of a replicate: it leaves an error of about its square, which is nothing beside the draw's own chance."""
FURTHER = 2
"""As many further bundles, with the model's own variance or what bots vary on the whole, if that is more, keep few
bundles from looking all too certain."""
ONE_DEAL = (
    "Intervals of ratings leave out how bots vary by deal: no bot was dealt twice. More rounds would show it."
)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings by bot, worth by seat, and what to know of them."""

    bots: dict[str, Estimate]
    seats: tuple[Estimate, ...]
    notes: tuple[str, ...] = ()


def rate(blocks: Sequence[Block], bots: Sequence[str]) -> Ratings:
    """Rate the bots of the largest group that games connect, if it is more than half of those that played."""
    blocks = [block for block in blocks if len(block.bots) > 1]
    field, note = _field(blocks, bots)
    if not field:
        return Ratings({}, (), (note,))
    blocks = [block for block in blocks if block.bots[0] in field]
    model = Model(blocks, bundles(blocks), field)
    notes = [note] if note else []
    if model.present[: model.bots].max() < 2:
        model = Model(blocks, range(len(blocks)), field)
        notes.append(ONE_DEAL)
    values = [Estimate(*(float(number) for number in row)) for row in _estimates(model).T]
    return Ratings(dict(zip(field, values, strict=False)), tuple(values[len(field) :]), tuple(notes))


def _field(blocks: Iterable[Block], bots: Sequence[str]) -> tuple[dict[str, None], str]:
    """The bots that can be compared, and a note on the others."""
    group: dict[str, set[str]] = {}
    for block in blocks:
        merged = group.setdefault(block.bots[0], {block.bots[0]})
        for bot in block.bots:
            if bot not in merged:
                merged |= group.get(bot, {bot})
                group.update(dict.fromkeys(merged, merged))
    if not group:
        return {}, "No ratings: no block is complete."
    largest = max((group[bot] for bot in bots if bot in group), key=len)
    if 2 * len(largest) <= len(group):
        return {}, "No ratings: complete blocks do not connect more than half of the bots that played."
    left = [bot for bot in bots if bot not in largest]
    note = (
        f"Not rated, since no complete block connects them with the others: {', '.join(left)}."
        if left
        else ""
    )
    return {bot: None for bot in bots if bot in largest}, note


def _estimates(model: Model) -> Floats:
    """Ratings and seats in Elo, centred, with their intervals: (value, low and high; bots + seats).

    A replicate weighs the bundles at random (Bayesian bootstrap) and shifts the gradient by as much as the prior, and
    FURTHER bundles, would vary it: without that, one-sided results would have no interval. It begins where one step by
    the slopes at the best fit leads, so that one or two of Newton's are left.
    """
    zero = np.zeros(model.size)
    drawn, played = model.weighed(np.ones(model.bundles))
    best = model.fit(drawn, played, zero, zero)
    curvature = model.curvature(best, drawn)
    further, stretch = _eked_out(model, best, curvature)
    prior = np.diag(model.precision)
    root = np.linalg.cholesky(further[:, None] * (curvature - prior) * further + prior)
    inverse = np.linalg.inv(curvature)
    random = np.random.default_rng(SEED)
    found = []
    for _ in range(min(REPLICATES[1], max(REPLICATES[0], EFFORT // model.effort))):
        weights = random.standard_exponential(model.bundles)
        shift = root @ random.standard_normal(model.size)
        drawn, played = model.weighed(weights / weights.mean())
        start = best + inverse @ (model.gradient(best, drawn, played) + shift)
        found.append(model.fit(drawn, played, shift, start, CLOSE))
    values, replicates = _centred(best, model.bots), _centred(np.array(found), model.bots)
    low, high = np.quantile(replicates, (0.025, 0.975), axis=0)
    lows = values + stretch * np.minimum(low - values, 0)
    highs = values + stretch * np.maximum(high - values, 0)
    return np.round([values, lows, highs], 6) + 0.0  # no -0


def _eked_out(model: Model, best: Floats, curvature: Floats) -> tuple[Floats, Floats]:
    """What makes up for few bundles, by bot and seat: standard deviations of the further ones, stretch of intervals.

    A bot in n bundles has n - 1 degrees of freedom for its own spread, the bots together what they have less what
    the mean of the field takes. Student's quantile is to the normal one as the stretch to 1 (Cornish and Fisher).
    """
    bots, own = model.bots, model.present - 1
    share = FURTHER / (own + FURTHER)
    pooled = own[:bots].sum() * (bots - 1) / bots
    excess, seen = 1.0, own[:bots] > 0
    if seen.any():
        spread = (model.spread(best) * model.present[:bots])[seen] / own[:bots][seen]
        expected = (curvature.diagonal() - model.precision)[:bots][seen]
        excess = max(1.0, spread.sum() / expected.sum())
    variance = (1 - share) ** 2 / np.maximum(own, 1) + (1 - (1 - share) ** 2) / max(pooled, 1)
    variance = np.minimum(variance, 0.5)
    return np.sqrt(share * excess), 1 + 1.21 * variance + 1.44 * variance**2


def _centred(values: Floats, bots: int) -> Floats:
    """In Elo; the mean of the bots 0, and of the seats."""
    parts = [part - part.mean(axis=-1, keepdims=True) for part in np.split(values, [bots], axis=-1)]
    return ELO * np.concatenate(parts, axis=-1)
