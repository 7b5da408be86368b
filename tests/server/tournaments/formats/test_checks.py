"""What formats refuse: the key and the remedy are named."""

from __future__ import annotations

import pytest
from tests.server.tournaments.formats.simulation import field_of

from ziggurat_server.tournaments.errors import BadEvent
from ziggurat_server.tournaments.formats import FORMATS, plan

NAMES = sorted(FORMATS)
NEEDS = {"ladder": {"rounds": 5}, "gauntlet": {"candidates": ("bot00",)}}


@pytest.mark.parametrize("name", NAMES)
def test_too_few_bots_for_the_seats(name: str) -> None:
    with pytest.raises(BadEvent, match="bots: 3 for tables of 4; add bots or take fewer seats"):
        plan(field_of(name, 3, 4, **NEEDS.get(name, {})))


@pytest.mark.parametrize("name", NAMES)
def test_tables_of_one(name: str) -> None:
    with pytest.raises(BadEvent, match="seats: "):
        plan(field_of(name, 3, 1, **NEEDS.get(name, {})))


UNUSED = [
    (name, key)
    for name in NAMES
    for key, users in {
        "rounds": ("round_robin", "gauntlet", "swiss", "ladder"),
        "candidates": ("gauntlet",),
        "advance": ("knockout", "double_elimination"),
    }.items()
    if name not in users
]


@pytest.mark.parametrize(("name", "key"), UNUSED)
def test_a_setting_that_the_format_does_not_use(name: str, key: str) -> None:
    value = ("bot00",) if key == "candidates" else 1
    with pytest.raises(BadEvent, match=f"format.{key}: {name} does not use it; leave it out"):
        plan(field_of(name, 6, 3, **{**NEEDS.get(name, {}), key: value}))


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("round_robin", {"rotations": 4}, "format.rotations: .*leave it out"),
        ("swiss", {"rotations": -1}, "format.rotations: less than 0"),
        ("swiss", {"rounds": -1}, "format.rounds: less than 0"),
        ("knockout", {"advance": 3}, "format.advance: .*take 1 to 2"),
        ("double_elimination", {"advance": 7}, "format.advance: .*take 1 to 2"),
        ("ladder", {}, "format.rounds: .*give a number of rounds"),
        ("gauntlet", {}, "format.candidates: .*name one bot or more"),
        ("gauntlet", {"candidates": ("nobody",)}, "format.candidates: nobody is no bot of the event"),
        ("gauntlet", {"candidates": ("bot01", "bot01")}, "format.candidates: bot01 is named 2 times"),
        (
            "gauntlet",
            {"candidates": tuple(f"bot{n:02}" for n in range(5))},
            "format.candidates: .*leave 1 opponents",
        ),
        ("round_robin", {"rounds": 100_000}, "format.rounds: 3000000 games"),
        ("gauntlet", {"candidates": ("bot00",), "rounds": 10**6}, "format.rounds: "),
        ("swiss", {"rounds": 10**6}, "format.rounds: "),
        ("ladder", {"rounds": 10**9}, "format.rounds: "),
    ],
)
def test_settings_that_cannot_be(name: str, settings: dict[str, object], message: str) -> None:
    with pytest.raises(BadEvent, match=message) as refused:
        plan(field_of(name, 6, 3, **settings))
    assert refused.value.reason == "BAD_EVENT"


@pytest.mark.parametrize("name", ["round_robin", "gauntlet"])
def test_a_round_has_an_end(name: str) -> None:
    settings = {"candidates": tuple(f"b{n}" for n in range(200))} if name == "gauntlet" else {}
    with pytest.raises(BadEvent, match=r"bots: [0-9]+ games are to be played in a round, 100000 at most"):
        FORMATS[name].check(field_of(name, [f"b{n}" for n in range(500)], 2, **settings))


@pytest.mark.parametrize("name", NAMES)
def test_a_million_bots_are_refused_at_once(name: str) -> None:
    with pytest.raises(BadEvent, match="games are to be played"):
        FORMATS[name].check(
            field_of(name, [f"b{n}" for n in range(1_000_000)], 2, **NEEDS_MANY.get(name, {}))
        )


NEEDS_MANY = {"ladder": {"rounds": 5}, "gauntlet": {"candidates": ("b0",)}}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_smallest_field_is_accepted(name: str, seats: int) -> None:
    rounds, found = plan(field_of(name, seats, seats, **NEEDS.get(name, {})))
    assert rounds
    assert found.games_low == found.games_high == len(rounds) * seats
