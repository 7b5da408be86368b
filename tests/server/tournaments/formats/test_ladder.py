"""The ladder: like ratings meet, ratings find the better bots, nobody waits long."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

import pytest
from tests.server.tournaments.formats.simulation import field_of, names, play_round, run_event

from ziggurat_server.tournaments.formats import FORMATS, Field, Played
from ziggurat_server.tournaments.formats.ladder import running_ratings
from ziggurat_server.tournaments.results import Round

LADDER = FORMATS["ladder"]


def mean_gap(tables: list[tuple[str, ...]], ratings: dict[str, float]) -> float:
    gaps = [abs(ratings[a] - ratings[b]) for table in tables for a, b in combinations(table, 2)]
    return sum(gaps) / len(gaps)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_bots_of_near_rating_meet(seats: int) -> None:
    """The rating gap at a table is less than 0.45 of that of random tables, in every round from the first."""
    bots = names(30)
    chance = Random(3)
    ratings = {bot: chance.gauss(0, 300) for bot in bots}
    field = field_of("ladder", bots, seats, ratings=ratings, rounds=10)
    skills = {bot: rating / 200 for bot, rating in ratings.items()}
    played = run_event(field, lambda drawn: play_round(drawn, field, skills, chance))
    for number, done in enumerate(played):
        now = running_ratings(field, played[:number])
        assert mean_gap(list(done.round.tables), now) < 0.45 * mean_gap([bots], now)


def test_a_large_field_is_seated_by_rating_too() -> None:
    bots = names(240)
    chance = Random(8)
    ratings = {bot: chance.gauss(0, 300) for bot in bots}
    drawn = LADDER.draw(field_of("ladder", bots, 4, ratings=ratings, rounds=1), [], [])
    assert drawn is not None
    assert mean_gap(list(drawn.tables), ratings) < 0.05 * mean_gap([bots], ratings)


def test_opponents_change() -> None:
    field = field_of("ladder", 16, 4, rounds=12)
    chance = Random(4)
    skills = {bot: chance.random() for bot in field.bots}
    played = run_event(field, lambda drawn: play_round(drawn, field, skills, chance))
    for before, after in pairwise(played):
        assert not set(map(frozenset, before.round.tables)) & set(map(frozenset, after.round.tables))


def test_running_ratings_find_the_order() -> None:
    field = field_of("ladder", 12, 4, rounds=40)
    chance = Random(1)
    order = list(field.bots)
    chance.shuffle(order)
    skills = {bot: -0.5 * place for place, bot in enumerate(order)}
    played = run_event(field, lambda drawn: play_round(drawn, field, skills, chance))
    ranking = LADDER.ranking(field, played)
    inversions = sum(order.index(a) > order.index(b) for a, b in combinations(ranking, 2))
    assert inversions <= 5  # of 66; 33 by chance
    assert set(ranking[:3]) <= set(order[:4])


def test_a_rating_moves_by_credit_less_expected_credit() -> None:
    field = field_of("ladder", ("a", "b"), 2, ratings={"a": 1000.0, "b": 1000.0}, rounds=5)
    drawn = Round(0, (("a", "b"),))
    win = Played(drawn, ({"a": Fraction(1), "b": Fraction(0)},))
    assert running_ratings(field, [win]) == {"a": 1080.0, "b": 920.0}
    draw = Played(drawn, ({"a": Fraction(1, 2), "b": Fraction(1, 2)},))
    assert running_ratings(field, [draw]) == {"a": 1000.0, "b": 1000.0}
    alone = Played(drawn, ({"a": Fraction(1)},))
    assert running_ratings(field, [alone]) == {"a": 1000.0, "b": 1000.0}


def test_ratings_stay_finite_whatever_was_known_before() -> None:
    ratings = {"a": 1e300, "b": -1e300, "c": float("nan"), "d": float("inf")}
    field = field_of("ladder", ("a", "b", "c", "d"), 2, ratings=ratings, rounds=9)
    played = run_event(
        field, lambda drawn: Played(drawn, tuple({bot: Fraction(1, 2) for bot in t} for t in drawn.tables))
    )
    assert len(played) == 9
    assert all(abs(rating) < float("inf") for rating in running_ratings(field, played).values())


def test_byes_go_round() -> None:
    field = field_of("ladder", 7, 4, rounds=21)
    chance = Random(2)
    skills = {bot: chance.random() for bot in field.bots}
    played = run_event(field, lambda drawn: play_round(drawn, field, skills, chance))
    tables = Counter(bot for done in played for table in done.round.tables for bot in table)
    assert max(tables.values()) - min(tables.values()) <= 1


def test_a_new_bot_plays_at_once_and_comes_to_its_like() -> None:
    field = field_of("ladder", 12, 4, rounds=30)
    chance = Random(7)
    skills = {bot: -0.3 * place for place, bot in enumerate(field.bots)} | {"strong": 0.5}
    played: list[Played] = []
    for number in range(30):
        if number == 10:
            field = Field((*field.bots, "strong"), 4, field.spec, field.seed, {})
        drawn = LADDER.draw(field, [done.round for done in played], played)
        assert drawn is not None
        assert number != 10 or "strong" not in drawn.byes
        played.append(play_round(drawn, field, skills, chance))
    assert LADDER.ranking(field, played).index("strong") < 3
    assert LADDER.draw(field, [done.round for done in played], played) is None
