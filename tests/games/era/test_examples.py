"""The worked examples of the rulebook, with its numbers."""

from __future__ import annotations

from tests.games.era.position import Position, Step

from ziggurat_rules.games.era.symbols import MILITARY, NORMAL, RUIN, THREAT

EGYPT = ("egypt", "medieval")
MEDIEVAL = ("medieval", "egypt")
FRONTIER = ("frontier", "egypt")
GREAT_WAR = ("great_war", "egypt")


# Point earning


def test_temple_and_pyramid_earn_three() -> None:
    assert Position(*EGYPT).play(0, "egypt.temple").play(0, "egypt.pyramid").turn().counter("progress") == 3


def test_a_flourished_hamlet_earns_one_and_the_church_nothing() -> None:
    position = Position(*MEDIEVAL).play(0, "medieval.hamlet", copies=4).play(0, "medieval.church_of_rome")
    assert position.turn().counter("progress") == 1


def test_progress_is_not_earned_when_a_card_is_played() -> None:
    play = Position(*EGYPT).hand(0, "egypt.temple").build(0, 3).at(Step.ACT).take("play", card="egypt.temple")
    assert play.counter("progress") == 0


# Resource gathering


def test_one_harvest_pair_and_two_money_pairs() -> None:
    position = Position(*EGYPT).play(0, "egypt.kingdom_produce").play(0, "egypt.nile_farm")
    for _ in range(2):
        position.play(0, "egypt.nile_trade_goods").play(0, "egypt.scribe")
    play = position.turn()
    assert play.stack(0, 1)["tokens"] == 1
    assert play.counter("money") == 2


def test_symbols_without_a_partner_give_nothing() -> None:
    position = Position(*EGYPT).play(0, "egypt.kingdom_produce").play(0, "egypt.kingdom_produce")
    play = position.play(0, "egypt.storehouse").play(0, "egypt.temple").turn()
    assert play.stack(0, 2)["tokens"] == 1
    assert play.counter("money") == 0


def test_two_money_pairs_give_two_money() -> None:
    position = Position(*EGYPT).play(0, "egypt.nile_trade_goods").play(0, "egypt.nile_trade_goods")
    assert position.play(0, "egypt.temple").play(0, "egypt.scribe").turn().counter("money") == 2


# Dealing and committing


def test_three_to_build_two_to_conflict_three_in_hand() -> None:
    play = Position(*EGYPT).turn()
    assert (play.asked, play.decision.high) == ("to_build", 8)
    play.number(3)
    assert (play.asked, play.decision.high) == ("to_conflict", 5)
    play.number(2)
    assert [play.size(zone) for zone in ("build_down", "conflict", "hand")] == [3, 2, 3]


def test_none_to_build_one_to_conflict_seven_in_hand() -> None:
    play = Position(*EGYPT).turn().number(0).number(1)
    assert [play.size(zone) for zone in ("build_down", "conflict", "hand")] == [0, 1, 7]


def test_a_seat_without_a_hand_skips_card_play() -> None:
    play = Position(*EGYPT).turn().number(6).number(2)
    assert play.seat == 1
    assert play.asked == "to_build"


# Playing


def test_crusade_knight_takes_three_of_six_build_cards() -> None:
    position = (
        Position(*MEDIEVAL).play(0, "medieval.church_of_rome").hand(0, "medieval.crusade_knight").build(0, 6)
    )
    play = position.at(Step.ACT).take("play", card="medieval.crusade_knight", cost=3)
    assert (play.size("build_down"), play.size("discard")) == (3, 3)
    assert play.zone("play") == ["medieval.church_of_rome", "medieval.crusade_knight"]


def test_pharaoh_for_two_cards_and_two_money() -> None:
    position = Position(*EGYPT).hand(0, "egypt.pharaoh").build(0, 2).counter("money", 2)
    play = position.at(Step.ACT).take("play", card="egypt.pharaoh", cost=4)
    while play.asked == "paying":
        play.take("pay_money")
    assert (play.counter("money"), play.size("build_down"), play.zone("play")) == (0, 0, ["egypt.pharaoh"])


def test_the_rest_of_the_hand_is_discarded() -> None:
    play = Position(*EGYPT).hand(0, "egypt.pyramid", "egypt.temple").at(Step.ACT).take("end_play")
    assert (play.size("hand"), play.zone("discard")) == (0, ["egypt.pyramid", "egypt.temple"])


# Flourishing


def test_hamlet_flourished_for_two_defends_five() -> None:
    position = Position(*MEDIEVAL).play(0, "medieval.hamlet").hand(0, "medieval.hamlet").build(0, 2)
    play = position.at(Step.ACT).take("flourish", card="medieval.hamlet", position=0, cost=2)
    assert play.size("build_down") == 0
    assert play.stack(0, 0)["copies"] == 2
    assert play.front(0).defense(NORMAL, 0, RUIN) == 5


def test_one_storehouse_has_a_harvest_symbol_and_no_progress() -> None:
    assert Position(*EGYPT).play(0, "egypt.storehouse").at(Step.ACT).row(0, NORMAL, 0) == {"harvest": 1}


def test_three_storehouses_in_a_stack_have_one_harvest_and_two_progress() -> None:
    play = Position(*EGYPT).play(0, "egypt.storehouse", copies=3).turn()
    assert play.row(0, NORMAL, 0) == {"harvest": 1, "progress": 2}
    assert play.counter("progress") == 2


def test_three_single_storehouses_have_three_harvest_and_no_progress() -> None:
    position = Position(*EGYPT)
    for _ in range(3):
        position.play(0, "egypt.storehouse")
    play = position.turn()
    assert play.front(0).totals[NORMAL][1] == 3
    assert play.counter("progress") == 0


# Harvest


def test_a_settler_with_two_tokens_deals_four_more_and_is_greyed() -> None:
    position = Position(*FRONTIER).play(0, "frontier.settler", tokens=2)
    play = position.turn().take("spend_harvest", card="frontier.settler", tokens=2)
    assert play.decision.high == 12
    assert play.stack(0, 0)["tokens"] == -1
    assert play.row(0, NORMAL, 0) == {}


def test_a_greyed_card_earns_no_tokens() -> None:
    position = Position(*FRONTIER).play(0, "frontier.settler", tokens=-1).play(0, "frontier.homestead_crops")
    assert position.turn().stack(0, 0)["tokens"] == -1


# Special builds


def two_special_builds() -> Position:
    position = Position(*FRONTIER).build(0, 3)
    for _ in range(2):
        position.play(0, "frontier.carpenter").play(0, "frontier.lumber_camp")
    return position.top(0, "frontier.sheriff", "frontier.settler")


def test_five_build_cards_are_worth_seven() -> None:
    play = two_special_builds().turn()
    play.take("special_build").take("special_build")
    assert play.zone("build_up") == ["frontier.sheriff", "frontier.settler"]
    assert play.t.purse(0) == 7
    assert play.asked == "to_build"
    assert play.decision.high == 8  # they don't count to the deal


def test_six_stars_pay_for_a_five_and_a_one() -> None:
    """Two face-up cards of 4 and 2 stars pay together for a card of 5 and a card of 1."""
    position = Position(*FRONTIER).build_up(0, "frontier.railroad", "frontier.homestead")
    play = position.hand(0, "frontier.railroad", "frontier.settler").at(Step.ACT)
    play.take("play", card="frontier.railroad", cost=5)
    assert play.counter("credit") == 1
    play.take("play", card="frontier.settler", cost=1)
    assert play.counter("credit") == 0
    assert play.zone("play") == ["frontier.railroad", "frontier.settler"]


def test_there_is_no_change() -> None:
    position = (
        Position(*FRONTIER).build_up(0, "frontier.railroad").hand(0, "frontier.settler", "frontier.cavalry")
    )
    play = position.at(Step.ACT).take("play", card="frontier.settler")
    assert (play.size("build_up"), play.counter("credit")) == (0, 3)
    assert not play.offers("play", card="frontier.saloon")
    assert play.take("end_play").counter("credit") == 0


# Conflict


def test_six_stars_beat_a_defense_of_five() -> None:
    position = (
        Position("cold_war", "egypt").threat(0, "cold_war.u2_spy_plane").play(0, "cold_war.interceptor_wing")
    )
    play = position.conflict(0, "cold_war.lunar_landing").at(Step.CONFLICT)
    play.take("attack", card="cold_war.u2_spy_plane", defense=5).take("add_attacker").take("done")
    assert play.zone("threats") == []
    assert play.zone("destroyed") == ["cold_war.u2_spy_plane"]
    assert play.zone("discard") == ["cold_war.lunar_landing"]


def test_three_attackers_discard_two_more() -> None:
    position = Position(*GREAT_WAR).threat(0, "great_war.red_baron")
    for _ in range(3):
        position.play(0, "great_war.infantry")
    pile = (
        "great_war.infantry",
        "great_war.tank_column",
        "great_war.war_office",
        "great_war.tank_column",
        "great_war.ration_depot",
    )
    play = position.conflict(0, *pile).at(Step.CONFLICT).take("attack", card="great_war.red_baron", defense=5)
    for place in range(3):
        play.take("add_attacker", position=place, symbols=1)
    assert play.decision.prompt[-1] == 5
    play.take("done")
    # 2 + 2 + 1 stars: the first, third and fifth card count.
    assert play.zone("destroyed") == ["great_war.red_baron"]
    assert play.size("discard") == 5


def test_three_money_make_four_stars_against_the_arab_empire() -> None:
    position = Position(*MEDIEVAL).play(0, "medieval.crusade_knight").threat(0, "medieval.arab_empire")
    play = position.conflict(0, "medieval.village_goods").counter("money", 3).at(Step.CONFLICT)
    play.take("attack", card="medieval.arab_empire", defense=4).take("add_attacker").take("done")
    assert (play.asked, play.decision.high) == ("add_money", 3)
    play.number(3)
    assert play.zone("destroyed") == ["medieval.arab_empire"]
    assert play.counter("money") == 0


def test_without_money_the_arab_empire_holds() -> None:
    position = Position(*MEDIEVAL).play(0, "medieval.crusade_knight").threat(0, "medieval.arab_empire")
    play = position.conflict(0, "medieval.village_goods").counter("money", 3).at(Step.CONFLICT)
    play.take("attack").take("add_attacker").take("done").number(0)
    assert play.zone("threats") == ["medieval.arab_empire"]
    assert (play.counter("money"), play.zone("discard")) == (3, ["medieval.village_goods"])


def test_who_may_attack_whom() -> None:
    """Normal cards attack the conflict cards of their Era, conflict cards the normal cards of theirs."""
    position = Position(*EGYPT).play(0, "egypt.charioteer").threat(0, "egypt.persian_army")
    position.play(1, "medieval.longbowmen").threat(1, "medieval.arab_empire").conflict(
        0, "egypt.scribe", "egypt.scribe"
    )
    play = position.at(Step.CONFLICT)
    assert {(one["era"], one["card"]) for one in play.options("attack")} == {
        (0, "egypt.persian_army"),
        (1, "medieval.longbowmen"),
    }
    play.take("attack", era=1)
    assert {one["card"] for one in play.options("add_attacker")} == {"medieval.arab_empire"}


# Keys


def test_crusade_knight_needs_a_key() -> None:
    position = Position(*MEDIEVAL).hand(0, "medieval.crusade_knight").build(0, 3)
    assert not position.at(Step.ACT).offers("play", card="medieval.crusade_knight")
    position = Position(*MEDIEVAL).hand(0, "medieval.crusade_knight").build(0, 3)
    assert (
        position.play(0, "medieval.church_of_rome")
        .at(Step.ACT)
        .offers("play", card="medieval.crusade_knight")
    )


def test_heavy_artillery_has_one_symbol_or_three() -> None:
    position = Position(*GREAT_WAR).play(0, "great_war.heavy_artillery")
    assert position.t.front(0).active[NORMAL][0][MILITARY] == 1
    position.play(0, "great_war.general_staff")
    assert position.t.front(0).active[NORMAL][0][MILITARY] == 3


def test_port_lets_the_opponent_play_the_plague() -> None:
    position = Position("egypt", "medieval").hand(0, "medieval.bubonic_plague").build(0, 1)
    assert not position.at(Step.ACT).offers("play", card="medieval.bubonic_plague")
    position = (
        Position("egypt", "medieval").hand(0, "medieval.bubonic_plague").build(0, 1).play(1, "medieval.port")
    )
    play = position.at(Step.ACT).take("play", card="medieval.bubonic_plague")
    assert play.zone("threats", 1) == ["medieval.bubonic_plague"]


# Arrows


def test_a_given_ruin_symbol_joins_an_attack_once_a_turn() -> None:
    position = Position(*FRONTIER).play(0, "frontier.saloon").play(0, "frontier.town_hall")
    position.threat(0, "frontier.prairie_fire")
    pile = ("egypt.scribe",) * 3
    play = (
        position.conflict(1, *pile).at(Step.CONFLICT, 1).take("attack", card="frontier.town_hall", defense=5)
    )
    assert not play.offers("add_gift")
    play.take("add_attacker", symbols=2).take("add_gift", symbols=1)
    assert not play.offers("add_gift")
    play.take("done")
    assert play.zone("destroyed") == ["frontier.town_hall"]  # three flips of 2 stars, no separator
    assert play.size("discard", 1) == 3


def test_the_owner_of_saloon_does_not_use_its_ruin_symbol() -> None:
    position = Position(*FRONTIER).play(0, "frontier.saloon").threat(0, "frontier.harsh_winter")
    play = position.conflict(0, "frontier.settler").at(Step.CONFLICT)
    assert play.seat == 1


# Vision


def test_architect_stores_slaves_and_pyramid() -> None:
    position = Position(*EGYPT).hand(0, "egypt.architect", "egypt.slaves", "egypt.pyramid").build(0, 2)
    play = position.at(Step.ACT).take("play", card="egypt.architect")
    play.take("vision_store", card="egypt.slaves", position=0).take(
        "vision_store", card="egypt.pyramid", position=0
    )
    assert play.zone("stored") == ["egypt.slaves", "egypt.pyramid"]
    # Only on a later turn may they be drawn back; nothing is left to do, and the opponent is next.
    play.take("end_play")
    assert play.seat == 1


def test_pyramid_is_drawn_back_and_charioteer_takes_its_slot() -> None:
    position = (
        Position(*EGYPT).play(0, "egypt.architect").store(0, 0, "egypt.slaves").store(0, 0, "egypt.pyramid")
    )
    play = position.hand(0, "egypt.charioteer").at(Step.ACT)
    assert not play.offers("vision_store")
    play.take("vision_draw", card="egypt.pyramid", position=0).take(
        "vision_store", card="egypt.charioteer", position=0
    )
    assert play.zone("stored") == ["egypt.slaves", "egypt.charioteer"]
    assert play.zone("hand") == ["egypt.pyramid"]


# Blocks


def test_spoilage_is_applied_to_the_first_storehouse() -> None:
    position = Position(*EGYPT).play(0, "egypt.storehouse").play(0, "egypt.storehouse", copies=2)
    play = position.hand(1, "egypt.spoilage").build(1, 1).at(Step.ACT, 1).take("play", card="egypt.spoilage")
    assert (play.seat, play.asked) == (0, "which_blocked")
    play.pick({"position": 0})
    assert play.row(0, NORMAL, 0) == {}
    assert play.row(0, NORMAL, 1) == {"harvest": 1, "progress": 1}


def test_the_blocked_storehouse_collects_nothing() -> None:
    position = Position(*EGYPT).play(0, "egypt.storehouse").play(0, "egypt.storehouse", copies=2)
    position.play(0, "egypt.kingdom_produce").play(0, "egypt.kingdom_produce").threat(0, "egypt.spoilage")
    play = position.turn().pick({"position": 0})
    assert [play.stack(0, place)["tokens"] for place in (0, 1)] == [0, 1]


# Exhaustion


def test_ten_flips_with_conflict_cards_exhaust_and_the_next_turn_commits_six() -> None:
    position = Position(*MEDIEVAL).play(0, "medieval.cathedral")
    for name in ("medieval.bubonic_plague", "medieval.bubonic_plague", "medieval.peasant_revolt"):
        position.threat(0, name)
    position.conflict(1, *["egypt.slaves"] * 5, *["egypt.nile_farm"] * 4, "egypt.quarry_stone")
    play = position.at(Step.CONFLICT, 1).take("attack", card="medieval.cathedral", kind="ruin")
    play.take("add_attacker", position=0, symbols=3).take("add_attacker", position=1, symbols=3)
    play.take("add_attacker", position=2, symbols=1).take("done")
    assert play.size("discard", 1) == 9
    assert play.counter("exhaustion", 1) == 1
    while play.seat != 1:
        play.apply(play.decision.default)
    assert (play.asked, play.decision.high) == ("to_build", 6)


def test_tactics_with_eight_exhaust_until_a_card_with_locked_progress_is_played() -> None:
    position = Position(*EGYPT)
    play = position.turn().number(0).number(0)
    assert play.size("hand") == 8
    play.apply(next(i for i, one in enumerate(play.options()) if one["verb"] == "tactics"))
    assert play.counter("exhaustion") == 1
    assert (play.size("conflict"), play.size("discard"), play.size("hand")) == (1, 7, 0)
    position = Position(*EGYPT).counter("exhaustion", 1).hand(0, "egypt.obelisk").build(0, 3)
    later = position.at(Step.ACT).take("play", card="egypt.obelisk")
    assert later.counter("exhaustion") == 0
    assert later.row(0, NORMAL, 0) == {}


def test_threat_rows_are_for_conflict_cards_only() -> None:
    position = Position(*EGYPT).threat(0, "egypt.persian_army")
    assert position.t.front(0).active[THREAT][0][MILITARY] == 2
