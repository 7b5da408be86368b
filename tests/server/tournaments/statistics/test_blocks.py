"""What is a block, and what duplicate deals win."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.support.outcomes import drawn_event, game, pair_event

from ziggurat_server.tournaments.results import Round
from ziggurat_server.tournaments.statistics.blocks import (
    blocks_of,
    bundles,
    counted,
    scores_by_deal,
    variance_ratio,
)


def test_a_block_is_complete_with_all_its_rotations() -> None:
    rounds, results = pair_event(["+-", "++", "=="])
    blocks = blocks_of(rounds, results[:-1])
    assert [(block.round, block.table) for block in blocks.complete] == [(0, 0), (1, 0)]
    assert blocks.incomplete == ((2, 0),)
    assert [game.rotation for game in blocks.complete[0].games] == [0, 1]
    assert [block.score("a", "b") for block in blocks.complete] == [Fraction(1, 2), Fraction(1)]


def test_the_format_says_how_many_rotations_there_are() -> None:
    rounds = [Round(0, (("a", "b", "c", "d"), ("e", "f", "g", "h")))]
    results = [game(i, "abcd", (1, 2, 3, 4), (0, 0, i)) for i in range(2)]
    assert len(blocks_of(rounds, results, 2).complete) == 1
    assert blocks_of(rounds, results).incomplete == ((0, 0), (0, 1))


def test_a_game_of_other_bots_completes_no_block() -> None:
    rounds, results = pair_event(["+-"])
    assert not blocks_of([Round(0, (("a", "c"),))], results).complete
    assert not blocks_of([Round(1, (("a", "b"),))], results).complete
    assert blocks_of(rounds, results).complete


def test_the_order_of_results_makes_no_difference() -> None:
    rounds, results = pair_event(["+-", "++", "=="])
    assert blocks_of(rounds[::-1], counted(results[::-1])) == blocks_of(rounds, results)


def test_a_game_counts_once() -> None:
    _, results = pair_event(["+-"])
    assert counted([*results, results[0]]) == tuple(results)
    with pytest.raises(ValueError, match="game 0 has two results"):
        counted([*results, game(0, "ab", (2, 1))])


TABLES = [Round(0, ("abcd", "cefg", "hijk", "gxyz")), Round(1, ("abcd", "hijk"))]
"""In the first round c and g link three tables; in the second there is nothing to link."""


@pytest.mark.parametrize(
    ("independent", "found"), [(False, [0, 0, 1, 0, 2, 3]), (True, [0, 1, 2, 3, 4, 5])], ids=["shared", "own"]
)
def test_blocks_of_one_deal_that_bots_link_are_a_bundle(independent: bool, found: list[int]) -> None:
    rounds = [Round(drawn.number, tuple(map(tuple, drawn.tables))) for drawn in TABLES]
    at = [(drawn.number, table) for drawn in rounds for table in range(len(drawn.tables))]
    results = [
        game(number, rounds[here].tables[table], (1, 2, 3, 4), (here, table, 0))
        for number, (here, table) in enumerate(at)
    ]
    blocks = blocks_of(rounds, results, 1, independent).complete
    assert bundles(blocks) == found


def test_two_bots_have_one_score_of_a_deal() -> None:
    rounds = [Round(0, (("a", "b"), ("b", "a"), ("a", "b"))), Round(1, (("a", "b"), ("a", "c")))]
    first = [("ab", (1, 2)), ("ba", (1, 2)), ("ab", (1, 1)), ("ab", (1, 2)), ("ac", (2, 1))]
    at = [(0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 0, 0), (1, 1, 0)]
    results = [game(number, bots, places, at[number]) for number, (bots, places) in enumerate(first)]
    half = Fraction(1, 2)
    blocks = blocks_of(rounds, results, 1).complete
    assert scores_by_deal(blocks, "a", "b") == {(0, 0): half, (1, 0): 1}
    assert scores_by_deal(blocks, "b", "a") == {(0, 0): half, (1, 0): 0}
    assert scores_by_deal(blocks, "a", "c") == {(1, 0): 0} and scores_by_deal(blocks, "b", "c") == {}
    without = blocks_of(rounds, [results[0], results[2], results[3]], 1).complete  # one is not complete
    assert scores_by_deal(without, "a", "b") == {(0, 0): Fraction(3, 4), (1, 0): 1}
    own = blocks_of(rounds, results, 1, independent=True).complete
    assert list(scores_by_deal(own, "a", "b").values()) == [1, 0, half, 1]


def test_the_ratio_of_variances_by_hand() -> None:
    # A bot's credits by seat are (1, 0), (0, 1), (1, 1), ... over twelve blocks. Their covariance is
    # that of what is written here, and for two seats both bots have the same.
    scores = ["+-", "-+", "++"] * 4
    rounds, results = pair_event(scores)
    first, second = [[float(score[seat] == "+") for score in scores] for seat in (0, 1)]
    both = [a + b for a, b in zip(first, second, strict=True)]

    def squares(values: list[float]) -> float:
        return sum((value - sum(values) / len(values)) ** 2 for value in values)

    ratio = variance_ratio(blocks_of(rounds, results).complete)
    assert ratio == pytest.approx(squares(both) / (squares(first) + squares(second))) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "scores",
    [[], ["+-"], ["+-", "-+"] * 5, ["++"] * 20, ["=="] * 20, ["+", "-"] * 20],
    ids=["none", "one", "ten", "one-sided", "ties", "without rotations"],
)
def test_no_ratio_where_nothing_varies_or_little_is_known(scores: list[str]) -> None:
    rounds, results = pair_event(scores)
    complete = blocks_of(rounds, results, rotations=len(scores[0]) if scores else 0).complete
    assert len(complete) == len(scores)
    assert variance_ratio(complete) is None


def test_line_ups_that_met_once_give_no_ratio() -> None:
    rounds, results = drawn_event({f"b{i:02}": 0.0 for i in range(40)}, (0, 0, 0), 30, seed=4)
    assert variance_ratio(blocks_of(rounds, results).complete) is None


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("shared", [0.0, 0.5, 1.0])
def test_duplicate_deals_lower_the_variance_and_independent_ones_do_not(seats: int, shared: float) -> None:
    # Equal bots: with one deal the seat alone decides, and each bot has each seat once. Two games of a block have
    # that deal both with chance shared^2, which is how far the variance falls.
    strengths = dict.fromkeys("abcd"[:seats], 0.0)
    played = drawn_event(strengths, [0.3, 0.0, 0.0, -0.3][:seats], 800, seed=1, shared=shared)
    ratio = variance_ratio(blocks_of(*played).complete)
    assert ratio == pytest.approx(1 - shared**2, abs=0.08)
