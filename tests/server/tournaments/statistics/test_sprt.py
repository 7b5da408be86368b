"""The sequential test, and how likely one bot is the better one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import comb, isfinite, log

import pytest
from tests.support.outcomes import format_event, game, pair_at_tables, pair_event, spec

from ziggurat_server.log import Policy
from ziggurat_server.tournaments.check import resolve
from ziggurat_server.tournaments.errors import BadEvent
from ziggurat_server.tournaments.event import FormatSpec, Memory, StopRule
from ziggurat_server.tournaments.results import Round
from ziggurat_server.tournaments.statistics.blocks import blocks_of
from ziggurat_server.tournaments.statistics.sprt import (
    bounds,
    can_fire,
    check_stop,
    deals_in_words,
    fewest_deals,
    llr,
    run,
)
from ziggurat_server.tournaments.statistics.superiority import cross_table, superiority
from ziggurat_server.tournaments.statistics.values import BETTER, NOT_BETTER, TestStatus

HALF, ONE, ZERO = Fraction(1, 2), Fraction(1), Fraction(0)
RULE = StopRule("a", "b")


def decided(
    scores: list[str], pending: tuple[tuple[int, int], ...] = (), rule: StopRule = RULE
) -> TestStatus:
    return run(rule, blocks_of(*pair_event(scores)).complete, pending)


def test_bounds_are_walds() -> None:
    assert bounds(StopRule("a", "b", alpha=0.05, beta=0.1)) == (log(0.1 / 0.95), log(0.9 / 0.05))


def test_deals_of_one_game_have_the_ratio_of_a_coin() -> None:
    won, lost = log(0.55 / 0.5), log(0.45 / 0.5)
    for wins, losses in ((7, 3), (1, 1), (40, 60)):
        assert llr({ONE: wins, ZERO: losses}, 0.0, 0.05) == pytest.approx(wins * won + losses * lost)
    assert llr({ONE: 20}, 0.0, 0.05) == pytest.approx(20 * won, abs=0.01)
    assert llr({ZERO: 20}, 0.0, 0.05) == pytest.approx(20 * lost, abs=0.01)


def test_the_ratio_is_that_of_the_likeliest_distributions_with_the_means() -> None:
    # Three scores leave one free parameter: it is searched by brute force.
    counts = {ZERO: 3, HALF: 9, ONE: 6}

    def best(mean: float) -> float:
        grid = (mean * step / 200_000 for step in range(1, 200_000))  # the chance of a block won
        return max(
            6 * log(p) + 9 * log(2 * (mean - p)) + 3 * log(1 - p - 2 * (mean - p))
            for p in grid
            if p < mean and 1 - p - 2 * (mean - p) > 0
        )

    assert llr(counts, 0.0, 0.1) == pytest.approx(best(0.6) - best(0.5), abs=1e-6)


def test_the_same_shares_from_steadier_deals_say_more() -> None:
    steady = llr({Fraction(5, 8): 20}, 0.0, 0.1)
    wild = llr({ZERO: 7, ONE: 13, HALF: 0}, 0.0, 0.1)
    assert steady > 1.5 * wild > 0


def test_no_counts_and_extreme_edges_are_finite() -> None:
    assert llr({}, 0.0, 0.05) == 0
    for counts in ({ONE: 1}, {ZERO: 10**6}, {HALF: 10**6}, {ONE: 10**6, ZERO: 1}):
        for h0, h1 in ((0.0, 1e-9), (-0.4999, 0.4999), (0.0, 0.05)):
            assert isfinite(llr(counts, h0, h1))


def test_it_is_open_then_decided_and_stays_so() -> None:
    assert decided([]) == TestStatus(0, 0.0, *bounds(RULE))
    early = decided(["++"] * 10)
    assert (early.deals, early.verdict, early.score) == (10, "", 1.0)
    late = decided(["++"] * 31)
    assert late.verdict == BETTER and late.llr >= late.upper and late.deals == 31
    assert decided(["++"] * 31 + ["--"] * 20) == late
    assert decided(["--"] * 40).verdict == NOT_BETTER and decided(["--"] * 40).deals == 28
    assert decided(["=="] * 40).verdict == NOT_BETTER
    turned_round = StopRule("b", "a")
    assert decided(["--"] * 31, rule=turned_round).verdict == BETTER


def test_it_waits_for_blocks_that_may_yet_be_complete() -> None:
    rounds, results = pair_event(["++"] * 40)
    complete = blocks_of(rounds, [game for game in results if game.round not in (12, 35)]).complete
    assert run(RULE, complete, {(35, 0), (12, 0)}).deals == 12
    assert run(RULE, complete, {(35, 0)}).verdict == run(RULE, complete).verdict == BETTER
    assert run(RULE, blocks_of(rounds, results).complete, {(12, 0)}) == decided(["++"] * 40)


def test_blocks_without_the_two_are_left_out() -> None:
    rounds, results = pair_event(["+-", "++"])
    assert run(StopRule("a", "c"), blocks_of(rounds, results).complete).deals == 0
    assert run(RULE, blocks_of(rounds, results[:-1]).complete).deals == 1


def test_a_deal_counts_once_whatever_its_tables() -> None:
    rounds, results = pair_at_tables(random.Random(3), 40, 3, 0.1, 0.3)
    blocks = blocks_of(rounds, results).complete
    found = run(RULE, blocks)
    assert found.deals == 40 and len(blocks) == 120
    assert found.score == pytest.approx(float(sum(block.score("a", "b") for block in blocks) / 120))
    # With deals of their own, the tables count each.
    own = run(RULE, blocks_of(rounds, results, independent=True).complete, independent=True)
    assert own.deals == 120 and own.score == found.score and own.llr > found.llr


def test_it_waits_for_all_tables_of_a_deal() -> None:
    rounds, results = pair_at_tables(random.Random(3), 10, 3, 0.1, 0.3)

    def taken(table: int, pending: bool, independent: bool) -> int:
        there = [game for game in results if (game.round, game.table) != (4, table)]
        blocks = blocks_of(rounds, there, independent=independent).complete
        return run(RULE, blocks, {(4, table)} if pending else (), independent).deals

    for table in range(3):
        assert (taken(table, True, False), taken(table, False, False)) == (4, 10)
        assert (taken(table, True, True), taken(table, False, True)) == (12 + table, 29)


def deals(chance: random.Random, games: int, edge: float, luck: float) -> Callable[[], Fraction]:
    """Draws scores of blocks whose deals favour a seat, which the candidate has in half of the games."""

    def score() -> Fraction:
        favour = chance.uniform(-luck, luck)
        return Fraction(sum(chance.random() < 0.5 + edge + (-1) ** at * favour for at in range(games)), games)

    return score


@pytest.mark.slow
@pytest.mark.parametrize(("games", "luck"), [(2, 0.4), (4, 0.4), (4, 0.0)])
@pytest.mark.parametrize("better", [False, True])
def test_error_rates_are_the_nominal_ones(games: int, luck: float, better: bool) -> None:
    # 1000 runs with 5 % risk: three standard errors are 2.1 %, and overshooting the bound makes it a little less.
    rule = StopRule("a", "b", 0.0, 0.1, 0.05, 0.05)
    lower, upper = bounds(rule)
    draw = deals(random.Random(11), games, rule.h1 if better else rule.h0, luck)
    wrong = 0
    for _ in range(1000):
        counts: Counter[Fraction] = Counter()
        ratio = 0.0
        while lower < ratio < upper:
            counts[draw()] += 1
            ratio = llr(counts, rule.h0, rule.h1)
        wrong += (ratio >= upper) != better
    assert 0.01 <= wrong / 1000 <= 0.071


@pytest.mark.slow
@pytest.mark.parametrize("better", [False, True])
def test_error_rates_hold_where_deals_suit_a_bot(better: bool) -> None:
    # 300 runs with 5 % risk: three standard errors are 3.8 %. Tables taken for independent err in 17 and 21 %.
    rule, chance, wrong = StopRule("a", "b", -0.1, 0.1, 0.05, 0.05), random.Random(5), 0
    for _ in range(300):
        played = pair_at_tables(chance, 50, 4, rule.h1 if better else rule.h0, 0.4)
        verdict = run(rule, blocks_of(*played).complete).verdict
        assert verdict
        wrong += (verdict == BETTER) != better
    assert 0.005 <= wrong / 300 <= 0.088


def test_whether_a_rule_can_fire() -> None:
    assert not can_fire(RULE, 0) and not can_fire(RULE, 27) and can_fire(RULE, 28)
    assert fewest_deals(RULE) == 28
    assert decided(["--"] * 27).verdict == "" != decided(["--"] * 28).verdict
    wide = StopRule("a", "b", -0.3, 0.3)
    assert fewest_deals(wide) == 3 and decided(["++"] * 3, rule=wide).verdict == BETTER


def test_no_scores_move_the_ratio_more_than_all_won_or_all_lost() -> None:
    chance = random.Random(4)
    most, least = (llr({score: 12}, 0.0, 0.1) for score in (ONE, ZERO))
    for _ in range(300):
        counts = Counter(Fraction(chance.randint(chance.randint(0, 8), 8), 8) for _ in range(12))
        assert least - 0.01 <= llr(counts, 0.0, 0.1) <= most + 0.01


@pytest.mark.parametrize(
    ("rule", "field", "says"),
    [
        (StopRule("x", "b"), "stop.candidate", "'x' is not in the event; name one of its bots: a, b"),
        (StopRule("a", "x"), "stop.baseline", "'x' is not in the event; name one of its bots: a, b"),
        (StopRule("a", "a"), "stop.baseline", "'a' is the candidate too; name another bot"),
        (
            StopRule("a", "b", 0.1, 0.1),
            "stop.h1",
            "0.1 is not over h0 = 0.1 by 0.001 at least; give a greater h1 or a smaller h0",
        ),
        (StopRule("a", "b", 0.0, 1e-17), "stop.h1", "1e-17 is not over h0 = 0.0 by 0.001"),
        (StopRule("a", "b", -1e-9, 0.0), "stop.h1", "0.0 is not over h0 = -1e-09 by 0.001"),
        (StopRule("a", "b", -0.5), "stop.h0", "-0.5 is no edge; give one from -0.49 to 0.49"),
        (StopRule("a", "b", 0.0, 0.4999), "stop.h1", "0.4999 is no edge"),
        (StopRule("a", "b", float("nan")), "stop.h0", "nan is no edge"),
        (
            StopRule("a", "b", alpha=0.0),
            "stop.alpha",
            "0.0 is no risk; give one from 0.000001 to less than 0.5",
        ),
        (
            StopRule("a", "b", beta=0.5),
            "stop.beta",
            "0.5 is no risk; give one from 0.000001 to less than 0.5",
        ),
    ],
)
def test_a_rule_without_sense_is_refused(rule: StopRule, field: str, says: str) -> None:
    with pytest.raises(BadEvent) as refusal:
        check_stop(rule, "ab", 1000)
    assert refusal.value.field == field and says in refusal.value.message


EDGES = [-0.49, -0.489, -0.05, 0.0, 0.001, 0.489, 0.49]


@pytest.mark.parametrize("h0", EDGES)
@pytest.mark.parametrize("risk", [1e-6, 0.499])
def test_any_rule_that_is_taken_can_be_worked_with(h0: float, risk: float) -> None:
    rules = [
        StopRule("a", "b", h0, h1, risk, other) for h1 in EDGES if h1 - h0 > 0.0009 for other in (1e-6, 0.499)
    ]
    for rule in rules:
        check_stop(rule, "ab")
        deals = fewest_deals(rule)
        assert can_fire(rule, deals) and (deals == 1 or not can_fire(rule, deals - 1))


def test_a_rule_that_can_never_fire_is_refused() -> None:
    with pytest.raises(BadEvent) as refusal:
        check_stop(RULE, ("a", "b"), 27)
    assert refusal.value.field == "stop"
    assert (
        "that takes 28 deals in which a and b meet, and 27 are planned; ask for more format.rounds"
        in refusal.value.message
    )
    check_stop(RULE, ("a", "b"), 28)
    check_stop(RULE, ("a", "b"))


@pytest.mark.parametrize(
    ("memory", "rounds", "planned"),
    [
        (Memory.STATELESS, 27, 27),
        (Memory.PROCESS, 28, None),
        (Memory.INDEPENDENT, 9, 27),
        (Memory.INDEPENDENT, 10, None),
    ],
)
def test_a_test_is_planned_by_deals(memory: Memory, rounds: int, planned: int | None) -> None:
    # Two of five bots meet at three of the five tables for four of a round.
    event = replace(
        spec("abcde", 4, RULE, rounds=rounds),
        memory=memory,
        game="flow",
        policy=Policy(gone_ms=1, ready_ms=1),
    )
    if planned is None:
        assert resolve(event).stop == RULE
        return
    with pytest.raises(BadEvent, match=f"takes 28 deals in which a and b meet, and {planned} are planned"):
        resolve(event)


def test_what_it_has_taken_in_is_told_in_words() -> None:
    event, one, two = spec("ab", stop=RULE), decided(["+-"]), decided(["+-", "+-"])
    assert (deals_in_words(event, one), deals_in_words(event, two)) == ("1 deal", "2 deals")
    assert deals_in_words(replace(event, memory=Memory.INDEPENDENT), two) == "2 blocks"


def test_superiority_is_the_uniform_prior_for_deals_of_one_game() -> None:
    for wins, losses in ((0, 0), (1, 0), (20, 0), (7, 3), (3, 7), (1, 1)):
        games = wins + losses + 1
        exact = sum(comb(games, at) for at in range(wins + 1)) / 2**games
        assert superiority([ONE] * wins + [ZERO] * losses) == pytest.approx(exact, abs=1e-7)


def test_superiority_agrees_with_drawing_the_weights() -> None:
    scores = [Fraction(3, 4)] * 6 + [Fraction(1, 4)] * 2 + [ONE, HALF]
    chance, draws = random.Random(1), 40_000
    edges = [float(score - HALF) for score in (*scores, ZERO, ONE)]
    over = sum(sum(chance.expovariate(1) * edge for edge in edges) > 0 for _ in range(draws))
    assert superiority(scores) == pytest.approx(over / draws, abs=0.005)


@pytest.mark.parametrize(
    "scores",
    [[], [HALF], [HALF] * 50, [ONE] * 5000, [ZERO] * 5000, [Fraction(9, 16)] * 3000, [Fraction(1, 10)]],
)
def test_superiority_is_a_likelihood(scores: list[Fraction]) -> None:
    ours, theirs = superiority(scores), superiority([1 - score for score in scores])
    assert 0 <= ours <= 1 and ours + theirs == pytest.approx(1, abs=1e-6)
    mean = sum(scores, ZERO) - HALF * len(scores)
    assert ours == 0.5 if not mean else (ours > 0.5) == (mean > 0)


def test_the_cross_table_has_each_pair_both_ways() -> None:
    cells = cross_table(blocks_of(*pair_event(["++", "+-", "=+", "+"])).complete, ("b", "x", "a"))
    assert [(cell.bot, cell.opponent, cell.games, cell.score) for cell in cells] == [
        ("b", "a", 6, 1.5 / 6),
        ("a", "b", 6, 4.5 / 6),
    ]
    assert cells[0].superiority == pytest.approx(1 - cells[1].superiority)  # type: ignore[operator]
    assert cells[1].superiority == pytest.approx(superiority([ONE, HALF, Fraction(3, 4)]))


def test_a_deal_counts_once_in_the_cross_table() -> None:
    rounds = [Round(0, (("a", "b"),) * 5)]
    blocks = [game(table, "ab", (1, 2), (0, table, 0)) for table in range(5)]
    cell = cross_table(blocks_of(rounds, blocks, 1).complete, "ab")[0]
    assert (cell.games, cell.score, cell.superiority) == (5, 1.0, pytest.approx(superiority([ONE])))
    own = cross_table(blocks_of(rounds, blocks, 1, independent=True).complete, "ab")[0]
    assert own.superiority == pytest.approx(superiority([ONE] * 5))


@pytest.mark.slow
def test_superiority_is_seldom_sure_of_equal_bots() -> None:
    # Eight bots at tables of four for 12 rounds, ten events: of 560 likelihoods 5 % may lie beyond 2.5 or 97.5 %, and
    # the prior makes it less. With each table taken for itself it is 17 %.
    form, equal = FormatSpec("round_robin", rounds=12), dict.fromkeys("abcdefgh", 0.0)
    sure = cells = 0
    for seed in range(10):
        for cell in cross_table(blocks_of(*format_event(form, equal, 4, seed, 1.0)).complete, "abcdefgh"):
            assert cell.superiority is not None
            sure += not 0.025 < cell.superiority < 0.975
            cells += 1
    assert cells == 560 and 0 < sure / cells <= 0.07
