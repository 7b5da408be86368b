"""Knockout and double elimination: how often a bot may lose, and that the better ones come further."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.tournaments.formats.simulation import favourite_wins, field_of, names, run_event, simulate

from ziggurat_server.tournaments.formats import FORMATS, Field, Played
from ziggurat_server.tournaments.formats.knockout import advancing, going_on
from ziggurat_server.tournaments.results import Round

KNOCKOUT, DOUBLE = FORMATS["knockout"], FORMATS["double_elimination"]


def by_chance(drawn: Round, chance: Random) -> Played:
    """Tables end in any order, without ties."""
    credits = []
    for table in drawn.tables:
        order = list(table)
        chance.shuffle(order)
        credits.append({bot: Fraction(place, len(table) - 1) for place, bot in enumerate(order)})
    return Played(drawn, tuple(credits))


def order_at(done: Played, table: int) -> list[str]:
    return sorted(done.round.tables[table], key=lambda bot: -done.credits[table][bot])


fields = st.integers(2, 5).flatmap(
    lambda seats: st.builds(
        lambda bots, advance, seed: (bots, seats, advance, seed),
        st.integers(seats, 40),
        st.integers(0, seats - 1),
        st.integers(0, 2**32),
    )
)


@settings(max_examples=200, deadline=None)
@given(fields)
def test_a_knockout_puts_out_who_loses_once_and_ends_with_a_full_final(
    case: tuple[int, int, int, int],
) -> None:
    bots, seats, advance, seed = case
    field = field_of("knockout", bots, seats, seed, advance=advance)
    chance = Random(seed)
    played = run_event(field, lambda drawn: by_chance(drawn, chance))
    alive = set(field.bots)
    for done in played:
        drawn = done.round
        assert {bot for table in drawn.tables for bot in table} | set(drawn.byes) == alive
        assert all(len(table) == seats for table in drawn.tables)
        if drawn.labels == ("final",):
            break
        for table, count in enumerate(going_on(len(alive), seats, advancing(field))):
            assert count >= advancing(field)
            alive -= set(order_at(done, table)[count:])
    assert played[-1].round.labels == ("final",)
    assert len(alive) == seats
    assert KNOCKOUT.ranking(field, played)[:seats] == order_at(played[-1], 0)


@settings(max_examples=200, deadline=None)
@given(fields)
def test_byes_are_for_the_first_round(case: tuple[int, int, int, int]) -> None:
    """With one going on of each table, numbers fit from the second round on."""
    bots, seats, _, seed = case
    field = field_of("knockout", bots, seats, seed, advance=1)
    chance = Random(seed)
    played = run_event(field, lambda drawn: by_chance(drawn, chance))
    assert all(done.round.byes == () for done in played[1:])
    assert all(
        going_on(seats * len(done.round.tables), seats, 1) == [1] * len(done.round.tables)
        for done in played[2:-1]
    )


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 7])
def test_who_goes_on_fills_the_final_from_every_number_of_bots(seats: int) -> None:
    for advance in range(1, seats):
        for bots in range(seats + 1, 200):
            counts = going_on(bots, seats, advance)
            left = bots - sum(seats - count for count in counts)
            assert 1 <= len(counts) <= bots // seats
            assert all(advance <= count < seats for count in counts)
            assert max(counts) - min(counts) <= 1
            assert seats <= left < bots


@pytest.mark.parametrize(
    ("bots", "seats", "tables"),
    [
        (16, 4, [4, 2, 1]),
        (8, 2, [4, 2, 1]),
        (5, 2, [1, 2, 1]),
        (9, 3, [3, 1]),
        (10, 4, [1, 2, 1]),
        (5, 4, [1, 1]),
        (4, 4, [1]),
        (32, 4, [8, 4, 2, 1]),
    ],
)
def test_tables_of_a_knockout(bots: int, seats: int, tables: list[int]) -> None:
    field = field_of("knockout", bots, seats)
    played = run_event(field, lambda drawn: favourite_wins(drawn, dict.fromkeys(field.bots, 0.0)))
    assert [len(done.round.tables) for done in played] == tables


def test_the_best_seeds_have_the_byes_and_are_apart() -> None:
    bots = names(10)
    field = field_of("knockout", bots, 2, ratings={bot: float(place) for place, bot in enumerate(bots)})
    first = KNOCKOUT.draw(field, [], [])
    assert first is not None
    assert first.byes == ("bot09", "bot08", "bot07", "bot06", "bot05", "bot04")
    assert {frozenset(table) for table in first.tables} == {
        frozenset({"bot03", "bot00"}),
        frozenset({"bot02", "bot01"}),
    }
    skills = dict(field.ratings)
    played = run_event(field, lambda drawn: favourite_wins(drawn, skills))
    assert set(played[-1].round.tables[0]) == {"bot09", "bot08"}


def test_ties_are_broken_by_points_then_seed() -> None:
    field = field_of("knockout", 4, 2)
    first = KNOCKOUT.draw(field, [], [])
    assert first is not None
    tie = {bot: Fraction(1, 2) for bot in field.bots}
    points = {"bot00": Fraction(1), "bot03": Fraction(3), "bot01": Fraction(2), "bot02": Fraction(2)}
    tables = first.tables
    played = Played(
        first,
        tuple({bot: tie[bot] for bot in table} for table in tables),
        tuple({bot: points[bot] for bot in table} for table in tables),
    )
    final = KNOCKOUT.draw(field, [first], [played])
    assert final is not None
    assert set(final.tables[0]) == {"bot03", "bot01"}


def without(field: Field, *gone: str) -> Field:
    bots = tuple(bot for bot in field.bots if bot not in gone)
    return Field(bots, field.seats, field.spec, field.seed, field.ratings)


def test_a_withdrawn_bot_s_place_falls_to_the_next_of_its_table() -> None:
    field = field_of("knockout", 8, 4)
    skills = {bot: -float(place) for place, bot in enumerate(field.bots)}
    first = KNOCKOUT.draw(field, [], [])
    assert first is not None
    played = [favourite_wins(first, skills)]
    table = next(number for number, table in enumerate(first.tables) if "bot00" in table)
    third = order_at(played[0], table)[2]
    final = KNOCKOUT.draw(without(field, "bot00"), [first], played)
    assert final is not None
    assert final.labels == ("final",)
    assert set(final.tables[0]) == set(order_at(played[0], table)[1:3]) | set(
        order_at(played[0], 1 - table)[:2]
    )
    assert third in final.tables[0]


def test_a_whole_table_gone_brings_back_the_best_who_are_out() -> None:
    field = field_of("knockout", 8, 4)
    skills = {bot: -float(place) for place, bot in enumerate(field.bots)}
    first = KNOCKOUT.draw(field, [], [])
    assert first is not None
    played = [favourite_wins(first, skills)]
    rest = without(field, *first.tables[1])
    final = KNOCKOUT.draw(rest, [first], played)
    assert final is not None
    assert set(final.tables[0]) == set(first.tables[0])
    assert KNOCKOUT.draw(without(rest, "bot00"), [first], played) is None


def test_one_left_has_won() -> None:
    field = field_of("knockout", 4, 2)
    first = KNOCKOUT.draw(field, [], [])
    assert first is not None
    played = [favourite_wins(first, {bot: -float(place) for place, bot in enumerate(field.bots)})]
    rest = without(field, *first.tables[1])
    assert KNOCKOUT.draw(rest, [first], played) is None
    assert KNOCKOUT.ranking(rest, played)[0] == "bot00"


@settings(max_examples=100, deadline=None)
@given(bots=st.integers(2, 40), seed=st.integers(0, 2**32))
def test_two_lost_games_and_out(bots: int, seed: int) -> None:
    """Two seats: everybody but the winner loses exactly twice, the winner once at most, nobody plays after two."""
    field = field_of("double_elimination", bots, 2, seed, advance=1)
    chance = Random(seed)
    played = run_event(field, lambda drawn: by_chance(drawn, chance))
    lost: Counter[str] = Counter()
    for done in played:
        for table, (bots_here, label) in enumerate(zip(done.round.tables, done.round.labels, strict=True)):
            before = [lost[bot] for bot in bots_here]
            assert max(before) < 2
            if label == "winners":
                assert before == [0, 0]
            if label in {"losers", "reset"}:
                assert before == [1, 1]
            if label == "final":
                assert sorted(before) == [0, 1]
            lost.update(order_at(done, table)[1:])
    winner, *others = DOUBLE.ranking(field, played)
    assert lost[winner] <= 1
    assert [lost[bot] for bot in others] == [2] * (bots - 1)
    assert len(lost) - (lost[winner] == 0) <= bots


@settings(max_examples=200, deadline=None)
@given(fields)
def test_tables_of_any_size_put_out_after_the_second_loss_alone(case: tuple[int, int, int, int]) -> None:
    bots, seats, advance, seed = case
    field = field_of("double_elimination", bots, seats, seed, advance=advance)
    chance = Random(seed)
    played = run_event(field, lambda drawn: by_chance(drawn, chance))
    most_wins = Counter[str]()
    left = set(field.bots)
    for done in played:
        drawn = done.round
        here = {bot for table in drawn.tables for bot in table} | set(drawn.byes)
        assert here <= left
        gone = left - here
        # Who is gone has at least twice been outside the first `advance` of a table.
        assert all(most_wins[bot] >= 2 for bot in gone)
        left = here
        for table, label in enumerate(drawn.labels):
            most_wins.update(
                order_at(done, table)[advancing(field) if label not in ("final", "reset") else 1 :]
            )
    labels = [label for done in played for label in done.round.labels]
    assert labels[-1] in ("final", "reset")
    assert labels.count("final") == 1
    last = order_at(played[-1], 0)
    assert DOUBLE.ranking(field, played)[0] in last
    if labels[-1] == "final":
        assert DOUBLE.ranking(field, played)[0] == last[0]


def test_the_reset() -> None:
    field = field_of("double_elimination", 2, 2)
    first = DOUBLE.draw(field, [], [])
    assert first is not None
    assert first.labels == ("winners",)
    one, two = {"bot00": Fraction(1), "bot01": Fraction(0)}, {"bot00": Fraction(0), "bot01": Fraction(1)}
    played = [Played(first, (one,))]
    final = DOUBLE.draw(field, [first], played)
    assert final is not None
    assert final.labels == ("final",)
    assert DOUBLE.draw(field, [first, final], [*played, Played(final, (one,))]) is None
    played.append(Played(final, (two,)))
    reset = DOUBLE.draw(field, [first, final], played)
    assert reset is not None
    assert reset.labels == ("reset",)
    for result, winner in ((one, "bot00"), (two, "bot01")):
        done = [*played, Played(reset, (result,))]
        assert DOUBLE.draw(field, [first, final, reset], done) is None
        assert DOUBLE.ranking(field, done)[0] == winner


def test_winners_and_losers_play_in_the_same_round() -> None:
    field = field_of("double_elimination", 16, 4)
    skills = {bot: -float(place) for place, bot in enumerate(field.bots)}
    played = run_event(field, lambda drawn: favourite_wins(drawn, skills))
    assert played[0].round.labels == ("winners",) * 4
    assert played[1].round.labels == ("winners", "winners", "losers", "losers")
    assert DOUBLE.ranking(field, played)[0] == "bot00"


@pytest.mark.parametrize("name", ["knockout", "double_elimination"])
@pytest.mark.parametrize(("bots", "seats"), [(16, 4), (16, 2), (13, 3)])
def test_better_bots_have_better_chances(name: str, bots: int, seats: int) -> None:
    """By thirds of the field: the better win clearly more events. Even chances would give each a third."""
    events = 200
    wins = [0, 0, 0]
    for seed in range(events):
        _, ranking, truth = simulate(field_of(name, bots, seats, seed), 0.1, Random(seed))
        wins[truth.index(ranking[0]) * 3 // bots] += 1
    assert wins[0] > 0.55 * events
    assert wins[0] > wins[1] > wins[2]


def test_a_second_life_helps_the_best() -> None:
    events = 150
    firsts = {}
    for name in ("knockout", "double_elimination"):
        results = [simulate(field_of(name, 16, 4, seed), 0.2, Random(seed)) for seed in range(events)]
        firsts[name] = sum(ranking[0] == truth[0] for _, ranking, truth in results)
    assert firsts["double_elimination"] > firsts["knockout"]
