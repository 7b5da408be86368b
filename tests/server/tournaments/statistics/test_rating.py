"""Batch and live ratings."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import pairwise, permutations
from math import exp, isfinite, log

import numpy as np
import pytest
from tests.support.outcomes import drawn_event, format_event, game, pair_event

from ziggurat_server.bots.values import START
from ziggurat_server.tournaments.event import FormatSpec
from ziggurat_server.tournaments.results import Round
from ziggurat_server.tournaments.statistics import rating
from ziggurat_server.tournaments.statistics.blocks import Block, blocks_of, bundles
from ziggurat_server.tournaments.statistics.live import LiveRatings
from ziggurat_server.tournaments.statistics.model import Model, choices
from ziggurat_server.tournaments.statistics.rating import ELO, ONE_DEAL, Ratings, rate


def rated(scores: list[str]) -> Ratings:
    return rate(blocks_of(*pair_event(scores), len(scores[0])).complete, "ab")


def log_likelihood(values: list[float], places: tuple[int, ...]) -> float:
    """By the book: the mean over all orders that agree with the places."""
    found = []
    for order in permutations(range(len(values))):
        if all(places[a] <= places[b] for a, b in pairwise(order)):
            stages = (order[at:] for at in range(len(order)))
            found.append(sum(values[rest[0]] - log(sum(exp(values[i]) for i in rest)) for rest in stages))
    return sum(found) / len(found)


@pytest.mark.parametrize(
    "places",
    [(1, 2), (1, 1), (2, 1, 2), (1, 1, 1), (3, 1, 1, 3), (2, 2, 1, 2, 5), (1, 1, 1, 1, 1), (4, 2, 1, 2, 4)],
)
def test_ties_are_the_mean_over_the_orders_left_open(places: tuple[int, ...]) -> None:
    values = [0.3, -0.7, 1.1, 0.0, 0.4][: len(places)]
    ours = sum(values) - sum(
        weight * log(sum(exp(values[i]) for i in among)) for weight, among in choices(places)
    )
    assert ours == pytest.approx(log_likelihood(values, places))


def test_the_fit_is_where_the_posterior_is_flat() -> None:
    rounds, results = drawn_event(
        {"a": 0.0, "b": 0.4, "c": 1.0, "d": -0.3, "e": 0.2}, (0.4, 0.0, -0.2), 20, seed=5
    )
    blocks = blocks_of(rounds, results).complete
    model = Model(blocks, bundles(blocks), "abcde")
    drawn, played = model.weighed(np.ones(len(blocks)))
    best = model.fit(drawn, played, np.zeros(8), np.zeros(8))
    curvature = model.curvature(best, drawn)

    def posterior(values: np.ndarray) -> float:
        worth = dict(zip("abcde", values, strict=False))
        return -float((values**2 * model.precision).sum()) / 2 + sum(
            log_likelihood(
                [worth[seat.bot] + values[5 + at] for at, seat in enumerate(result.seats)],
                tuple(seat.place for seat in result.seats),
            )
            for result in results
        )

    steps = np.eye(8) * 1e-3
    slopes = [(posterior(best + step) - posterior(best - step)) / 2e-3 for step in steps]
    assert slopes == pytest.approx([0] * 8, abs=1e-4)
    bends = [(2 * posterior(best) - posterior(best + step) - posterior(best - step)) / 1e-6 for step in steps]
    assert bends == pytest.approx(list(curvature.diagonal()), rel=1e-3)
    for one, other in ((0, 1), (2, 6), (5, 7)):
        there, back = best + steps[one], best - steps[one]
        mixed = posterior(there - steps[other]) - posterior(there + steps[other])
        mixed += posterior(back + steps[other]) - posterior(back - steps[other])
        assert mixed / 4e-6 == pytest.approx(curvature[one, other], rel=1e-3)


def test_twenty_to_nothing_is_bounded() -> None:
    # The difference d solves 20 / (1 + exp(d)) = d / (2 * 3^2).
    low, high = 0.0, 10.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if 20 / (1 + exp(middle)) > middle / 18 else (low, middle)
    found = rated(["++"] * 10).bots
    assert found["a"].value == pytest.approx(low * ELO / 2, abs=0.01) == pytest.approx(381.63, abs=0.01)
    assert found["b"].value == -found["a"].value
    assert 100 < found["a"].low < found["a"].value < found["a"].high < 2000  # type: ignore[operator]


def test_equal_results_are_rated_zero_with_an_interval() -> None:
    for scores in (["+-"] * 10, ["=="] * 10, ["+-"], ["+=", "-="]):
        found = rated(scores).bots
        assert found["a"].value == pytest.approx(0, abs=1e-5) == -found["b"].value
        assert found["a"].low < -10 and found["a"].high > 10  # type: ignore[operator]


def test_one_game_says_little() -> None:
    found = rated(["+"]).bots["a"]
    assert 0 < found.value < 300 and found.low < 0 and found.high > 500  # type: ignore[operator]


def test_intervals_shrink_with_blocks() -> None:
    widths = [
        (found := rated(["+-", "++", "=-"] * times).bots["a"]).high - found.low  # type: ignore[operator]
        for times in (1, 4, 16, 64)
    ]
    assert all(wide > 1.6 * narrow for wide, narrow in pairwise(widths))


def test_no_block_no_rating() -> None:
    assert rate([], "ab") == Ratings({}, (), ("No ratings: no block is complete.",))


def of_pairs(*pairs: str) -> tuple[Block, ...]:
    rounds = [Round(0, tuple(tuple(pair) for pair in pairs))]
    games = [
        game(2 * table + turn, pair[:: 1 - 2 * turn], (1 + turn, 2 - turn), (0, table, turn))
        for table, pair in enumerate(pairs)
        for turn in range(2)
    ]
    return blocks_of(rounds, games).complete


def test_only_bots_that_games_connect_are_rated() -> None:
    found = rate(of_pairs("ab", "bc", "de"), "abcdefg")
    assert list(found.bots) == ["a", "b", "c"]
    assert found.notes[0] == "Not rated, since no complete block connects them with the others: d, e, f, g."
    assert found.bots["a"].value > found.bots["b"].value > found.bots["c"].value
    apart = rate(of_pairs("ab", "cd"), "abcd")
    assert apart.bots == {} and apart.seats == () and "do not connect" in apart.notes[0]
    assert list(rate(of_pairs("ab", "cd", "bd"), "abcd").bots) == list("abcd")


def test_ratings_do_not_depend_on_the_order() -> None:
    rounds, results = drawn_event({"a": 0.0, "b": 0.4, "c": 1.0}, (0.4, 0.0), 30, seed=5)
    shuffled = random.Random(1).sample(results, len(results))
    assert rate(blocks_of(rounds, results).complete, "abc") == rate(
        blocks_of(rounds[::-1], shuffled).complete, "abc"
    )


def test_ratings_and_seats_average_zero() -> None:
    rounds, results = drawn_event({"a": 0.0, "b": 0.4, "c": 1.0, "d": 3.0}, (0.4, 0.0, 0.1), 30, seed=5)
    found = rate(blocks_of(rounds, results).complete, "abcd")
    assert sum(bot.value for bot in found.bots.values()) == pytest.approx(0, abs=1e-4)
    assert sum(seat.value for seat in found.seats) == pytest.approx(0, abs=1e-4) and len(found.seats) == 3


def test_the_worth_of_a_seat_is_found() -> None:
    worths = (0.6, 0.2, -0.2, -0.6)
    rounds, results = drawn_event(
        dict(zip("abcde", (0, 0.2, 0.4, 0.6, 0.8), strict=True)), worths, 300, seed=7
    )
    found = rate(blocks_of(rounds, results).complete, "abcde").seats
    for seat, worth in zip(found, worths, strict=True):
        assert seat.value == pytest.approx(ELO * worth, abs=25)
        assert seat.low < ELO * worth < seat.high  # type: ignore[operator]
    assert found[0].low > found[1].high and found[2].low > found[3].high  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "shared"), [(2, 0.0), (4, 0.0), (4, 0.7)])
def test_intervals_cover_the_true_ratings(seats: int, shared: float, monkeypatch: pytest.MonkeyPatch) -> None:
    # 40 events of four bots. The band leaves 160 intervals of nominal 95 % room for chance; of intervals half as wide
    # 70 to 82 % hold, of those twice as wide all.
    monkeypatch.setattr(rating, "REPLICATES", (150, 150))  # for speed
    strengths = dict(zip("abcd", (-0.9, -0.2, 0.3, 0.8), strict=True))
    hits, widths, bots = 0, 0.0, 0
    for seed in range(40):
        played = drawn_event(strengths, (0.3, 0.1, -0.1, -0.3)[:seats], 24, seed, shared)
        for bot, found in rate(blocks_of(*played).complete, "abcd").bots.items():
            assert found.low is not None and found.high is not None
            hits += found.low <= ELO * strengths[bot] <= found.high
            widths += found.high - found.low
            bots += 1
    assert bots == 160
    assert 0.88 <= hits / bots <= 0.99
    assert widths / bots < 420


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "bots", "seats", "events"),
    [
        (FormatSpec("round_robin", rounds=2), 8, 4, 20),
        (FormatSpec("round_robin", rounds=5), 8, 4, 20),
        (FormatSpec("gauntlet", rounds=8, candidates=("a", "b")), 8, 4, 18),
        (FormatSpec("swiss", rounds=6), 16, 4, 10),
    ],
    ids=["few deals", "round robin", "gauntlet", "swiss"],
)
def test_intervals_cover_where_deals_suit_bots(
    form: FormatSpec, bots: int, seats: int, events: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Equal bots, each a good deal stronger or weaker in each round. Of the intervals that took the tables of a round
    # for independent, 65 to 75 % held but for the Swiss, where nobody has two tables in a round.
    monkeypatch.setattr(rating, "REPLICATES", (100, 100))  # for speed
    names = "abcdefghijklmnop"[:bots]
    held = []
    for seed in range(events):
        played = format_event(form, dict.fromkeys(names, 0.0), seats, seed, 0.7)
        for found in rate(blocks_of(*played, form.rotations).complete, names).bots.values():
            assert found.low is not None and found.high is not None
            held.append(found.low <= 0 <= found.high)
    assert len(held) >= 140 and sum(held) / len(held) >= 0.88


def test_a_round_that_has_just_begun_blows_no_interval_up() -> None:
    names = "abcdefgh"
    widths, held = [], []
    for seed in range(8):
        rounds, results = format_event(
            FormatSpec("round_robin", rounds=2), dict.fromkeys(names, 0.0), 4, seed, 0.7
        )
        begun = [game for game in results if game.round == 0 or game.table < 2]
        for found in rate(blocks_of(rounds, begun).complete, names).bots.values():
            assert found.low is not None and found.high is not None
            widths.append(found.high - found.low)
            held.append(found.low <= 0 <= found.high)
    assert sum(held) / len(held) >= 0.85 and sum(widths) / len(widths) < 900


def test_one_deal_does_not_tell_how_bots_vary_by_deal() -> None:
    equal = dict.fromkeys("abcde", 0.0)
    rounds, results = format_event(FormatSpec("round_robin"), equal, 4, 1, 0.7)
    found = rate(blocks_of(rounds, results).complete, "abcde")
    assert found.notes == (ONE_DEAL,)
    own = rate(blocks_of(rounds, results, independent=True).complete, "abcde")
    assert own.bots == found.bots and own.notes == ()
    more = format_event(FormatSpec("round_robin", rounds=2), equal, 4, 1, 0.7)
    assert rate(blocks_of(*more).complete, "abcde").notes == ()


def test_correlated_deals_make_narrower_intervals() -> None:
    strengths = dict.fromkeys("abcd", 0.0)
    widths = []
    for shared in (0.0, 0.9):
        rounds, results = drawn_event(strengths, (0.3, 0.1, -0.1, -0.3), 60, 3, shared)
        ratings = rate(blocks_of(rounds, results).complete, "abcd").bots.values()
        widths.append(sum(bot.high - bot.low for bot in ratings))  # type: ignore[operator]
    assert widths[1] < 0.75 * widths[0]


def test_live_ratings_follow_the_games_and_stay_finite() -> None:
    live = LiveRatings({"old": (31.0, 2.0)})
    assert live.of("old") == (31.0, 2.0) and live.of("new") == (START.mu, START.sigma)
    live.add(game(0, ("a", "b", "c", "d"), (1, 1, 3, 4)))
    assert live.of("a") == live.of("b") and live.of("a")[0] > live.of("c")[0] > live.of("d")[0]
    for number in range(3000):
        live.add(game(number, ("a", "b"), (1, 2)))
    assert all(isfinite(part) for bot in "ab" for part in live.of(bot))
    assert live.of("a")[0] > live.of("b")[0] + 20 and 0 < live.of("a")[1] < START.sigma


def test_shared_places_lie_between_the_places_they_share() -> None:
    def gains(*places: int) -> list[float]:
        live = LiveRatings()
        live.add(game(0, "abcd", places))
        return [live.of(bot)[0] - START.mu for bot in "abcd"]

    first, second, third, fourth = gains(1, 2, 3, 4)
    assert gains(1, 1, 3, 4) == pytest.approx([(first + second) / 2] * 2 + [third, fourth])
    assert gains(1, 2, 2, 2) == pytest.approx([first] + [(second + third + fourth) / 3] * 3)
    assert gains(1, 1, 1, 1) == pytest.approx([0] * 4, abs=1e-9)


def test_a_game_with_one_seat_changes_no_live_rating() -> None:
    live = LiveRatings()
    live.add(game(0, ("a",), (1,)))
    assert live.of("a") == (START.mu, START.sigma)


def test_numpy_is_not_loaded_for_a_server_without_events() -> None:
    code = (
        "import sys; import ziggurat_server.tournaments.statistics as s; "
        "from tests.support.outcomes import pair_event, spec; "
        "s.report(spec('ab'), *pair_event([])); assert 'numpy' not in sys.modules; "
        "s.report(spec('ab'), *pair_event(['+-'])); assert 'numpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
