"""The five actions and the Cleanup."""

from __future__ import annotations

import pytest
from tests.games.flow.position import Position, gaining

from ziggurat_rules.errors import IllegalChoice
from ziggurat_rules.games.flow.game import FlowOptions

# Invest


@pytest.mark.parametrize("amount", [1, 3, 5])
def test_invest_any_number_of_tokens(amount: int) -> None:
    """R13."""
    position = Position(market=["temple"], tokens={0: 5})
    position.play("invest temple")
    decision = position.match.decision(0)
    assert (decision.low, decision.high) == (1, 5)
    position.play(amount)
    assert (position.tokens(0), position.invested(0), position.invested_in(0)) == (
        5 - amount,
        amount,
        "temple",
    )
    assert position.market == ["temple"]


def test_no_second_investment_and_none_without_tokens() -> None:
    position = Position(market=["barracks"], invested={0: ("temple", 1)}, tokens={0: 5})
    assert position.offered() == ["complete temple 0", "harvest 0"]
    assert Position(market=["barracks"]).offered() == ["harvest 0"]


def test_no_investment_in_an_invested_card() -> None:
    position = Position(market=["barracks"], invested={1: ("temple", 6)}, tokens={0: 5})
    assert position.offered() == ["invest barracks", "harvest 0"]


def test_what_is_not_offered_is_refused_and_changes_nothing() -> None:
    position = Position(market=["temple"], tokens={0: 5})
    with pytest.raises(IllegalChoice):
        position.match.apply(0, 2)
    position.play("invest temple")
    with pytest.raises(IllegalChoice):
        position.match.apply(0, 6)
    assert (position.tokens(0), position.invested(0)) == (5, 0)


# Complete


def test_the_investor_bonus_is_counted_without_the_new_card() -> None:
    """R18: old effects and the old Leader still count; the bonus comes from the Supply with the bid in it."""
    # Industry: 1 of Lighthouse's effect, which Seaport then covers.
    position = gaining("seaport", nations={0: ["lighthouse"]}, supply=0).play("complete seaport 1")
    assert (position.tokens(0), position.supply) == (1, 0)


def test_the_bonus_is_no_more_than_the_supply() -> None:
    """R10."""
    position = gaining("seaport", nations={0: ["constitutional_monarchy"]}, supply=1)
    position.play("complete seaport 2")
    assert (position.tokens(0), position.supply, position.reserve) == (2, 0, 40)


def test_a_new_leader_discards_the_old_one() -> None:
    position = gaining("aristotle", nations={0: ["ramesses_ii"]}).play("complete aristotle")
    assert position.nation(0) == ["aristotle"]


def test_the_old_leader_still_counts_for_the_bonus() -> None:
    # Ramesses II has no Culture, Aristotle 1: the bonus of a Leader is Culture.
    position = gaining("john_lennon", nations={0: ["aristotle"]}, supply=5).play("complete john_lennon 1")
    assert position.tokens(0) == 1


def test_no_bonus_in_a_chain() -> None:
    """R21."""
    position = Position(
        nations={0: ["philosophy", "confucius", "republic"]}, market=["aristotle"], supply=9
    ).play("activate confucius")
    assert (position.tokens(0), position.supply) == (0, 9)


def test_confucius_is_lost_to_the_leader_he_brings() -> None:
    position = Position(nations={0: ["confucius"]}, market=["ramesses_ii"]).play("activate confucius")
    assert position.nation(0) == ["ramesses_ii"]


# Snipe


def test_equal_tokens_are_enough_to_snipe() -> None:
    """R9."""
    position = Position(invested={1: ("temple", 3)}, tokens={0: 3})
    position.play("snipe temple 1 3")
    assert (position.tokens(0), position.nation(0)) == (0, ["temple"])
    # 3 paid; nothing for Trade; half of the Supply of 3.
    assert (position.tokens(1), position.supply) == (3 + 1, 2)


def test_a_sniper_keeps_an_own_investment() -> None:
    """R19."""
    position = Position(invested={0: ("barracks", 2), 1: ("temple", 3)}, tokens={0: 3}).play("snipe temple")
    assert (position.invested_in(0), position.invested(0)) == ("barracks", 2)


def test_no_bonus_for_a_sniped_card() -> None:
    position = Position(
        nations={0: ["craftisan_tribe"]}, invested={1: ("temple", 2)}, tokens={0: 2}, supply=8
    )
    assert position.play("snipe temple").tokens(0) == 0


def test_a_sniped_card_takes_effect() -> None:
    position = Position(invested={1: ("warriors", 1)}, tokens={0: 1, 1: 3}).play("snipe warriors")
    # Seat 1: 3 + 1 paid + 0 of the Supply of 1, then 2 stolen.
    assert (position.tokens(0), position.tokens(1)) == (2, 2)


# Harvest


def test_the_harvest_minimum_is_zero_in_age_a() -> None:
    """R40."""
    position = Position(market=["barracks"], supply=1).play("harvest 0")
    assert (position.tokens(0), position.supply) == (0, 1)


def test_invested_tokens_do_not_count_for_the_harvest_minimum() -> None:
    """R14."""
    position = Position(invested={0: ("computers", 3)}, tokens={0: 1}, supply=0).play("harvest 3")
    assert (position.tokens(0), position.reserve) == (4, 37)


def test_a_player_stays_short_when_the_reserve_is_out() -> None:
    """R11."""
    position = Position(nations={0: ["agrarian_tribe", "satellites"]}, supply=0, reserve=3)
    # 2 of the Reserve to the Supply, half of it taken, the other from the Supply, the last of the Reserve.
    position.play("harvest 3")
    assert (position.tokens(0), position.supply, position.reserve) == (3, 0, 0)


# Cleanup


def test_the_market_is_refilled_only_in_cleanup() -> None:
    """R22: a chain sees the gap that the completed card left."""
    position = gaining("aristotle", deck=["iron_works", "philosophy"], market=["temple"]).play(
        "complete aristotle"
    )
    assert position.nation(0) == ["aristotle"]
    assert sorted(position.market) == ["iron_works", "philosophy", "temple"]


def test_cleanup_repeats_until_nothing_is_too_old() -> None:
    """R43: the first refill brings age III, so age I goes, what comes then is of age I too."""
    position = Position(
        market=["republic", "temple", "archers", "swordsmen"], deck=["seaport", "philosophy", "computers"]
    )
    position.play("harvest")
    assert position.age == 4
    # Five spaces: Seaport came first, then Philosophy and Computers; then Philosophy went as well.
    assert sorted(position.market) == ["computers", "seaport"]
    assert position.deck == []


def test_invested_cards_stay_whatever_their_age() -> None:
    position = Position(invested={1: ("barracks", 1)}, market=["satellites"]).play("harvest")
    assert sorted(position.market) == ["barracks", "satellites"]


@pytest.mark.parametrize(("never_falls", "age"), [(False, 3), (True, 4)])
def test_the_current_age_falls_with_the_card_that_set_it(never_falls: bool, age: int) -> None:
    """R41: Napoleon takes the only card of age IV."""
    position = gaining(
        "napoleon_bonaparte", nations={1: ["democracy"]}, options=FlowOptions(age_never_falls=never_falls)
    )
    assert position.age == 4
    assert position.play("complete napoleon_bonaparte").age == age


def test_covered_cards_hold_the_current_age() -> None:
    position = Position(nations={0: ["astronomy", "philosophy"]})
    assert position.age == 2


def test_turns_go_clockwise() -> None:
    position = Position(seats=3, turn=2)
    assert position.asked == 2
    assert position.play("harvest").asked == 0


# The Future


def test_the_future_in_the_market_ends_the_game_after_the_turn() -> None:
    """R7, R44: no equal turns, gaps stay."""
    position = Position(market=["computers"], deck=["the_internet", "the_future"]).play("harvest")
    assert position.match.over
    assert sorted(position.market) == ["computers", "the_future", "the_internet"]


def test_the_future_gained_from_the_deck_ends_the_game_too() -> None:
    """R29: it lies in the Nation, without type and icons; Columbus is gone."""
    position = Position(nations={0: ["christopher_columbus"]}, deck=["the_future"])
    position.play("activate christopher_columbus")
    assert position.match.over
    assert (position.nation(0), position.icons(0)) == (["the_future"], {})


@pytest.mark.parametrize(("counts", "places"), [(True, [1, 2, 2]), (False, [1, 1, 1])])
def test_the_future_counts_as_a_card_in_a_tie(counts: bool, places: list[int]) -> None:
    position = Position(
        nations={0: ["christopher_columbus"]},
        deck=["the_future"],
        options=FlowOptions(future_counts_as_card=counts),
    )
    position.play("activate christopher_columbus")
    assert [score.place for score in position.scores] == places


# Ties


def test_more_cards_then_more_tokens_then_a_shared_place() -> None:
    """R49: covered cards, Leaders and Wonders count; invested tokens do not."""
    nations = {
        0: ["craftisan_tribe", "ramesses_ii"],  # 3 Industry, 1 point, 2 cards
        1: ["seafaring_traders"],  # 2 Trade, 1 point, 1 card
        2: ["agrarian_tribe"],
        3: ["military_caste"],
    }
    position = Position(
        seats=4, nations=nations, tokens={1: 2, 2: 3, 3: 2}, market=["factory"], deck=["the_future"], turn=3
    )
    for seat, score in enumerate(position.scores):
        assert (score.points, score.place) == (1, [1, 3, 2, 3][seat])
