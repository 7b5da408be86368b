"""Cases from public rules questions and the numbers of test_vectors.toml."""

from __future__ import annotations

import pytest
from tests.games.tta.position import Position, face

from ziggurat_rules.errors import BadOption, BadSeats
from ziggurat_rules.game import parse_options
from ziggurat_rules.games.tta import GAME, steps
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta.armies import armies, grouped
from ziggurat_rules.match import Match


def monarchist(science: int = 2, **at: str) -> Position:
    p = Position().hand(0, "monarchy", "breakthrough_i").points(0, science=science)
    return p.leader(0, at["leader"]) if "leader" in at else p


@pytest.mark.parametrize(("leader", "left"), [("moses", 0), ("isaac_newton", 1)])
def test_tta_02_what_a_revolution_leaves_to_spend(leader: str, left: int) -> None:
    a = monarchist(leader=leader).action_phase().play("revolution", "monarchy")
    assert (a.get(0, c.SCIENCE), a.get(0, c.CA_TOTAL), a.now.civil_left(0)) == (0, 5, left)
    assert (a.get(0, c.MA_TOTAL), a.now.military_left(0)) == (3, 3)
    d = monarchist(leader=leader).action_phase().play("play_action", "breakthrough_i")
    if d.offered("revolution"):
        d.play("revolution", "monarchy")
    assert (d.get(0, c.SCIENCE), d.now.civil_left(0), d.get(0, c.CA_TOTAL)) == (2, left, 5)


def test_a_converted_action_is_left_after_a_revolution_by_card_as_after_any_other() -> None:
    for played in (False, True):
        p = monarchist(leader="hammurabi").action_phase().play("convert")
        if played:
            p.play("play_action", "breakthrough_i")
        if p.offered("revolution"):
            p.play("revolution", "monarchy")
        assert (p.now.civil_left(0), p.get(0, c.CA_TOTAL), p.now.military_left(0)) == (1, 5, 2)


def test_tta_02_not_after_another_action_nor_on_credit() -> None:
    c_ = monarchist().action_phase().play("destroy", "bronze")
    assert not c_.offered("revolution") and not c_.offered("play_action")
    e = monarchist(science=1).action_phase()
    assert not e.offered("revolution") and not e.offered("play_action")


def test_tta_08_corruption_comes_before_production() -> None:
    p = Position().blue(0, 10).tokens(0, "agriculture", 5).tokens(0, "bronze", 1).yellow(0, 12)
    p.workers(0, "religion", 2).points(0, culture=7, science=3)
    assert (p.t.get(0, c.SCIENCE_RATING), p.t.get(0, c.DISCONTENT)) == (1, 0)
    p.set(0, c.CULTURE_RATING, 1).start((steps.PRODUCTION, 0))
    assert p.many(0, c.SCIENCE, c.CULTURE, c.FOOD, c.RESOURCES, c.BLUE_BANK) == (4, 8, 4, 2, 10)


def test_tta_08_famine_stops_at_no_culture() -> None:
    p = Position().workers(0, "agriculture", 1).yellow(0, 8).blue(0, 15).workers(0, "religion", 5)
    p.points(0, culture=6).set(0, c.CULTURE_RATING, 1).start((steps.PRODUCTION, 0))
    assert p.many(0, c.CULTURE, c.FOOD) == (0, 0)


def test_tta_08_change_is_given_downwards() -> None:
    p = Position().tech(0, "iron").tokens(0, "iron", 1)
    bank = p.t.get(0, c.BLUE_BANK)
    assert p.t.pay_resources(0, 1) == 0
    tokens = p.t.layout.token_of
    by_id = p.t.layout.library.by_id
    assert p.t.get(0, tokens[by_id["iron"].slot]) == 0
    assert p.t.get(0, tokens[by_id["bronze"].slot]) == 1
    assert (p.t.get(0, c.RESOURCES), p.t.get(0, c.BLUE_BANK)) == (1, bank)


def test_an_overpayment_is_lost_only_when_the_bank_is_empty() -> None:
    p = Position().tech(0, "oil").blue(0, 0).tokens(0, "oil", 1)
    assert p.t.pay_resources(0, 2) == 0
    assert (p.t.get(0, c.RESOURCES), p.t.get(0, c.BLUE_BANK)) == (1, 0)  # one token for change of 3


def last_age(current: int) -> Position:
    """Case TTA-13: round 17 of three players, one card of age III left; everybody holds two wars."""
    p = Position(3, age=3, round_=17)
    for seat in range(3):
        p.military(seat, "war_over_territory" if seat < 2 else "war_over_technology", "war_over_culture")
        p.set(seat, c.MA_SPENT, -9)
    deck = p.t.pile_number(c.CIVIL_DECK + 3)
    for one in p.t.zones[deck][1:]:
        p.t.remove(one)
    p.leader(1, "isaac_newton").leader(2, "bill_gates").unfinished(1, "eiffel_tower", 1)
    p.pact(2, "scientific_cooperation", 1)
    return p.start((steps.BEGIN_TURN, current), current=current)


def test_tta_13_age_iii_ends_in_a_later_players_turn() -> None:
    p = last_age(1)
    assert (p.now.common(c.AGE), p.now.common(c.LAST_ROUND)) == (4, 18)
    assert [p.ids(seat, c.MILITARY_HAND) for seat in range(3)] == [["war_over_culture"]] * 3
    assert (p.ids(1, c.LEADER_ZONE), p.ids(2, c.LEADER_ZONE)) == ([], ["bill_gates"])
    assert (p.ids(1, c.UNFINISHED), p.ids(2, c.PACT_ZONE)) == ([], [])
    assert [p.get(seat, c.YELLOW_BANK) for seat in range(3)] == [16, 16, 16]
    assert p.offered("declare_war") and not p.offered("resign")
    p.play("pass").play("end")
    assert p.offered("declare_war")
    p.play("declare_war", "war_over_culture", 0).play("end")
    for seat in (0, 1, 2):
        assert (p.to_act, p.now.common(c.ROUND)) == (seat, 18)
        assert p.offered("pass") and not p.offered("declare_war")
        if seat == 2:
            assert p.ids(2, c.WARS) == []  # resolved at the start of this turn
        p.play("pass").play("end")
    assert p.to_act is None
    assert len(p.ids(0, c.MILITARY_HAND)) == 1  # nothing was drawn


def test_tta_13_age_iii_ends_in_the_starting_players_turn() -> None:
    p = Position(3, age=3, round_=17).strength(0, 12).strength(1, 9).points(1, culture=6)
    p.war(0, "war_over_culture", 1).military(0, "war_over_culture").set(0, c.MA_SPENT, -9)
    deck = p.t.pile_number(c.CIVIL_DECK + 3)
    for one in p.t.zones[deck][1:]:
        p.t.remove(one)
    p.start((steps.BEGIN_TURN, 0))
    assert p.now.common(c.LAST_ROUND) == 17
    assert (p.get(0, c.CULTURE), p.get(1, c.CULTURE)) == (6, 0)
    assert not p.offered("declare_war")
    for seat in range(3):
        assert p.to_act == seat
        p.play("pass").play("end")
    assert p.to_act is None


def test_tta_17_what_the_end_of_age_i_removes() -> None:
    p = Position(3, age=1).leader(0, "moses").hand(0, "stockpile_a", "iron").unfinished(0, "pyramids", 2)
    p.yellow(0, 1).blue(0, 6).military(0, "legion").to(0, c.EXCLUSIVE, "phalanx").tactic(0, "phalanx")
    p.leader(1, "michelangelo").unfinished(1, "taj_mahal").yellow(1, 9).hand(2, "homer")
    p.events("development_of_crafts", "rats")
    deck = p.t.pile_number(c.CIVIL_DECK + 1)
    for one in p.t.zones[deck][11:]:
        p.t.remove(one)
    p.start((steps.REPLENISH, 0), (steps.POLITICS, 0))
    assert p.now.common(c.AGE) == 2
    assert (p.ids(0, c.LEADER_ZONE), p.ids(0, c.CIVIL_HAND), p.ids(0, c.UNFINISHED)) == ([], ["iron"], [])
    assert p.many(0, c.BLUE_BANK, c.YELLOW_BANK, c.CA_SPENT) == (8, 0, 0)
    assert (p.ids(0, c.EXCLUSIVE), p.ids(0, c.MILITARY_HAND)) == (["phalanx"], ["legion"])
    assert (p.ids(1, c.LEADER_ZONE), p.ids(1, c.UNFINISHED), p.get(1, c.YELLOW_BANK)) == (
        ["michelangelo"],
        ["taj_mahal"],
        7,
    )
    assert p.ids(2, c.CIVIL_HAND) == []
    assert [p.now.face(one).level for one in p.now.pile(c.ROW)] == [1] * 11 + [2] * 2
    assert p.pile_ids(c.CURRENT_EVENTS) == ["rats", "development_of_crafts"]


def test_tta_17_nothing_is_removed_at_the_end_of_age_a() -> None:
    p = Position(3, age=0, round_=2).leader(0, "moses").hand(0, "stockpile_a").start((steps.BEGIN_TURN, 0))
    assert (p.now.common(c.AGE), p.ids(0, c.LEADER_ZONE), p.ids(0, c.CIVIL_HAND)) == (
        1,
        ["moses"],
        ["stockpile_a"],
    )
    assert [p.get(seat, c.YELLOW_BANK) for seat in range(3)] == [18] * 3
    assert len(p.now.pile(c.ROW)) == 13 and not p.now.pile(c.CIVIL_DECK)


# test_vectors.toml; the vectors of single leaders are in test_leaders.py


def test_cook_makes_culture_by_colonies() -> None:
    p = Position().leader(0, "james_cook").colony(0, "developed_territory_i")
    assert p.t.get(0, c.CULTURE_RATING) == 2


@pytest.mark.parametrize(("air", "strength"), [(0, 3), (1, 9)])
def test_strength_of_a_fighting_band(air: int, strength: int) -> None:
    p = Position().workers(0, "warriors", 2).tech(0, "air_forces", air).tactic(0, "fighting_band")
    assert p.t.get(0, c.STRENGTH) == strength


@pytest.mark.parametrize(
    ("tactic", "units", "mounted", "expected"),
    [
        ("fighting_band", {"warriors": 3}, False, (1, 0)),
        ("fighting_band", {"warriors": 4}, False, (2, 0)),
        ("entrenchments", {"riflemen": 1, "cannon": 2}, False, (1, 0)),
        ("entrenchments", {"swordsmen": 1, "cannon": 2}, False, (0, 1)),
        ("shock_troops", {"modern_infantry": 2, "tanks": 5, "knights": 1}, False, (1, 1)),
        ("classic_army", {"riflemen": 7, "cavalrymen": 15, "warriors": 7}, False, (3, 4)),
        ("napoleonic_army", {"riflemen": 3, "cannon": 2, "warriors": 1}, True, (1, 1)),
        ("heavy_cavalry", {"swordsmen": 3, "knights": 3}, True, (2, 0)),
        ("conquistadors", {"riflemen": 6}, True, (2, 0)),
    ],
)
def test_armies_formed(tactic: str, units: dict[str, int], mounted: bool, expected: tuple[int, int]) -> None:
    levels = [[0] * 4 for _ in range(3)]
    for card_id, number in units.items():
        unit = GAME.library.by_id[card_id]
        levels[unit.kind - 7][unit.level] += number
    made = GAME.library.by_id[tactic]
    assert armies(grouped(levels, 0, made.level), made.tactic, mounted) == expected


def test_prices_of_the_vectors() -> None:
    p = Position().tech(0, "masonry").tech(0, "alchemy").stock(0, resources=9).action_phase()
    assert p.price("build", "alchemy")[2] == 5
    q = (
        Position()
        .leader(0, "william_shakespeare")
        .tech(0, "printing_press", 1)
        .hand(0, "opera")
        .points(0, science=6)
    )
    assert q.action_phase().price("develop", "opera")[2] == 6


# Setup, first round, resignation


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_setup_and_first_round(seats: int) -> None:
    m = Match(GAME, 5, seats)
    t = m.table
    assert len(t.pile(c.CURRENT_EVENTS)) == seats + 2
    assert (len(t.pile(c.ROW)), len(t.pile(c.CIVIL_DECK))) == (13, 7)
    assert len(t.pile(c.CIVIL_DECK + 1)) == (44, 50, 53)[seats - 2]
    for seat in range(seats):
        ratings = [
            t.get(seat, cell) for cell in (c.SCIENCE_RATING, c.CULTURE_RATING, c.STRENGTH, c.HAPPINESS)
        ]
        assert ratings == [1, 0, 1, 0]
        assert [t.get(seat, cell) for cell in (c.BLUE_BANK, c.YELLOW_BANK, c.UNUSED)] == [16, 18, 1]
        assert t.civil_left(seat) == seat + 1
    for seat in range(seats):
        verbs = {GAME.vocabulary.verbs[term[0]].name for term in m.decision(seat).options}
        assert verbs == {"take", "end"}
        m.apply(seat, m.decision(seat).default)
        assert not m.table.zone_of(seat, c.MILITARY_HAND)
        assert (m.table.civil_left(seat), m.table.military_left(seat)) == (4, 2)
    assert m.to_act == (0,)
    assert m.table.common(c.ROUND) == 2


def test_resigning_ends_wars_and_pacts_and_shrinks_later_decks() -> None:
    p = Position(3, age=1, resignation="true").pact(0, "military_alliance", 1).war(2, "war_over_culture", 0)
    p.military(0, "legion").hand(0, "iron").politics_phase().play("resign")
    assert (p.get(2, c.CULTURE), p.ids(2, c.WARS), p.now.list_of(2, c.WAR_RIVALS)) == (7, [], [])
    assert (p.get(1, c.STRENGTH), p.to_act) == (1, 1)
    assert [len(p.ids(0, zone)) for zone in range(c.ZONES_PER_SEAT)] == [0] * c.ZONES_PER_SEAT
    t = p.now.clone()
    t.agenda.clear()
    p.t = t
    deck = t.pile_number(c.CIVIL_DECK + 1)
    for one in t.zones[deck][1:]:
        t.remove(one)
    p.start((steps.REPLENISH, 1))
    assert p.now.common(c.AGE) == 2
    dealt = sum(p.now.face(one).level == 2 for one in p.now.pile(c.ROW))
    assert len(p.now.pile(c.CIVIL_DECK + 2)) + dealt == 44
    assert len(p.now.pile(c.MILITARY_DECK + 2)) == 46


def test_military_cards_of_one_who_resigns_are_discarded() -> None:
    p = Position(3, age=1, resignation="true").pact(0, "peace_treaty", 1).colony(0, "vast_territory_i")
    p.military(0, "legion").to(0, c.EXCLUSIVE, "phalanx").war(0, "war_over_culture", 1).hand(0, "iron")
    p.politics_phase().play("resign")
    gone = ["legion", "peace_treaty", "phalanx", "vast_territory_i", "war_over_culture"]
    assert sorted(p.pile_ids(c.MILITARY_DISCARD)) == gone


def test_the_last_one_left_wins() -> None:
    p = Position(2, resignation="true").politics_phase().play("resign")
    assert p.to_act is None
    assert p.match is not None
    assert [score.place for score in p.match.scores()] == [2, 1]


def test_resigning_is_offered_before_age_iv_only() -> None:
    assert not Position(age=4, resignation="true").politics_phase().offered("resign")
    assert not Position(age=3).politics_phase().offered("resign")


def test_uprising_skips_production_and_excess_cards_are_discarded() -> None:
    p = Position().yellow(0, 10).unused(0, 1).military(0, "legion", "phalanx", "rats", "foray")
    p.start((steps.DISCARD, 0), (steps.PRODUCTION, 0), (steps.END_TURN, 0))
    p.choose("legion", "rats")
    assert p.many(0, c.DISCONTENT, c.SCIENCE, c.FOOD) == (3, 0, 0)
    assert len(p.ids(0, c.MILITARY_HAND)) == 2 + 2


def test_final_scoring_evaluates_age_iii_events_of_both_decks() -> None:
    p = Position().events("impact_of_government", "rats")
    p.t.move(p.take("impact_of_population"), p.t.pile_number(c.FUTURE_EVENTS))
    p.start((steps.FINAL_SCORING,))
    assert (p.get(0, c.CULTURE), p.get(1, c.CULTURE)) == (10, 10)
    assert p.match is not None
    assert [score.place for score in p.match.scores()] == [1, 1]
    assert sorted(p.pile_ids(c.PAST_EVENTS)) == ["impact_of_government", "impact_of_population"]


def test_options_out_of_range_are_refused() -> None:
    with pytest.raises(BadOption):
        parse_options(GAME.options, {"edition": "2006"})
    for seats in (1, 5):
        with pytest.raises(BadSeats):
            Match(GAME, 1, seats)
    assert face("iron") == GAME.catalogue.index("iron")
