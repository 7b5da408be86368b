"""The worked examples of both rulebooks, with their numbers; ours are the cards that a picture covers."""

from __future__ import annotations

import pytest
from tests.games.flow.position import Position, gaining

from ziggurat_rules.games.flow.game import FlowOptions

ALEXANDER = [
    "religious_tribe", "bureaucracy", "barracks", "monastery", "working_animal", "astronomy", "warriors",
    "frigate", "napoleon_bonaparte", "the_great_wall", "the_great_mosque",
]  # fmt: skip
BOTH = pytest.mark.parametrize("edition", ["en", "ko"])


def test_stacking_example_1_lighthouse_covers_barracks() -> None:
    before = Position(nations={0: ["barracks"]})
    assert before.icons(0) == {"attack": 1, "defense": 1}
    after = gaining("lighthouse", nations={0: ["barracks"]}).play("complete lighthouse").icons(0)
    assert after["attack"] == 1
    assert after["science"] >= 1
    assert after["industry"] >= 1
    assert "defense" not in after


@BOTH
def test_stacking_example_2_and_attack_example_alexander(edition: str) -> None:
    position = Position(nations={0: ALEXANDER}, options=FlowOptions(edition=edition))
    assert position.icons(0) == {
        "culture": 5, "defense": 6, "trade": 3, "harvest": 2, "attack": 5, "science": 1
    }  # fmt: skip
    assert (position.table.strength(0), position.table.defence(0)) == (5, 11)


def test_full_nation_example_bureaucracy_is_alexanders_only_turn_action() -> None:
    position = Position(nations={0: ALEXANDER}, market=["democracy", "computers"])
    assert position.offered() == ["activate bureaucracy", "harvest 4"]


@BOTH
def test_complete_example_monastery(edition: str) -> None:
    position = Position(
        nations={0: ["craftisan_tribe", "barracks"]},
        invested={0: ("monastery", 4)},
        supply=1,
        options=FlowOptions(edition=edition),
    )
    assert position.offered() == ["complete monastery 2", "harvest 2"]
    position.play("complete monastery")
    assert (position.tokens(0), position.supply) == (2, 1 + 4 - 2)
    assert position.stack(0, "construction") == ["barracks", "monastery"]
    assert position.icons(0)["culture"] == 1 + 1


@BOTH
def test_snipe_example_irrigation(edition: str) -> None:
    position = Position(
        nations={0: ["working_animal"], 1: ["lighthouse"]},
        invested={1: ("irrigation", 4)},
        tokens={0: 4},
        supply=2,
        options=FlowOptions(edition=edition),
    )
    position.play("snipe irrigation 1 4")
    # 4 paid, then 1 for Trade and half of the 5 left.
    assert position.tokens(1) == 4 + 1 + 2
    assert position.supply == 3
    assert (position.tokens(0), position.reserve) == (2, 40 - 2)
    assert position.icons(0)["harvest"] == 2
    assert position.invested_in(1) is None


def test_activate_example_1_ramesses_takes_the_wonder_not_invested_in() -> None:
    position = Position(
        nations={0: ["ramesses_ii"]}, invested={1: ("the_pyramids", 1)}, market=["the_great_wall"]
    )
    assert position.play("activate ramesses_ii").nation(0) == ["the_great_wall"]


def test_activate_example_2_columbus_reveals_the_fighter_jet() -> None:
    position = Position(
        nations={0: ["christopher_columbus"], 1: ["temple"]}, deck=["fighter_jet"], market=["democracy"]
    )
    position.play("activate christopher_columbus")
    assert (position.nation(0), position.nation(1)) == (["fighter_jet"], [])


@BOTH
def test_harvest_example_1(edition: str) -> None:
    position = Position(
        nations={0: ["agrarian_tribe"], 1: ["temple"]},
        tokens={0: 4},
        supply=5,
        options=FlowOptions(edition=edition),
    )
    assert position.age == 1
    position.play("harvest 3")
    assert (position.tokens(0), position.supply, position.reserve) == (4 + 3, 4, 40 - 2)


@pytest.mark.parametrize(
    ("edition", "top_up", "supply", "from_reserve"),
    [
        ("en", "edition", 0, 1),
        ("ko", "edition", 2, 3),
        ("en", "reserve", 2, 3),
        ("ko", "supply_reserve", 0, 1),
    ],
)
def test_harvest_example_2_age_v(edition: str, top_up: str, supply: int, from_reserve: int) -> None:
    options = FlowOptions(edition=edition, harvest_top_up=top_up)
    position = Position(
        nations={0: ["craftisan_tribe"], 1: ["satellites"]}, tokens={0: 1}, supply=3, options=options
    )
    position.play("harvest 4")
    assert (position.tokens(0), position.supply, position.reserve) == (5, supply, 40 - from_reserve)


def test_cleanup_example_age_ii_appears() -> None:
    """Warriors go, Ramesses II stays, since Alexander has invested in him."""
    position = Position(
        turn=0,
        market=["warriors", "temple", "archers"],
        invested={1: ("ramesses_ii", 2)},
        deck=["monastery", "republic", "swordsmen"],
    )
    position.play("harvest")
    assert sorted(position.market) == ["archers", "monastery", "ramesses_ii", "republic", "temple"]
    assert (position.age, position.deck) == (2, ["swordsmen"])


@BOTH
def test_scoring_example_25_points(edition: str) -> None:
    nation = [
        "aristocracy", "republic", "mercantilism", "democracy", "barracks", "lighthouse", "military_academy",
        "iron_works", "steam_power", "warriors", "swordsmen", "albert_einstein", "the_great_mosque",
        "the_great_wall",
    ]  # fmt: skip
    position = Position(nations={0: nation}, options=FlowOptions(edition=edition))
    points = position.points(0)
    assert (points.culture, points.icons, points.effects, points.total) == (7, 11, 2 + 4 + 1, 25)
    # The Defense that Military Academy provides in play is obsolete: 4 for Government cards, 3 on stripes.
    assert position.icons(0)["defense"] == 3 + 4
    others = sum(position.icons(0).values()) - position.icons(0)["culture"]
    assert others == 23 + 4
