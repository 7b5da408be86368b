"""Swiss for tables of any size: rematches against brute force, byes, and whether the best bot comes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.tournaments.formats.simulation import (
    favourite_wins,
    field_of,
    names,
    play_round,
    run_event,
    simulate,
)

from ziggurat_server.tournaments.formats import FORMATS, Played, audit
from ziggurat_server.tournaments.formats.history import HALF, scores
from ziggurat_server.tournaments.formats.pairing import REMATCH, pair_up, rematches
from ziggurat_server.tournaments.formats.swiss import default_rounds
from ziggurat_server.tournaments.results import Round

SWISS = FORMATS["swiss"]


def partitions(bots: Sequence[str], seats: int) -> Iterator[list[tuple[str, ...]]]:
    if not bots:
        yield []
        return
    first, *others = bots
    for partners in combinations(others, seats - 1):
        rest = [bot for bot in others if bot not in partners]
        for tables in partitions(rest, seats):
            yield [(first, *partners), *tables]


def pairs_of(tables: Sequence[Sequence[str]]) -> set[frozenset[str]]:
    return {frozenset(pair) for table in tables for pair in combinations(table, 2)}


def rematch_free_exists(
    bots: Sequence[str], seats: int, met: set[frozenset[str]], byes: Sequence[str]
) -> bool:
    """Brute force over all fair choices of byes (fewest so far first) and all tables."""
    had = Counter(byes)
    over = len(bots) % seats
    fair = sorted(had[bot] for bot in bots)[:over]
    for out in combinations(bots, over):
        if sorted(had[bot] for bot in out) == fair:
            playing = [bot for bot in bots if bot not in out]
            if any(not pairs_of(tables) & met for tables in partitions(playing, seats)):
                return True
    return False


@settings(max_examples=150, deadline=None)
@given(
    size=st.sampled_from(
        [(4, 2), (5, 2), (6, 2), (7, 2), (8, 2), (9, 3), (6, 3), (7, 3), (8, 3), (8, 4), (9, 4)]
    ),
    seed=st.integers(0, 2**32),
)
def test_nobody_meets_twice_while_brute_force_finds_a_way(size: tuple[int, int], seed: int) -> None:
    bots, seats = size
    field = field_of("swiss", bots, seats, seed, rounds=8)
    chance = Random(seed)
    skills = {bot: chance.random() * 4 for bot in field.bots}
    met: set[frozenset[str]] = set()
    byes: list[str] = []

    def play(drawn: Round) -> Played:
        new = pairs_of(drawn.tables)
        if new & met:
            assert not rematch_free_exists(field.bots, seats, met, byes)
        met.update(new)
        byes.extend(drawn.byes)
        return play_round(drawn, field, skills, chance)

    run_event(field, play)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_history_of_meetings_is_paired_without_a_rematch_if_brute_force_finds_a_way(
    data: st.DataObject,
) -> None:
    bots, seats = data.draw(st.sampled_from([(8, 2), (9, 3), (8, 4), (6, 3), (6, 2)]))
    everybody = list(combinations(range(bots), 2))
    met = set(data.draw(st.lists(st.sampled_from(everybody), max_size=len(everybody))))
    costs = [
        [REMATCH * ((min(a, b), max(a, b)) in met) + (a - b) ** 2 for b in range(bots)] for a in range(bots)
    ]
    tables = pair_up(costs, seats)
    assert sorted(bot for table in tables for bot in table) == list(range(bots))
    named = {frozenset((str(a), str(b))) for a, b in met}
    found = any(not pairs_of(way) & named for way in partitions([str(bot) for bot in range(bots)], seats))
    assert (rematches(tables, costs) == 0) == found


@pytest.mark.parametrize(("bots", "seats"), [(32, 4), (32, 2), (33, 4), (30, 3), (25, 5), (16, 4)])
def test_default_rounds_of_larger_fields_hold_no_rematch(bots: int, seats: int) -> None:
    for seed in range(5):
        field = field_of("swiss", bots, seats, seed)
        chance = Random(seed)
        skills = {bot: chance.random() * 8 for bot in field.bots}
        played = run_event(field, lambda drawn: play_round(drawn, field, skills, chance))  # noqa: B023
        assert len(played) == default_rounds(bots, seats)
        found = audit([done.round for done in played], field)
        assert found.pair_high == seats
        assert not any("met before" in note for note in found.notes)


def test_a_rematch_is_noted_with_its_round() -> None:
    field = field_of("swiss", 4, 4, rounds=2)
    played = run_event(field, lambda drawn: favourite_wins(drawn, dict.fromkeys(field.bots, 0.0)))
    found = audit([done.round for done in played], field)
    assert "Round 2: 6 of 6 pairs have met before." in found.notes


@pytest.mark.parametrize(
    ("bots", "seats", "rounds"), [(32, 4, 4), (32, 2, 6), (16, 4, 3), (17, 4, 4), (5, 4, 3), (4, 4, 2)]
)
def test_default_rounds(bots: int, seats: int, rounds: int) -> None:
    assert default_rounds(bots, seats) == rounds


@pytest.mark.parametrize(("bots", "seats"), [(32, 2), (30, 3), (32, 4), (30, 5)])
def test_without_chance_the_best_comes_first(bots: int, seats: int) -> None:
    """Where nobody sits out: who does is half a win behind."""
    for seed in range(8):
        field = field_of("swiss", bots, seats, seed)
        order = list(field.bots)
        Random(seed).shuffle(order)
        skills = {bot: -float(place) for place, bot in enumerate(order)}
        played = run_event(field, lambda drawn: favourite_wins(drawn, skills))  # noqa: B023
        assert SWISS.ranking(field, played)[0] == order[0]


@pytest.mark.parametrize(("seats", "first", "top"), [(4, 0.62, 0.92), (2, 0.45, 0.85)])
def test_swiss_finds_the_best_of_32(seats: int, first: float, top: float) -> None:
    """Skills half a standard error of a game apart: two neighbours win 64 : 36. Random tables of as many rounds let
    the best come first in 0.36 (4 seats) and 0.23 (2 seats) of events."""
    events = 50
    found = []
    for seed in range(events):
        _, ranking, truth = simulate(field_of("swiss", 32, seats, seed), 0.5, Random(seed))
        found.append(ranking.index(truth[0]))
    assert sum(place == 0 for place in found) / events >= first
    assert sum(place < 3 for place in found) / events >= top


def test_like_scores_meet() -> None:
    """The spread of scores at a table is a small part of what random tables would have."""
    field = field_of("swiss", 32, 4, 3, rounds=5)
    chance = Random(5)
    skills = {bot: chance.random() * 6 for bot in field.bots}
    played = run_event(field, lambda drawn: play_round(drawn, field, skills, chance))
    totals = scores(field.bots, played[:2])
    gaps = [abs(totals[a] - totals[b]) for table in played[2].round.tables for a, b in combinations(table, 2)]
    all_gaps = [abs(totals[a] - totals[b]) for a, b in combinations(field.bots, 2)]
    assert sum(gaps) / len(gaps) < sum(all_gaps) / len(all_gaps) / 2


def test_two_seats_are_matched_exactly() -> None:
    """Greedy neighbours would leave the last two, who have met, for each other."""
    costs = [[0] * 4 for _ in range(4)]
    for a, b, cost in [(0, 1, 0), (2, 3, REMATCH), (0, 2, 1), (1, 3, 1), (0, 3, 9), (1, 2, 9)]:
        costs[a][b] = costs[b][a] = cost
    assert pair_up(costs, 2) == [[0, 2], [1, 3]]


@pytest.mark.parametrize("bots", [64, 66, 150, 256, 258])
def test_many_bots_are_matched_without_rematch(bots: int) -> None:
    chance = Random(bots)
    met = {tuple(sorted(chance.sample(range(bots), 2))) for _ in range(3 * bots)}
    costs = [
        [REMATCH * ((min(a, b), max(a, b)) in met) + (a // 20 - b // 20) ** 2 for b in range(bots)]
        for a in range(bots)
    ]
    tables = pair_up(costs, 2)
    assert sorted(bot for table in tables for bot in table) == list(range(bots))
    assert rematches(tables, costs) == 0
    assert sum(costs[a][b] for a, b in tables) <= 10


def test_the_lowest_without_a_bye_sits_out() -> None:
    field = field_of("swiss", 7, 3, rounds=7)
    skills = {bot: -float(place) for place, bot in enumerate(field.bots)}
    played = run_event(field, lambda drawn: favourite_wins(drawn, skills))
    sat_out = [bot for done in played for bot in done.round.byes]
    assert sat_out[0] == "bot06"
    assert Counter(sat_out) == Counter(names(7))
    second = played[1].round.byes[0]
    totals = scores(field.bots, played[:1])
    assert totals[second] == min(totals[bot] for bot in field.bots if bot != "bot06")


def test_a_bye_counts_half_and_a_table_without_result_nothing() -> None:
    drawn = Round(0, (("a", "b"), ("c", "d")), ("e",))
    played = [Played(drawn, ({"a": Fraction(1), "b": Fraction(0)}, {}))]
    assert scores(("a", "b", "c", "e", "late"), played) == {"a": 1, "b": 0, "c": 0, "e": HALF, "late": HALF}


@pytest.mark.parametrize("rotations", [1, 2, 3])
def test_seats_even_out_with_partial_rotations(rotations: int) -> None:
    field = field_of("swiss", 16, 4, rounds=8, rotations=rotations)
    chance = Random(1)
    skills = {bot: chance.random() for bot in field.bots}
    played = run_event(field, lambda drawn: play_round(drawn, field, skills, chance))
    found = audit([done.round for done in played], field)
    assert found.seat_high - found.seat_low <= 2


def test_ratings_part_the_best_in_the_first_round() -> None:
    bots = names(12)
    field = field_of("swiss", bots, 4, ratings={bot: 100.0 * place for place, bot in enumerate(bots)})
    drawn = SWISS.draw(field, [], [])
    assert drawn is not None
    for best in ({"bot11", "bot10", "bot09"}, {"bot08", "bot07", "bot06"}):
        assert all(len(best & set(table)) == 1 for table in drawn.tables)
