"""Permanent effects, and end game scoring effects."""

from __future__ import annotations

import pytest
from tests.games.flow.cards_played import plays
from tests.games.flow.position import KOREAN, Position, gaining, plus, stripe

from ziggurat_rules.games.flow import GAME
from ziggurat_rules.games.flow.game import FlowOptions

PROVIDED = {
    "barracks": {"defense": 1},
    "archers": {"defense": 2},
    "lighthouse": {"science": 1, "industry": 1},
    "republic": {"trade": 2},
    "temple": {"culture": 2},
    "crossbowmen": {"defense": 2},
    "monastery": {"culture": 1},
    "constitutional_monarchy": {"industry": 3},
    "mercantilism": {"trade": 3},
    "seaport": {"science": 1, "industry": 1, "culture": 1},
    "democracy": {"culture": 3},
    "factory": {"attack": 3},
    "stock_exchange": {"science": 2, "industry": 2},
    "nuclear_power_plant": {"science": 4},
}
ABOVE = {"construction": "monastery", "military": "warriors", "government": "aristocracy"}


def _kind(card: str) -> str:
    return str(GAME.catalogue.cards[GAME.catalogue.index(card)].facts["type"])


@plays(*PROVIDED)
@pytest.mark.parametrize("card", PROVIDED)
def test_a_permanent_effect_provides_icons(card: str) -> None:
    position = gaining(card).play(f"complete {card}")
    assert position.icons(0) == plus(stripe(card), PROVIDED[card])


@pytest.mark.parametrize("card", [card for card in PROVIDED if card != "monastery"])
def test_a_covered_effect_provides_nothing(card: str) -> None:
    above = ABOVE[_kind(card)]
    position = Position(nations={0: [card, above]})
    assert position.icons(0) == plus(stripe(card, above), PROVIDED.get(above, {}))


@plays("mercantilism", edition="ko")
def test_the_korean_mercantilism_provides_harvest_industry_and_attack() -> None:
    position = gaining("mercantilism", options=KOREAN).play("complete mercantilism")
    assert position.icons(0) == plus(stripe("mercantilism"), {"harvest": 1, "industry": 1, "attack": 1})


COUNTING = {
    "theocracy": (["the_pyramids", "eiffel_tower"], {"attack": 4}),
    "castle": (["archers", "warriors"], {"attack": 2}),
    "feudalism": (["agrarian_tribe"], {"defense": 3}),
    "military_academy": (["aristocracy", "republic"], {"defense": 2, "trade": 2}),
    "frigate": (["seafaring_traders"], {"defense": 3}),
}
"""What is in the Nation before, and what the effect (and Republic) adds; its own stripe counts too."""


@plays(*COUNTING)
@pytest.mark.parametrize("card", COUNTING)
def test_an_effect_counts_icons_or_cards(card: str) -> None:
    before, provided = COUNTING[card]
    position = gaining(card, nations={0: before}).play(f"complete {card}")
    assert position.icons(0) == plus(stripe(card, *before), provided)


@plays("theocracy", edition="ko")
@pytest.mark.parametrize(("edition", "attack", "at_end"), [("en", 4, 4), ("ko", 2, 0)])
def test_theocracy_by_edition(edition: str, attack: int, at_end: int) -> None:
    options = FlowOptions(edition=edition)
    position = Position(nations={0: ["the_pyramids", "angkor_wat", "theocracy"]}, options=options)
    icons = stripe("the_pyramids", "angkor_wat", "theocracy")
    assert position.icons(0) == plus(icons, {"attack": attack})
    others = sum(icons.values()) - icons["culture"] + at_end
    assert position.points(0).icons == others // 2


@pytest.mark.parametrize("card", ["castle", "feudalism", "frigate", "military_academy"])
def test_obsolete_effects_give_nothing_at_scoring(card: str) -> None:
    before = COUNTING[card][0]
    position = Position(nations={0: [*before, card]})
    icons = stripe(*before, card)
    republic = 2 * ("republic" in before)
    others = sum(icons.values()) - icons.get("culture", 0) + republic
    assert position.points(0).icons == others // 2


SCORED = {
    "the_pyramids": (["himeji_castle", "the_pyramids"], 2),
    "the_hanging_gardens": (["barracks", "castle", "the_hanging_gardens"], 2),
    "the_great_mosque": (["aristocracy", "republic", "the_great_mosque"], 2),
    "himeji_castle": (["warriors", "tank", "cannon", "himeji_castle"], 3),
    "albert_einstein": (["philosophy", "computers", "albert_einstein"], 2),
    "the_great_wall": (["archers", "the_great_wall"], 2),  # Defense 1 + 2 + 2
    "angkor_wat": (["agrarian_tribe", "angkor_wat"], 3),
    "eiffel_tower": (["craftisan_tribe", "steam_power", "eiffel_tower"], 3),  # Industry 2 + 2 + 2
    "apollo_program": (["philosophy", "apollo_program"], 4),
    "capitalism": (["seafaring_traders", "capitalism"], 5),
    "the_taj_mahal": (
        ["philosophy", "computers", "barracks", "castle", "warriors", "tank", "aristocracy", "the_taj_mahal"],
        2,
    ),
}


@plays(*SCORED)
@pytest.mark.parametrize("card", SCORED)
def test_a_scoring_effect_counts_at_the_end(card: str) -> None:
    nation, points = SCORED[card]
    assert Position(nations={0: nation}).points(0).effects == points


def test_the_taj_mahal_scores_two_per_whole_set() -> None:
    two_sets = [
        "philosophy",
        "computers",
        "barracks",
        "castle",
        "warriors",
        "tank",
        "aristocracy",
        "democracy",
    ]
    assert Position(nations={0: [*two_sets, "the_taj_mahal"]}).points(0).effects == 4
    assert Position(nations={0: [*two_sets[1:], "the_taj_mahal"]}).points(0).effects == 2
    assert Position(nations={0: [*two_sets[:6], "the_taj_mahal"]}).points(0).effects == 0


@plays("the_internet")
@pytest.mark.parametrize(("counts", "icons"), [(True, 2), (False, 0)])
def test_the_internet_adds_four_science_at_scoring(counts: bool, icons: int) -> None:
    """R8: its stripe is 2 Culture and 1 Trade; the Science counts for Apollo Program in both readings."""
    options = FlowOptions(internet_counts_in_half_points=counts)
    position = Position(nations={0: ["the_internet"]}, options=options)
    assert position.icons(0) == {"culture": 2, "trade": 1}
    points = position.points(0)
    assert (points.culture, points.icons, points.effects) == (2, icons, 0)
    with_apollo = Position(nations={0: ["apollo_program", "the_internet"]}, options=options)
    assert with_apollo.points(0).effects == 2 + 4


def test_a_covered_scoring_effect_does_not_count() -> None:
    """R46."""
    position = Position(nations={0: ["capitalism", "democracy"]})
    assert position.points(0).effects == 0


def test_points_of_scoring_effects_are_no_icons() -> None:
    """R48: no card reads them."""
    position = Position(nations={0: ["the_pyramids"]})
    assert position.icons(0) == {"culture": 1}
    assert position.points(0).total == 2


@plays(
    "agrarian_tribe",
    "aristocracy",
    "craftisan_tribe",
    "military_caste",
    "religious_tribe",
    "seafaring_traders",
)
@pytest.mark.parametrize(
    ("card", "icons"),
    [
        ("agrarian_tribe", {"harvest": 2}),
        ("aristocracy", {"culture": 1, "science": 1}),
        ("craftisan_tribe", {"industry": 2}),
        ("military_caste", {"attack": 1, "defense": 1}),
        ("religious_tribe", {"culture": 1, "defense": 1}),
        ("seafaring_traders", {"trade": 2}),
    ],
)
def test_starting_cards_have_icons_only(card: str, icons: dict[str, int]) -> None:
    position = Position(nations={0: [card]})
    assert position.icons(0) == icons
    assert position.points(0).effects == 0
