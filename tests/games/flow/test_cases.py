"""Cases from public reports and rules questions: FOH-01 and FOH-03."""

from __future__ import annotations

from tests.games.flow.position import Position

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.games.flow import GAME as FLOW


def test_foh_01_a_payments_of_a_snipe() -> None:
    position = Position(
        nations={0: ["lighthouse"], 1: ["working_animal"]},
        turn=1,
        invested={0: ("irrigation", 4)},
        tokens={0: 3, 1: 6},
        supply=2,
        reserve=10,
    )
    position.play("snipe irrigation 0 4")
    assert (position.tokens(0), position.supply) == (10, 3)
    assert (position.tokens(1), position.reserve) == (4, 8)
    assert position.invested_in(0) is None


def test_foh_01_b_more_trade_icons_than_supply() -> None:
    position = Position(
        nations={0: ["seafaring_traders", "stock_exchange"], 1: ["working_animal"]},
        turn=1,
        invested={0: ("irrigation", 4)},
        tokens={0: 3, 1: 6},
        supply=0,
    )
    assert position.icons(0)["trade"] == 5
    position.play("snipe irrigation 0 4")
    assert (position.tokens(0), position.supply) == (3 + 4 + 4 + 0, 0)


def test_foh_01_c_too_few_tokens_to_snipe() -> None:
    position = Position(turn=1, invested={0: ("irrigation", 4)}, tokens={0: 3, 1: 3}, supply=2)
    assert position.offered() == ["harvest 1"]


KNIGHTS_AS_IN_THE_CASE = Pack("case.toml", '[[card]]\nid = "knights"\nicons = { attack = 1 }\n')
GAME = FLOW.with_packs([KNIGHTS_AS_IN_THE_CASE])


def test_foh_03_a_b_e_covered_effect_equality_and_gandhi() -> None:
    position = Position(
        game=GAME,
        seats=4,
        nations={
            0: ["military_caste", "swordsmen", "archers"],
            1: ["the_great_wall", "himeji_castle", "temple", "monastery", "philosophy"],
            2: ["crossbowmen"],
            3: ["barracks", "mahatma_gandhi"],
        },
        invested={0: ("knights", 1)},
        supply=2,
    )
    assert position.icons(0)["attack"] == 4
    assert [position.table.defence(seat) for seat in (1, 2, 3)] == [4, 5, 2]
    assert position.icons(0)["defense"] == 1 + 1 + 2
    position.play("complete knights")
    # A: the new card's Attack counts. C is equal and safe, D has Gandhi: only B. B: A picks which card.
    assert position.table.strength(0) == 5
    assert position.offered() == ["destroy 1 philosophy", "destroy 1 monastery"]
    # E: the 2 Defense of Archers' effect are gone at once, the icons of its stripe stay.
    assert position.icons(0)["defense"] == 1 + 1
    position.play("destroy 1 monastery")
    assert position.stack(1, "construction") == ["temple"]
    # Temple shows again: 1 of its stripe, 2 of its effect, 1 of Himeji Castle.
    assert position.icons(1)["culture"] == 1 + 2 + 1


def test_foh_03_c_genghis_khan_without_a_target() -> None:
    position = Position(
        game=GAME,
        seats=4,
        nations={
            0: ["military_caste", "archers", "genghis_khan"],
            1: ["the_great_wall", "himeji_castle", "religious_tribe", "philosophy"],
            2: ["crossbowmen", "temple"],
            3: ["barracks", "mahatma_gandhi"],
        },
        invested={0: ("knights", 1)},
        supply=2,
    )
    position.play("complete knights")
    assert position.table.strength(0) == 5
    assert [position.table.defence(seat) for seat in (1, 2)] == [5, 5]
    # Supply 3 with the bid, then 1.
    assert (position.tokens(0), position.supply) == (2, 1)
    assert (position.stack(1, "knowledge"), position.stack(2, "construction")) == (["philosophy"], ["temple"])
    assert position.stack(3, "construction") == ["barracks"]


def test_foh_03_d_an_attack_effect_shown_again_does_not_trigger() -> None:
    position = Position(
        nations={
            0: ["knights", "archers", "john_lennon"],
            1: ["temple"],
        },
        market=["democracy", "albert_einstein"],
    )
    position.play("activate john_lennon", "gain democracy")
    assert position.stack(0, "military") == ["knights"]
    assert position.nation(1) == ["temple"]
