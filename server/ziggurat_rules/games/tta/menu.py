"""What may be done in the action phase: one option for each action and way to pay it (rulebook, Action
Phase)."""

from __future__ import annotations

from collections.abc import Collection

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.costs import TECHNOLOGY, Means, Taking
from ziggurat_rules.games.tta.facts import (
    ACTION,
    AIR_FORCE,
    ARENA,
    FARM,
    GOVERNMENT,
    INFANTRY,
    LAB,
    LEADER,
    TACTIC,
    Face,
    Op,
    kinds_named,
)
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.terms import Term

CIVIL_KINDS = range(FARM, ARENA + 1)
URBAN_KINDS = range(LAB, ARENA + 1)
UNIT_KINDS = range(INFANTRY, AIR_FORCE + 1)


def action_options(t: TtaTable, seat: int) -> list[Term]:
    """Every action that the player can take and pay now, and the end of the phase."""
    civil, military = t.civil_left(seat), t.military_left(seat)
    terms = takes(t, seat, civil)
    terms.append(w.END())
    if t.common(c.ROUND) == 1:
        return terms
    means = Means(t, seat)
    if civil > 0:
        terms += civil_actions(t, means)
    if military > 0:
        terms += military_actions(t, means)
    if means.hand(GOVERNMENT):
        total = t.get(seat, c.CA_TOTAL)
        terms += revolutions(t, means, civil >= total, total)
    if means.leader is not None:
        terms += leader_options(t, means)
    if t.zones[seat * c.ZONES_PER_SEAT + c.WONDERS]:
        terms += wonder_options(t, seat)
    return terms


def wonder_options(t: TtaTable, seat: int) -> list[Term]:
    """Actions of their own that wonders give."""
    if t.get(seat, c.GREW_FREE) or not t.get(seat, c.YELLOW_BANK):
        return []
    return [w.GROW_FREE_BY(face.index) for face in t.working_wonders(seat) if "free_population" in face.ops]


def takes(t: TtaTable, seat: int, civil: int) -> list[Term]:
    """Cards of the row that may be taken for so many civil actions."""
    if civil <= 0 and not (t.zone_of(seat, c.LEADER_ZONE) or t.get(seat, c.LEADER_REPLACED)):
        return []
    taking = Taking(t, seat)
    if taking.full and taking.unfinished:
        return []
    faces, ident, costs = t.layout.faces, t.ident, taking.costs
    most = max(costs) if taking.changes or taking.replaced else civil
    terms = []
    for card, space in zip(t.pile(c.ROW), t.lists[t.layout.lists_common], strict=True):
        cost = costs[space - 1]
        if cost <= most:
            face = ident[card]
            cost = taking.price(faces[face], cost)
            if 0 <= cost <= civil:
                terms.append(w.TAKE(face, space, cost))
    return terms


def civil_actions(t: TtaTable, means: Means) -> list[Term]:
    """Actions that cost one civil action."""
    terms = grows(means, 1)
    if means.unused:
        terms += builds(means, CIVIL_KINDS, 1)
    terms += upgrades(means, CIVIL_KINDS, 1)
    terms += [w.DESTROY(face.index, 1) for face in means.buildings]
    terms += stages(t, means, 1, means.stages_max)
    terms += developments(t, means, 1)
    if means.leader is not None:
        terms += cross_upgrades(t, means)
    terms += hand_options(t, means)
    return terms


def hand_options(t: TtaTable, means: Means) -> list[Term]:
    """Leaders and action cards of the hand that may be played."""
    taken = t.list_of(means.seat, c.TAKEN)
    terms = [w.PLAY_LEADER(face.index, 1) for face in means.hand(LEADER)]
    for face in means.hand(ACTION):
        index = face.index
        if index in taken:
            held = sum(t.ident[card] == index for card in t.zone_of(means.seat, c.CIVIL_HAND))
            if held <= taken.count(index):
                continue
        if playable(t, means, face):
            terms.append(w.PLAY_ACTION(index, 1))
    return terms


def playable(t: TtaTable, means: Means, face: Face) -> bool:
    """Whether every action that an action card orders can be carried out."""
    ordered = face.ops.get("do_action")
    return ordered is None or all(ordered_options(t, means, op) for op in ordered)


def ordered_options(t: TtaTable, means: Means, op: Op) -> list[Term]:
    """The ways to carry out an action that a card orders, without paying actions for it."""
    action, less = op["action"], -op.get("resources", 0)
    if action == "build_or_upgrade":
        kinds = kinds_named(op["of"])
        return builds(means, kinds, 0, less) + upgrades(means, kinds, 0, less)
    if action == "upgrade":
        return upgrades(means, kinds_named(op["of"]), 0, less)
    if action == "increase_population":
        return grows(means, 0)
    if action == "build_wonder_stage":
        return stages(t, means, 0, op["stages"], less)
    # R Declare a Revolution: it takes all civil actions, the one for the card included.
    total = t.get(means.seat, c.CA_TOTAL)
    return developments(t, means, 0) + revolutions(t, means, t.civil_left(means.seat) >= total, total - 1)


def grows(means: Means, civil: int, less: int = 0) -> list[Term]:
    """Ways to increase the population."""
    return [w.GROW(civil, *way) for way in means.food_payments(means.population_cost(less))]


def builds(means: Means, kinds: Collection[int], civil: int, less: int = 0) -> list[Term]:
    """Farms, mines and urban buildings of these kinds that can be built."""
    if not means.unused:
        return []
    terms = []
    for face in means.in_play:
        if face.kind not in kinds or (face.urban and means.workers[face.kind] >= means.urban_limit):
            continue
        cost = means.build_cost(face, less)
        if means.trades_food:
            for resources, _, food in means.payments(cost):
                terms.append(w.BUILD(face.index, civil, resources, food))
        elif cost <= means.resources:
            terms.append(w.BUILD(face.index, civil, cost, 0))
    return terms


def upgrades(means: Means, kinds: Collection[int], civil: int, less: int = 0) -> list[Term]:
    """Upgrades of farms, mines and urban buildings of these kinds."""
    terms = []
    for kind, faces in means.by_kind.items():
        if len(faces) == 1 or kind not in kinds:
            continue
        for old, new in _pairs(means, faces):
            for resources, _, food in means.payments(means.upgrade_cost(old, new, less)):
                terms.append(w.UPGRADE(old.index, new.index, civil, resources, food))
    return terms


def _pairs(means: Means, faces: list[Face]) -> list[tuple[Face, Face]]:
    return [(old, new) for old in faces if means.on(old) for new in faces if new.level > old.level]


def stages(t: TtaTable, means: Means, civil: int, most: int, less: int = 0) -> list[Term]:
    """Numbers of stages of the unfinished wonder that can be built as one action."""
    unfinished = t.zone_of(means.seat, c.UNFINISHED)
    if not unfinished:
        return []
    face = t.face(unfinished[0])
    left = face.stages[t.get(means.seat, c.STAGES) :]
    terms = []
    most = min(most, len(left))
    if most > t.get(means.seat, c.BLUE_BANK):
        most = min(most, means.blue_tokens())
    for number in range(1, most + 1):
        for resources, _, food in means.payments(max(0, sum(left[:number]) - less)):
            terms.append(w.STAGE(face.index, number, civil, resources, food))
    return terms


def developments(t: TtaTable, means: Means, civil: int, less: int = 0) -> list[Term]:
    """Technologies of the hand that can be developed."""
    science = t.get(means.seat, c.SCIENCE)
    terms = []
    for face in means.hand(TECHNOLOGY):
        own, pool, partner = means.science_cost(face, False, less)
        if own <= science:
            terms.append(w.DEVELOP(face.index, civil, own, pool, partner))
    return terms


def revolutions(t: TtaTable, means: Means, all_civil: bool, civil: int, less: int = 0) -> list[Term]:
    """Governments of the hand to which a revolution can be declared; `all_civil`: no civil action was
    spent."""
    seat = means.seat
    military = 0
    if means.leader is not None and "revolution_payment" in means.leader.ops:
        civil, military = 0, t.get(seat, c.MA_TOTAL)
        all_civil = t.military_left(seat) >= military
    if not all_civil:
        return []
    terms = []
    for face in means.hand(GOVERNMENT):
        own, _, partner = means.science_cost(face, True, less)
        if own <= t.get(seat, c.SCIENCE):
            terms.append(w.REVOLUTION(face.index, civil, military, own, partner))
    return terms


def cross_upgrades(t: TtaTable, means: Means) -> list[Term]:
    """Upgrades from any urban building to another type, by a leader."""
    op = means.leader.op("cross_upgrade") if means.leader is not None else None
    if op is None or t.get(means.seat, c.CROSS_UPGRADED) >= op["times_per_turn"]:
        return []
    goal = next(iter(kinds_named(op["to"])))
    terms = []
    for old in means.in_play:
        if not old.urban or not means.on(old):
            continue
        for new in means.by_kind.get(goal, ()):
            fits = old.kind == goal or means.workers[goal] < means.urban_limit
            if new is old or new.level < old.level or not fits:
                continue
            for resources, _, food in means.payments(means.upgrade_cost(old, new)):
                terms.append(w.CROSS_UPGRADE(old.index, new.index, op["civil_actions"], resources, food))
    return terms


# Military actions


def military_actions(t: TtaTable, means: Means) -> list[Term]:
    """Actions that cost military actions."""
    terms = unit_builds(means, 1)
    if means.units:
        terms += unit_upgrades(means, 1)
    terms += [w.DISBAND(face.index, 1) for face in means.units]
    if means.leader is not None:
        terms += levies(means)
    if not t.get(means.seat, c.TACTIC_USED):
        terms += tactics(t, means.seat)
    return terms


def unit_builds(means: Means, military: int) -> list[Term]:
    """Units that can be built."""
    if not means.unused:
        return []
    return [
        w.BUILD_UNIT(face.index, military, *way)
        for face in means.in_play
        if face.unit
        for way in means.payments(means.build_cost(face), unit=True)
    ]


def unit_upgrades(means: Means, military: int) -> list[Term]:
    """Upgrades of units."""
    return [
        w.UPGRADE_UNIT(old.index, new.index, military, *way)
        for kind in UNIT_KINDS
        if len(means.by_kind.get(kind, ())) > 1
        for old, new in _pairs(means, means.by_kind[kind])
        for way in means.payments(means.upgrade_cost(old, new), unit=True)
    ]


def levies(means: Means) -> list[Term]:
    """Growth and a unit as one action, by a leader."""
    op = means.leader.op("combo_action") if means.leader is not None else None
    if op is None or means.t.military_left(means.seat) < op["military_actions"]:
        return []
    growth = means.population_cost(-op["food"])
    if growth < 0:
        return []
    terms = []
    for face in means.in_play:
        if face.unit:
            cost = means.build_cost(face, -op["resources"])
            for food, resources, pool, trade in _levy_payments(means, growth, cost):
                terms.append(w.LEVY(face.index, op["military_actions"], food, resources, pool, trade))
    return terms


def _levy_payments(means: Means, growth: int, cost: int) -> list[tuple[int, int, int, int]]:
    """Ways to pay both: (food, resources, pool, 1 if a trade of a pact is used)."""
    pool = min(cost, means.pool)
    rest = cost - pool
    ways = [(growth, rest, pool, 0)]
    if means.trades_food and rest:
        ways.append((growth + 1, rest - 1, pool, 1))
    if means.trades_resource and growth:
        ways.append((growth - 1, rest + 1, pool, 1))
    return [way for way in ways if way[0] <= means.food and way[1] <= means.resources]


def tactics(t: TtaTable, seat: int) -> list[Term]:
    """Tactics to play from the hand or to copy."""
    board = t.layout.board
    left = t.military_left(seat)
    current = t.list_of(seat, c.TACTIC_LIST)
    terms = []
    if left >= board.tactic_actions:
        faces = t.layout.faces
        hand = {t.ident[card] for card in t.zone_of(seat, c.MILITARY_HAND)}
        terms += [
            w.PLAY_TACTIC(one, board.tactic_actions) for one in sorted(hand) if faces[one].kind == TACTIC
        ]
    if left >= board.copy_tactic_actions:
        common = (t.ident[card] for card in t.pile(c.COMMON_TACTICS))
        terms += [w.COPY_TACTIC(index, board.copy_tactic_actions) for index in common if index not in current]
    return terms


def leader_options(t: TtaTable, means: Means) -> list[Term]:
    """Actions of their own that a leader gives: a conversion, a choice each turn."""
    leader, seat = means.leader, means.seat
    if leader is None:
        return []
    terms = []
    op = leader.op("convert_action")
    if op is not None and t.get(seat, c.CONVERTED) < op["per_turn"] and t.military_left(seat) > 0:
        terms.append(w.CONVERT(1, 1))
    op = leader.op("turn_choice")
    if op is not None and t.get(seat, c.TURN_CHOICE_USED) < op["times_per_turn"]:
        for choice in op["options"]:
            if "gain" in choice:
                terms.append(w.TURN_GAIN(leader.index, choice["gain"]["culture"]))
            else:
                terms.append(
                    w.TURN_POOL(leader.index, choice["pool"]["science"], choice["pool"]["resources"])
                )
    return terms
