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
FEW = 4
"""The bootstrap's weights are gamma distributed with shape 1 + FEW / bundles of a bot: few are weighed less boldly."""
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
    rated = set(field)
    blocks = [block for block in blocks if block.bots[0] in rated]
    notes = [note] if note else []
    number: Sequence[int] = bundles(blocks)
    if len({(at, bot) for at, block in zip(number, blocks, strict=True) for bot in block.bots}) == len(field):
        number = range(len(blocks))  # one bundle for each bot has no spread to show
        notes.append(ONE_DEAL)
    rows = _estimates(Model(blocks, number, field)).T
    values = [Estimate(*(float(value) for value in row)) for row in rows]
    return Ratings(dict(zip(field, values, strict=False)), tuple(values[len(field) :]), tuple(notes))


def _field(blocks: Iterable[Block], bots: Sequence[str]) -> tuple[list[str], str]:
    """The bots that can be compared, and a note on the others."""
    group: dict[str, set[str]] = {}
    for block in blocks:
        merged = group.setdefault(block.bots[0], {block.bots[0]})
        for bot in block.bots:
            if bot not in merged:
                merged |= group.get(bot, {bot})
                group.update(dict.fromkeys(merged, merged))
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


def _estimates(model: Model) -> Floats:
    """Ratings and seats in Elo, centred, with their intervals: (value, low and high; bots + seats).

    A replicate weighs the bundles at random (Bayesian bootstrap) and shifts the gradient by as much as the prior would
    vary it, and games what the weights leave out: without that, one-sided results would have no interval. Where bots
    vary more between bundles than their games have it, values are shifted for the rest. A replicate's fit begins where
    one step by the slopes at the best fit leads, so that one or two of Newton's are left.
    """
    zero = np.zeros(model.size)
    drawn, played = model.weighed(np.ones(model.bundles))
    best = model.fit(drawn, played, zero, zero)
    curvature = model.curvature(best, drawn)
    shape = 1 + FEW / model.present[: model.bots].mean()
    left_out, stretch = _eked_out(model, shape)
    prior = np.diag(model.precision)
    root = np.linalg.cholesky(left_out[:, None] * (curvature - prior) * left_out + prior)
    inverse = np.linalg.inv(curvature)
    wider = np.sqrt(max(0.0, _dispersion(model, best) - 1)) * (inverse @ root)
    random = np.random.default_rng(SEED)
    found = []
    for _ in range(min(REPLICATES[1], max(REPLICATES[0], EFFORT // model.effort))):
        weights = random.standard_gamma(shape, model.bundles)
        shift = root @ random.standard_normal(model.size)
        drawn, played = model.weighed(weights / weights.mean())
        start = best + inverse @ (model.gradient(best, drawn, played) + shift)
        fitted = model.fit(drawn, played, shift, start, CLOSE)
        found.append(fitted + wider @ random.standard_normal(model.size))
    values, replicates = _centred(best, model.bots), _centred(np.array(found), model.bots)
    low, high = np.quantile(replicates, (0.025, 0.975), axis=0)
    lows = values + stretch * np.minimum(low - values, 0)
    highs = values + stretch * np.maximum(high - values, 0)
    return np.round([values, lows, highs], 6) + 0.0  # no -0


def _eked_out(model: Model, shape: float) -> tuple[Floats, Floats]:
    """What makes up for few bundles, by bot and seat: the part of a standard deviation that weights leave out, and the
    stretch of intervals.

    Of a variance over n bundles, gamma weights bring (n - 1) / (n shape + 1); the rest is taken from all bots together.
    A bot in n bundles has n - 1 degrees of freedom for its own spread; the bots together have the sum of them, but for
    what the mean of the field takes. A variance made of both has those that its own chance tells (Satterthwaite), and
    the stretch is Student's quantile by the normal one (Cornish and Fisher).
    """
    bots, own = model.bots, model.present - 1
    pooled = own[:bots].sum() * (bots - 1) / bots
    brought = own / (model.present * shape + 1)
    chance = brought**2 / np.maximum(own, 1) + (1 - brought**2) / max(pooled, 1)  # 1 / degrees of freedom
    chance = np.minimum(chance, 0.5)
    return np.sqrt(1 - brought), 1 + 1.21 * chance + 1.44 * chance**2


def _dispersion(model: Model, best: Floats) -> float:
    """How much more the scores of bots vary between bundles than games by themselves would; 0 if nobody is in two."""
    twice = model.present[: model.bots] > 1
    found, expected = (values[twice].sum() for values in model.spread(best))
    return float(found / expected) if twice.any() else 0.0


def _centred(values: Floats, bots: int) -> Floats:
    """In Elo; the mean of the bots 0, and of the seats."""
    parts = [part - part.mean(axis=-1, keepdims=True) for part in np.split(values, [bots], axis=-1)]
    return ELO * np.concatenate(parts, axis=-1)
