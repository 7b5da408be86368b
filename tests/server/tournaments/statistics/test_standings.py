"""Standings are exact, and their order is the same on every call."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.support.outcomes import game, pair_event, spec, turned

from ziggurat_server.log import Faults
from ziggurat_server.tournaments.event import EventSpec, FormatSpec
from ziggurat_server.tournaments.formats import FORMATS, Field
from ziggurat_server.tournaments.formats.format import played_rounds
from ziggurat_server.tournaments.results import GameResult, Round
from ziggurat_server.tournaments.statistics import report
from ziggurat_server.tournaments.statistics.standings import ordered, tallies


def names(found: object) -> str:
    return "".join(bot.name for bot in found.bots)  # type: ignore[attr-defined]


def test_points_places_margins_and_wins() -> None:
    games = [
        game(0, "abc", (1, 2, 3), points=(30, 20, 5)),
        game(1, "bca", (1, 1, 3), (0, 0, 1), points=(12, 12, 9)),
        game(2, "cab", (1, 2, 2), (0, 0, 2), points=(7, 3, 3)),
    ]
    found = tallies("abc", games)
    assert [found[bot].wins for bot in "abc"] == [1, Fraction(1, 2), Fraction(3, 2)]
    assert [found[bot].credit for bot in "abc"] == [Fraction(5, 12), Fraction(1, 2), Fraction(7, 12)]
    bots = {bot.name: bot for bot in report(spec("abc", 3), [Round(0, (tuple("abc"),))], games).bots}
    assert [(bot.rank, bot.games) for bot in bots.values()] == [(1, 3), (2, 3), (3, 3)]
    a = bots["a"]
    assert (a.win_share, a.points, a.place, a.margin, a.places) == (1 / 3, 14.0, 2.0, 1.0, (1, 1, 1))
    assert bots["b"].places == (1, 2, 0) and bots["c"].places == (2, 0, 1)
    assert a.version == "1"


def test_two_winners_of_four_get_the_same_and_credits_sum_to_a_constant() -> None:
    found = tallies("abcd", [game(0, "abcd", (1, 1, 3, 4))])
    assert [found[bot].wins for bot in "abcd"] == [Fraction(1, 2), Fraction(1, 2), 0, 0]
    credits = [found[bot].credit for bot in "abcd"]
    assert credits == [Fraction(5, 6), Fraction(5, 6), Fraction(1, 3), 0] and sum(credits) == 2


def test_wins_and_credits_sum_to_constants_whatever_the_ties() -> None:
    chance = random.Random(2)
    for seats in (2, 3, 4, 5):
        bots = "abcde"[:seats]
        for _ in range(50):
            scores = [chance.randrange(3) for _ in bots]
            places = [1 + sum(other > score for other in scores) for score in scores]
            found = tallies(bots, [game(0, bots, places)])
            assert sum(tally.wins for tally in found.values()) == 1
            assert sum(tally.credit for tally in found.values()) == Fraction(seats, 2)


def test_equal_bots_stand_in_the_order_of_entry() -> None:
    rounds, results = pair_event(["+-", "-+"])
    assert [names(report(spec(order), rounds, results)) for order in ("ab", "ba")] == ["ab", "ba"]
    assert names(report(spec("xab"), rounds, results)) == "abx"  # without games: last


def test_equal_credit_goes_by_whom_it_was_earned_against() -> None:
    pairs = [("a", "d"), ("b", "c"), ("c", "d"), ("c", "d"), ("c", "d")]
    games = [game(number, pair, (1, 2), (number, 0, 0)) for number, pair in enumerate(pairs)]
    found = tallies("abcd", games)
    assert found["a"].credit == found["b"].credit == 1
    assert [tally.bot for tally in ordered(found, (), {})] == ["b", "a", "c", "d"]


def test_any_order_of_results_gives_the_same_report() -> None:
    rounds, results = pair_event(["+-", "++", "=-", "-+", "=="])
    expected = report(spec("ab"), rounds, results)
    for seed in range(3):
        shuffled = random.Random(seed).sample([*results, results[3]], len(results) + 1)
        assert report(spec("ab"), rounds, shuffled) == expected


def test_a_withdrawn_bot_keeps_its_games_and_stands_last() -> None:
    rounds = [Round(0, (("a", "b"),)), Round(1, (("a", "c"),)), Round(2, (("b", "c"),))]
    results = [
        *(game(i, turned("ab", i), turned((1, 2), i), (0, 0, i)) for i in range(2)),
        game(2, "ac", (1, 2), (1, 0, 0)),  # then a is withdrawn
        *(game(4 + i, turned("bc", i), turned((2, 1), i), (2, 0, i)) for i in range(2)),
    ]
    found = report(spec("abc"), rounds, results, withdrawn={"a"})
    assert names(found) == "cba"
    last = found.bots[-1]
    assert (last.withdrawn, last.games, last.win_share, last.rank) == (True, 3, 1.0, 3)
    assert not found.bots[0].withdrawn
    assert (found.complete_blocks, found.incomplete_blocks) == (2, 1)
    assert {(cell.bot, cell.opponent) for cell in found.cross} == {
        ("a", "b"),
        ("b", "a"),
        ("b", "c"),
        ("c", "b"),
    }


def test_a_bot_that_came_late_is_in() -> None:
    rounds, results = pair_event(["+-"], ("a", "late"))
    found = report(spec("ab"), rounds, results)
    assert [bot.name for bot in found.bots] == ["a", "late", "b"]
    assert found.bots[1].version == ""


def played(name: str, seed: int) -> tuple[EventSpec, list[Round], list[GameResult]]:
    """An event of seven bots on two seats, played to its end with many ties."""
    dice = random.Random(seed)
    event = replace(spec("abcdefg", 2, name=name), seats=2, seed=seed)
    event = replace(event, format=replace(event.format, rounds=5 if name in ("swiss", "ladder") else 0))
    field = Field(tuple("abcdefg"), 2, event.format, seed, {})
    rounds: list[Round] = []
    results: list[GameResult] = []
    while (drawn := FORMATS[name].draw(field, rounds, played_rounds(rounds, results))) is not None:
        rounds.append(drawn)
        for table, bots in enumerate(drawn.tables):
            for turn in range(2):
                places = dice.choice([(1, 2), (2, 1), (1, 1)])
                at = (drawn.number, table, turn)
                results.append(game(len(results), bots[turn:] + bots[:turn], places, at, points=(5, 5)))
    return event, rounds, results


@pytest.mark.parametrize("name", ["knockout", "double_elimination", "swiss", "ladder"])
def test_a_format_that_waits_has_its_own_order(name: str) -> None:
    other = 0
    for seed in range(12):
        event, rounds, results = played(name, seed)
        field = Field(tuple("abcdefg"), 2, event.format, seed, {})
        order = FORMATS[name].ranking(field, played_rounds(rounds, results))
        assert names(report(event, rounds, results, rated=False)) == "".join(order)
        # While the last round is under way the order is that of the rounds before it.
        last = rounds[-1].number
        pending = [(last, table) for table in range(len(rounds[-1].tables))]
        before = FORMATS[name].ranking(field, played_rounds(rounds[:-1], results))
        assert names(report(event, rounds, results, pending=pending, rated=False)) == "".join(before)
        by_credit = report(replace(event, format=FormatSpec()), rounds, results, rated=False)
        other += names(by_credit) != "".join(order)
    assert other, "by credit alone some would be ordered otherwise"


def test_curves_are_means_so_far() -> None:
    rounds, results = pair_event(["+-", "=+"])
    curves = report(spec("abx"), rounds, results).curves
    assert [curve.bot for curve in curves] == ["a", "b"]
    assert curves[0].numbers == curves[1].numbers == (0, 1, 2, 3)
    assert curves[0].credits == pytest.approx((1, 1 / 2, 1 / 2, 5 / 8))
    assert curves[1].credits == pytest.approx((0, 1 / 2, 1 / 2, 3 / 8))


def test_faults_add_up() -> None:
    faults = {"a": Faults(illegal=2, late=1, substitutes=3), "b": Faults(gone=1, substitutes=1, forfeits=1)}
    games = [
        game(0, "ab", (1, 2), faults=faults, forfeits="b"),
        game(1, "ba", (1, 2), (0, 0, 1), faults={"a": Faults(late=1, substitutes=1)}),
    ]
    found = report(spec("ab"), [Round(0, (("a", "b"),))], games)
    rows = {row.bot: row for row in found.faults}
    assert rows["a"].faults == Faults(illegal=2, late=2, substitutes=4) and rows["a"].faulty == 2
    assert rows["b"].faults == Faults(gone=1, substitutes=1, forfeits=1) and rows["b"].faulty == 1
    assert {bot.name: bot.faults for bot in found.bots} == {bot: row.faults for bot, row in rows.items()}
