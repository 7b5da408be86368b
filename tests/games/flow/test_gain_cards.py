"""Cards that gain cards or tokens: instant effects and turn actions."""

from __future__ import annotations

import pytest
from tests.games.flow.cards_played import plays
from tests.games.flow.position import KOREAN, Position, gaining

from ziggurat_rules.games.flow.game import FlowOptions


@plays("aristotle", "confucius", "iron_works", "bureaucracy", "philosophy")
@pytest.mark.parametrize(
    ("gainer", "kind", "card"),
    [
        ("aristotle", "knowledge", "philosophy"),
        ("iron_works", "military", "archers"),
        ("confucius", "leader", "albert_einstein"),
        ("bureaucracy", "government", "democracy"),
        ("philosophy", "knowledge", "astronomy"),
    ],
)
def test_a_card_of_the_named_type_comes_from_the_market(gainer: str, kind: str, card: str) -> None:
    market = [card, "seaport", "the_taj_mahal"]
    if gainer in ("aristotle", "iron_works"):
        position = gaining(gainer, market=market).play(f"complete {gainer}")
    else:
        position = Position(nations={0: [gainer]}, market=market, tokens={0: 3})
        position.play(f"activate {gainer}")
    assert position.stack(0, kind)[-1] == card
    assert position.market == ["seaport", "the_taj_mahal"]
    assert position.supply == {"confucius": 0, "bureaucracy": 0, "philosophy": 3}.get(gainer, 1)


def test_the_gaining_player_picks_among_legal_cards() -> None:
    position = gaining("aristotle", market=["steam_power", "computers", "seaport"]).play("complete aristotle")
    assert position.offered() == ["gain steam_power", "gain computers"]
    position.play("gain computers")
    assert position.stack(0, "knowledge") == ["computers"]
    assert position.market == ["steam_power", "seaport"]


def test_an_invested_card_cannot_be_gained_from_the_market() -> None:
    position = Position(invested={0: ("aristotle", 1), 1: ("computers", 2)}).play("complete aristotle")
    assert position.stack(0, "knowledge") == []
    assert position.asked == 1


@plays("justinian_i")
def test_justinian_takes_knowledge_construction_or_government() -> None:
    position = gaining("justinian_i", market=["temple", "astronomy", "republic", "archers"])
    position.play("complete justinian_i")
    assert position.offered() == ["gain republic", "gain temple", "gain astronomy"]
    position.play("gain republic")
    assert position.nation(0) == ["republic", "justinian_i"]


@plays("ramesses_ii")
def test_ramesses_leaves_for_a_wonder() -> None:
    """The first Activate example: the invested Wonder is not offered, so the other one comes."""
    position = Position(
        nations={0: ["ramesses_ii"]}, market=["the_great_wall"], invested={1: ("the_pyramids", 2)}
    )
    position.play("activate ramesses_ii")
    assert position.nation(0) == ["the_great_wall"]
    assert position.market == ["the_pyramids"]


def test_ramesses_without_a_wonder_is_no_action() -> None:
    position = Position(nations={0: ["ramesses_ii"]}, invested={1: ("the_pyramids", 2)}, tokens={0: 1})
    assert position.offered() == ["harvest 0"]


def test_philosophy_costs_three_tokens_paid_to_the_supply() -> None:
    position = Position(nations={0: ["philosophy"]}, market=["computers"], tokens={0: 5}, supply=1)
    position.play("activate philosophy")
    # Computers count both Knowledge cards: 4 tokens from the Supply of 1 + 3.
    assert (position.tokens(0), position.supply) == (6, 0)
    assert position.stack(0, "knowledge") == ["philosophy", "computers"]


def test_philosophy_needs_three_tokens() -> None:
    position = Position(nations={0: ["philosophy"]}, market=["computers"], tokens={0: 2})
    assert "activate philosophy" not in position.offered()


@plays("christopher_columbus", "fighter_jet")
def test_columbus_leaves_and_reveals_a_fighter_jet_that_attacks_at_once() -> None:
    """The second Activate example."""
    position = Position(
        nations={0: ["christopher_columbus"], 1: ["temple", "philosophy"], 2: ["archers", "factory", "tank"]},
        deck=["fighter_jet"],
    )
    position.play("activate christopher_columbus")
    assert position.nation(0) == ["fighter_jet"]
    assert position.nation(1) == []
    assert position.nation(2) == ["factory", "archers", "tank"]


@plays("astronomy", "satellites", "working_animal")
@pytest.mark.parametrize("card", ["astronomy", "satellites", "working_animal"])
def test_the_top_card_of_the_deck_comes(card: str) -> None:
    position = gaining(card, deck=["temple", "factory"]).play(f"complete {card}")
    assert position.stack(0, "construction") == ["temple"]
    assert position.stack(0, "knowledge") == [card]
    assert position.market == ["factory"]


@pytest.mark.parametrize("card", ["astronomy", "satellites", "working_animal"])
def test_from_an_empty_deck_nothing_comes(card: str) -> None:
    assert gaining(card).play(f"complete {card}").nation(0) == [card]


def test_columbus_is_no_action_with_an_empty_deck() -> None:
    assert Position(nations={0: ["christopher_columbus"]}).offered() == ["harvest 3"]


def test_chains_go_on_without_limit() -> None:
    """R20: each gained card's effect resolves, depth first."""
    position = gaining(
        "aristotle",
        nations={1: ["temple"]},
        market=["astronomy", "archers"],
        deck=["iron_works"],
        tokens={1: 2},
    )
    position.play("complete aristotle")
    assert position.nation(0) == ["astronomy", "iron_works", "archers", "aristotle"]


@plays("working_animal", edition="ko")
def test_the_korean_working_animal_takes_a_reserve_token_per_harvest_icon() -> None:
    position = gaining("working_animal", nations={0: ["agrarian_tribe"]}, reserve=10, options=KOREAN)
    position.play("complete working_animal")
    # The bid of 1 lies in the Supply; 2 Harvest of the tribe and 1 of the card itself.
    assert (position.tokens(0), position.supply, position.reserve) == (3, 1, 7)


@pytest.mark.parametrize(
    ("edition", "reading", "tokens"),
    [("en", "edition", 0), ("en", "ko", 1), ("ko", "edition", 1), ("ko", "en", 0)],
)
def test_working_animal_has_a_switch(edition: str, reading: str, tokens: int) -> None:
    options = FlowOptions(edition=edition, working_animal=reading)
    position = gaining("working_animal", deck=["temple"], options=options).play("complete working_animal")
    assert position.tokens(0) == tokens
    assert ("temple" in position.nation(0)) == (tokens == 0)


@plays("irrigation")
@pytest.mark.parametrize(("per_icon", "tokens"), [(1, 3), (2, 6)])
def test_irrigation_takes_reserve_tokens_per_harvest_icon(per_icon: int, tokens: int) -> None:
    options = FlowOptions(irrigation_tokens=per_icon)
    position = gaining("irrigation", nations={0: ["agrarian_tribe"]}, reserve=10, options=options)
    position.play("complete irrigation")
    assert (position.tokens(0), position.supply, position.reserve) == (tokens, 1, 10 - tokens)


@plays("mechanized_farming")
def test_mechanized_farming_takes_reserve_tokens_per_harvest_icon() -> None:
    position = gaining("mechanized_farming", nations={0: ["agrarian_tribe"]}, reserve=3)
    position.play("complete mechanized_farming")
    # 4 Harvest icons, but only 3 tokens are left (R11).
    assert (position.tokens(0), position.supply, position.reserve) == (3, 1, 0)


@plays("steam_power")
def test_steam_power_takes_supply_tokens_per_industry_icon() -> None:
    position = gaining("steam_power", nations={0: ["craftisan_tribe"]}, supply=9).play("complete steam_power")
    assert (position.tokens(0), position.supply) == (4, 6)


@plays("printing_press")
def test_printing_press_takes_supply_tokens_per_science_icon() -> None:
    position = gaining("printing_press", nations={0: ["philosophy"]}, supply=9).play(
        "complete printing_press"
    )
    # Bonus 2 for the Science of Philosophy; then 3 Science.
    assert (position.tokens(0), position.supply) == (5, 5)


@plays("printing_press", edition="ko")
def test_the_korean_printing_press_gains_knowledge_as_a_turn_action() -> None:
    position = Position(nations={0: ["printing_press"]}, market=["computers", "temple"], options=KOREAN)
    position.play("activate printing_press")
    assert position.nation(0) == ["printing_press", "computers"]


def test_a_turn_action_waits_for_a_later_turn() -> None:
    position = gaining("printing_press", market=["computers"], supply=9, options=KOREAN)
    position.play("complete printing_press")
    assert position.nation(0) == ["printing_press"]
    assert position.asked == 1


@plays("computers")
def test_computers_take_two_supply_tokens_per_knowledge_card() -> None:
    position = gaining("computers", nations={0: ["mechanized_farming"]}, supply=3)
    position.play("complete computers")
    # Covered Knowledge cards count; 4 tokens are there with the bid, and 4 are due.
    assert (position.tokens(0), position.supply) == (4, 0)


@plays("communism")
def test_communism_splits_all_tokens_evenly() -> None:
    """R16: the Supply joins in, the remainder stays; what is invested and in the Reserve does not."""
    position = Position(
        nations={1: ["mahatma_gandhi"]},
        invested={0: ("communism", 3), 2: ("temple", 2)},
        tokens={0: 0, 1: 8, 2: 1},
        supply=5,
        reserve=20,
    )
    position.play("complete communism")
    assert [position.tokens(seat) for seat in range(3)] == [5, 5, 5]
    assert (position.supply, position.reserve, position.invested(2)) == (2, 20, 2)


@plays("john_lennon")
def test_lennon_turns_the_top_military_card_into_any_market_card() -> None:
    """R26: the Military card goes first."""
    position = Position(
        nations={0: ["archers", "tank", "john_lennon"]},
        market=["democracy", "the_great_wall", "temple"],
        invested={1: ("computers", 1)},
    )
    position.play("activate john_lennon")
    assert position.stack(0, "military") == ["archers"]
    assert position.icons(0)["defense"] == 3
    assert sorted(position.offered()) == ["gain democracy", "gain temple", "gain the_great_wall"]
    position.play("gain democracy")
    assert position.stack(0, "government") == ["democracy"]


def test_lennon_needs_a_military_card() -> None:
    position = Position(nations={0: ["john_lennon"]}, market=["democracy"])
    assert position.offered() == ["harvest 5"]


@plays("john_lennon", edition="ko")
@pytest.mark.parametrize(
    ("gone", "left"), [("tank", ["archers", "john_lennon"]), ("john_lennon", ["archers", "tank"])]
)
def test_the_korean_lennon_asks_for_the_military_card_or_himself(gone: str, left: list[str]) -> None:
    position = gaining("john_lennon", nations={0: ["archers", "tank", "ramesses_ii"]}, options=KOREAN)
    position.play("complete john_lennon", f"lose {gone}")
    assert position.nation(0) == left


def test_the_korean_lennon_goes_when_there_is_no_military_card() -> None:
    position = gaining("john_lennon", nations={0: ["ramesses_ii"]}, options=KOREAN).play(
        "complete john_lennon"
    )
    assert position.nation(0) == []
