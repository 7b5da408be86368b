"""What ends with a turn, and limits that only show when several things come together."""

from __future__ import annotations

import pytest
from tests.games.era.position import Play, Position, Step

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.games.era import GAME
from ziggurat_rules.games.era.symbols import MILITARY, NORMAL
from ziggurat_rules.match import Match

THREE = ("egypt", "medieval", "great_war")


@pytest.mark.parametrize("name", ["calm", "flips", "free_played", "gifts_used", "acted", "plot", "extra"])
def test_a_limit_of_one_turn_is_gone_in_the_next(name: str) -> None:
    assert Position(*THREE).counter(name, 6).turn().counter(name) == 0


def test_an_exhaustion_token_may_go_from_the_next_turn_on() -> None:
    play = Position().turn().number(7).number(1)
    assert (play.seat, play.counter("exhaustion"), play.counter("tired")) == (1, 1, 0)


def test_a_flourish_with_progress_takes_the_exhaustion_token_away() -> None:
    position = Position("medieval", "egypt").play(0, "medieval.hamlet").hand(0, "medieval.hamlet")
    play = position.build(0, 2).counter("exhaustion", 1).at(Step.ACT).take("flourish")
    assert play.counter("exhaustion") == 0


def plagues(*more: str) -> Position:
    """Seat 1 attacks a Cathedral with cards of one star, so that it holds."""
    position = Position("medieval", "egypt").play(0, "medieval.cathedral")
    for name in ("medieval.bubonic_plague", "medieval.bubonic_plague", *more):
        position.threat(0, name)
    return position.conflict(1, *["egypt.nile_farm"] * 4, *["egypt.kingdom_produce"] * 4)


def test_the_card_between_two_attackers_counts_for_exhaustion() -> None:
    play = plagues().at(Step.CONFLICT, 1).take("attack")
    play.take("add_attacker", position=0, symbols=3)
    assert not play.offers("add_attacker", position=0)
    play.take("add_attacker", position=1, symbols=3).take("done")
    assert (play.size("conflict", 1), play.counter("exhaustion", 1)) == (1, 1)


def test_the_six_cards_of_an_exhausted_seat_are_those_of_the_whole_turn() -> None:
    play = plagues("medieval.peasant_revolt").counter("exhaustion", 1, 1).at(Step.CONFLICT, 1)
    for position in (0, 1):
        play.take("attack", kind="ruin").take("add_attacker", position=position, symbols=3).take("done")
    assert play.zone("play") == ["medieval.cathedral"]
    assert (play.seat, play.size("conflict", 1)) == (0, 2)


def test_a_given_symbol_joins_one_attack_of_a_turn_and_once() -> None:
    position = Position("frontier", "egypt").play(0, "frontier.saloon").play(0, "frontier.town_hall")
    position.threat(0, "frontier.prairie_fire").threat(0, "frontier.cholera")
    play = position.conflict(1, *["egypt.kingdom_produce"] * 5, "egypt.nile_farm").at(Step.CONFLICT, 1)
    play.take("attack", card="frontier.town_hall").take("add_attacker", position=0, symbols=1)
    play.take("add_gift", symbols=1)
    assert not play.offers("add_gift")
    play.take("done")
    play.take("attack", card="frontier.town_hall").take("add_attacker", position=1, symbols=1)
    assert not play.offers("add_gift")


def test_a_block_leaves_a_card_whose_harvest_was_spent() -> None:
    position = Position().play(0, "egypt.nile_farm", tokens=2).play(0, "egypt.nile_farm")
    play = position.threat(0, "egypt.spoilage").at(Step.RESOURCES)
    assert [play.row(0, NORMAL, place) for place in (0, 1)] == [{}, {"harvest": 1}]
    play.take("spend_harvest", position=0, tokens=2)
    assert [play.row(0, NORMAL, place) for place in (0, 1)] == [{}, {}]


def test_a_choice_about_other_symbols_discards_no_stored_card() -> None:
    """The choice of the blocked slot is still to come: until then no slot is known to be too full."""
    position = Position().play(0, "egypt.architect").play(0, "egypt.architect")
    position.store(0, 0, "egypt.slaves").store(0, 0, "egypt.pyramid").store(0, 1, "egypt.temple")
    play = position.threat(0, "egypt.court_intrigue").at(Step.ASSIGN, 0, 0, NORMAL, MILITARY)
    assert play.size("stored") == 3


def test_a_key_that_is_locked_itself_opens_nothing() -> None:
    text = (
        '[[card]]\nid = "egypt.slaves"\nsymbols = [{ sym = "key", letter = "A", lock = "A" }, '
        '{ sym = "build", n = 1 }]\n'
    )
    position = Position(game=GAME.with_packs([Pack("locked.toml", text)])).play(0, "egypt.slaves")
    assert position.t.front(0).keys == [0, 0]


def test_a_locked_block_cancels_nothing() -> None:
    text = (
        '[[card]]\nid = "egypt.spoilage"\n'
        'symbols = [{ sym = "block", blocks = "harvest", n = 1, lock = "A" }]\n'
    )
    position = Position(game=GAME.with_packs([Pack("locked.toml", text)])).play(0, "egypt.nile_farm")
    play = position.threat(0, "egypt.spoilage").at(Step.ACT)
    assert play.row(0, NORMAL, 0) == {"harvest": 1}


# Three and four players


def test_defense_stays_with_its_card_when_one_before_it_goes() -> None:
    position = Position(*THREE).play(0, "egypt.scribe").play(0, "egypt.temple").counter("shield", 2)
    play = position.threat(0, "egypt.tomb_robbers").conflict(1, "medieval.cathedral").at(Step.CONFLICT, 1)
    play.take("attack", card="egypt.scribe").take("add_attacker").take("done")
    assert (play.zone("play"), play.counter("shield")) == (["egypt.temple"], 1)


def test_the_deck_that_search_showed_is_told_for_that_turn_only() -> None:
    position = Position(*THREE).bonus(0, "bonus.search")
    play = position.turn().take("find", card="egypt.pharaoh").number(5)
    assert len(play.t.lists[play.t.layout.searched]) == 50
    play.take("end_play")
    while play.seat == 0:
        play.take("end_turn")
    assert play.t.lists[play.t.layout.searched] == []


def test_without_a_removed_seat_the_draft_has_a_card_less_and_its_place_is_last() -> None:
    position = Position(*THREE).counter("initiative", 2).counter("progress", 9).play(0, "egypt.temple")
    position.threat(0, "egypt.tomb_robbers").counter("destruction", 2).conflict(1, "medieval.cathedral")
    play = position.at(Step.CONFLICT, 1).take("attack").take("add_attacker").take("done")
    assert (play.counter("out"), play.counter("initiative")) == (1, 0)
    assert play.match.scores()[0].place == 3
    t = play.t
    while t.agenda:
        t.drop()
    t.push(Step.ROUND)
    draft = Play(Match.of_table(GAME, t))
    assert draft.asked == "which_bonus"
    assert len(draft.decision.options) == 3
