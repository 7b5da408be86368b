"""Round robin and gauntlet: schedules known before results, and their audits."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations, pairwise

import pytest
from tests.server.tournaments.formats.simulation import field_of

from ziggurat_server.tournaments.formats import FORMATS, audit, plan
from ziggurat_server.tournaments.formats.designs import design

PERFECT = [
    # bots, seats, tables of a round, meetings of a pair
    (7, 3, 7, 1),
    (13, 4, 13, 1),
    (6, 2, 15, 1),
    (4, 4, 1, 1),
    (5, 3, 10, 3),
    (6, 4, 15, 6),
    (8, 4, 14, 3),
    (6, 5, 6, 4),
]


@pytest.mark.parametrize(("bots", "seats", "tables", "meetings"), PERFECT)
def test_a_round_robin_is_balanced_in_games_seats_and_pairs(
    bots: int, seats: int, tables: int, meetings: int
) -> None:
    rounds, found = plan(field_of("round_robin", bots, seats, rounds=3))
    games = 3 * tables * seats
    assert [len(drawn.tables) for drawn in rounds] == [tables] * 3
    assert (found.games, found.deals, found.open_ended) == (games, 3, False)
    assert found.games_low == found.games_high == games * seats // bots
    assert found.seat_low == found.seat_high == games // bots
    assert found.pair_low == found.pair_high == 3 * meetings * seats
    assert found.notes == ()


@pytest.mark.parametrize("bots", [14, 18, 23])
def test_what_is_not_balanced_is_said(bots: int) -> None:
    _, found = plan(field_of("round_robin", bots, 5))
    assert found.pair_low < found.pair_high
    assert found.games_low == found.games_high
    assert found.seat_low == found.seat_high
    [note] = found.notes
    assert f"{found.pair_low} to {found.pair_high} games" in note


def test_more_rounds_even_out_a_design_that_is_not_perfect() -> None:
    _, once = plan(field_of("round_robin", 14, 5))
    _, often = plan(field_of("round_robin", 14, 5, rounds=20))
    assert once.pair_high / once.pair_low == 2
    assert often.pair_high / often.pair_low < 1.7


@pytest.mark.parametrize("rotations", [1, 2, 3])
@pytest.mark.parametrize(("bots", "seats"), [(4, 4), (7, 4), (6, 4), (9, 4)])
def test_partial_rotations_even_out_over_rounds(bots: int, seats: int, rotations: int) -> None:
    _, found = plan(field_of("round_robin", bots, seats, rounds=4, rotations=rotations))
    assert found.seat_low == found.seat_high
    _, once = plan(field_of("round_robin", 4, 4, rounds=1, rotations=rotations))
    assert (once.seat_low, once.seat_high) == (0, 1)
    assert f"turned {rotations} of 4 times" in once.notes[0]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_neighbours_change_from_round_to_round(seats: int) -> None:
    rounds, _ = plan(field_of("round_robin", seats, seats, rounds=6))
    orders = []
    for drawn in rounds:
        [table] = drawn.tables
        start = table.index("bot00")
        orders.append(table[start:] + table[:start])
    assert len(set(orders)) == (2 if seats == 3 else 6)
    assert all(before != after for before, after in pairwise(orders))


def test_another_seed_is_another_schedule_of_equal_balance() -> None:
    one, first = plan(field_of("round_robin", 7, 3, seed=1))
    other, second = plan(field_of("round_robin", 7, 3, seed=2))
    assert first == second
    assert one != other


@pytest.mark.parametrize(
    ("bots", "seats", "candidates"), [(9, 4, 2), (5, 4, 2), (9, 2, 3), (12, 3, 1), (14, 5, 4)]
)
def test_candidates_meet_the_same_line_ups_from_the_same_seats(
    bots: int, seats: int, candidates: int
) -> None:
    chosen = [f"bot{number:02}" for number in range(candidates)]
    field = field_of("gauntlet", bots, seats, candidates=tuple(chosen), rounds=4)
    rounds, found = plan(field)
    assert len(rounds) == 4
    for drawn in rounds:
        met = defaultdict(list)
        for table in drawn.tables:
            [candidate] = [bot for bot in table if bot in chosen]
            met[candidate].append(tuple(bot if bot != candidate else None for bot in table))
        assert list(met) == chosen
        assert all(line_ups == met[chosen[0]] for line_ups in met.values())
        plays = Counter(bot for line_up in met[chosen[0]] for bot in line_up if bot)
        assert len(plays) == bots - candidates
        assert len(set(plays.values())) == 1
    assert found.pair_low == found.pair_high > 0
    assert "never meet each other" in found.notes[0]


def test_opponents_of_a_gauntlet_are_mixed_over_the_rounds() -> None:
    field = field_of("gauntlet", 10, 4, candidates=("bot00",), rounds=len(design(9, 3).blocks))
    rounds, _ = plan(field)
    met = Counter(
        frozenset(pair)
        for drawn in rounds
        for table in drawn.tables
        for pair in combinations([bot for bot in table if bot != "bot00"], 2)
    )
    assert len(met) == 36
    assert max(met.values()) <= 2 * min(met.values())


@pytest.mark.parametrize("rotations", [1, 2, 3])
def test_a_gauntlet_with_partial_rotations_seats_everybody_nearly_evenly(rotations: int) -> None:
    field = field_of("gauntlet", 10, 4, candidates=("bot00",), rounds=4, rotations=rotations)
    rounds, _ = plan(field)
    seats = Counter(
        (bot, (place - turn) % 4)
        for drawn in rounds
        for table in drawn.tables
        for turn in range(rotations)
        for place, bot in enumerate(table)
    )
    for bot in field.bots:
        row = [seats[bot, seat] for seat in range(4)]
        assert max(row) == min(row)


def test_withdrawn_bots_are_in_no_later_round() -> None:
    for name, settings in (("round_robin", {}), ("gauntlet", {"candidates": ("bot00", "bot01")})):
        form = FORMATS[name]
        whole = field_of(name, 8, 3, rounds=3, **settings)
        first = form.draw(whole, [], [])
        assert first is not None
        rest = field_of(
            name, [bot for bot in whole.bots if bot not in ("bot00", "bot05")], 3, rounds=3, **settings
        )
        second = form.draw(rest, [first], [])
        assert second is not None
        assert {bot for table in second.tables for bot in table} == set(rest.bots)


def test_an_audit_counts_bots_that_never_play() -> None:
    field = field_of("round_robin", 4, 3)
    found = audit([], field)
    assert (found.games, found.games_low, found.seat_low, found.pair_high) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("name", "bots", "seats", "settings"),
    [
        ("round_robin", 7, 3, {"rounds": 5}),
        ("round_robin", 4, 4, {}),
        ("gauntlet", 9, 4, {"candidates": ("bot00", "bot01"), "rounds": 11, "rotations": 2}),
        ("gauntlet", 9, 3, {"candidates": ("bot03",), "rounds": 9}),
        ("gauntlet", 4, 4, {"candidates": ("bot03",), "rounds": 2, "rotations": 1}),
        ("gauntlet", 13, 4, {"candidates": ("bot03",), "rounds": 25, "rotations": 1}),
    ],
)
def test_tables_to_come_are_those_that_come(
    name: str, bots: int, seats: int, settings: dict[str, object]
) -> None:
    field = field_of(name, bots, seats, **settings)
    rounds, _ = plan(field)
    for drawn in range(len(rounds) + 3):
        left = sum(len(later.tables) for later in rounds[drawn:])
        assert FORMATS[name].tables_to_come(field, drawn) == left
    gone = field_of(name, field.bots[: seats - 1], seats, **settings)
    assert FORMATS[name].tables_to_come(gone, 0) == 0
