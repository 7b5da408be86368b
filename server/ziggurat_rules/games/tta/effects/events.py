"""Evaluating events (rulebook, Evaluating an Event): who is meant, and what each effect of a card does to
a seat.

Who is meant by all effects of a card is settled once, when it is revealed. Effects that may ask run as
agenda steps of
their own, seat by seat.
"""

from __future__ import annotations

from collections.abc import Callable

from ziggurat_rules.decisions import Effect, choose, choose_subset
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.actions import perform, take_from_row
from ziggurat_rules.games.tta.colonies import colonize, lose_colony
from ziggurat_rules.games.tta.costs import Means
from ziggurat_rules.games.tta.effects.impacts import impact
from ziggurat_rules.games.tta.effects.leaders import remove_leader
from ziggurat_rules.games.tta.effects.losses import buildings, destroy_building, lose_population
from ziggurat_rules.games.tta.facts import TERRITORY, Op, kinds_named
from ziggurat_rules.games.tta.menu import builds, developments, grows, revolutions, takes
from ziggurat_rules.games.tta.ratings import refresh
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.games.tta.turn import (
    OUT_OF_DECKS,
    consume,
    lose_to_corruption,
    produce_food,
    produce_resources,
    refill_row,
)
from ziggurat_rules.terms import Term

_AGES = ("A", "I", "II", "III")


def reveal_event(t: TtaTable, seat: int) -> None:
    """Reveal the top card of the current events and resolve it."""
    card = t.draw(t.pile_number(c.CURRENT_EVENTS), t.pile_number(c.IN_RESOLUTION))
    if card is None:
        return
    face = t.face(card)
    t.log(w.EVENT_IS(face.index))
    t.push(steps.EVENT_DONE, seat, card)
    if face.kind == TERRITORY:
        colonize(t, seat, card)
        return
    pushed = []
    for number, effect in enumerate(face.effects):
        meant = affected(t, seat, effect)
        other = affected(t, seat, {"who": effect["take_from"]})[0] if "take_from" in effect else 0
        step = steps.EVENT_ASKS if any(name in _ASKS for name in effect) else steps.EVENT_RUNS
        pushed += [(step, one, face.index, number, other) for one in meant]
    for entry in reversed(pushed):
        t.push(*entry)


def event_done(t: TtaTable, seat: int, card: int) -> None:
    """The event is past, unless it has become a colony; after the last one the future events become
    current."""
    if t.place[card] == t.pile_number(c.IN_RESOLUTION):
        t.move(card, t.pile_number(c.PAST_EVENTS))
    if not t.pile(c.CURRENT_EVENTS):
        t.renew_events()


def ranked(t: TtaTable, current: int, counter: int) -> list[int]:
    """The living seats from the highest value down; of equal ones the closer clockwise to the current
    player first."""
    return sorted(t.clockwise(current), key=lambda seat: -t.get(seat, counter))


def affected(t: TtaTable, current: int, effect: Op) -> list[int]:
    """The seats that an effect is meant for, clockwise from the current player."""
    who = effect["who"]
    clockwise = t.clockwise(current)
    if who == "all":
        return clockwise
    two = 1 if len(clockwise) == 2 else 2
    by_strength = ranked(t, current, c.STRENGTH)
    by_culture = ranked(t, current, c.CULTURE)
    chosen = {
        "strongest": by_strength[:1],
        "weakest": by_strength[-1:],
        "two_strongest": by_strength[:two],
        "two_weakest": by_strength[-two:],
        "most_culture": by_culture[:1],
        "least_culture": by_culture[-1:],
        "all_most_happiness": _all_most(t, c.HAPPINESS),
        "all_most_discontent": _all_most(t, c.DISCONTENT),
    }[who]
    if effect.get("if") == "discontent_at_least_1":
        chosen = [seat for seat in chosen if t.get(seat, c.DISCONTENT)]
    if effect.get("if_among") == "two_weakest":
        chosen = [seat for seat in chosen if seat in by_strength[-two:]]
    return [seat for seat in clockwise if seat in chosen]


def _all_most(t: TtaTable, counter: int) -> list[int]:
    most = max(t.get(seat, counter) for seat in t.living())
    return [seat for seat in t.living() if t.get(seat, counter) == most]


def event_runs(t: TtaTable, seat: int, face: int, number: int, other: int) -> None:
    """An effect without a decision, for one seat."""
    effect = t.layout.faces[face].effects[number]
    for name in effect:
        if name in _RUNS:
            _RUNS[name](t, seat, effect, other)


def event_asks(t: TtaTable, seat: int, face: int, number: int, other: int) -> Effect[None]:
    """An effect that may ask, for one seat."""
    effect = t.layout.faces[face].effects[number]
    with t.resolving(seat, face):
        for name in effect:
            if name in _ASKS:
                yield from _ASKS[name](t, seat, face, effect)


# Effects without a decision


def _gain(t: TtaTable, seat: int, effect: Op, other: int) -> None:
    gain = effect["gain"]
    t.gain_food(seat, gain.get("food", 0))
    t.gain_resources(seat, gain.get("resources", 0))
    t.score_science(seat, gain.get("science", 0))
    t.score_culture(seat, gain.get("culture", 0))
    for _ in range(gain.get("population", 0)):
        t.grow(seat)


def _gain_rating(t: TtaTable, seat: int, effect: Op, other: int) -> None:
    rating = t.get(seat, {"culture": c.CULTURE_RATING, "science": c.SCIENCE_RATING}[effect["gain_rating"]])
    if effect["as"] == "culture":
        t.score_culture(seat, rating)
    else:
        t.score_science(seat, rating)


def _produce(t: TtaTable, seat: int, effect: Op, other: int) -> None:
    parts: dict[str, Callable[[TtaTable, int], None]] = {
        "corruption": lose_to_corruption,
        "food": produce_food,
        "consumption": consume,
        "resources": produce_resources,
    }
    for part in effect["produce"]:
        parts[part](t, seat)


def _lose_all(t: TtaTable, seat: int, effect: Op, other: int) -> None:
    t.pay_food(seat, t.get(seat, c.FOOD))


def _lose_per_discontent(t: TtaTable, seat: int, effect: Op, other: int) -> None:
    t.score_culture(seat, -effect["lose_per_discontent"]["culture"] * t.get(seat, c.DISCONTENT))


def _take_from(t: TtaTable, seat: int, effect: Op, other: int) -> None:
    if other != seat:
        t.change_yellow(seat, -t.change_yellow(other, -effect["yellow_tokens"]))


def _draw_cards(t: TtaTable, seat: int, effect: Op, other: int) -> None:
    if t.common(c.AGE) == OUT_OF_DECKS:
        t.score_culture(seat, effect.get("in_age_iv", {}).get("gain_culture", 0))
    else:
        t.draw_military(seat, effect["draw_military_cards"])


def _lose_civil_actions(t: TtaTable, seat: int, effect: Op, other: int) -> None:
    lost = effect["lose_civil_actions_per_discontent"] * t.get(seat, c.DISCONTENT)
    t.change(seat, c.CA_SPENT, max(0, min(lost, t.civil_left(seat))))


def _discard_leader(t: TtaTable, seat: int, effect: Op, other: int) -> None:
    leader = t.leader(seat)
    if leader is not None and leader.level != t.common(c.AGE):
        remove_leader(t, seat)
        refresh(t, seat)


def _gain_per_happy_face(t: TtaTable, seat: int, effect: Op, other: int) -> None:
    faces = min(effect["max"], t.get(seat, c.HAPPINESS))
    t.gain_food(seat, effect["gain_per_happy_face"]["food"] * faces)


def _culture(t: TtaTable, seat: int, effect: Op, other: int) -> None:
    t.score_culture(seat, impact(t, t.common(c.CURRENT), seat, effect["culture"]))


_RUNS: dict[str, Callable[[TtaTable, int, Op, int], None]] = {
    "gain": _gain,
    "gain_rating": _gain_rating,
    "produce": _produce,
    "lose_all": _lose_all,
    "lose_per_discontent": _lose_per_discontent,
    "take_from": _take_from,
    "draw_military_cards": _draw_cards,
    "lose_civil_actions_per_discontent": _lose_civil_actions,
    "discard_leader_if": _discard_leader,
    "gain_per_happy_face": _gain_per_happy_face,
    "culture": _culture,
}


# Effects that may ask


def _gain_choice(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    pairs = [(option.get("food", 0), option.get("resources", 0)) for option in effect["gain_choice"]]
    food, resources = yield from choose(seat, w.FOR_CARD(face), {w.FOOD_OR(*pair): pair for pair in pairs})
    t.gain_food(seat, food)
    t.gain_resources(seat, resources)


def _gain_mix(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    total = effect["gain_mix"]["total"]
    options = {w.FOOD_OR(food, total - food): food for food in range(total + 1)}
    food = yield from choose(seat, w.FOR_CARD(face), options)
    t.gain_food(seat, food)
    t.gain_resources(seat, total - food)


def _lose_mix(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    food, resources = t.get(seat, c.FOOD), t.get(seat, c.RESOURCES)
    total = min(effect["lose_mix"]["total"], food + resources)
    splits = range(max(0, total - resources), min(total, food) + 1)
    options = {w.FOOD_OR(some, total - some): some for some in splits}
    lost = yield from choose(seat, w.SPOILS(face, total), options, skip_if_forced=True)
    t.pay_food(seat, lost)
    t.pay_resources(seat, total - lost)


def _lose(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    lose = effect["lose"]
    t.score_culture(seat, -lose.get("culture", 0))
    t.change_blue(seat, -lose.get("blue_tokens", 0))
    for _ in range(lose.get("population", 0)):
        yield from lose_population(t, seat, face)


def _lose_population_per_discontent(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    for _ in range((t.get(seat, c.DISCONTENT) + 1) // 2):
        yield from lose_population(t, seat, face)


def _destroy_own(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    for _ in range(effect["count"]):
        yield from destroy_building(
            t, seat, seat, face, buildings(t, seat, kinds_named(effect["destroy_own"]))
        )


def _destroy_rival(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    rule = effect["destroy_rival"]
    for rival in t.clockwise(seat)[1:]:
        for _ in range(rule["per_rival"]):
            yield from destroy_building(t, seat, rival, face, buildings(t, rival, kinds_named(rule["of"])))


def _build_free(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    built = t.layout.library.by_id[effect["build_free"]]
    if not t.get(seat, c.UNUSED):
        return
    if built.unit:
        term = w.BUILD_UNIT(built.index, 0, 0, 0, 0)
    else:
        means = Means(t, seat)
        if built.urban and means.workers[built.kind] >= means.urban_limit:
            return
        term = w.BUILD(built.index, 0, 0, 0)
    chosen = yield from choose(seat, w.FOR_CARD(face), {term: 1, w.PASS(): 0}, default=w.PASS())
    if chosen:
        t.employ(seat, built)


def _may_choose_one(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    means = Means(t, seat)
    terms: list[Term] = [w.PASS()]
    total = t.get(seat, c.CA_TOTAL)
    for option in effect["may_choose_one"]:
        if option["do"] == "increase_population":
            terms += grows(means, 0, -option["food"])
        elif option["do"] == "build":
            terms += builds(means, kinds_named(option["of"]), 0, -option["resources"])
        else:
            less = -option["science"]
            terms += developments(t, means, 0, less)
            terms += revolutions(t, means, t.civil_left(seat) >= total, total, less)
    term = yield from choose(seat, w.FOR_CARD(face), {one: one for one in terms}, default=w.PASS())
    if term != w.PASS():
        perform(t, seat, term)


def _discard_cards(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    if t.common(c.AGE) == OUT_OF_DECKS:
        t.score_culture(seat, -effect.get("in_age_iv", {}).get("lose_culture", 0))
        return
    hand = t.zone_of(seat, c.MILITARY_HAND)
    number = min(effect["discard_military_cards"], len(hand))
    if number:
        options = [(w.CARD(t.ident[card]), card) for card in hand]
        cards = yield from choose_subset(seat, w.DISCARD_FOR(face, number), options, number, number)
        t.discard_unseen(seat, cards)


def _lose_colony(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    for _ in range(effect["lose_colony"]):
        options = {w.CARD(t.ident[card]): card for card in t.zone_of(seat, c.COLONIES)}
        if options:
            card = yield from choose(seat, w.FOR_CARD(face), options, skip_if_forced=True)
            lose_colony(t, seat, card)
            refresh(t, seat)


def _flip_wonder(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    options = {
        w.CARD(wonder.index): wonder.index
        for wonder in t.working_wonders(seat)
        if _AGES[wonder.level] in effect["ages"]
    }
    if options:
        index = yield from choose(seat, w.FOR_CARD(face), options, skip_if_forced=True)
        ruin_wonder(t, seat, index)


def ruin_wonder(t: TtaTable, seat: int, index: int) -> None:
    """Turn a completed wonder face down: its effects end, its tokens leave."""
    t.lose_tokens(seat, t.layout.faces[index])
    t.put_list(seat, c.RUINED, (*t.list_of(seat, c.RUINED), index))
    t.log(w.RUINED_WONDER(seat, index))
    refresh(t, seat)


def _take_cards_worth(t: TtaTable, seat: int, face: int, effect: Op) -> Effect[None]:
    """Cards of the row up to a sum of civil actions; the next politics phase is the price."""
    left = int(effect["take_cards_worth"])
    taken = False
    while True:
        options = {term: (term[2], term[3]) for term in takes(t, seat, left)}
        options[w.DONE()] = (0, 0)
        space, cost = yield from choose(seat, w.SPOILS(face, left), options, default=w.DONE())
        if not space:
            break
        take_from_row(t, seat, space)
        left -= cost
        taken = True
    if taken:
        t.put_counter(seat, c.SKIPS_POLITICS, 1)
        refill_row(t)


_ASKS: dict[str, Callable[[TtaTable, int, int, Op], Effect[None]]] = {
    "gain_choice": _gain_choice,
    "gain_mix": _gain_mix,
    "lose_mix": _lose_mix,
    "lose": _lose,
    "lose_population_per_discontent": _lose_population_per_discontent,
    "destroy_own": _destroy_own,
    "destroy_rival": _destroy_rival,
    "build_free": _build_free,
    "may_choose_one": _may_choose_one,
    "discard_military_cards": _discard_cards,
    "lose_colony": _lose_colony,
    "flip_completed_wonder": _flip_wonder,
    "take_cards_worth": _take_cards_worth,
}
