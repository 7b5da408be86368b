"""The sequential test: is the candidate better than the baseline? A generalized SPRT on the scores of deals.

The score of a deal is the candidate's share against the baseline, 0 to 1, on the mean of the complete blocks of that
deal in which both sit. The likelihood of H0 (mean 0.5 + h0) and of H1 (0.5 + h1) is that of the distribution of scores
which fits best among those with that mean, so nothing is assumed of how the games of a deal hang together (Van den
Bergh, as used by fishtest; see also Owen's empirical likelihood). It needs no table of outcomes: deals may have any
number of tables, seats and rotations. If each game has a deal of its own, a block counts as a deal does otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil, log

from ziggurat_server.tournaments.errors import BadEvent
from ziggurat_server.tournaments.event import EventSpec, Memory, StopRule
from ziggurat_server.tournaments.results import deal_at
from ziggurat_server.tournaments.statistics.blocks import Block, scores_by_deal
from ziggurat_server.tournaments.statistics.values import BETTER, NOT_BETTER, TestStatus

PSEUDO = 1e-3
"""Deals that are put on score 0 and on score 1 where none has been, so that each mean can be reached."""
MOST_EDGE = 0.49
LEAST_GAP = 0.001
"""Between h0 and h1; with less no event is large enough."""
LEAST_RISK = 1e-6


def bounds(rule: StopRule) -> tuple[float, float]:
    """Log-likelihood ratios at which H0 and H1 are accepted."""
    return log(rule.beta / (1 - rule.alpha)), log((1 - rule.beta) / rule.alpha)


def llr(counts: Mapping[Fraction, int], h0: float, h1: float) -> float:
    """Log-likelihood ratio of mean 0.5 + h1 against 0.5 + h0, for how often each score was had."""
    if not counts:
        return 0.0
    weights = {0.0: PSEUDO, 1.0: PSEUDO} | {float(score): float(counts[score]) for score in sorted(counts)}
    under0, under1 = _tilt(weights, 0.5 + h0), _tilt(weights, 0.5 + h1)
    return sum(
        weight * log((1 + under0 * (score - 0.5 - h0)) / (1 + under1 * (score - 0.5 - h1)))
        for score, weight in weights.items()
    )


def _tilt(weights: Mapping[float, float], mean: float) -> float:
    """x such that weight / (1 + x (score - mean)) are the likeliest probabilities with that mean (but for scale).

    The sum of weight (score - mean) / (1 + x (score - mean)) falls in x through 0; Newton's steps, and a bisection
    where they leave the interval in which the root is known to be.
    """
    low, high = -1 / (1 - mean), 1 / mean
    terms = [(score - mean, weight) for score, weight in weights.items()]
    x = 0.0
    for _ in range(200):
        value = sum(weight * gap / (1 + x * gap) for gap, weight in terms)
        low, high = (x, high) if value > 0 else (low, x)
        slope = sum(weight * (gap / (1 + x * gap)) ** 2 for gap, weight in terms)
        step = value / slope
        if abs(step) < 1e-12 or high - low < 1e-12:
            break
        x = x + step if low < x + step < high else (low + high) / 2
    return x


def run(
    rule: StopRule,
    blocks: Iterable[Block],
    pending: Collection[tuple[int, int]] = (),
    independent: bool = False,
) -> TestStatus:
    """The test over deals in the order of the schedule, up to its verdict.

    `pending`: (round, table) of blocks that may yet be completed; the test waits for their deals, so that quick blocks
    are not taken before slow ones and a verdict, once there, stays whatever ends later. `independent`: whether each
    game has a deal of its own.
    """
    test = SequentialTest(rule)
    complete = {(block.round, block.table): block for block in blocks}
    awaited = min((deal_at(*at, independent) for at in pending if at not in complete), default=None)
    scores = scores_by_deal(complete.values(), rule.candidate, rule.baseline)
    for deal in sorted(scores):
        if awaited is not None and deal >= awaited:
            break
        test.add(scores[deal])
    return test.status


class SequentialTest:
    """The test, deal by deal; what comes after the verdict changes nothing."""

    def __init__(self, rule: StopRule) -> None:
        self.status = TestStatus(0, 0.0, *bounds(rule))
        self._rule = rule
        self._counts: Counter[Fraction] = Counter()

    def add(self, score: Fraction) -> None:
        """Take in the score of the next deal."""
        if self.status.verdict:
            return
        counts, rule = self._counts, self._rule
        counts[score] += 1
        lower, upper = bounds(rule)
        ratio = llr(counts, rule.h0, rule.h1)
        verdict = BETTER if ratio >= upper else NOT_BETTER if ratio <= lower else ""
        total = sum((score * count for score, count in counts.items()), Fraction(0))
        self.status = TestStatus(counts.total(), ratio, lower, upper, verdict, float(total / counts.total()))


def deals_in_words(spec: EventSpec, test: TestStatus) -> str:
    """How much the test of an event has taken in, such as "31 deals"."""
    unit = "block" if spec.memory == Memory.INDEPENDENT else "deal"
    return f"{test.deals} {unit}" if test.deals == 1 else f"{test.deals} {unit}s"


def can_fire(rule: StopRule, deals: int) -> bool:
    """Whether so many deals could give a verdict: no scores move the ratio more than all won or all lost."""
    lower, upper = bounds(rule)
    won, lost = ({Fraction(score): deals} if deals else {} for score in (1, 0))
    return llr(won, rule.h0, rule.h1) >= upper or llr(lost, rule.h0, rule.h1) <= lower


def fewest_deals(rule: StopRule) -> int:
    """Deals without which there can be no verdict."""
    lower, upper = bounds(rule)
    won, lost = log((0.5 + rule.h1) / (0.5 + rule.h0)), log((0.5 - rule.h1) / (0.5 - rule.h0))
    deals = max(1, ceil(min(upper / won, lower / lost)) - 1)
    while not can_fire(rule, deals):
        deals += 1
    return deals


def check_stop(rule: StopRule, bots: Sequence[str], deals: int | None = None) -> None:
    """Refuse a rule without sense. `deals`: with how many both bots are planned to meet, if that is known.

    Raises BadEvent naming the key, the reason and the remedy.
    """
    for key, bot in (("candidate", rule.candidate), ("baseline", rule.baseline)):
        if bot not in bots:
            raise BadEvent(
                f"stop.{key}", f"{bot!r} is not in the event; name one of its bots: {', '.join(bots)}"
            )
    if rule.candidate == rule.baseline:
        raise BadEvent("stop.baseline", f"{rule.baseline!r} is the candidate too; name another bot")
    for key, edge in (("h0", rule.h0), ("h1", rule.h1)):
        if not abs(edge) <= MOST_EDGE:
            raise BadEvent(
                f"stop.{key}", f"{edge} is no edge; give one from {-MOST_EDGE} to {MOST_EDGE}, such as 0.05"
            )
    if rule.h1 - rule.h0 < LEAST_GAP:
        raise BadEvent(
            "stop.h1",
            f"{rule.h1} is not over h0 = {rule.h0} by {LEAST_GAP} at least; give a greater h1 or a smaller h0",
        )
    for key, risk in (("alpha", rule.alpha), ("beta", rule.beta)):
        if not LEAST_RISK <= risk < 0.5:
            raise BadEvent(
                f"stop.{key}",
                f"{risk} is no risk; give one from {LEAST_RISK:f} to less than 0.5, such as 0.05",
            )
    if deals is not None and not can_fire(rule, deals):
        raise BadEvent(
            "stop",
            f"there can be no verdict: that takes {fewest_deals(rule)} deals in which {rule.candidate} "
            f"and {rule.baseline} meet, and {deals} are planned; ask for more format.rounds, greater risks or edges "
            "further apart",
        )
