"""Ratings: what the cards in play and the workers on them amount to (rulebook, Your Statistics & Economy)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta.armies import grouped, tactical_strength
from ziggurat_rules.games.tta.facts import (
    AIR_FORCE,
    FARM,
    GOVERNMENT,
    INFANTRY,
    KIND_NAMES,
    MINE,
    Face,
    Op,
    kinds_named,
)

if TYPE_CHECKING:
    from ziggurat_rules.games.tta.table import TtaTable

_KINDS = AIR_FORCE + 1


class Tally:
    """Sums of one civilization, by kind of technology where a list; `happy` counts happy faces only."""

    __slots__ = (
        "best",
        "civil_actions",
        "civil_limit",
        "colonies",
        "colonization",
        "culture",
        "farm_food",
        "food",
        "government_happy",
        "happy",
        "level_sum",
        "military_actions",
        "military_limit",
        "mine_resources",
        "mounted",
        "other_culture",
        "other_happiness",
        "other_science",
        "other_strength",
        "resources",
        "science",
        "strength",
        "units",
        "urban_limit",
        "wonder_happy",
        "workers",
    )

    def __init__(self) -> None:
        self.workers = [0] * _KINDS
        self.culture = [0] * _KINDS
        self.science = [0] * _KINDS
        self.strength = [0] * _KINDS
        self.happy = [0] * _KINDS
        self.level_sum = [0] * _KINDS
        self.best: list[Face | None] = [None] * _KINDS
        self.units = ([0] * 4, [0] * 4, [0] * 4, [0] * 4)
        self.wonder_happy = self.government_happy = self.other_happiness = 0
        self.other_culture = self.other_science = self.other_strength = 0
        self.civil_actions = self.military_actions = self.civil_limit = self.military_limit = 0
        self.colonization = self.colonies = self.urban_limit = 0
        self.farm_food = self.mine_resources = self.food = self.resources = 0
        self.mounted = False

    def happiness(self) -> int:
        """Happy faces less unhappy ones, before the limits of the rating."""
        return sum(self.happy) + self.wonder_happy + self.government_happy + self.other_happiness


def tally(t: TtaTable, seat: int) -> Tally:
    """Everything counted for a seat, effects of cards included."""
    sums = Tally()
    faces, ident, zones = t.layout.faces, t.ident, t.zones
    zone = seat * c.ZONES_PER_SEAT
    extra = extra_happy(t, seat)
    _technologies(t, seat, sums, extra)
    _wonders(t, seat, sums, extra)
    for card in zones[zone + c.COLONIES]:
        _give(sums, faces[ident[card]], extra)
        sums.colonies += 1
    _pacts(t, seat, sums)
    for card in zones[zone + c.LEADER_ZONE]:
        leader = faces[ident[card]]
        _give(sums, leader, extra)
        _apply_ops(sums, leader)
    return sums


def extra_happy(t: TtaTable, seat: int) -> int:
    """Happy faces that each card with a happy face has more, by a wonder."""
    found = 0
    for face in t.working_wonders(seat):
        op = face.op("extra_happy_per_source")
        if op is not None:
            found += op["amount"]
    return found


def _technologies(t: TtaTable, seat: int, sums: Tally, extra: int) -> None:
    counters, faces, ident = t.counters, t.layout.faces, t.ident
    base = seat * t.layout.per_seat + c.WORKERS
    for card in t.zones[seat * c.ZONES_PER_SEAT + c.TECHNOLOGIES]:
        face = faces[ident[card]]
        if face.slot < 0:
            if face.kind == GOVERNMENT:
                sums.urban_limit = face.facts["urban_limit"]
                happy = face.gives.happiness
                if happy > 0:
                    sums.government_happy += happy + extra
                    sums.other_happiness -= happy + extra
            _give(sums, face, extra)
            continue
        workers = counters[base + face.slot]
        if workers:
            _workers(sums, face, workers, extra)


def _workers(sums: Tally, face: Face, workers: int, extra: int) -> None:
    kind, output = face.kind, face.output
    sums.workers[kind] += workers
    sums.level_sum[kind] += workers * face.level
    best = sums.best[kind]
    if best is None or best.level < face.level:
        sums.best[kind] = face
    if kind == FARM:
        sums.farm_food += workers * face.value
    elif kind == MINE:
        sums.mine_resources += workers * face.value
    else:
        sums.culture[kind] += workers * output.culture
        sums.science[kind] += workers * output.science
        sums.strength[kind] += workers * output.strength
        if output.happiness > 0:
            sums.happy[kind] += workers * (output.happiness + extra)
        if kind >= INFANTRY:
            sums.units[kind - INFANTRY][face.level] += workers


def _give(sums: Tally, face: Face, extra: int) -> None:
    gives = face.gives
    sums.other_culture += gives.culture
    sums.other_science += gives.science
    sums.other_strength += gives.strength
    sums.other_happiness += gives.happiness + (extra if gives.happiness > 0 else 0)
    sums.civil_actions += gives.civil_actions
    sums.military_actions += gives.military_actions
    sums.colonization += gives.colonization


def _wonders(t: TtaTable, seat: int, sums: Tally, extra: int) -> None:
    faces, ident = t.layout.faces, t.ident
    ruined, carrying = t.list_of(seat, c.RUINED), t.list_of(seat, c.LEADER_UNDER)
    tucked = [faces[ident[card]] for card in t.zone_of(seat, c.TUCKED)]
    for card in t.zone_of(seat, c.WONDERS):
        face = faces[ident[card]]
        ruin = face.index in ruined
        happy = 0 if ruin else max(0, face.gives.happiness)
        if face.index in carrying:
            happy += sum(
                op["wonder_gains"]["happiness"] for leader in tucked for op in leader.ops["on_replaced"]
            )
        if happy:
            own = face.op("extra_happy_per_source")
            # R Leaders, St. Peter's Basilica: "your other cards"
            sums.wonder_happy += happy + extra - (own["amount"] if own is not None and not ruin else 0)
        if ruin:
            sums.other_culture += t.layout.library.ruin.culture
            continue
        _give(sums, face, 0)
        sums.other_happiness -= max(0, face.gives.happiness)
        _apply_ops(sums, face)


def has_pacts(t: TtaTable) -> bool:
    """Whether any pact is in play."""
    zones = t.zones
    return any(zones[zone] for zone in range(c.PACT_ZONE, t.layout.zones_common, c.ZONES_PER_SEAT))


def pacts_of(t: TtaTable, seat: int) -> Iterator[tuple[Face, Op, int]]:
    """The pacts that a seat is party to: card, what it has of it, partner."""
    for owner in range(t.layout.seats):
        for card in t.zones[owner * c.ZONES_PER_SEAT + c.PACT_ZONE]:
            partner, side = t.list_of(owner, c.PACT_TERMS)
            if seat in (owner, partner):
                face = t.layout.faces[t.ident[card]]
                own_side = side if seat == owner else 1 - side
                yield face, pact_side(face, own_side), partner if seat == owner else owner


def pact_side(face: Face, side: int) -> Op:
    """What one side of a pact has."""
    record = face.facts
    found: Op = record[("side_a", "side_b")[side]] if record["sides"] else record["both"]
    return found


def _pacts(t: TtaTable, seat: int, sums: Tally) -> None:
    if not has_pacts(t):
        return
    for _, own, partner in pacts_of(t, seat):
        sums.other_culture += own.get("culture", 0)
        sums.other_culture += own.get("culture_per_partner_wonder", 0) * len(t.zone_of(partner, c.WONDERS))
        sums.other_strength += own.get("strength", 0)
        sums.military_actions += own.get("military_actions", 0)
        sums.food += own.get("food_production", 0)
        sums.resources += own.get("resource_production", 0)


# Effects of leaders and wonders on ratings, by name


def _apply_ops(sums: Tally, face: Face) -> None:
    for name, ops in face.ops.items():
        effect = _RATING_OPS.get(name)
        if effect is not None:
            for op in ops:
                effect(sums, op)


def _strength_per_unit(sums: Tally, op: Op) -> None:
    kinds = kinds_named(op["of"]) if "of" in op else range(INFANTRY, AIR_FORCE + 1)
    sums.other_strength += op["amount"] * sum(sums.workers[kind] for kind in kinds)


def _strength_per_unit_type(sums: Tally, op: Op) -> None:
    sums.other_strength += op["amount"] * sum(sums.workers[kind] > 0 for kind in kinds_named(op["types"]))


def _happy_faces(sums: Tally, of: list[str]) -> int:
    special = {"government": sums.government_happy, "wonder": sums.wonder_happy}
    return sum(special[name] if name in special else sums.happy[KIND_NAMES.index(name)] for name in of)


def _strength_per_happy_face(sums: Tally, op: Op) -> None:
    sums.other_strength += op["amount"] * _happy_faces(sums, op["of"])


def _culture_per_happy_face(sums: Tally, op: Op) -> None:
    sums.other_culture += op["amount"] * _happy_faces(sums, op["of"])


def _best_building_science(sums: Tally, op: Op) -> None:
    built = [best for kind in kinds_named(op["of"]) if (best := sums.best[kind]) is not None]
    if built:
        best = max(built, key=lambda face: (face.level, -face.kind))
        sums.science[best.kind] += op["per_level"] * best.level


def _best_building_doubles(sums: Tally, op: Op) -> None:
    for kind in kinds_named(op["of"]):
        best = sums.best[kind]
        if best is not None:
            sums.culture[kind] += best.output.culture


def _culture_per_building(sums: Tally, op: Op) -> None:
    for kind in kinds_named(op["of"]):
        sums.culture[kind] += op["amount"] * sums.workers[kind]


def _culture_per_building_level(sums: Tally, op: Op) -> None:
    for kind in kinds_named(op["of"]):
        sums.culture[kind] += op["per_level"] * sums.level_sum[kind]


def _science_per_building(sums: Tally, op: Op) -> None:
    for kind in kinds_named(op["of"]):
        sums.science[kind] += op["amount"] * sums.workers[kind]


def _culture_per_pair(sums: Tally, op: Op) -> None:
    first, second = (KIND_NAMES.index(name) for name in op["of"])
    sums.culture[second] += op["amount"] * min(sums.workers[first], sums.workers[second])


def _culture_per_colony(sums: Tally, op: Op) -> None:
    if sums.colonies:
        sums.other_culture += op["first"] + op["additional"] * (sums.colonies - 1)


def _hand_limit(sums: Tally, op: Op) -> None:
    sums.civil_limit += op["civil"]
    sums.military_limit += op["military"]


def _double_best_mine(sums: Tally, op: Op) -> None:
    best = sums.best[MINE]
    if best is not None:
        sums.mine_resources += op["workers"] * best.value


def _resources_per_building_level(sums: Tally, op: Op) -> None:
    for kind in kinds_named(op["of"]):
        sums.resources += op["per_level"] * sums.level_sum[kind]


def _infantry_may_be_cavalry(sums: Tally, op: Op) -> None:
    sums.mounted = True


_RATING_OPS: dict[str, Callable[[Tally, Op], None]] = {
    "strength_per_unit": _strength_per_unit,
    "strength_per_unit_type": _strength_per_unit_type,
    "strength_per_happy_face": _strength_per_happy_face,
    "culture_per_happy_face": _culture_per_happy_face,
    "best_building_science": _best_building_science,
    "best_building_doubles": _best_building_doubles,
    "culture_per_building": _culture_per_building,
    "culture_per_building_level": _culture_per_building_level,
    "science_per_building": _science_per_building,
    "culture_per_pair": _culture_per_pair,
    "culture_per_colony": _culture_per_colony,
    "hand_limit": _hand_limit,
    "double_best_mine": _double_best_mine,
    "resources_per_building_level": _resources_per_building_level,
    "infantry_may_be_cavalry": _infantry_may_be_cavalry,
}


def tactic_strength(t: TtaTable, seat: int, sums: Tally) -> int:
    """What armies under the current tactic add."""
    current = t.list_of(seat, c.TACTIC_LIST)
    if not current:
        return 0
    face = t.layout.faces[current[0]]
    units = sums.units
    by_type = (units[0], units[1], units[2])
    return tactical_strength(grouped(by_type, sum(units[3]), face.level), face.tactic, sums.mounted)


def refresh(t: TtaTable, seat: int) -> None:
    """Bring the ratings and totals of a seat up to date."""
    sums = tally(t, seat)
    counters = t.counters
    base = seat * t.layout.per_seat
    _set_total(t, base + c.CA_TOTAL, base + c.CA_SPENT, sums.civil_actions)
    _set_total(t, base + c.MA_TOTAL, base + c.MA_SPENT, sums.military_actions)
    happiness = min(t.layout.board.happiness_max, max(0, sums.happiness()))
    strength = sum(sums.strength) + sums.other_strength + tactic_strength(t, seat, sums)
    for counter, value in (
        (c.CULTURE_RATING, max(0, sum(sums.culture) + sums.other_culture)),
        (c.SCIENCE_RATING, max(0, sum(sums.science) + sums.other_science)),
        (c.STRENGTH, max(0, strength)),
        (c.HAPPINESS, happiness),
        (c.COLONIZATION, sums.colonization),
        (c.CIVIL_LIMIT, sums.civil_actions + sums.civil_limit),
        (c.MILITARY_LIMIT, sums.military_actions + sums.military_limit),
        (c.FOOD_PRODUCTION, sums.farm_food + sums.food),
        (c.RESOURCE_PRODUCTION, max(0, sums.mine_resources + sums.resources)),
        (c.URBAN_LIMIT, sums.urban_limit),
    ):
        if counters[base + counter] != value:
            t.set(base + counter, value)
    t.count_discontent(seat)


def _set_total(t: TtaTable, total: int, spent: int, value: int) -> None:
    """R board, action_tokens: a total that falls takes spent tokens first; one that rises adds available
    ones."""
    fall = t.counters[total] - value
    if fall:
        t.set(total, value)
        if fall > 0 and t.counters[spent] > 0:
            t.set(spent, max(0, t.counters[spent] - fall))


def urban_output(t: TtaTable, seat: int, kinds: frozenset[int], what: list[str]) -> int:
    """Culture, science or strength given by urban buildings of these kinds, with what a leader changes in
    it."""
    sums = tally(t, seat)
    of: dict[str, list[int]] = {"culture": sums.culture, "science": sums.science, "strength": sums.strength}
    return sum(of[name][kind] for name in what for kind in kinds)
