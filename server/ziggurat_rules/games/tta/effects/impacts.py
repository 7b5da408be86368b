"""Impacts: the events of age III, which score culture by what a civilization has."""

from __future__ import annotations

from collections.abc import Callable

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta.facts import GOVERNMENT, SPECIAL, Op, kinds_named
from ziggurat_rules.games.tta.ratings import tally
from ziggurat_rules.games.tta.table import TtaTable

_AGES = ("A", "I", "II", "III")


def impact(t: TtaTable, current: int, seat: int, rule: Op) -> int:
    """Culture that an impact gives a seat; `current` breaks ties of rank."""
    if "by_rank_of" in rule:
        return _by_rank(t, current, seat, rule)
    return max(0, next(score(t, seat, rule) for name, score in _SCORES.items() if name in rule))


def _by_rank(t: TtaTable, current: int, seat: int, rule: Op) -> int:
    counter = {"science": c.SCIENCE_RATING, "strength": c.STRENGTH}[rule["by_rank_of"]]
    order = sorted(t.clockwise(current), key=lambda other: -t.get(other, counter))
    row = t.by_players((0, 1, 2))
    points: int = rule[("p2", "p3", "p4")[row]][order.index(seat)]
    return points


def _food(t: TtaTable, seat: int, rule: Op) -> int:
    made = tally(t, seat).farm_food
    board = t.layout.board
    eaten = board.consumption[min(t.get(seat, c.YELLOW_BANK), len(board.consumption) - 1)]
    bonus = int(rule["bonus_if_exceeds_consumption"]) if made > eaten else 0
    return int(rule["food_produced_by_farms"]) * made + bonus


def _mines(t: TtaTable, seat: int, rule: Op) -> int:
    return int(rule["resources_produced_by_mines"]) * tally(t, seat).mine_resources


def _levels(t: TtaTable, seat: int, rule: Op) -> int:
    """Levels of buildings and units, once for each worker, and of the government and special technologies."""
    sums = tally(t, seat)
    levels = 0
    for name in rule["per_level_of"]:
        for kind in kinds_named(name):
            if kind in (GOVERNMENT, SPECIAL):
                levels += sum(face.level for face in t.faces_in(seat, c.TECHNOLOGIES) if face.kind == kind)
            else:
                levels += sums.level_sum[kind]
    return int(rule["times"]) * levels


def _least_of(t: TtaTable, seat: int, rule: Op) -> int:
    counters = {
        "science": c.SCIENCE_RATING,
        "culture": c.CULTURE_RATING,
        "food": c.FOOD_PRODUCTION,
        "resources": c.RESOURCE_PRODUCTION,
    }
    return int(rule["times"]) * min(t.get(seat, counters[name]) for name in rule["min_of"])


def _colonies(t: TtaTable, seat: int, rule: Op) -> int:
    return int(rule["per_colony"]) * len(t.zone_of(seat, c.COLONIES))


def _actions(t: TtaTable, seat: int, rule: Op) -> int:
    civil = int(rule["per_civil_action"]) * t.get(seat, c.CA_TOTAL)
    return civil + int(rule["per_military_action"]) * t.get(seat, c.MA_TOTAL)


def _happiness(t: TtaTable, seat: int, rule: Op) -> int:
    happy = min(int(rule["max"]), int(rule["per_happy_face"]) * t.get(seat, c.HAPPINESS))
    return happy + int(rule["per_discontent"]) * t.get(seat, c.DISCONTENT)


def _population(t: TtaTable, seat: int, rule: Op) -> int:
    workers = sum(tally(t, seat).workers) + t.get(seat, c.UNUSED)
    return int(rule["per_content_worker_above_10"]) * max(0, workers - t.get(seat, c.DISCONTENT) - 10)


def _technologies(t: TtaTable, seat: int, rule: Op) -> int:
    advanced = sum(face.level == 3 for face in t.faces_in(seat, c.TECHNOLOGIES))
    return int(rule["per_technology_of_level_3"]) * advanced


def _variety(t: TtaTable, seat: int, rule: Op) -> int:
    sums = tally(t, seat)
    kinds = 0
    for name in rule["of"]:
        if name == "special":
            kinds += sum(face.kind == SPECIAL for face in t.faces_in(seat, c.TECHNOLOGIES))
        else:
            kinds += sum(sums.workers[kind] > 0 for kind in kinds_named(name))
    return int(rule["per_distinct_type"]) * kinds


def _wonders(t: TtaTable, seat: int, rule: Op) -> int:
    return sum(int(rule["per_wonder_by_age"][_AGES[face.level]]) for face in t.faces_in(seat, c.WONDERS))


_SCORES: dict[str, Callable[[TtaTable, int, Op], int]] = {
    "food_produced_by_farms": _food,
    "resources_produced_by_mines": _mines,
    "per_level_of": _levels,
    "min_of": _least_of,
    "per_colony": _colonies,
    "per_civil_action": _actions,
    "per_happy_face": _happiness,
    "per_content_worker_above_10": _population,
    "per_technology_of_level_3": _technologies,
    "per_distinct_type": _variety,
    "per_wonder_by_age": _wonders,
}
