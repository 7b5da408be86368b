"""Cross table, and how likely it is that one bot is better than another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from math import atan, exp, log1p, pi, sin, sqrt

from ziggurat_server.tournaments.statistics.blocks import Block, scores_by_deal
from ziggurat_server.tournaments.statistics.values import CrossCell

HALF = Fraction(1, 2)


def cross_table(blocks: Iterable[Block], bots: Sequence[str]) -> tuple[CrossCell, ...]:
    """Each pair that has met in a block, both ways, in the order of `bots`."""
    met: dict[tuple[str, str], list[Block]] = {}
    for block in blocks:
        for pair in permutations(block.bots, 2):
            met.setdefault(pair, []).append(block)
    return tuple(
        _cell(bot, opponent, met[bot, opponent])
        for bot, opponent in permutations(bots, 2)
        if (bot, opponent) in met
    )


def _cell(bot: str, opponent: str, blocks: Sequence[Block]) -> CrossCell:
    scores = [block.score(bot, opponent) for block in blocks]
    games = [len(block.games) for block in blocks]
    share = sum((score * count for score, count in zip(scores, games, strict=True)), Fraction(0)) / sum(games)
    of_deals = scores_by_deal(blocks, bot, opponent).values()
    return CrossCell(bot, opponent, sum(games), float(share), superiority(of_deals))


def superiority(scores: Iterable[Fraction]) -> float:
    """Likelihood that the mean score (0 to 1) of a bot is over one half, from one score of each deal.

    What is unknown is how often a deal ends with which score. Its prior is a deal won and a deal lost, which for
    deals of one game is the uniform prior: n wins without a loss give 1 - 1/2^(n+1). After the deals the weights of
    the scores are Dirichlet distributed (the Bayesian bootstrap), so that the mean is over one half if a certain sum
    of gamma variables is over 0; its probability is worked out exactly and not by drawing.
    """
    weights = Counter(score - HALF for score in scores)
    weights.update((HALF, -HALF))
    sides = Counter({-edge: weight for edge, weight in weights.items()})
    if sides == weights:
        return 0.5
    return min(1.0, max(0.0, _positive({float(edge): weight for edge, weight in weights.items()})))


def _positive(weights: Mapping[float, int]) -> float:
    """Probability that the sum of edge * gamma(weight) is positive, by inverting its characteristic function.

    The trapezoidal rule with step h errs by about the chance that the sum is beyond 2 pi / h, so h follows from its
    mean and spread (Davies 1973).
    """
    terms = [(edge, weight) for edge, weight in weights.items() if edge]
    mean = sum(weight * edge for edge, weight in terms)
    spread = sqrt(sum(weight * edge**2 for edge, weight in terms))
    step = 2 * pi / (abs(mean) + 12 * spread + 12)
    total, at, size = 0.0, step / 2, 1.0
    while size > 1e-10:
        angle = sum(weight * atan(at * edge) for edge, weight in terms)
        size = exp(-0.5 * sum(weight * log1p((at * edge) ** 2) for edge, weight in terms)) / at
        total += sin(angle) * size
        at += step
    return 0.5 + total * step / pi
