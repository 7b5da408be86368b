"""The two-player variant: starting cards, the completion bonus, the Banker."""

from __future__ import annotations

import pytest
from tests.games.flow.position import Position, gaining

from ziggurat_rules.games.flow import GAME
from ziggurat_rules.games.flow.game import FlowOptions
from ziggurat_rules.games.flow.table import FlowTable
from ziggurat_rules.match import Match

BANKER = 2


def _ids(t: FlowTable, zones: list[int]) -> list[str]:
    return [GAME.catalogue.cards[t.ident[card]].id for zone in zones for card in t.zones[zone]]


@pytest.mark.parametrize("seed", range(6))
def test_each_keeps_one_of_two_open_starting_cards(seed: int) -> None:
    """R50: the starting player chooses first."""
    match = Match(GAME, seed, 2)
    t = match.table
    first = match.to_act[0]
    dealt = _ids(t, [t.layout.start, t.layout.start + 1])
    assert len(set(dealt)) == 4
    assert not {"agrarian_tribe", "military_caste"} & set(dealt)
    for seat in (first, 1 - first):
        assert match.to_act == (seat,)
        assert len(match.decision(seat).options) == 2
        match.apply(seat, 1)
    assert match.to_act == (first,)
    assert [len(_ids(t, t.layout.nation[seat])) for seat in (0, 1)] == [1, 1]
    assert _ids(t, [t.layout.start, t.layout.start + 1]) == []


def test_the_banker_starts_on_warriors() -> None:
    t = Match(GAME, 1, 2).table
    assert t.layout.owners == ("Banker",)
    assert t.ident[t.invested_card(BANKER) or 0] == GAME.catalogue.index("warriors")
    counters = t.counters
    assert (counters[t.layout.invested + BANKER], counters[t.layout.supply], counters[t.layout.reserve]) == (
        2,
        2,
        60,
    )
    assert [t.tokens(seat) for seat in (0, 1)] == [4, 4]


def two(**more: object) -> Position:
    return Position(seats=2, **more)  # type: ignore[arg-type]


def test_the_completion_bonus_is_an_invest_or_a_snipe_or_nothing() -> None:
    """R51: after all effects, the Market not refilled; the completed card is no longer there."""
    position = two(
        market=["seaport", "computers"],
        invested={0: ("steam_power", 1), 1: ("democracy", 2)},
        tokens={0: 2},
        supply=9,
        deck=["satellites"],
    )
    position.play("complete steam_power")
    assert (position.asked, position.prompt) == (0, "bonus_action")
    assert position.offered() == ["invest seaport", "invest computers", "snipe democracy 1 2", "decline"]
    position.play("invest seaport", 2)
    assert (position.invested_in(0), position.invested(0)) == ("seaport", 2)
    assert position.asked == 0
    assert position.prompt == "banker_places"


def test_a_snipe_as_bonus_gives_no_further_bonus() -> None:
    position = two(invested={0: ("temple", 1), 1: ("barracks", 2)}, tokens={0: 5}, market=["archers"])
    position.play("complete temple", "snipe barracks")
    assert position.nation(0) == ["temple", "barracks"]
    assert position.asked == 1


def test_the_bonus_may_be_declined() -> None:
    position = two(invested={0: ("temple", 1)}, market=["barracks"], tokens={0: 3})
    position.play("complete temple", "decline")
    assert (position.tokens(0), position.invested_in(0), position.invested_in(BANKER)) == (
        3,
        None,
        "barracks",
    )


def test_no_bonus_question_when_nothing_can_be_done() -> None:
    position = two(invested={0: ("temple", 1)}, market=["barracks", "archers"]).play("complete temple")
    assert position.prompt == "banker_places"


def test_no_bonus_with_three_players() -> None:
    position = gaining("temple", market=["barracks"], tokens={0: 3}).play("complete temple")
    assert position.asked == 1


def test_the_bonus_is_allowed_when_the_future_was_just_gained() -> None:
    """R51."""
    position = two(invested={0: ("astronomy", 1)}, market=["barracks"], tokens={0: 3}, deck=["the_future"])
    position.play("complete astronomy")
    assert position.prompt == "bonus_action"
    position.play("decline")
    assert position.match.over


@pytest.mark.parametrize("bid", [0, 2])
def test_sniping_the_banker_pays_the_supply(bid: int) -> None:
    """R53, R42: no Trade income, no half; a bid of 0 costs nothing."""
    position = two(
        nations={1: ["republic"]}, invested={BANKER: ("temple", bid)}, tokens={0: 3, 1: 0}, supply=2
    )
    position.play(f"snipe temple {BANKER} {bid}")
    assert (position.tokens(0), position.tokens(1), position.supply) == (3 - bid, 0, 2 + 2 * bid)
    assert position.nation(0) == ["temple"]


def test_the_banker_stays_away_until_cleanup_then_returns() -> None:
    position = two(
        invested={0: ("temple", 1), BANKER: ("barracks", 1)}, market=["archers", "swordsmen"], tokens={0: 3}
    )
    position.play("complete temple", f"snipe barracks {BANKER}")
    # Supply 1 + 1 + 1; the Banker takes half of it, and the age is 1.
    assert position.offered() == ["bank archers 1", "bank swordsmen 1"]
    position.play("bank archers")
    assert (position.invested_in(BANKER), position.invested(BANKER), position.supply) == ("archers", 1, 2)
    assert position.asked == 1


def test_the_bankers_card_is_discarded_in_cleanup() -> None:
    """R52: its tokens go to the Supply before the Banker takes half of that."""
    position = two(
        market=["barracks"], invested={BANKER: ("temple", 4)}, supply=3, deck=["archers", "swordsmen"], turn=1
    )
    position.play("harvest")
    # Harvest took 1 of 3 (half; age 1): Supply 2 + 4 = 6.
    assert "temple" not in position.market
    assert position.offered() == ["bank barracks 3", "bank archers 3", "bank swordsmen 3"]
    assert position.asked == 1
    position.play("bank archers")
    assert (position.invested(BANKER), position.supply, position.asked) == (3, 3, 0)


def test_the_banker_is_raised_to_the_current_age_from_the_reserve() -> None:
    position = two(market=["democracy"], nations={0: ["factory"]}, tokens={0: 9}, supply=3)
    position.play("harvest 1")
    # Supply 2: 1 from it, 3 from the Reserve.
    assert (position.invested(BANKER), position.supply, position.reserve) == (4, 1, 37)


def test_seven_tokens_in_the_supply_make_three() -> None:
    """The example of the variant."""
    position = two(market=["temple"], invested={0: ("archers", 1)}, tokens={0: 3}, supply=6)
    position.play("complete archers", "decline")
    assert (position.invested(BANKER), position.supply) == (3, 4)


def test_the_banker_takes_what_the_reserve_has() -> None:
    position = two(market=["democracy"], nations={0: ["factory"]}, tokens={0: 9}, supply=0, reserve=1)
    position.play("harvest 0")
    assert (position.invested(BANKER), position.reserve) == (1, 0)


def test_no_banker_without_a_free_card() -> None:
    position = two(invested={0: ("temple", 1)}).play("harvest")
    assert (position.invested_in(BANKER), position.asked) == (None, 1)


def test_no_banker_when_the_game_ends() -> None:
    position = two(market=["democracy"], deck=["the_future"]).play("harvest")
    assert position.match.over
    assert position.invested_in(BANKER) is None


def test_the_bankers_card_is_not_free_to_gain() -> None:
    """R23."""
    position = two(nations={0: ["confucius"]}, invested={BANKER: ("aristotle", 1)}, market=["temple"])
    assert "activate confucius" not in position.offered()


def test_communism_leaves_the_banker_out() -> None:
    """R16."""
    position = two(
        invested={0: ("communism", 2), BANKER: ("democracy", 3)},
        tokens={0: 1, 1: 3},
        market=["tank"],
        supply=1,
    )
    position.play("complete communism", "decline")
    assert (position.tokens(0), position.tokens(1)) == (3, 3)


@pytest.mark.parametrize("edition", ["en", "ko"])
def test_both_editions_are_played_by_two(edition: str) -> None:
    assert Match(GAME, 5, 2, FlowOptions(edition=edition)).to_act
