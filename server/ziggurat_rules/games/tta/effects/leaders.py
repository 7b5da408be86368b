"""What leaders do when they come, leave, or something happens; their effects on ratings are in ratings.py."""

from __future__ import annotations

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.facts import LAB
from ziggurat_rules.games.tta.ratings import refresh, tally
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.terms import Term


def turn_begins(t: TtaTable, seat: int) -> None:
    """Resources that the leader gives for units this turn."""
    leader = t.leader(seat)
    if leader is not None:
        for op in leader.ops.get("turn_pool", ()):
            t.put_counter(seat, c.POOL_LEADER, op["resources"])


def play_leader(t: TtaTable, seat: int, face: int, civil: int) -> Effect[None]:
    """Put a leader into play; one already there is replaced and gives the civil action back, or is tucked."""
    t.change(seat, c.CA_SPENT, civil)
    card = t.find(t.zone_number(seat, c.CIVIL_HAND), face)
    old = t.leader(seat)
    if old is not None:
        wonder = yield from _tucks_under(t, seat)
        if wonder >= 0:
            _tuck(t, seat, wonder)
        else:
            remove_leader(t, seat)
            t.change(seat, c.CA_SPENT, -1)
        t.put_counter(seat, c.LEADER_REPLACED, 1)
    t.put_in_play(seat, card, c.LEADER_ZONE)
    turn_begins(t, seat)
    refresh(t, seat)


def _tucks_under(t: TtaTable, seat: int) -> Effect[int]:
    """Which completed wonder a replaced leader goes under, if he may: its face, else -1."""
    leader = t.leader(seat)
    wonders = t.faces_in(seat, c.WONDERS)
    if leader is None or not leader.ops.get("on_replaced") or not wonders:
        return -1
    options: dict[Term, int] = {w.TUCK(wonder.index): wonder.index for wonder in wonders}
    options[w.REFUND(1)] = -1
    return (yield from choose(seat, w.REPLACE_LEADER(leader.index), options, default=w.REFUND(1)))


def _tuck(t: TtaTable, seat: int, wonder: int) -> None:
    card = t.zone_of(seat, c.LEADER_ZONE)[0]
    t.move(card, t.zone_number(seat, c.TUCKED))
    t.put_list(seat, c.LEADER_UNDER, (wonder,))
    t.put_counter(seat, c.POOL_LEADER, 0)


def remove_leader(t: TtaTable, seat: int) -> None:
    """The leader leaves play, for whatever reason. Ratings are to be refreshed."""
    leaving_culture(t, seat)
    t.take_out_of_play(seat, t.zone_of(seat, c.LEADER_ZONE)[0])
    t.put_counter(seat, c.POOL_LEADER, 0)


def leaving_culture(t: TtaTable, seat: int) -> None:
    """Culture that the leader scores when leaving, or when the game ends."""
    leader = t.leader(seat)
    if leader is not None and leader.ops.get("on_leave_or_game_end"):
        amount = tally(t, seat).level_sum[LAB]
        t.score_culture(seat, amount)
        t.log(w.SCORED(seat, amount, leader.index))


def end_of_turn(t: TtaTable, seat: int) -> None:
    """Culture at the end of the turn for a leader whose civilization is among the strongest; ties count."""
    leader = t.leader(seat)
    for op in leader.ops.get("end_of_turn", ()) if leader is not None else ():
        ranks = op["if_strength_rank"]
        rank = t.by_players((ranks["p2"], ranks["p3"], ranks["p4"]))
        own = t.get(seat, c.STRENGTH)
        if sum(t.get(other, c.STRENGTH) > own for other in t.living()) < rank:
            t.score_culture(seat, op["gain"]["culture"])


def developed(t: TtaTable, seat: int, revolution: bool) -> None:
    """What the leader gives for a technology developed (a revolution is one)."""
    leader = t.leader(seat)
    if leader is None:
        return
    for op in leader.ops.get("on_develop_technology", ()):
        gain = op.get("gain", {})
        t.gain_resources(seat, gain.get("resources", 0))
        t.score_culture(seat, gain.get("culture", 0))
        if t.get(seat, c.CA_SPENT) > 0:
            t.change(seat, c.CA_SPENT, -op.get("refund_civil_actions", 0))
    if revolution:
        for op in leader.ops.get("on_revolution", ()):
            t.score_culture(seat, op["gain"]["culture"])
