"""ERA-02: progress, dash symbols, locks and the end of the game."""

from __future__ import annotations

from tests.games.era.position import Play, Position, Step

from ziggurat_rules.games.era.table import BY_DESTRUCTION, BY_PROGRESS


def test_a_three_storehouses_in_a_stack_win_at_fifteen() -> None:
    play = Position().play(0, "egypt.storehouse", copies=3).counter("progress", 13).turn()
    assert play.match.over
    assert play.counter("progress") == 15
    assert play.counter("ending") == BY_PROGRESS
    assert [score.place for score in play.match.scores()] == [1, 2]


def test_b_three_single_storehouses_go_on() -> None:
    position = Position().counter("progress", 13)
    for _ in range(3):
        position.play(0, "egypt.storehouse")
    play = position.turn()
    assert not play.match.over
    assert play.counter("progress") == 13
    assert play.front(0).totals[0][1] == 3


def destroy_obelisk(*more: str) -> Play:
    """L is the Obelisk here (progress locked by A), K the Pharaoh (key A)."""
    position = Position().play(0, "egypt.obelisk")
    for name in more:
        position.play(0, name)
    position.threat(0, "egypt.tomb_robbers").conflict(1, "medieval.cathedral")
    play = position.at(Step.CONFLICT, 1).take("attack", card="egypt.obelisk", kind="ruin")
    return play.take("add_attacker").take("done")


def test_c_a_locked_card_costs_no_token_and_an_unlocked_one_does() -> None:
    without = destroy_obelisk()
    assert without.zone("destroyed") == ["egypt.obelisk"]
    assert without.counter("destruction") == 0
    assert destroy_obelisk("egypt.pharaoh").counter("destruction") == 1


def test_d_without_its_key_a_card_stays_and_its_symbols_are_ignored() -> None:
    position = Position().play(0, "egypt.obelisk").play(0, "egypt.pharaoh").threat(0, "egypt.tomb_robbers")
    play = position.conflict(1, "medieval.cathedral").at(Step.CONFLICT, 1)
    assert play.row(0, 0, 0) == {"progress": 1}
    play.take("attack", card="egypt.pharaoh").take("add_attacker").take("done")
    assert play.zone("play") == ["egypt.obelisk"]
    assert play.row(0, 0, 0) == {}
    assert (play.seat, play.counter("progress")) == (0, 0)  # his turn has begun


def test_e_the_third_token_wins_for_two_and_removes_among_four() -> None:
    position = Position().play(0, "egypt.temple").threat(0, "egypt.tomb_robbers").counter("destruction", 2)
    play = position.conflict(1, "medieval.cathedral").at(Step.CONFLICT, 1)
    play.take("attack", card="egypt.temple").take("add_attacker").take("done")
    assert play.match.over
    assert play.counter("ending") == BY_DESTRUCTION
    assert [score.place for score in play.match.scores()] == [2, 1]

    position = Position("egypt", "medieval", "great_war", "cold_war").play(0, "egypt.temple")
    position.threat(0, "egypt.tomb_robbers").counter("destruction", 2).conflict(1, "medieval.cathedral")
    play = position.at(Step.CONFLICT, 1).take("attack", card="egypt.temple").take("add_attacker").take("done")
    assert not play.match.over
    assert play.t.is_out(0)
    assert play.t.living() == [1, 2, 3]
    assert [play.size(zone) for zone in ("deck", "discard", "play", "community", "threats")] == [0] * 5


def test_f_a_destroyed_unique_card_is_locked_out_but_for_a_unique_block() -> None:
    for freed in (False, True):
        position = Position("cold_war", "egypt").play(0, "cold_war.space_agency")
        if freed:
            position.play(0, "cold_war.research_campus")
        position.threat(0, "cold_war.double_agent").conflict(1, "egypt.pharaoh")
        play = position.at(Step.CONFLICT, 1).take("attack", card="cold_war.space_agency")
        play.take("add_attacker").take("done")
        assert play.zone("destroyed") == ["cold_war.space_agency"]
        t = play.t
        face = t.facts.faces[t.facts.catalogue.index("cold_war.space_agency")]
        assert t.may_enter(0, 0, face) == freed
