"""Rulings and rules that no worked example covers, for two players."""

from __future__ import annotations

import pytest
from tests.games.era.position import Position, Step

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.errors import BadOption
from ziggurat_rules.game import parse_options
from ziggurat_rules.games.era import GAME
from ziggurat_rules.games.era.game import EraOptions
from ziggurat_rules.games.era.symbols import NORMAL, THREAT
from ziggurat_rules.games.era.table import BY_CAP
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match


def begun(seed: int, seats: int = 2) -> Match:
    match = Match(GAME, seed, seats)
    for seat in range(seats):
        match.apply(seat, 0)
    return match


# Setup


def test_eras_are_chosen_in_turn_and_each_once() -> None:
    match = Match(GAME, 1, 2)
    assert match.to_act == (0,)
    assert len(match.decision(0).options) == 5
    match.apply(0, 2)
    assert match.to_act == (1,)
    assert len(match.decision(1).options) == 4


@pytest.mark.parametrize("seed", range(6))
def test_two_decks_of_sixty_with_the_opponents_conflict_cards(seed: int) -> None:
    t = begun(seed).table
    lay = t.layout
    for seat in (0, 1):
        cards = [c for z in (lay.deck, lay.dealt) for c in t.zones[z + seat]]
        assert len(cards) == 60
        kinds = [(t.face(card).kind, t.face(card).deck) for card in cards]
        assert sum(kind == 2 for kind, _ in kinds) == 10
        assert {deck for kind, deck in kinds if kind == 2} == {1 - seat}
        assert {deck for kind, deck in kinds if kind != 2} == {seat}


@pytest.mark.parametrize("seed", range(6))
def test_who_shows_a_conflict_card_first_goes_first(seed: int) -> None:
    match = Match(GAME, seed, 2)
    match.apply(0, 0)
    match.apply(1, 0)
    told = [event for _, event in match.table.events if GAME.vocabulary.verbs[event[0]].name == "revealed"]
    assert told[-1][1] == match.table.counters[match.table.layout.first] == match.to_act[0]


def test_the_first_player_deals_six_and_all_others_eight() -> None:
    match = begun(3)
    first = match.to_act[0]
    assert match.decision(first).high == 6
    match.apply(first, 6)
    assert match.to_act == (1 - first,)
    assert match.decision(1 - first).high == 8
    match.apply(1 - first, 8)
    assert match.decision(first).high == 8


# Dealing


def test_an_empty_deck_is_made_of_the_discard_pile() -> None:
    position = Position()
    deck = position.lay.deck
    for card in position.t.zones[deck][3:]:
        position.t.move(card, position.lay.discard)
    play = position.turn()
    assert play.decision.high == 8
    assert play.size("discard") == 0


def test_with_no_cards_left_nothing_is_dealt() -> None:
    position = Position()
    position.build(0, 60)
    play = position.turn()
    assert play.seat == 1


def test_dealt_cards_go_by_position_and_stay_unseen() -> None:
    position = Position().top(0, "egypt.temple", "egypt.pyramid", "egypt.pharaoh")
    play = position.turn().number(1).number(1)
    assert play.zone("build_down") == ["egypt.temple"]
    assert play.zone("conflict") == ["egypt.pyramid"]
    assert "egypt.pharaoh" in play.zone("hand")
    known = play.t.known
    assert [known[play.t.zones[zone][0]] for zone in (play.t.layout.build_down, play.t.layout.conflict)] == [
        0,
        0,
    ]


def test_seven_to_build_exhaust_and_special_builds_do_not_count() -> None:
    assert Position().turn().number(6).number(0).counter("exhaustion") == 0
    assert Position().turn().number(7).number(0).counter("exhaustion") == 1


def test_a_token_of_this_turn_does_not_go_this_turn() -> None:
    position = Position().top(0, *["egypt.slaves"] * 5, "egypt.scribe", "egypt.scribe", "egypt.temple")
    play = position.turn().number(7).number(0).take("play", card="egypt.temple")
    assert play.counter("exhaustion") == 1


def test_a_dash_card_shows_progress_for_the_exhaustion_token() -> None:
    position = Position().counter("exhaustion", 1).hand(0, "egypt.storehouse").build(0, 2)
    assert position.at(Step.ACT).take("play", card="egypt.storehouse").counter("exhaustion") == 0


# Card play


def test_tactics_is_the_first_choice_only_and_forbids_attacks() -> None:
    position = Position().hand(0, "egypt.temple", "egypt.nile_farm", "egypt.kingdom_produce")
    position.play(0, "egypt.charioteer").threat(0, "egypt.sea_raiders").conflict(0, "egypt.scribe")
    play = position.at(Step.ACT)
    assert len(play.options("tactics")) == 3
    play.take("tactics", card="egypt.temple")
    assert play.zone("conflict") == ["egypt.scribe", "egypt.temple"]
    assert play.seat == 1
    assert play.t.known[play.t.zones[play.t.layout.conflict][-1]] == 0b001  # seat 0 alone

    position = Position().hand(0, "egypt.temple", "egypt.kingdom_produce")
    play = position.at(Step.ACT).take("play", card="egypt.kingdom_produce")
    assert not play.offers("tactics")


def test_an_exhausted_seat_uses_tactics_from_a_hand_of_six_only() -> None:
    hand = ["egypt.temple"] * 4 + ["egypt.nile_farm"] * 2
    assert (
        Position().counter("exhaustion", 1).hand(0, *hand).at(Step.ACT).offers("tactics", card="egypt.temple")
    )
    position = Position().counter("exhaustion", 1).hand(0, *hand, "egypt.scribe")
    assert not position.at(Step.ACT).offers("tactics")


def test_a_resource_card_costs_nothing_and_keeps_the_credit() -> None:
    position = (
        Position()
        .build_up(0, "egypt.temple")
        .hand(0, "egypt.slaves", "egypt.kingdom_produce", "egypt.scribe", "egypt.pyramid")
    )
    play = position.at(Step.ACT).take("play", card="egypt.slaves").take("play", card="egypt.kingdom_produce")
    assert play.counter("credit") == 2
    play.take("play", card="egypt.scribe")
    assert play.counter("credit") == 1
    assert play.zone("play") == ["egypt.slaves", "egypt.kingdom_produce", "egypt.scribe"]


def test_another_action_loses_the_credit() -> None:
    position = Position().play(0, "egypt.architect").build_up(0, "egypt.temple")
    play = position.hand(0, "egypt.slaves", "egypt.scribe", "egypt.pyramid").at(Step.ACT)
    play.take("play", card="egypt.slaves").take("vision_store", card="egypt.pyramid")
    assert play.counter("credit") == 0
    assert not play.offers("play")


def test_cards_without_stars_cannot_pay() -> None:
    """Conflict cards of 0 stars are in no deck of ours: a user's pack makes one."""
    game = GAME.with_packs([Pack("zero.toml", '[[card]]\nid = "egypt.slaves"\nstars = 0\n')])
    position = Position(game=game).build_up(0, "egypt.slaves").hand(0, "egypt.scribe")
    assert not position.at(Step.ACT).offers("play", card="egypt.scribe")


def test_a_unique_card_may_have_its_second_copy_once_the_rule_is_lifted_and_it_stays() -> None:
    position = Position("cold_war", "egypt").play(0, "cold_war.research_campus")
    position.play(0, "cold_war.space_agency").play(0, "cold_war.space_agency").threat(
        0, "cold_war.u2_spy_plane"
    )
    play = position.conflict(1, "egypt.pharaoh").at(Step.CONFLICT, 1)
    play.take("attack", card="cold_war.research_campus").take("add_attacker", symbols=1).take("done")
    assert play.zone("play") == ["cold_war.space_agency", "cold_war.space_agency"]


# Vision


def test_a_card_stored_this_turn_cannot_be_drawn_this_turn() -> None:
    position = Position().play(0, "egypt.architect").hand(0, "egypt.pyramid", "egypt.temple")
    play = position.at(Step.ACT).take("vision_store", card="egypt.pyramid")
    assert not play.offers("vision_draw")


def test_conflict_cards_cannot_be_stored() -> None:
    position = Position().play(0, "egypt.architect").hand(0, "medieval.heresy", "egypt.kingdom_produce")
    play = position.at(Step.ACT)
    assert [one["card"] for one in play.options("vision_store")] == ["egypt.kingdom_produce"]


def test_a_blocked_slot_discards_its_newest_card() -> None:
    position = Position().play(0, "egypt.architect").store(0, 0, "egypt.slaves").store(0, 0, "egypt.pyramid")
    play = position.hand(1, "egypt.court_intrigue").build(1, 1).at(Step.ACT, 1).take("play")
    assert play.zone("stored") == ["egypt.slaves"]
    assert play.zone("discard") == ["egypt.pyramid"]


def test_the_owner_says_which_slot_is_blocked_before_a_stored_card_goes() -> None:
    position = Position().play(0, "egypt.architect").play(0, "egypt.architect")
    position.store(0, 0, "egypt.slaves").store(0, 0, "egypt.pyramid").store(0, 1, "egypt.temple")
    play = position.hand(1, "egypt.court_intrigue").build(1, 1).at(Step.ACT, 1).take("play")
    assert (play.seat, play.asked, play.size("stored")) == (0, "which_blocked", 3)
    play.pick({"position": 1})
    assert play.zone("stored") == ["egypt.slaves", "egypt.pyramid", "egypt.temple"]
    assert play.size("discard") == 0


def test_a_destroyed_card_takes_its_stored_cards_to_the_discard_pile() -> None:
    position = (
        Position().play(0, "egypt.architect").store(0, 0, "egypt.slaves").threat(0, "egypt.tomb_robbers")
    )
    play = (
        position.conflict(1, "medieval.cathedral")
        .at(Step.CONFLICT, 1)
        .take("attack")
        .take("add_attacker")
        .take("done")
    )
    assert (play.zone("stored"), play.zone("discard")) == ([], ["egypt.slaves"])
    assert play.zone("destroyed") == ["egypt.architect"]


def test_a_drawn_card_is_shown_and_its_later_storing_hides_it_again() -> None:
    position = Position().play(0, "egypt.architect").store(0, 0, "egypt.pyramid").hand(0, "egypt.temple")
    play = position.at(Step.ACT).take("vision_draw", card="egypt.pyramid")
    t = play.t
    everyone = t.layout.everyone
    assert [t.known[card] == everyone for card in t.zones[t.layout.hand]] == [False, True]
    play.take("vision_store", card="egypt.temple")
    assert not any(t.known[card] == everyone for card in t.zones[t.layout.hand] + t.zones[t.layout.stored])


# Blocks


def test_as_a_turn_begins_blocks_may_be_moved_before_progress_is_earned() -> None:
    position = Position("medieval", "egypt").play(0, "medieval.port").play(0, "medieval.stone_keep")
    play = position.threat(0, "medieval.heresy").turn()
    assert (play.asked, play.counter("progress")) == ("which_blocked", 0)
    play.pick({"card": "medieval.stone_keep"})
    assert play.counter("progress") == 2


def test_surplus_blocks_do_nothing() -> None:
    position = Position().play(0, "egypt.nile_farm").threat(0, "egypt.drought")
    play = position.at(Step.ACT)
    assert play.t.front(0).totals[NORMAL][1] == 0
    assert play.t.front(0).active[NORMAL][0][1] == 0


def test_blocks_never_touch_resource_cards() -> None:
    position = (
        Position().play(0, "egypt.kingdom_produce").play(0, "egypt.nile_farm").threat(0, "egypt.spoilage")
    )
    play = position.turn()
    assert play.t.front(0).resources[1] == 1
    assert play.stack(0, 1)["tokens"] == 0


def test_a_destroyed_block_frees_its_symbol() -> None:
    position = Position().play(0, "egypt.priesthood").play(0, "egypt.nile_farm").threat(0, "egypt.spoilage")
    play = position.conflict(0, "egypt.pharaoh").at(Step.CONFLICT)
    assert play.row(0, NORMAL, 1) == {}
    play.take("attack", card="egypt.spoilage").take("add_attacker").take("done")
    assert play.row(0, NORMAL, 1) == {"harvest": 1}


def test_a_blocked_progress_symbol_still_costs_a_token() -> None:
    position = Position("medieval", "egypt").play(0, "medieval.port").threat(0, "medieval.heresy")
    position.threat(0, "medieval.peasant_revolt").conflict(1, "egypt.pharaoh")
    play = position.at(Step.CONFLICT, 1)
    assert play.row(0, NORMAL, 0) == {}
    play.take("attack", card="medieval.port", kind="ruin").take("add_attacker").take("done")
    assert play.counter("destruction") == 1


def test_mutiny_takes_a_military_symbol_of_the_owners_choice() -> None:
    position = Position("great_war", "egypt").play(0, "great_war.infantry").play(0, "great_war.tank_column")
    play = position.hand(1, "great_war.mutiny").build(1, 1).at(Step.ACT, 1).take("play")
    assert len(play.decision.options) == 3
    play.pick({"card": "great_war.tank_column"})
    assert [play.row(0, NORMAL, place) for place in (0, 1)] == [{"military": 1}, {"military": 1}]


# Conflict


def test_a_card_attacks_once_a_turn_even_with_fewer_symbols() -> None:
    position = (
        Position("great_war", "egypt").play(0, "great_war.tank_column").threat(0, "great_war.red_baron")
    )
    play = position.conflict(0, "great_war.infantry", "great_war.infantry").at(Step.CONFLICT)
    play.take("attack").take("add_attacker", symbols=1).take("done")
    assert play.zone("threats") == ["great_war.red_baron"]
    assert play.seat == 1


def test_one_target_may_be_attacked_again_by_another_card() -> None:
    position = Position("great_war", "egypt").play(0, "great_war.infantry").play(0, "great_war.infantry")
    position.threat(0, "great_war.central_powers")
    play = position.conflict(0, "great_war.infantry", "great_war.tank_column").at(Step.CONFLICT)
    play.take("attack").take("add_attacker", position=0).take("done")
    assert play.zone("threats") == ["great_war.central_powers"]
    play.take("attack").take("add_attacker", position=1).take("done")
    assert play.zone("threats") == []


def test_an_announcement_needs_the_cards_in_the_pile() -> None:
    position = Position("great_war", "egypt").play(0, "great_war.infantry").play(0, "great_war.infantry")
    play = (
        position.threat(0, "great_war.red_baron").conflict(0, *["great_war.infantry"] * 2).at(Step.CONFLICT)
    )
    play.take("attack").take("add_attacker", position=0)
    assert not play.offers("add_attacker")  # a second attacker needs a separator besides


def test_exhausted_conflict_attacks_stop_at_six_cards_a_turn() -> None:
    position = Position("medieval", "egypt").play(0, "medieval.cathedral").counter("exhaustion", 1, 1)
    position.threat(0, "medieval.bubonic_plague").threat(0, "medieval.bubonic_plague")
    play = position.conflict(1, *["egypt.slaves"] * 5, *["egypt.nile_farm"] * 4).at(Step.CONFLICT, 1)
    play.take("attack", kind="ruin").take("add_attacker", position=0, symbols=3)
    assert {one["symbols"] for one in play.options("add_attacker")} == {1, 2}


def test_normal_attackers_do_not_exhaust() -> None:
    position = (
        Position("great_war", "egypt").threat(0, "great_war.red_baron").play(0, "great_war.general_staff")
    )
    for _ in range(3):
        position.play(0, "great_war.heavy_artillery")
    play = position.conflict(0, *["great_war.ration_depot"] * 4, *["great_war.war_bonds"] * 4).at(
        Step.CONFLICT
    )
    play.take("attack").take("add_attacker", position=1, symbols=3).take(
        "add_attacker", position=2, symbols=3
    )
    play.take("done")
    assert play.counter("exhaustion") == 0
    assert play.size("discard") == 7


def test_locked_cards_count_their_stars() -> None:
    position = (
        Position("great_war", "egypt").play(0, "great_war.infantry").threat(0, "great_war.central_powers")
    )
    play = position.conflict(0, "great_war.tank_column").at(Step.CONFLICT)
    play.take("attack", defense=4).take("add_attacker").take("done")
    assert play.zone("destroyed") == ["great_war.central_powers"]


def test_conflict_cards_use_no_money() -> None:
    position = Position().play(0, "egypt.temple").threat(0, "egypt.tomb_robbers").counter("money", 5, 1)
    play = position.conflict(1, "medieval.manor_harvest").at(Step.CONFLICT, 1)
    play.take("attack").take("add_attacker").take("done")
    assert play.counter("money", 1) == 5
    assert play.zone("play") == ["egypt.temple"]


def test_flourished_copies_go_with_the_unit_for_one_token() -> None:
    position = Position().play(0, "egypt.storehouse", copies=3).threat(0, "egypt.tomb_robbers")
    play = (
        position.conflict(1, "medieval.cathedral")
        .at(Step.CONFLICT, 1)
        .take("attack")
        .take("add_attacker")
        .take("done")
    )
    assert play.zone("destroyed") == ["egypt.storehouse"] * 3
    assert play.counter("destruction") == 1


def test_an_unflourished_dash_card_costs_no_token() -> None:
    position = Position().play(0, "egypt.storehouse").threat(0, "egypt.tomb_robbers")
    play = (
        position.conflict(1, "medieval.cathedral")
        .at(Step.CONFLICT, 1)
        .take("attack")
        .take("add_attacker")
        .take("done")
    )
    assert play.counter("destruction") == 0


def test_destroyed_cards_may_be_discarded_by_option_but_for_those_with_a_token() -> None:
    position = Position(destroyed="discarded").play(0, "egypt.temple").play(0, "egypt.scribe")
    position.threat(0, "egypt.tomb_robbers").threat(0, "egypt.tomb_robbers")
    play = position.conflict(1, "medieval.cathedral", "egypt.sea_raiders").at(Step.CONFLICT, 1)
    play.take("attack", card="egypt.scribe").take("add_attacker", position=0).take("done")
    assert play.zone("discard") == ["egypt.scribe"]
    play.take("attack", card="egypt.temple").take("add_attacker", position=1).take("done")
    assert play.zone("destroyed") == ["egypt.temple"]


def test_a_conflict_card_destroyed_under_that_option_goes_to_who_held_it() -> None:
    position = Position(destroyed="discarded").play(0, "egypt.charioteer").threat(0, "egypt.tomb_robbers")
    play = (
        position.conflict(0, "egypt.pharaoh")
        .at(Step.CONFLICT)
        .take("attack")
        .take("add_attacker")
        .take("done")
    )
    assert play.zone("discard", 1) == ["egypt.tomb_robbers"]


# The end


def test_the_cap_ends_a_stalled_game_by_progress_then_destruction() -> None:
    position = Position(turn_cap=2).counter("progress", 3, 1)
    play = position.turn().number(0).number(8).number(0).number(8)
    assert play.match.over
    assert play.counter("ending") == BY_CAP
    assert [score.place for score in play.match.scores()] == [2, 1]


def test_the_usual_cap_is_a_hundred_turns_each() -> None:
    assert Match(GAME, 1, 2).table.turn_cap == 100
    assert Match(GAME, 1, 2, EraOptions(turn_cap=7)).table.turn_cap == 7
    for bad in (-1, 201):
        with pytest.raises(BadOption, match="turn_cap"):
            parse_options(EraOptions, {"turn_cap": bad})


def test_random_play_keeps_fronts_fresh() -> None:
    """What is cached is what would be worked out anew."""
    for seed in range(6):
        match = Match(GAME, seed, 2 + seed % 3)
        for number in range(400):
            if match.over:
                break
            seat = match.to_act[0]
            match.apply(seat, match.decision(seat).sample(keyed(seed, number)))
            t = match.table
            for era in range(t.seats):
                if t.lists[t.layout.era + era]:
                    fresh = t._survey(era)
                    assert t.front(era).active == fresh.active
                    assert t.front(era).blocks == fresh.blocks
                    check_blocked(match, era)


def check_blocked(match: Match, era: int) -> None:
    """As many symbols are blocked as blocks and symbols allow, and no slot holds too many cards."""
    t = match.table
    front = t.front(era)
    for side in (NORMAL, THREAT):
        for kind in range(7):
            blocked = sum(entry % 8 == kind for entry in t.lists[t.layout.blocked[side] + era])
            assert blocked == min(front.blocks[side][kind], sum(row[kind] for row in front.symbols[side]))
        assert all(n >= 0 for row in front.active[side] for n in row)
    for place, row in enumerate(front.active[NORMAL]):
        assert t.stack(era, place, 2) <= row[6]


def test_a_game_in_which_nothing_can_happen_any_more_ends_at_once() -> None:
    """As the cap would end it: nobody has a card to deal, a symbol to earn with, or anything to attack."""
    table = Position().build(0, 60).build(1, 60).counter("progress", 2, 1)
    play = table.turn()
    assert play.match.over
    assert (play.counter("ending"), play.counter("round")) == (BY_CAP, 2)
    earning = Position().play(0, "egypt.temple").build(0, 59).build(1, 60).turn()
    assert earning.counter("progress") == 15
    assert earning.counter("winner") == 1


def test_the_game_says_how_it_ended() -> None:
    play = Position().counter("progress", 14).play(0, "egypt.temple").turn()
    assert GAME.ending(play.t) == "progress"
    assert GAME.ending(Position(turn_cap=1).t) == "none"


def test_own_unseen_piles_are_unknown_to_their_owner() -> None:
    """Other worlds for a seat deal other cards to its own build and conflict piles, all from its own deck."""
    play = Position().build(0, 10).conflict(0, *["egypt.slaves"] * 5).hand(0, "egypt.temple").at(Step.ACT)
    zones = [play.t.layout.build_down, play.t.layout.conflict, play.t.layout.deck]
    for seat in (0, 1):
        worlds = [play.match.determinize(seat, key).table for key in range(4)]
        piles = {tuple(world.ident[card] for card in world.zones[zones[0]]) for world in worlds}
        assert len(piles) == 4
        for world in worlds:
            assert sorted(world.ident) == sorted(play.t.ident)
            assert {world.holder(card) for zone in zones for card in world.zones[zone]} == {0}
            decks = {
                world.face(card).deck
                for zone in zones
                for card in world.zones[zone]
                if world.face(card).kind != 2
            }
            assert decks == {0}
