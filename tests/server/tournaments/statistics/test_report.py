"""The report as a whole: case OPS-06, and what it takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from math import isfinite

import pytest
from tests.support.outcomes import drawn_event, game, pair_event, spec

from ziggurat_server.bots.values import START
from ziggurat_server.tournaments.event import Memory, StopRule
from ziggurat_server.tournaments.results import GameResult, Round
from ziggurat_server.tournaments.statistics import Report, report
from ziggurat_server.tournaments.statistics.rating import ONE_DEAL

STOP = StopRule("a", "b")
FOUR = [Round(0, (tuple("abcd"),))]


def numbers(value: object) -> Iterator[float]:
    """All numbers in a value."""
    if isinstance(value, (int, float)):
        yield value
    elif is_dataclass(value):
        for item in fields(value):
            yield from numbers(getattr(value, item.name))
    elif isinstance(value, (Sequence, Mapping)) and not isinstance(value, str):
        for part in value:
            yield from numbers(part)


def of(scores: list[str]) -> Report:
    return report(spec("ab", stop=STOP), *pair_event(scores))


def test_no_games() -> None:
    found = of([])
    assert [(bot.rank, bot.name, bot.games, bot.wins) for bot in found.bots] == [
        (1, "a", 0, 0),
        (2, "b", 0, 0),
    ]
    for bot in found.bots:
        absent = (bot.win_share, bot.credit, bot.points, bot.place, bot.margin, bot.rating, bot.live_mu)
        assert absent == (None,) * 7 and bot.places == ()
    assert (found.cross, found.seats, found.curves, found.variance_ratio) == ((), (), (), None)
    assert found.test is not None and (found.test.deals, found.test.llr, found.test.score) == (0, 0.0, None)
    assert found.notes == ("No ratings: no block is complete.",)


def test_one_game_lost_of_a_block_of_two() -> None:
    rounds, results = pair_event(["-+"])
    found = report(spec("ab", stop=STOP), rounds, results[:1])
    winner, loser = found.bots
    assert (winner.name, winner.win_share, winner.wins, winner.place) == ("b", 1.0, 1.0, 1.0)
    assert (loser.win_share, loser.wins, loser.place, loser.margin) == (0.0, 0.0, 2.0, -1.0)
    assert winner.rating is None and found.cross == () and found.seats == ()
    assert (found.complete_blocks, found.incomplete_blocks) == (0, 1)
    assert winner.live_mu is not None and winner.live_mu > START.mu


def test_twenty_to_nothing() -> None:
    found = of(["++"] * 10)
    winner, loser = found.bots
    assert (winner.wins, winner.win_share, loser.win_share) == (20.0, 1.0, 0.0)
    assert winner.rating is not None and 300 < winner.rating.value < 500
    assert [cell.score for cell in found.cross] == [1.0, 0.0]
    assert found.cross[0].superiority == pytest.approx(1 - 2**-11)
    assert found.variance_ratio is None


def test_one_all() -> None:
    found = of(["+-"])
    assert [bot.name for bot in found.bots] == ["a", "b"]
    assert [(bot.wins, bot.win_share) for bot in found.bots] == [(1.0, 0.5)] * 2
    assert [bot.rating and bot.rating.value for bot in found.bots] == pytest.approx([0, 0], abs=1e-5)
    assert [(cell.score, cell.superiority) for cell in found.cross] == [(0.5, 0.5)] * 2


def test_all_ties() -> None:
    found = of(["=="] * 10)
    assert [(bot.wins, bot.win_share, bot.place) for bot in found.bots] == [(10.0, 0.5, 1.0)] * 2
    assert [bot.places for bot in found.bots] == [(20, 0), (20, 0)]
    assert [bot.rating and bot.rating.value for bot in found.bots] == pytest.approx([0, 0], abs=1e-5)
    assert [seat.value for seat in found.seats] == pytest.approx([0, 0], abs=1e-5)
    assert found.variance_ratio is None


def test_two_winners_of_four() -> None:
    found = report(spec("abcd", 4, rotations=1), FOUR, [game(0, "abcd", (1, 1, 3, 4))])
    assert [(bot.name, bot.wins, bot.win_share) for bot in found.bots[:2]] == [
        ("a", 0.5, 0.5),
        ("b", 0.5, 0.5),
    ]
    assert [bot.places for bot in found.bots] == [(1, 0, 0, 0)] * 2 + [(0, 0, 1, 0), (0, 0, 0, 1)]
    assert sum(bot.credit or 0 for bot in found.bots) == pytest.approx(2)
    assert found.bots[0].live_mu == found.bots[1].live_mu
    scores = {(cell.bot, cell.opponent): cell.score for cell in found.cross}
    assert len(scores) == 12 and scores["a", "b"] == 0.5 and scores["a", "c"] == 1 and scores["d", "a"] == 0


def test_a_void_game_changes_nothing() -> None:
    # It has no result: its block is as if it had not been drawn, but for being counted as incomplete.
    rounds, results = pair_event(["+-", "++", "-="])
    without = report(spec("ab", stop=STOP), rounds[:2], results[:4])
    void = report(spec("ab", stop=STOP), rounds, results[:4])
    assert (void.incomplete_blocks, without.incomplete_blocks) == (1, 0)
    assert (void.bots, void.cross, void.seats, void.test) == (
        without.bots,
        without.cross,
        without.seats,
        without.test,
    )


def test_blocks_that_lack_games_are_in_the_standings_alone() -> None:
    rounds, results = pair_event(["+-", "++"])
    whole, part = report(spec("ab"), rounds[:1], results[:2]), report(spec("ab"), rounds, results[:3])
    assert (part.cross, part.seats, part.complete_blocks) == (whole.cross, whole.seats, 1)
    assert part.bots[0].rating == whole.bots[0].rating
    assert part.bots[0].wins == 2 and whole.bots[0].wins == 1


def one_seat() -> tuple[list[Round], list[GameResult]]:
    return [Round(0, (("a",),))], [game(0, "a", (1,))]


@pytest.mark.parametrize(
    "played",
    [
        pair_event([]),
        pair_event(["+"]),
        pair_event(["+-"]),
        pair_event(["++"] * 10),
        pair_event(["=="] * 30),
        pair_event(["--"] * 200),
        (FOUR, [game(0, "abcd", (1, 1, 3, 4))]),
        (FOUR, [game(i, "abcd", (1, 1, 1, 1), (0, 0, i)) for i in range(4)]),
        ([], pair_event(["+-"])[1]),
        one_seat(),
        drawn_event(dict(zip("abcde", (0, 0, 9, 9, 99), strict=True)), (50, 0, -50), 20, 1),
    ],
    ids=[
        "none",
        "game",
        "1:1",
        "20:0",
        "ties",
        "0:400",
        "shared",
        "four tie",
        "no rounds",
        "one seat",
        "extremes",
    ],
)
@pytest.mark.parametrize("withdrawn", ["", "a", "ab"])
def test_every_number_is_finite(played: tuple[list[Round], list[GameResult]], withdrawn: str) -> None:
    found = report(spec("ab", stop=STOP), *played, withdrawn=withdrawn)
    assert all(isfinite(number) for number in numbers(found))
    assert found == report(spec("ab", stop=STOP), *played, withdrawn=withdrawn)
    for bot in found.bots:
        if bot.rating and bot.rating.low is not None and bot.rating.high is not None:
            assert bot.rating.low <= bot.rating.value <= bot.rating.high and abs(bot.rating.value) < 10_000


def test_the_test_waits_for_blocks_of_its_two_bots_alone() -> None:
    rounds, results = pair_event(["++"] * 40)
    rounds = [Round(drawn.number, (*drawn.tables, ("c", "d"))) for drawn in rounds]
    event = spec("abcd", stop=STOP)
    part = [game for game in results if game.round != 12]
    waiting = report(event, rounds, part, pending={(0, 1), (12, 0)}).test
    assert waiting is not None and (waiting.deals, waiting.verdict) == (12, "")
    assert report(event, rounds, part, pending={(0, 1)}).test == report(event, rounds, part).test
    over = report(event, rounds, part).test
    assert over is not None and over.verdict == "better"


def test_batch_ratings_can_be_left_out() -> None:
    rounds, results = pair_event(["+-", "++"])
    quick = report(spec("ab"), rounds, results, rated=False)
    assert all(bot.rating is None for bot in quick.bots) and quick.seats == () == quick.notes
    whole = report(spec("ab"), rounds, results)
    assert quick.cross == whole.cross and all(bot.rating for bot in whole.bots)


def test_a_report_says_what_one_deal_cannot_show() -> None:
    played = drawn_event(dict.fromkeys("abc", 0.0), (0.0, 0.0), 3, 1)
    one = [Round(0, tuple(drawn.tables[0] for drawn in played[0]))]
    results = [replace(game, round=0, table=game.round) for game in played[1]]
    event = spec("abc", stop=STOP)
    shared, own = report(event, one, results), report(replace(event, memory=Memory.INDEPENDENT), one, results)
    assert shared.notes == (ONE_DEAL,) and own.notes == ()
    met = sum({"a", "b"} <= set(table) for table in one[0].tables)
    assert shared.test is not None and own.test is not None
    assert (shared.test.deals, own.test.deals) == (1, met) and met > 1


def test_live_ratings_begin_with_what_is_known() -> None:
    known = {"a": (30.0, 3.0), "b": (20.0, 1.0)}
    before = report(spec("abc"), *pair_event([]), live=known).bots
    assert [(bot.live_mu, bot.live_sigma) for bot in before] == [(30.0, 3.0), (20.0, 1.0), (None, None)]
    after = {bot.name: bot for bot in report(spec("abc"), *pair_event(["--"]), live=known).bots}
    assert after["a"].live_mu < 30 and after["b"].live_mu > 20  # type: ignore[operator]


def test_a_whole_event() -> None:
    strengths = dict(zip("abcdefgh", (0.0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1), strict=True))
    rounds, results = drawn_event(strengths, (0.4, 0.1, -0.1, -0.4), 150, seed=8, shared=0.6)
    found = report(spec("abcdefgh", 4, stop=StopRule("h", "a")), rounds, results)
    assert "".join(bot.name for bot in found.bots) == "hgfedcba"
    ratings = [bot.rating.value for bot in found.bots if bot.rating]
    assert len(ratings) == 8 and ratings == sorted(ratings, reverse=True)
    assert len(found.cross) == 56 and len(found.seats) == 4 and found.complete_blocks == 150
    assert found.test is not None and found.test.verdict == "better"
    assert found.variance_ratio is not None and found.variance_ratio < 0.95
    assert sum(bot.wins for bot in found.bots) == pytest.approx(600)
