"""A greedy strategy for Millennia: each option is worth what it gains, in VP; the best is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ziggurat import Card, Decision, Term, View

AGES = 8
TRACKS = ("prosperity", "trade", "influence", "politics", "war", "population", "culture")
SPECIALS = ("trade", "culture", "politics", "research", "war", "joker", "population")
STEP = {
    "prosperity": 5.0,
    "trade": 3.0,
    "influence": 7.0,
    "politics": 4.5,
    "war": 1.6,
    "population": 4.0,
    "culture": 4.0,
}
"""VP that a step on a track is worth in the middle of a game."""
GOLD, JOKER, POINT, DIPLOMACY, CLAIM = 0.45, 2.0, 0.9, 4.0, 6.0
TYPE = {
    "natural_science": 1.8,
    "agriculture": 1.9,
    "arts": 2.2,
    "communication": 2.0,
    "transportation": 1.7,
    "government": 2.2,
    "social_science": 2.4,
    "medicine": 1.9,
    "energy": 1.9,
    "economics": 2.1,
    "engineering": 1.4,
    "weaponry": 1.3,
    "military": 1.3,
    "army": 1.6,
}
"""VP that one use of a tech is worth."""
PAIRS = (
    ("social_science", "government", 2.0),
    ("social_science", "arts", 2.0),
    ("agriculture", "medicine", 2.0),
    ("economics", "transportation", 1.5),
    ("economics", "energy", 1.5),
    ("communication", "energy", 1.5),
    ("weaponry", "military", 1.5),
)
"""Types that pay an action together, and what that adds."""
NEVER = -1000.0


def decide(view: View, decision: Decision) -> int | tuple[int, ...]:
    """The option worth most; the cheapest sources if techs are to be spent."""
    if decision.kind == "range":
        return decision.low
    worth = [_worth(view, decision.prompt, option) for option in decision.options]
    if decision.kind == "subset":
        order = sorted(range(len(worth)), key=lambda index: (-worth[index], index))
        return tuple(sorted(order[: decision.low]))
    return max(range(len(worth)), key=lambda index: (worth[index], -index))


def _worth(view: View, prompt: Term, option: Term) -> float:
    return _OPTIONS[option.verb](view, prompt, option)


def _age(view: View) -> int:
    return view.counter("age")


def _gold_worth(view: View) -> float:
    """Gold is worth nothing after the last construction phase, but to pay actions."""
    return GOLD if _age(view) < AGES else 0.1


def _techs(view: View) -> list[Card]:
    return [*view.cards("techs", view.seat), *view.cards("techs_exhausted", view.seat)]


def _position(view: View, track: str) -> int:
    spot = view.counter(track, view.seat)
    return min(spot, 5) if track == "politics" and view.counter("branch", view.seat) == 2 else spot


def _step(view: View, track: str) -> float:
    """What a step on a track is worth now."""
    if track == "influence":
        return 2.0 + max(4, _position(view, "politics")) * 0.9
    if track == "politics":
        return 2.0 + max(1, _position(view, "influence"))
    if track == "trade":
        return max(0.5, 0.7 * (AGES - _age(view)))
    return STEP[track]


def _gain(view: View, gain: Mapping[str, Any]) -> float:
    """What a gain of the facts is worth."""
    kind = gain["g"]
    n = gain.get("n", 1)
    if kind == "track":
        return float(n * _step(view, gain["track"]))
    if kind in ("vp", "joker", "gold", "diplomacy_card"):
        return float(
            n * {"vp": 1.0, "joker": JOKER, "gold": _gold_worth(view), "diplomacy_card": DIPLOMACY}[kind]
        )
    if kind == "rp_card":
        return float(gain["value"] * POINT)
    if kind == "vp_track" and gain["track"] != "host":
        return float(gain["mult"] * _position(view, gain["track"]))
    return {"claim_research": CLAIM, "special_action": 4.0, "action": DIPLOMACY, "advance_lowest": 6.0}.get(
        kind, 3.0
    )


def _gains(view: View, gains: Iterable[Mapping[str, Any]]) -> float:
    return sum(_gain(view, gain) for gain in gains)


def _card_of(option: Term, name: str = "card") -> Card:
    card = option.card(name)
    assert card is not None
    return card


# Drafting


def _draft(view: View, prompt: Term, option: Term) -> float:
    facts = _card_of(option).facts
    type_ = facts["type"]
    mine = [card.facts["type"] for card in _techs(view)]
    uses = min(max(facts["ages"]), AGES) - _age(view) + 1
    worth = TYPE[type_] * (0.6 + 0.8 * uses)
    worth += sum(bonus for a, b, bonus in PAIRS if type_ in (a, b) and (b if type_ == a else a) in mine)
    worth -= 0.7 * mine.count(type_)
    wanted = [card.facts["icon"] for card in view.cards("prosperity")]
    for first, second in zip(wanted[::2], wanted[1::2], strict=True):
        if type_ in (first, second):
            worth += 3.5 if (second if type_ == first else first) in mine else 0.6
    if type_ == "energy" and view.counter("row_4", view.seat):
        worth += 2.0
    row = option["row"]
    locked = row == 4 and _age(view) > 1 and "energy" not in (*mine, type_)
    return float(worth + (0.0 if locked else option["income"] * GOLD))


def _take_spot(view: View, prompt: Term, option: Term) -> float:
    return _special(view, prompt, option) + 1.5


def _special(view: View, prompt: Term, option: Term) -> float:
    facts = _card_of(option).facts
    return _gains(view, facts["gain"])


# Construction


def _count(view: View, what: str) -> int:
    seat = view.seat
    if what == "research_claimed":
        return len(view.list("claimed", seat))
    if what == "wonders":
        return len(view.cards("wonders", seat))
    if what == "books_activated":
        return view.counter("books_activated", seat)
    yellow = len(view.cards("yellow_buildings", seat))
    zones = ("buildings", "buildings_exhausted", "asleep")
    colors = [card.facts["color"] for zone in zones for card in view.cards(zone, seat)]
    if what == "sets_green_brown_yellow":
        return min(colors.count("green"), colors.count("brown"), yellow)
    return {"yellow": yellow, "buildings": yellow + len(colors)}.get(what, colors.count(what))


def _growth(view: View) -> float:
    """By how much positions and counts may still grow, about."""
    return 1.0 + 0.16 * (AGES - _age(view))


def _part(view: View, part: Mapping[str, Any]) -> float:
    ahead = AGES - _age(view)
    if part["s"] == "track_pos":
        return float(part["mult"] * min(10, _position(view, part["track"]) + 0.6 * ahead))
    if part["s"] == "count":
        return float(part["mult"] * (_count(view, part["what"]) + 0.5 * ahead))
    if part["s"] == "lowest_track":
        return float(part["mult"] * min(_position(view, track) for track in part["of"]))
    track, what = part["a"].removeprefix("track:"), part["b"].removeprefix("count:")
    return (_position(view, track) + 0.3 * ahead) * (_count(view, what) + 0.3 * ahead)


def _likely(view: View, condition: Mapping[str, Any]) -> float:
    """How likely a condition of a yellow building will be met."""
    ahead = AGES - _age(view)
    if condition["cond"] == "track_min":
        missing = condition["min"] - _position(view, condition["track"])
    elif condition["cond"] == "count_min":
        missing = condition["min"] - _count(view, condition["what"])
    elif condition["cond"] == "gold_min":
        missing = 2
    else:
        reached = sum(_position(view, track) >= condition["spot"] for track in TRACKS)
        missing = 2 * (condition["tracks"] - reached)
    return 1.0 if missing <= 0 else max(0.0, 1.0 - missing / (1.0 + 1.1 * ahead))


def _item(view: View, card: Card) -> float:
    facts = card.facts
    if facts["kind"] == "wonder":
        return sum(_part(view, part) for part in facts["score"])
    if facts["color"] == "yellow":
        worth = float(facts["vp"])
        for condition in facts["conditions"]:
            worth *= _likely(view, condition)
        return worth
    uses = min(max(facts["ages"]), AGES) - _age(view) + 1
    effect = facts["effect"]
    if effect["kind"] == "tech_icon":
        return float(2.4 * uses)
    if effect["kind"] == "action":
        return float(uses * max(1.0, 0.6 * (_gains(view, effect["gain"]) - 1.8 * len(effect["cost"]))))
    if effect["kind"] == "action_choice":
        return float(uses * 4.0)
    return float(2.0 * uses)


def _build(view: View, prompt: Term, option: Term) -> float:
    worth = _item(view, _card_of(option))
    return worth - option["gold"] * (GOLD if _age(view) < AGES else 0.05)


# Actions


def _tracks_of(gains: Iterable[Mapping[str, Any]]) -> set[str]:
    return {gain["track"] for gain in gains if gain["g"] == "track"}


PERFORM = {"politics": 1.0, "population": 1.0, "culture": 1.0, "influence": 2.0, "trade": 0.5}


def _perform(view: View, prompt: Term, option: Term) -> float:
    facts = _card_of(option).facts
    which = facts["which"]
    if which == "espionage":
        return (
            0.1
            if view.counter("gold", view.seat) >= 14 and _age(view) < AGES
            else (0.4 if _age(view) == AGES else -1.0)
        )
    if which in ("academics", "industry"):
        return 0.1 if which == "industry" and not view.counter("jokers", view.seat) else -0.5
    best = max(_gains(view, gains) for gains in facts["options"])
    return best + PERFORM.get(which, 0.0)


def _convert(view: View, prompt: Term, option: Term) -> float:
    """Only what the better actions leave; only if an effect can still be bought with it."""
    if view.counter("bought", view.seat):
        return -1.0
    points = view.counter("rp", view.seat)
    ready = [card.facts["type"] for card in view.cards("techs", view.seat)]
    reach = points + sum(
        {"natural_science": 2}.get(t, t in ("engineering", "transportation", "medicine")) for t in ready
    )
    return 0.6 + 0.05 * _card_of(option).facts["points"] if reach >= 3 and points < 10 else -1.0


def _buy(view: View, prompt: Term, option: Term) -> float:
    """Low, so that everything that gives points comes first."""
    return 0.2 + 0.01 * _gains(view, _card_of(option).facts["gain"])


def _activate(view: View, prompt: Term, option: Term) -> float:
    facts = _card_of(option).facts
    effect = facts["effect"]
    if effect["kind"] == "modifier":
        return 0.15
    if effect["kind"] == "action_choice":
        return 20.0
    worth = _gains(view, effect["gain"])
    for cost in effect["cost"]:
        if cost["c"] == "gold":
            worth -= cost["n"] * _gold_worth(view)
        elif cost["c"] == "war_back":
            worth -= 2.0
        else:
            worth -= 1.5 * cost["n"]
    return worth


def _play(view: View, prompt: Term, option: Term) -> float:
    """A diplomacy card left in hand is worth 3 VP at the end."""
    facts = _card_of(option).facts
    effect = facts["effect"]
    if effect["kind"] in ("trigger", "income"):
        return 50.0 + _gains(view, effect.get("gain", ()))
    return _gains(view, effect.get("gain", ())) - 3.0 - 1.5 * len(effect.get("cost", ()))


def _spend(view: View, prompt: Term, option: Term) -> float:
    """Building icons first, then the techs of least worth; jokers last."""
    facts = _card_of(option).facts
    if facts["kind"] == "building":
        return 10.0
    return 5.0 - TYPE[facts["type"]]


def _keep(view: View, prompt: Term, option: Term) -> float:
    effect = _card_of(option).facts["effect"]
    return _gains(view, effect.get("gain", ())) - 1.5 * len(effect.get("cost", ()))


def _way(view: View, prompt: Term, option: Term) -> float:
    return -float(option["economics"] + option["mixed"] - option["opera"])


def _option(view: View, prompt: Term, option: Term) -> float:
    word = option.word("track")
    if word in TRACKS:
        return option["amount"] * _step(view, word)
    return option["amount"] * _gold_worth(view)


def _track(view: View, prompt: Term, option: Term) -> float:
    return _step(view, option.word("track") or "war")


def _branch(view: View, prompt: Term, option: Term) -> float:
    return 5.0 if option.word("branch") == "democracy" else 1.0 + (_position(view, "war") > 4)


def _standard(view: View, prompt: Term, option: Term) -> float:
    """Only where gold must be raised: the card is worth 3 VP anyway."""
    return 2.0 if prompt.verb == "raise_gold" else -1.0


def _match(view: View, prompt: Term, option: Term) -> float:
    return 5.0


def _flat(worth: float) -> Callable[[View, Term, Term], float]:
    return lambda view, prompt, option: worth


def _copy(view: View, prompt: Term, option: Term) -> float:
    return sum(_part(view, part) for part in _card_of(option, "wonder").facts["score"]) - 3.0


_OPTIONS: dict[str, Callable[[View, Term, Term], float]] = {
    "draft": _draft,
    "take_spot": _take_spot,
    "one_icon": _match,
    "match": _flat(4.0),
    "build": _build,
    "use_architect": _flat(3.0),
    "use_discount": _flat(2.0),
    "pay": _flat(1.0),
    "pass": _flat(0.5),
    "done": _flat(0.0),
    "perform": _perform,
    "retrieve": _flat(30.0),
    "convert": _convert,
    "buy": _buy,
    "activate": _activate,
    "play": _play,
    "standard": _standard,
    "spend_tech": _spend,
    "spend_icon": _spend,
    "spend_joker": _flat(0.0),
    "way": _way,
    "resolve": _flat(40.0),
    "option": _option,
    "special": _special,
    "track": _track,
    "keep": _keep,
    "keep_both": _flat(100.0),
    "claim": _flat(1.0),
    "discard": lambda view, prompt, option: -_discarded(view, option),
    "stay": _flat(0.5),
    "branch": _branch,
    "copy": _copy,
}


def _discarded(view: View, option: Term) -> float:
    facts = _card_of(option).facts
    if facts["kind"] == "tech":
        return float(TYPE[facts["type"]] * (max(facts["ages"]) - _age(view) + 1))
    return _gains(view, facts["effect"].get("gain", ()))
