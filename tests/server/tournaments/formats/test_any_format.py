"""Every format, whatever comes: bots leave at any time, join where they may, tables end without a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.tournaments.formats.simulation import field_of, play_round, run_event

from ziggurat_server.tournaments.formats import FORMATS, Field, Format, Played, audit
from ziggurat_server.tournaments.results import Round

ONE_TABLE_A_ROUND = {"swiss", "knockout", "double_elimination", "ladder"}


@st.composite
def events(draw: st.DrawFn, name: str) -> Field:
    seats = draw(st.integers(2, 5))
    bots = draw(st.integers(seats, 14))
    settings: dict[str, object] = {"rotations": draw(st.integers(0, seats))}
    if name in ("knockout", "double_elimination"):
        settings["advance"] = draw(st.integers(0, seats - 1))
    if name in ("round_robin", "gauntlet", "swiss", "ladder"):
        settings["rounds"] = draw(st.integers(0 if name != "ladder" else 1, 8))
    if name == "gauntlet":
        settings["candidates"] = tuple(f"bot{n:02}" for n in range(draw(st.integers(1, bots - seats + 1))))
    ratings = draw(
        st.dictionaries(st.sampled_from([f"bot{n:02}" for n in range(bots)]), st.floats(-500, 500))
    )
    return field_of(name, bots, seats, draw(st.integers(0, 2**64 - 1)), ratings, **settings)


class Life:
    """An event in which bots come, go and break."""

    def __init__(self, field: Field, trouble: float, chance: Random) -> None:
        self.field = field
        self.form: Format = FORMATS[field.spec.name]
        self.trouble = trouble
        self.chance = chance
        self.played: list[Played] = []
        self.joined = 0

    def run(self) -> None:
        while (drawn := self._draw()) is not None:
            check_round(drawn, self.field, len(self.played))
            self.played.append(self._play(drawn))
            assert len(self.played) <= 60, "the event does not end"
            self._come_and_go()
        ranking = self.form.ranking(self.field, self.played)
        assert sorted(ranking) == sorted(self.field.bots)
        audit([done.round for done in self.played], self.field)

    def _draw(self) -> Round | None:
        rounds = [done.round for done in self.played]
        drawn = self.form.draw(self.field, rounds, self.played)
        again = replace(self.field, ratings=dict(reversed(list(self.field.ratings.items()))))
        assert self.form.draw(again, rounds, [turned(done) for done in self.played]) == drawn
        return drawn

    def _play(self, drawn: Round) -> Played:
        """Some bots leave in the middle; some tables have no result for a bot, or for any."""
        credits: list[Mapping[str, Fraction]] = []
        for table in drawn.tables:
            values = {bot: Fraction(self.chance.randrange(5), 4) for bot in table}
            for bot in table:
                if self.chance.random() < self.trouble / 2:
                    del values[bot]
                    self._leave(bot)
            credits.append({} if self.chance.random() < self.trouble / 4 else values)
        return Played(drawn, tuple(credits))

    def _come_and_go(self) -> None:
        for bot in self.field.bots:
            if self.chance.random() < self.trouble / 3:
                self._leave(bot)
        if self.form.late and self.chance.random() < self.trouble:
            self.joined += 1
            self.field = replace(self.field, bots=(*self.field.bots, f"late{self.joined}"))

    def _leave(self, bot: str) -> None:
        if self.chance.random() < 0.7:
            self.field = replace(self.field, bots=tuple(other for other in self.field.bots if other != bot))


def turned(done: Played) -> Played:
    """The same results in another order of the mappings."""
    return Played(done.round, tuple(dict(reversed(list(credits.items()))) for credits in done.credits))


def check_round(drawn: Round, field: Field, number: int) -> None:
    assert drawn.number == number
    assert drawn.tables
    assert not drawn.labels or len(drawn.labels) == len(drawn.tables)
    for table in drawn.tables:
        assert len(table) == len(set(table)) == field.seats
        assert set(table) <= set(field.bots)
    seated = [bot for table in drawn.tables for bot in table]
    assert len(set(drawn.byes)) == len(drawn.byes)
    assert set(drawn.byes) <= set(field.bots) - set(seated)
    if field.spec.name in ONE_TABLE_A_ROUND:
        assert len(set(seated)) == len(seated)
    if field.spec.name in ("swiss", "ladder"):
        assert set(seated) | set(drawn.byes) == set(field.bots)
        assert len(drawn.byes) < field.seats


@pytest.mark.parametrize("name", sorted(FORMATS))
@settings(max_examples=120, deadline=None)
@given(data=st.data(), trouble=st.sampled_from([0.0, 0.05, 0.2, 0.6]), seed=st.integers(0, 2**32))
def test_an_event_goes_on_to_its_end(name: str, data: st.DataObject, trouble: float, seed: int) -> None:
    field = data.draw(events(name))
    FORMATS[name].check(field)
    Life(field, trouble, Random(seed)).run()


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_nobody_left_is_the_end(name: str) -> None:
    extra = {
        "ladder": {"rounds": 5},
        "gauntlet": {"candidates": ("bot00",), "rounds": 5},
        "round_robin": {"rounds": 5},
    }
    field = field_of(name, 8, 3, **extra.get(name, {}))
    form = FORMATS[name]
    first = form.draw(field, [], [])
    assert first is not None
    played = [Played(first, tuple({} for _ in first.tables))]
    for left in range(3):
        rest = replace(field, bots=field.bots[:left])
        assert form.draw(rest, [first], played) is None
        assert form.ranking(rest, played) == list(rest.bots)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_another_seed_changes_a_draw_and_the_same_does_not(name: str) -> None:
    extra = {
        "ladder": {"rounds": 4},
        "gauntlet": {"candidates": ("bot00",), "rounds": 4},
        "round_robin": {"rounds": 4},
        "swiss": {"rounds": 4},
    }
    runs = []
    for seed in (1, 1, 2):
        field = field_of(name, 12, 3, seed, **extra.get(name, {}))
        chance = Random(9)
        skills = {bot: chance.random() for bot in field.bots}
        runs.append(run_event(field, lambda drawn: play_round(drawn, field, skills, chance)))  # noqa: B023
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
