"""The action phase: carrying out what menu.py offers. A handler takes the arguments of its option as they
are shown."""

from __future__ import annotations

from collections.abc import Callable

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.costs import Means
from ziggurat_rules.games.tta.effects.action_cards import play_action
from ziggurat_rules.games.tta.effects.leaders import developed, play_leader
from ziggurat_rules.games.tta.effects.wonders import on_complete
from ziggurat_rules.games.tta.facts import ACTION, GOVERNMENT, LEADER, SPECIAL, WONDER
from ziggurat_rules.games.tta.menu import action_options
from ziggurat_rules.games.tta.ratings import refresh
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.terms import Term


def actions(t: TtaTable, seat: int) -> Effect[None]:
    """One action of the action phase; the phase goes on until the player ends it."""
    options = {term: term for term in action_options(t, seat)}
    term = yield from choose(seat, w.ACTION_PHASE(), options, default=w.END())
    if term == w.END():
        return
    t.push(steps.ACTIONS, seat)
    if term[0] == w.PLAY_LEADER.number:
        yield from play_leader(t, seat, *term[1:])
    elif term[0] == w.PLAY_ACTION.number:
        ordered = yield from play_action(t, seat, *term[1:])
        for one in ordered:
            perform(t, seat, one)
        after_action(t, seat, term[1])
    else:
        perform(t, seat, term)


def perform(t: TtaTable, seat: int, term: Term) -> None:
    """Carry out an option that needs no further decision."""
    _HANDLERS[term[0]](t, seat, *term[1:])


def after_action(t: TtaTable, seat: int, face: int) -> None:
    """What an action card gives after the action it ordered."""
    for op in t.layout.faces[face].ops.get("then_gain", ()):
        t.gain_food(seat, op.get("food", 0))
        t.score_science(seat, op.get("science", 0))


def _pay(t: TtaTable, seat: int, civil: int, resources: int, food: int) -> None:
    """Pay civil actions and resources; food is traded for a resource."""
    t.change(seat, c.CA_SPENT, civil)
    t.pay_resources(seat, resources)
    if food:
        t.pay_food(seat, food)
        t.put_counter(seat, c.TRADE_USED, 1)


def _pay_pool(t: TtaTable, seat: int, pool: int) -> None:
    """Take resources out of the pools for units, the leader's first."""
    first = min(pool, t.get(seat, c.POOL_LEADER))
    t.change(seat, c.POOL_LEADER, -first)
    t.change(seat, c.POOL_UNITS, first - pool)


def _take(t: TtaTable, seat: int, face: int, space: int, civil: int) -> None:
    t.change(seat, c.CA_SPENT, civil)
    card = take_from_row(t, seat, space)
    if t.face(card).kind == ACTION:
        t.put_list(seat, c.TAKEN, (*t.list_of(seat, c.TAKEN), face))


def take_from_row(t: TtaTable, seat: int, space: int) -> int:
    """Take the card on a space of the row: into hand, or into play if it is a wonder. Returns the card."""
    spaces = t.lists[t.layout.lists_common]
    card = t.pile(c.ROW)[spaces.index(space)]
    t.put(t.layout.lists_common, [other for other in spaces if other != space])
    face = t.face(card)
    t.log(w.TOOK(seat, face.index))
    t.move(card, t.zone_number(seat, c.UNFINISHED if face.kind == WONDER else c.CIVIL_HAND))
    if face.kind == LEADER:
        t.put_counter(seat, c.LEADER_AGES, t.get(seat, c.LEADER_AGES) | 1 << face.level)
    leader = t.leader(seat)
    for op in leader.ops.get("on_take_from_row", ()) if leader is not None and face.tech else ():
        t.score_science(seat, op["gain"]["science"])
    return card


def _grow(t: TtaTable, seat: int, civil: int, food: int, resources: int) -> None:
    t.change(seat, c.CA_SPENT, civil)
    t.pay_food(seat, food)
    if resources:
        t.pay_resources(seat, resources)
        t.put_counter(seat, c.TRADE_USED, 1)
    t.grow(seat)


def _grow_free(t: TtaTable, seat: int, face: int) -> None:
    t.put_counter(seat, c.GREW_FREE, 1)
    t.grow(seat)


def _build(t: TtaTable, seat: int, face: int, civil: int, resources: int, food: int) -> None:
    _pay(t, seat, civil, resources, food)
    t.employ(seat, t.layout.faces[face])


def _upgrade(t: TtaTable, seat: int, old: int, new: int, civil: int, resources: int, food: int) -> None:
    _pay(t, seat, civil, resources, food)
    t.retrain(seat, t.layout.faces[old], t.layout.faces[new])


def _cross_upgrade(t: TtaTable, seat: int, old: int, new: int, civil: int, resources: int, food: int) -> None:
    t.change(seat, c.CROSS_UPGRADED, 1)
    _upgrade(t, seat, old, new, civil, resources, food)


def _destroy(t: TtaTable, seat: int, face: int, civil: int) -> None:
    t.change(seat, c.CA_SPENT, civil)
    t.release(seat, t.layout.faces[face])


def _build_unit(
    t: TtaTable, seat: int, face: int, military: int, resources: int, pool: int, food: int
) -> None:
    t.change(seat, c.MA_SPENT, military)
    _pay_pool(t, seat, pool)
    _build(t, seat, face, 0, resources, food)


def _upgrade_unit(
    t: TtaTable, seat: int, old: int, new: int, military: int, resources: int, pool: int, food: int
) -> None:
    t.change(seat, c.MA_SPENT, military)
    _pay_pool(t, seat, pool)
    _upgrade(t, seat, old, new, 0, resources, food)


def _disband(t: TtaTable, seat: int, face: int, military: int) -> None:
    t.change(seat, c.MA_SPENT, military)
    t.release(seat, t.layout.faces[face])


def _levy(
    t: TtaTable, seat: int, face: int, military: int, food: int, resources: int, pool: int, trade: int
) -> None:
    t.change(seat, c.MA_SPENT, military)
    t.change(seat, c.TRADE_USED, trade)
    _pay_pool(t, seat, pool)
    t.pay_food(seat, food)
    t.pay_resources(seat, resources)
    t.grow(seat)
    t.employ(seat, t.layout.faces[face])


def _stage(t: TtaTable, seat: int, face: int, number: int, civil: int, resources: int, food: int) -> None:
    _pay(t, seat, civil, resources, food)
    t.cover_stages(seat, number)
    t.log(w.STAGES_BUILT(seat, face, number))
    if t.get(seat, c.STAGES) == len(t.layout.faces[face].stages):
        complete_wonder(t, seat)


def complete_wonder(t: TtaTable, seat: int) -> None:
    """The unfinished wonder is completed; pacts may make others gain by it."""
    card = t.zone_of(seat, c.UNFINISHED)[0]
    t.clear_stages(seat)
    t.put_in_play(seat, card, c.WONDERS)
    t.log(w.COMPLETED(seat, t.ident[card]))
    for other in t.living():
        refresh(t, other)
    on_complete(t, seat, t.face(card))


def _pay_science(t: TtaTable, seat: int, science: int, pool: int, partner: int) -> None:
    payer = Means(t, seat).partner if partner else -1
    t.score_science(seat, -science)
    t.change(seat, c.POOL_SCIENCE, -pool)
    if partner:
        t.score_science(payer, -partner)


def _develop(t: TtaTable, seat: int, face: int, civil: int, science: int, pool: int, partner: int) -> None:
    t.change(seat, c.CA_SPENT, civil)
    _pay_science(t, seat, science, pool, partner)
    put_technology(t, seat, face)
    developed(t, seat, revolution=False)


def put_technology(t: TtaTable, seat: int, face: int) -> None:
    """Put a technology from the hand into play, over the government or special technology it replaces."""
    card = t.find(t.zone_number(seat, c.CIVIL_HAND), face)
    kind = t.face(card).kind
    if kind == SPECIAL:
        t.put_special(seat, card)
    else:
        if kind == GOVERNMENT:
            old = t.government(seat).index
            t.take_out_of_play(seat, t.find(t.zone_number(seat, c.TECHNOLOGIES), old))
        t.put_in_play(seat, card, c.TECHNOLOGIES)
    if t.face(card).slot < 0:
        refresh(t, seat)


def _revolution(
    t: TtaTable, seat: int, face: int, civil: int, military: int, science: int, partner: int
) -> None:
    """R Declare a Revolution; civil actions gained are spent too, military ones if it was paid in them (R
    Leaders)."""
    civil_left = t.civil_left(seat) - civil
    military_over = t.get(seat, c.MA_SPENT)
    _pay_science(t, seat, science, 0, partner)
    put_technology(t, seat, face)
    t.change(seat, c.CA_SPENT, max(0, t.civil_left(seat) - civil_left))
    if military:
        t.put_counter(seat, c.MA_SPENT, t.get(seat, c.MA_TOTAL) + military_over)
    developed(t, seat, revolution=True)


def _play_tactic(t: TtaTable, seat: int, face: int, military: int) -> None:
    card = t.find(t.zone_number(seat, c.MILITARY_HAND), face)
    t.move(card, t.zone_number(seat, c.EXCLUSIVE))
    _use_tactic(t, seat, face, military)


def _use_tactic(t: TtaTable, seat: int, face: int, military: int) -> None:
    t.change(seat, c.MA_SPENT, military)
    t.put_list(seat, c.TACTIC_LIST, (face,))
    t.put_counter(seat, c.TACTIC_USED, 1)
    t.log(w.PLAYED(seat, face))
    refresh(t, seat)


def _convert(t: TtaTable, seat: int, military: int, civil: int) -> None:
    t.change(seat, c.MA_SPENT, military)
    t.change(seat, c.CA_SPENT, -civil)
    t.change(seat, c.CONVERTED, 1)


def _turn_gain(t: TtaTable, seat: int, face: int, culture: int) -> None:
    t.change(seat, c.TURN_CHOICE_USED, 1)
    t.score_culture(seat, culture)


def _turn_pool(t: TtaTable, seat: int, face: int, science: int, resources: int) -> None:
    t.change(seat, c.TURN_CHOICE_USED, 1)
    t.change(seat, c.POOL_SCIENCE, science)
    t.change(seat, c.POOL_UNITS, resources)


_HANDLERS: dict[int, Callable[..., None]] = {
    w.TAKE.number: _take,
    w.GROW.number: _grow,
    w.GROW_FREE_BY.number: _grow_free,
    w.BUILD.number: _build,
    w.UPGRADE.number: _upgrade,
    w.CROSS_UPGRADE.number: _cross_upgrade,
    w.DESTROY.number: _destroy,
    w.BUILD_UNIT.number: _build_unit,
    w.UPGRADE_UNIT.number: _upgrade_unit,
    w.DISBAND.number: _disband,
    w.LEVY.number: _levy,
    w.STAGE.number: _stage,
    w.DEVELOP.number: _develop,
    w.REVOLUTION.number: _revolution,
    w.PLAY_TACTIC.number: _play_tactic,
    w.COPY_TACTIC.number: _use_tactic,
    w.CONVERT.number: _convert,
    w.TURN_GAIN.number: _turn_gain,
    w.TURN_POOL.number: _turn_pool,
}
