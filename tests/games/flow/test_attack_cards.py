"""Attack and Attack All cards, and the Leaders that change attacks."""

from __future__ import annotations

import pytest
from tests.games.flow.cards_played import plays
from tests.games.flow.position import KOREAN, Position, gaining

STRONG = ["archers", "frigate", "crossbowmen"]
"""Military strength 3 attacking, 8 attacked: Attack 1 + 1 + 1, Defense 1 + 2 and 2 of the effect."""


@plays("warriors")
@pytest.mark.parametrize(("had", "stolen"), [(5, 2), (1, 1)])
def test_warriors_take_two_tokens_or_what_is_there(had: int, stolen: int) -> None:
    position = gaining("warriors", tokens={1: had}).play("complete warriors")
    assert (position.tokens(0), position.tokens(1)) == (stolen, had - stolen)


def test_the_attacker_picks_the_victim() -> None:
    position = gaining("warriors", tokens={1: 5, 2: 1}).play("complete warriors")
    assert (position.asked, position.prompt) == (0, "attack_whom")
    assert position.offered() == ["steal 1 2", "steal 2 1"]
    position.play("steal 2")
    assert [position.tokens(seat) for seat in range(3)] == [1, 5, 0]


def test_invested_tokens_cannot_be_stolen() -> None:
    """R14, R33: nothing to lose, nothing happens."""
    position = Position(invested={0: ("warriors", 1), 1: ("temple", 4)}).play("complete warriors")
    assert (position.tokens(0), position.invested(1)) == (0, 4)


@plays("swordsmen")
def test_swordsmen_discard_the_top_government_card() -> None:
    position = gaining("swordsmen", nations={1: ["aristocracy", "republic"], 2: STRONG}).play(
        "complete swordsmen"
    )
    assert position.stack(1, "government") == ["aristocracy"]
    # The two Trade that Republic provided are gone with the card.
    assert position.icons(1) == {"culture": 1, "science": 1}


def test_the_starting_card_can_be_discarded() -> None:
    """R35."""
    position = gaining("swordsmen", nations={1: ["aristocracy"]}).play("complete swordsmen")
    assert position.nation(1) == []


@plays("knights", "cannon")
@pytest.mark.parametrize("card", ["knights", "cannon"])
def test_the_top_knowledge_or_construction_card_is_discarded_as_the_attacker_picks(card: str) -> None:
    position = gaining(card, nations={1: ["temple", "monastery", "philosophy"], 2: ["astronomy"]})
    position.play(f"complete {card}")
    assert position.offered() == ["destroy 1 philosophy", "destroy 1 monastery", "destroy 2 astronomy"]
    position.play("destroy 1 monastery")
    assert position.nation(1) == ["temple", "philosophy"]
    assert position.nation(2) == ["astronomy"]
    # Temple shows again: its stripe and its effect.
    assert position.icons(1)["culture"] == 3


@plays("tank")
def test_a_tank_discards_any_wonder_of_one_opponent() -> None:
    """R39: The Internet included."""
    position = gaining("tank", nations={1: ["the_pyramids", "the_internet"]}).play("complete tank")
    assert position.offered() == ["destroy 1 the_pyramids", "destroy 1 the_internet"]
    position.play("destroy 1 the_internet")
    assert position.nation(1) == ["the_pyramids"]


@plays("napoleon_bonaparte")
def test_napoleon_discards_the_top_government_card_of_every_weaker_opponent() -> None:
    nations = {1: ["aristocracy", "republic"], 2: ["religious_tribe", *STRONG], 3: ["craftisan_tribe"]}
    position = gaining("napoleon_bonaparte", seats=4, nations=nations).play("complete napoleon_bonaparte")
    assert position.nation(1) == ["aristocracy"]
    assert position.nation(2) == ["religious_tribe", *STRONG]
    assert position.nation(3) == []


@plays("manhattan_project")
def test_manhattan_project_discards_a_wonder_of_every_weaker_opponent() -> None:
    nations = {1: ["the_pyramids", "eiffel_tower"], 2: ["angkor_wat"]}
    position = gaining("manhattan_project", nations=nations).play("complete manhattan_project")
    assert (position.prompt, position.offered()) == (
        "attack_what",
        ["destroy 1 the_pyramids", "destroy 1 eiffel_tower"],
    )
    position.play("destroy 1 eiffel_tower")
    assert (position.nation(1), position.nation(2)) == (["the_pyramids"], [])


@plays("warplane")
def test_warplane_picks_for_each_weaker_opponent() -> None:
    nations = {1: ["temple", "astronomy"], 2: ["seaport", "steam_power"]}
    position = gaining("warplane", nations=nations).play("complete warplane")
    position.play("destroy 1 temple", "destroy 2 steam_power")
    assert (position.nation(1), position.nation(2)) == (["astronomy"], ["seaport"])


@plays("fighter_jet")
def test_the_english_fighter_jet_discards_both() -> None:
    nations = {1: ["temple", "monastery", "astronomy"], 2: ["seaport"]}
    position = gaining("fighter_jet", nations=nations).play("complete fighter_jet")
    assert (position.nation(1), position.nation(2)) == (["temple"], [])
    assert position.asked == 1


@plays("fighter_jet", edition="ko")
def test_the_korean_fighter_jet_discards_one_of_the_two() -> None:
    nations = {1: ["temple", "monastery", "astronomy"], 2: ["seaport"]}
    position = gaining("fighter_jet", nations=nations, options=KOREAN).play("complete fighter_jet")
    position.play("destroy 1 astronomy")
    assert (position.nation(1), position.nation(2)) == (["temple", "monastery"], [])


def test_attack_all_spares_who_is_equal_or_stronger() -> None:
    nations = {0: ["religious_tribe"], 1: ["factory"], 2: ["castle", "archers", "crossbowmen"], 3: ["temple"]}
    position = gaining("warplane", seats=4, nations=nations).play("complete warplane")
    # The attacker has 3; seat 1 has the 3 Attack of Factory, seat 2 much more, seat 3 nothing.
    assert (position.nation(1), position.nation(2)) == (["factory"], ["castle", "archers", "crossbowmen"])
    assert position.nation(3) == []


@plays("genghis_khan")
@pytest.mark.parametrize(("card", "victims"), [("warriors", 1), ("warplane", 2), ("warplane", 0)])
def test_genghis_khan_takes_two_supply_tokens_per_attack_card(card: str, victims: int) -> None:
    """R38: once for Attack All, also with no weaker opponent."""
    others = {1: ["temple"], 2: ["seaport"]}
    nations = {0: ["genghis_khan"]} | {seat: others[seat] for seat in range(1, 1 + victims)}
    position = gaining(card, nations=nations, supply=5).play(f"complete {card}")
    assert (position.tokens(0), position.supply) == (2, 4)


def test_genghis_khan_takes_what_the_supply_has() -> None:
    position = gaining("warriors", nations={0: ["genghis_khan"]}).play("complete warriors")
    assert (position.tokens(0), position.supply) == (1, 0)


def test_the_reward_comes_after_the_attack() -> None:
    position = gaining("warriors", nations={0: ["genghis_khan"]}, tokens={1: 1, 2: 1}, supply=5)
    position.play("complete warriors")
    assert position.tokens(0) == 0
    position.play("steal 1")
    assert position.tokens(0) == 3


def test_napoleon_over_genghis_khan_earns_nothing() -> None:
    """R27: the old Leader leaves first."""
    nations = {0: ["genghis_khan"], 1: ["aristocracy"]}
    position = gaining("napoleon_bonaparte", nations=nations, supply=5).play("complete napoleon_bonaparte")
    assert (position.tokens(0), position.nation(0), position.nation(1)) == (0, ["napoleon_bonaparte"], [])


@plays("mahatma_gandhi")
def test_no_attack_affects_gandhi_and_his_do_not_activate() -> None:
    """R37."""
    nations = {1: ["mahatma_gandhi", "temple"], 2: ["seaport"]}
    assert gaining("warplane", nations=nations).play("complete warplane").nation(1) == [
        "temple",
        "mahatma_gandhi",
    ]
    assert gaining("warriors", nations=nations, tokens={1: 5}).play("complete warriors").tokens(1) == 5
    position = gaining("manhattan_project", nations={0: ["mahatma_gandhi"], 1: ["eiffel_tower"]})
    position.play("complete manhattan_project")
    assert position.nation(0) == ["mahatma_gandhi", "manhattan_project"]
    assert position.nation(1) == ["eiffel_tower"]


def test_a_suppressed_attack_never_fires_later() -> None:
    position = Position(
        nations={0: ["mahatma_gandhi", "warplane", "confucius"], 1: ["temple"]}, market=["albert_einstein"]
    )
    position.play("activate confucius")
    assert (position.stack(0, "leader"), position.nation(1)) == (["albert_einstein"], ["temple"])


def test_napoleon_over_gandhi_attacks() -> None:
    """R27."""
    position = gaining("napoleon_bonaparte", nations={0: ["mahatma_gandhi"], 1: ["aristocracy"]})
    assert position.play("complete napoleon_bonaparte").nation(1) == []


def test_a_tie_is_safe() -> None:
    """R32: Attack and Defense of the opponent against the attacker's Attack alone."""
    position = gaining("warriors", nations={1: ["religious_tribe"], 2: ["barracks"]}, tokens={1: 4, 2: 4})
    # 1 Attack against 1 Defense, and against 1 Attack + 1 Defense.
    assert position.play("complete warriors").tokens(0) == 0


def test_an_attack_shown_again_does_not_fire() -> None:
    """R31: Lennon discards the card above the Tank."""
    nations = {0: ["tank", "archers", "john_lennon"], 1: ["the_pyramids"]}
    position = Position(nations=nations, market=["seaport", "democracy"]).play(
        "activate john_lennon", "gain democracy"
    )
    assert position.stack(0, "military") == ["tank"]
    assert position.nation(1) == ["the_pyramids"]
