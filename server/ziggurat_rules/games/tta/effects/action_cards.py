"""Action cards: what each effect of theirs does (rulebook, Play an Action Card)."""

from __future__ import annotations

from collections.abc import Callable

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.costs import Means
from ziggurat_rules.games.tta.facts import Op
from ziggurat_rules.games.tta.menu import ordered_options
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.terms import Term

COMPARED = {"stronger_than_self": c.STRENGTH, "more_culture_than_self": c.CULTURE}


def play_action(t: TtaTable, seat: int, face: int, civil: int) -> Effect[list[Term]]:
    """Pay for an action card, resolve and discard it; returns the actions it orders, as the player chose
    them."""
    card = t.find(t.zone_number(seat, c.CIVIL_HAND), face)
    means = Means(t, seat)
    effects = t.face(card).ops
    offers = [ordered_options(t, means, op) for op in effects.get("do_action", ())]
    t.change(seat, c.CA_SPENT, civil)
    t.log(w.PLAYED(seat, face))
    ordered = []
    for offer in offers:
        options = {term: term for term in offer}
        ordered.append((yield from choose(seat, w.FOR_CARD(face), options, skip_if_forced=True)))
    for op in effects.get("gain_choice", ()):
        yield from _gain_choice(t, seat, face, op)
    t.remove(card)
    for name, ops in effects.items():
        if name in _EFFECTS:
            for op in ops:
                _EFFECTS[name](t, seat, op)
    return ordered


def _gain_choice(t: TtaTable, seat: int, face: int, op: Op) -> Effect[None]:
    """Food or resources, as the player likes."""
    pairs = [(option.get("food", 0), option.get("resources", 0)) for option in op["options"]]
    food, resources = yield from choose(seat, w.FOR_CARD(face), {w.FOOD_OR(*pair): pair for pair in pairs})
    t.gain_food(seat, food)
    t.gain_resources(seat, resources)


def _gain(t: TtaTable, seat: int, op: Op) -> None:
    t.gain_food(seat, op.get("food", 0))
    t.gain_resources(seat, op.get("resources", 0))
    t.score_science(seat, op.get("science", 0))
    t.score_culture(seat, op.get("culture", 0))


def _turn_bonus(t: TtaTable, seat: int, op: Op) -> None:
    t.change(seat, c.MA_BONUS, op["military_actions"])


def _turn_pool(t: TtaTable, seat: int, op: Op) -> None:
    t.change(seat, c.POOL_UNITS, op["resources"])


def rivals_ahead(t: TtaTable, seat: int, compared: str) -> int:
    """Rivals that have more of what a card compares."""
    counter = COMPARED[compared]
    own = t.get(seat, counter)
    return sum(t.get(other, counter) > own for other in t.living())


def _per_rival(t: TtaTable, seat: int, op: Op, amounts: dict[str, int]) -> int:
    each = t.by_players((amounts["p2"], amounts["p3"], amounts["p4"]))
    return each * rivals_ahead(t, seat, op["rivals"])


def _turn_pool_per_rival(t: TtaTable, seat: int, op: Op) -> None:
    t.change(seat, c.POOL_UNITS, _per_rival(t, seat, op, op["resources"]))


def _gain_per_rival(t: TtaTable, seat: int, op: Op) -> None:
    t.score_culture(seat, _per_rival(t, seat, op, op["culture"]))


_EFFECTS: dict[str, Callable[[TtaTable, int, Op], None]] = {
    "gain": _gain,
    "turn_bonus": _turn_bonus,
    "turn_pool": _turn_pool,
    "turn_pool_per_rival": _turn_pool_per_rival,
    "gain_per_rival": _gain_per_rival,
}
