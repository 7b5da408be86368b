"""An audit of the schedule: seats are balanced, and every line-up gets the same deals."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import pytest

from ziggurat_server.runner.schedule import deal_seed, deal_size, deals_for, schedule

SIZES = [(bots, seats) for bots in range(2, 7) for seats in range(2, 6) if seats <= bots]


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_every_bot_sits_equally_often_in_each_seat(bots: int, seats: int) -> None:
    names = [f"bot{number}" for number in range(bots)]
    games = schedule(names, seats, 3)
    assert len(games) == 3 * deal_size(bots, seats)
    sat = Counter((name, seat) for game in games for seat, name in enumerate(game.seats))
    assert len(sat) == bots * seats
    assert len(set(sat.values())) == 1


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_every_line_up_gets_the_same_deals_in_every_rotation(bots: int, seats: int) -> None:
    names = [f"bot{number}" for number in range(bots)]
    deals: dict[frozenset[str], Counter[int]] = defaultdict(Counter)
    places: dict[tuple[int, frozenset[str], str], set[int]] = defaultdict(set)
    for game in schedule(names, seats, 2):
        line_up = frozenset(game.seats)
        assert len(line_up) == seats
        deals[line_up][game.deal] += 1
        for seat, name in enumerate(game.seats):
            places[game.deal, line_up, name].add(seat)
    assert deals.keys() == {frozenset(members) for members in combinations(names, seats)}
    assert all(counts == Counter({0: seats, 1: seats}) for counts in deals.values())
    assert all(seen == set(range(seats)) for seen in places.values())


def test_games_of_a_deal_are_started_together() -> None:
    games = schedule(["a", "b", "c"], 2, 4)
    assert [game.number for game in games] == list(range(24))
    assert [game.deal for game in games] == sorted(game.deal for game in games)


def test_neighbours_change_from_deal_to_deal() -> None:
    games = schedule(["a", "b", "c"], 3, 2)
    assert [game.seats for game in games[::3]] == [("a", "b", "c"), ("a", "c", "b")]


@pytest.mark.parametrize(
    ("games", "bots", "seats", "deals"),
    [(1, 3, 3, 1), (24, 3, 3, 8), (25, 3, 3, 9), (1, 4, 2, 1), (13, 4, 2, 2)],
)
def test_games_are_rounded_up_to_whole_deals(games: int, bots: int, seats: int, deals: int) -> None:
    assert deals_for(games, bots, seats) == deals


def test_seeds_follow_from_the_run_s_seed() -> None:
    seeds = [deal_seed(seed, deal) for seed in (1, 2) for deal in range(50)]
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**64 for seed in seeds)
