"""Three and four players: community cards, initiative, rounds, bonus cards, elimination."""

from __future__ import annotations

import pytest
from tests.games.era.position import Play, Position, Step

from ziggurat_rules.games.era import GAME
from ziggurat_rules.games.era.facts import RESOURCE
from ziggurat_rules.games.era.game import EraGame
from ziggurat_rules.games.era.rounds import order_of_play
from ziggurat_rules.games.era.table import BY_PROGRESS, BY_SURVIVAL
from ziggurat_rules.match import Match

FOUR = ("egypt", "medieval", "great_war", "cold_war")


def started(seats: int, seed: int = 5) -> Match:
    match = Match(GAME, seed, seats)
    for seat in range(seats):
        match.apply(seat, 0)
    return match


# Setup and rounds


@pytest.mark.parametrize("seats", [3, 4])
def test_decks_of_fifty_and_community_piles_of_ten_with_the_top_face_up(seats: int) -> None:
    t = started(seats).table
    for seat in range(seats):
        assert len(t.zones[t.layout.deck + seat]) == 50
        pile = t.zones[t.layout.community + seat]
        assert len(pile) == 10
        assert [t.known[card] for card in pile] == [0] * 9 + [t.layout.everyone]


@pytest.mark.parametrize(("seats", "deals"), [(3, [6, 6, 8]), (4, [6, 6, 8, 8])])
def test_first_round_deals_by_order_of_play(seats: int, deals: list[int]) -> None:
    match = started(seats)
    for seat in list(match.table.lists[match.table.layout.order]):
        play = Play(match)
        # Search and Extra Effort change the deal: nobody takes them if something else is there.
        wanted = [
            i
            for i, one in enumerate(play.options())
            if "extra" not in one["card"] and "search" not in one["card"]
        ]
        assert play.seat == seat
        play.apply(wanted[0] if wanted else 0)
    extra = {"bonus.extra_effort": 2, "bonus.search": -3}
    play = Play(match)
    for seat, number in zip(match.table.lists[match.table.layout.order], deals, strict=True):
        (card,) = play.zone("bonus", seat)
        while play.asked != "to_build":
            play.apply(play.decision.default)
        assert play.seat == seat
        assert play.decision.high == number + extra.get(card, 0)
        play.apply(play.decision.high)


def test_players_and_one_more_bonus_cards_are_drawn_and_each_picker_sees_the_rest() -> None:
    for seats in (3, 4):
        match = started(seats)
        for number in range(seats):
            assert len(match.pending[match.to_act[0]].options) == seats + 1 - number
            match.apply(match.to_act[0], 0)
        t = match.table
        assert [len(t.zones[t.layout.bonus + seat]) for seat in range(seats)] == [1] * seats
        assert len(t.zones[t.layout.bonus_deck]) == 6 - seats


def test_picks_are_secret_until_all_have_chosen() -> None:
    match = started(4)
    order = match.table.lists[match.table.layout.order]
    first = order[0]
    match.apply(first, 0)
    t = match.table
    card = t.zones[t.layout.pick + first][0]
    assert t.known[card] == 1 << first
    # The first picker saw five cards, but can't say which of them the second one takes.
    assert all(not t.known[card] >> first & 1 for card in t.zones[t.layout.passed + order[1]])
    assert all(t.known[card] == 1 << order[1] for card in t.zones[t.layout.passed + order[1]])


def test_order_goes_by_initiative_then_cards_in_play_then_clockwise() -> None:
    position = Position(*FOUR).counter("first", 2)
    for seat, tokens in enumerate((1, 2, 1, 1)):
        position.counter("initiative", tokens, seat)
    position.play(3, "cold_war.suburb").play(3, "cold_war.consumer_goods")
    assert order_of_play(position.t) == [1, 3, 2, 0]


def test_stacked_copies_count_as_cards_in_play() -> None:
    position = Position(*FOUR).counter("first", 0).counter("initiative", 1, 0).counter("initiative", 1, 1)
    position.play(0, "egypt.temple").play(1, "medieval.hamlet", copies=3)
    assert order_of_play(position.t) == [1, 0, 2, 3]


def test_without_initiative_the_last_first_player_goes_first_again() -> None:
    position = Position(*FOUR).counter("first", 2).play(0, "egypt.temple")
    assert order_of_play(position.t) == [2, 3, 0, 1]


def test_initiative_is_of_one_round() -> None:
    position = Position(*FOUR).counter("initiative", 2, 3).counter("first", 1)
    t = position.t
    t.push(Step.ROUND)
    play = Play(Match.of_table(GAME, t))
    assert play.t.lists[t.layout.order][0] == 3
    assert play.counter("initiative", 3) == 0


# Community cards


def cascade_example() -> Position:
    position = Position("medieval", "egypt", "great_war", "cold_war").build(0, 3)
    position.community(0, "medieval.bubonic_plague").community(1, "egypt.persian_army")
    return position.community(2, "great_war.central_powers").community(3, "cold_war.u2_spy_plane")


def test_central_powers_for_two_resources() -> None:
    position = Position("egypt", "great_war", "medieval").community(
        1, "great_war.central_powers", "great_war.red_baron"
    )
    position.community(2, "medieval.arab_empire").build(0, 2).hand(0, "egypt.pyramid")
    play = position.at(Step.ACT).take("play_community", card="great_war.central_powers", cost=2)
    assert play.size("build_down") == 0
    assert play.zone("threats", 1) == ["great_war.central_powers"]
    assert play.counter("initiative") == 1
    assert play.zone("community", 1)[-1] == "great_war.red_baron"


def test_persian_army_takes_central_powers_along_but_not_u2_nor_the_own_plague() -> None:
    play = cascade_example().at(Step.ACT).take("play_community", card="egypt.persian_army", cost=3)
    assert play.zone("threats", 1) == ["egypt.persian_army"]
    assert play.zone("threats", 2) == ["great_war.central_powers"]
    assert play.size("threats", 3) == 0
    assert play.size("threats", 0) == 0
    assert play.counter("initiative") == 1
    assert play.size("build_down") == 0


def test_two_purchases_make_two_initiative_tokens() -> None:
    position = Position("egypt", "great_war", "medieval", "cold_war").build(0, 5).play(2, "medieval.port")
    position.community(1, "great_war.central_powers", "great_war.red_baron")
    position.community(2, "medieval.bubonic_plague", "medieval.arab_empire", "medieval.siege_engines")
    position.community(3, "cold_war.u2_spy_plane")
    play = position.at(Step.ACT).take("play_community", card="great_war.central_powers")
    assert play.zone("threats", 2) == ["medieval.bubonic_plague"]
    play.take("play_community", card="great_war.red_baron", cost=3)
    assert play.zone("threats", 1) == ["great_war.central_powers", "great_war.red_baron"]
    assert play.zone("threats", 2) == ["medieval.bubonic_plague", "medieval.arab_empire"]
    assert play.size("threats", 3) == 0
    assert play.counter("initiative") == 2


def test_a_locked_plague_does_not_come_along() -> None:
    position = Position("egypt", "great_war", "medieval").build(0, 2)
    position.community(1, "great_war.central_powers").community(2, "medieval.bubonic_plague")
    play = position.at(Step.ACT).take("play_community", card="great_war.central_powers")
    assert play.size("threats", 2) == 0


def test_one_card_of_cost_zero_a_turn_from_each_pile_and_no_token_for_it() -> None:
    position = Position("egypt", "great_war", "medieval").hand(0, "egypt.pyramid")
    position.community(1, "great_war.propaganda", "great_war.propaganda").community(2, "medieval.arab_empire")
    play = position.at(Step.ACT).take("play_community", card="great_war.propaganda", cost=0)
    assert play.counter("initiative") == 0
    assert play.zone("community", 1)[-1] == "great_war.propaganda"
    assert not play.offers("play_community", card="great_war.propaganda")


def test_cascaded_cards_of_cost_zero_do_not_count() -> None:
    position = Position("egypt", "great_war", "medieval").build(0, 3).hand(0, "egypt.pyramid")
    position.community(1, "great_war.red_baron").community(2, "medieval.heresy", "medieval.arab_empire")
    play = position.at(Step.ACT).take("play_community", card="great_war.red_baron")
    assert play.zone("threats", 2) == ["medieval.heresy"]
    assert play.counter("free_played") == 0


def test_everyone_but_their_owner_attacks_with_community_cards() -> None:
    position = (
        Position("egypt", "medieval", "great_war")
        .threat(1, "medieval.arab_empire")
        .play(1, "medieval.stone_keep")
    )
    position.conflict(0, "egypt.pharaoh", "egypt.temple").conflict(2, "great_war.infantry")
    play = position.at(Step.CONFLICT).take("attack", card="medieval.stone_keep", era=1)
    assert [one["card"] for one in play.options("add_attacker", symbols=1)] == ["medieval.arab_empire"]
    play.take("add_attacker", symbols=2).take("done")
    assert play.zone("destroyed", 1) == ["medieval.stone_keep"]
    position = (
        Position("egypt", "medieval", "great_war")
        .threat(1, "medieval.arab_empire")
        .play(1, "medieval.stone_keep")
    )
    play = position.conflict(1, "medieval.port").at(Step.CONFLICT, 1)
    assert play.asked != "conflict_phase" or not play.offers("attack")


def test_a_community_card_attacks_once_for_each_player() -> None:
    position = Position("egypt", "medieval", "great_war").threat(1, "medieval.northern_raiders")
    position.play(1, "medieval.stone_keep").conflict(0, "egypt.slaves", "egypt.slaves")
    position.conflict(2, "great_war.ration_depot", "great_war.ration_depot")
    play = position.at(Step.CONFLICT).take("attack").take("add_attacker").take("done")
    assert play.seat != 0 or not play.offers("attack")
    while play.seat != 2 or play.asked != "conflict_phase":
        play.apply(play.decision.default)
    assert play.offers("attack", card="medieval.stone_keep")


def test_cycling_puts_the_top_card_under_the_pile() -> None:
    position = Position("egypt", "medieval", "great_war").community(0, "egypt.drought", "egypt.spoilage")
    play = position.counter("money", 1).at(Step.CONFLICT).take("cycle", card="egypt.drought", owner=0)
    assert play.zone("community")[0] == "egypt.drought"
    assert play.zone("community")[-1] == "egypt.spoilage"
    t = play.t
    known = [t.known[card] for card in t.zones[t.layout.community]]
    assert known[0] == known[-1] == t.layout.everyone
    assert play.counter("money") == 0


# The end


def test_twelve_win_among_four_and_fifteen_among_three() -> None:
    for eras, target in ((FOUR, 12), (FOUR[:3], 15)):
        play = Position(*eras).counter("progress", target - 2).play(0, "egypt.temple").turn()
        assert not play.match.over
        play = Position(*eras).counter("progress", target - 1).play(0, "egypt.temple").turn()
        assert play.match.over
        assert play.counter("ending") == BY_PROGRESS
        assert play.match.scores()[0].place == 1


def test_the_last_one_left_wins() -> None:
    position = (
        Position("egypt", "medieval", "great_war").play(0, "egypt.temple").threat(0, "egypt.tomb_robbers")
    )
    position.counter("destruction", 2).counter("out", 1, 2).conflict(1, "medieval.cathedral")
    play = position.at(Step.CONFLICT, 1).take("attack").take("add_attacker").take("done")
    assert play.match.over
    assert (play.counter("ending"), play.counter("winner")) == (BY_SURVIVAL, 2)
    assert [score.place for score in play.match.scores()][1] == 1


def test_a_removed_seat_is_asked_nothing_and_offered_nowhere() -> None:
    position = (
        Position(*FOUR).play(0, "egypt.temple").threat(0, "egypt.tomb_robbers").counter("destruction", 2)
    )
    play = position.conflict(1, "medieval.cathedral").at(Step.CONFLICT, 1)
    play.take("attack", card="egypt.temple").take("add_attacker").take("done")
    assert play.t.is_out(0)
    for number in range(200):
        if play.match.over:
            break
        assert 0 not in play.match.to_act
        assert not play.offers("play_community", owner=0)
        play.random(1, number)
    assert play.t.lists[play.t.layout.order].count(0) == 0 or play.t.counters[play.t.layout.round] == 2


# Bonus cards


def bonus(name: str, *eras: str, game: EraGame = GAME) -> Position:
    return Position(*(eras or FOUR[:3]), game=game).bonus(0, f"bonus.{name}")


def test_defense_protects_a_card_until_the_round_ends() -> None:
    position = (
        bonus("defense").play(0, "egypt.temple").play(0, "egypt.scribe").threat(0, "egypt.tomb_robbers")
    )
    position.conflict(1, "medieval.cathedral")
    play = position.at(Step.BONUS).take("shield", card="egypt.temple", position=0)
    assert play.counter("shield") == 1
    while play.asked != "conflict_phase" or not play.offers("attack"):
        play.apply(play.decision.default)
    assert [one["card"] for one in play.options("attack")] == ["egypt.scribe"]
    play.take("attack").take("add_attacker").take("done")
    assert play.counter("shield") == 1
    while play.counter("round") == 2:
        play.apply(play.decision.default)
    assert play.counter("shield") == 0


def test_defense_without_a_card_in_play_does_nothing() -> None:
    assert bonus("defense").at(Step.BONUS).asked != "which_shield"


def test_extra_effort_deals_two_more() -> None:
    assert bonus("extra_effort").turn().decision.high == 10


def test_glory_gains_a_token_and_may_win() -> None:
    assert bonus("glory").turn().counter("progress") == 1
    play = bonus("glory").counter("progress", 14).turn()
    assert play.match.over
    assert play.counter("winner") == 1


def test_plot_adds_two_stars_once() -> None:
    position = (
        bonus("plot", "great_war", "egypt", "medieval")
        .play(0, "great_war.infantry")
        .play(0, "great_war.infantry")
    )
    position.threat(0, "great_war.central_powers").threat(0, "great_war.central_powers")
    play = position.conflict(0, "great_war.diplomat", "great_war.diplomat").turn()
    while play.asked != "conflict_phase":
        play.apply(0 if play.decision.kind == 2 else play.decision.default)
    assert play.counter("plot") == 2
    play.take("attack", position=0).take("add_attacker", position=0).take("done")
    assert play.asked == "use_plot"
    play.take("plot")
    assert play.zone("destroyed") == ["great_war.central_powers"]  # 2 + 2 stars against 4
    assert play.counter("plot") == 0


def test_reorganize_shuffles_two_discards_into_the_deck() -> None:
    position = bonus("reorganize").discard(0, "egypt.temple", "egypt.scribe", "egypt.pharaoh")
    size = len(position.t.zones[position.lay.deck])
    play = position.turn()
    assert (play.asked, play.decision.low, play.decision.high) == ("which_return", 2, 2)
    play.pick({"card": "egypt.temple"}, {"card": "egypt.pharaoh"})
    assert play.zone("discard") == ["egypt.scribe"]
    assert play.size("deck") + play.size("dealt") == size + 2


def test_search_takes_a_card_and_deals_three_fewer() -> None:
    play = bonus("search").turn()
    offered = [one["card"] for one in play.options("find")]
    assert "egypt.pharaoh" in offered
    assert not {"egypt.kingdom_produce", "egypt.nile_trade_goods", "egypt.quarry_stone"} & set(offered)
    assert len(offered) == len(set(offered))
    assert [option[1] for option in play.decision.options] == sorted(
        option[1] for option in play.decision.options
    )
    deck = sorted(play.t.ident[card] for card in play.t.zones[play.t.layout.deck])
    assert play.t.lists[play.t.layout.searched] == deck
    play.take("find", card="egypt.pharaoh")
    assert play.zone("hand") == ["egypt.pharaoh"]
    assert play.decision.high == 5
    card = play.t.zones[play.t.layout.hand][0]
    assert play.t.known[card] == 1
    assert play.t.limit[card] == 0


def test_who_searched_knows_what_lies_in_the_deck_and_so_in_the_own_piles() -> None:
    position = bonus("search").build(0, 3)
    unseen = sorted(position.t.ident[card] for card in position.t.zones[position.lay.build_down])
    play = position.turn().take("find", card="egypt.pharaoh")
    for key in range(5):
        world = play.match.determinize(0, key).table
        assert sorted(world.ident[card] for card in world.zones[world.layout.build_down]) == unseen


@pytest.mark.parametrize(("verb", "zone"), [("tactics", "conflict"), ("vision_store", "stored")])
def test_a_found_card_that_is_laid_down_unseen_looks_like_any_other(verb: str, zone: str) -> None:
    """The others know that a hand card is no resource, but not whether it is the one that was laid down."""
    position = bonus("search").play(0, "egypt.architect").top(0, *["egypt.kingdom_produce"] * 4)
    play = position.turn().take("find", card="egypt.pharaoh").number(0).number(0)
    play.take(verb, card="egypt.pharaoh")
    t = play.t
    (laid,) = t.zones[getattr(t.layout, zone)]
    assert t.known[laid] == 1
    faces = {play.match.determinize(1, key).table.face(laid).kind for key in range(40)}
    assert RESOURCE in faces


def test_every_bonus_card_is_tested() -> None:
    with open(__file__, encoding="utf-8") as file:
        text = file.read()
    for face in GAME.facts.bonus:
        name = GAME.catalogue.cards[face].id.removeprefix("bonus.")
        assert f'bonus("{name}"' in text, name
