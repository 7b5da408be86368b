"""What fact files say about costs, gains and effects, read strictly into small records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ziggurat_rules.errors import BadPack
from ziggurat_rules.games.millennia.words import TRACKS

TYPES = (
    "natural_science",
    "agriculture",
    "arts",
    "communication",
    "transportation",
    "government",
    "social_science",
    "medicine",
    "energy",
    "economics",
    "engineering",
    "weaponry",
    "military",
    "army",
)
ANY_TYPE = (1 << len(TYPES)) - 1
SPECIALS = ("trade", "culture", "politics", "research", "war", "joker", "population")
COUNTS = (
    "research_claimed",
    "wonders",
    "buildings",
    "green",
    "brown",
    "yellow",
    "diplomacy_hand",
    "books_activated",
    "sets_green_brown_yellow",
)
HOST = -2
"""Track of a gain that means the track the book token lies on."""

Group = tuple[int, int]
"""Part of a cost in techs: a mask of tech types, and how many techs of these types."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What must be given; `pattern` numbers the different tech parts of all costs."""

    groups: tuple[Group, ...] = ()
    distinct: bool = False
    gold: int = 0
    rp: int = 0
    war_back: int = 0
    discard_tech: bool = False
    pattern: int = -1


FREE = Cost()


@dataclass(frozen=True, slots=True)
class Gain:
    """One gain. `g` says what; the other fields mean what that kind needs."""

    g: str
    n: int = 1
    track: int = -1
    tracks: tuple[int, ...] = ()
    what: str = ""
    div: int = 1
    keep: int = 0

    @property
    def plain(self) -> bool:
        """Needs no decision."""
        return self.g in PLAIN

    @property
    def first(self) -> bool:
        """Is never worse for being taken at once: nothing that other effects change decides its size."""
        return self.g in FIRST


FIRST = frozenset({"gold", "vp", "joker", "rp_card", "unlock"})
PLAIN = FIRST | {
    "diplomacy_card",
    "vp_track",
    "vp_count",
    "vp_count_div",
    "vp_min_track",
    "vp_lowest_track",
    "vp_per",
}

_GAIN_KEYS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    kind: (frozenset(needed.split()), frozenset(optional.split()))
    for kind, needed, optional in (
        ("track", "track n", ""),
        ("vp", "n", ""),
        ("gold", "n", ""),
        ("joker", "n", ""),
        ("rp_card", "value", ""),
        ("diplomacy_card", "n", ""),
        ("diplomacy_draw_keep", "draw keep", ""),
        ("action", "which", "free"),
        ("special_action", "which", ""),
        ("unlock", "what", "until"),
        ("claim_research", "", ""),
        ("book_token", "", ""),
        ("advance_lowest", "times", ""),
        ("vp_track", "track mult", ""),
        ("vp_count", "what mult", ""),
        ("vp_count_div", "what div", ""),
        ("vp_min_track", "of", ""),
        ("vp_lowest_track", "of mult", ""),
        ("vp_per", "per div n", ""),
        ("repeat_book_token", "", ""),
        ("tyranny_to_democracy", "resolve_spot", ""),
        ("match_prosperity_card", "n", ""),
        ("war_back", "n", ""),
    )
}


def _keys(where: str, record: Mapping[str, object], needed: frozenset[str], optional: frozenset[str]) -> None:
    for key in record:
        if key not in needed and key not in optional:
            raise BadPack(f"{where}: {key}", "unknown key")
    for key in sorted(needed):
        if key not in record:
            raise BadPack(f"{where}: {key}", "missing")


def _one_of(where: str, value: object, known: Sequence[str]) -> int:
    if value not in known:
        raise BadPack(where, f"{value!r} is not one of {', '.join(known)}")
    return known.index(str(value))


def track_number(where: str, name: object) -> int:
    """The number of a track."""
    return _one_of(where, name, TRACKS)


def type_mask(where: str, names: Sequence[object]) -> int:
    """The tech types of these names, as a mask; "any" is all."""
    if list(names) == ["any"]:
        return ANY_TYPE
    return sum(1 << _one_of(where, name, TYPES) for name in names)


def _track_list(where: str, of: object) -> tuple[int, ...]:
    if of == "all":
        return tuple(range(len(TRACKS)))
    assert isinstance(of, list)
    return tuple(track_number(where, name) for name in of)


def read_gain(where: str, record: Mapping[str, Any]) -> Gain:
    """One gain of a fact file; raises BadPack."""
    g = str(record.get("g"))
    if g not in _GAIN_KEYS:
        raise BadPack(where, f"{g!r} is not one of {', '.join(_GAIN_KEYS)}")
    needed, optional = _GAIN_KEYS[g]
    _keys(where, record, needed | {"g"}, optional)
    amount = next((record[key] for key in ("n", "value", "times", "mult", "draw") if key in record), 1)
    if type(amount) is not int:
        raise BadPack(where, f"an integer wanted, not {amount!r}")
    track = -1
    if "track" in record:
        track = HOST if record["track"] == "host" else track_number(where, record["track"])
    what = str(record.get("what", record.get("which", record.get("per", ""))))
    if g in ("vp_count", "vp_count_div"):
        _one_of(where, what, COUNTS)
    if g == "special_action":
        _one_of(where, what, (*SPECIALS, "any"))
    tracks = _track_list(where, record["of"]) if "of" in record else ()
    return Gain(g, amount, track, tracks, what, record.get("div", 1), record.get("keep", 0))


def read_gains(where: str, records: Sequence[Mapping[str, Any]]) -> tuple[Gain, ...]:
    """A list of gains, those first that are never worse for being taken first; raises BadPack."""
    found = [read_gain(f"{where}: gain", record) for record in records]
    return tuple(sorted(found, key=lambda gain: not gain.first))


def read_cost(where: str, records: Sequence[Mapping[str, Any]]) -> Cost:
    """A list of costs as one; raises BadPack."""
    where = f"{where}: cost"
    groups: list[Group] = []
    amounts = {"gold": 0, "rp": 0, "war_back": 0}
    distinct = discard = False
    for record in records:
        c = record.get("c")
        if c == "tech":
            _keys(where, record, frozenset({"c", "of", "n"}), frozenset({"distinct"}))
            groups.append((type_mask(where, record["of"]), record["n"]))
            distinct |= record.get("distinct", False)
        elif c in amounts:
            _keys(where, record, frozenset({"c", "n"}), frozenset())
            amounts[c] += record["n"]
        elif c == "discard_tech_card":
            _keys(where, record, frozenset({"c", "n", "state"}), frozenset())
            discard = True
        else:
            raise BadPack(where, f"{c!r} is not a kind of cost")
    groups.sort(key=lambda group: group[1])
    cost = Cost(tuple(groups), distinct, amounts["gold"], amounts["rp"], amounts["war_back"], discard)
    return FREE if cost == FREE else cost


Event = tuple[str, str]
"""What happened, as triggers name it: ("special", which), ("action", which), ("step", track),
("gain", track), ("book", track), ("claim", ""), ("construct", "")."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """Gains when something happens."""

    events: tuple[Event, ...]
    cost: Cost
    gain: tuple[Gain, ...]
    beyond: int = -1
    least: int = 0
    choice: str = ""
    including_self: bool = False
    gold_min: int = 0
    buildings_gt_track: int = -1


@dataclass(frozen=True, slots=True)
class Effect:
    """What a card does. `kind` is one of the keys of _EFFECT_KEYS."""

    kind: str
    cost: Cost = FREE
    options: tuple[tuple[Gain, ...], ...] = ()
    triggers: tuple[Trigger, ...] = ()
    icons: int = 0
    mod: str = ""
    n: int = 0
    what: str = ""
    once: bool = False
    opponents: tuple[Gain, ...] = ()
    numbers: tuple[int, ...] = ()


NOTHING = Effect("nothing")

_EFFECT_KEYS: Mapping[str, tuple[str, str]] = {
    "action": ("cost gain", "limit"),
    "action_choice": ("options", ""),
    "trigger": ("on gain", "cost opponents no_retrigger replace_steps"),
    "trigger_choice": ("options", ""),
    "tech_icon": ("one_of", ""),
    "modifier": ("mod", "n color from by only_current_age_in"),
    "unlock": ("what", ""),
    "income": ("", "gold_per n max gain"),
    "prosperity_option": ("cost gain", ""),
    "construct_discount": ("what n", ""),
    "end_game": ("mod pay solo", ""),
    "prosperity_gold": ("n", ""),
    "income_unlock": ("", ""),
    "architect": ("", ""),
    "leader": ("others_gold last_age_vp", ""),
}

_EVENT_KEYS = frozenset(
    ["track", "per", "beyond", "which", "min_rp", "choice", "including_self", "what", "min", "if"]
)


def _events(where: str, on: Mapping[str, Any]) -> tuple[Event, ...]:
    ev = on.get("ev")
    if ev == "track_steps":
        track_number(where, on.get("track"))
        return (("step" if on.get("per") == "step" else "gain", on["track"]),)
    if ev == "special_action":
        which = on["which"]
        _one_of(where, which, (*SPECIALS, "any"))
        return tuple(("special", w) for w in (SPECIALS if which == "any" else (which,)))
    if ev == "action":
        return (("action", on["which"]),)
    if ev == "book_token":
        track = on["track"]
        return tuple(("book", t) for t in (TRACKS if track == "any" else (track,)))
    plain = {
        "claim_research": "claim",
        "construct": "construct",
        "war_phase_start": "war",
        "prosperity_matched_pairs": "pairs",
    }
    if ev not in plain:
        raise BadPack(where, f"{ev!r} is not a kind of event")
    return ((plain[ev], ""),)


def read_trigger(where: str, on: Mapping[str, Any], record: Mapping[str, Any]) -> Trigger:
    """The condition `on` and the gains of one trigger; raises BadPack."""
    _keys(f"{where}: on", on, frozenset({"ev"}), _EVENT_KEYS)
    condition = on.get("if", {})
    _keys(f"{where}: if", condition, frozenset(), frozenset({"gold_min", "buildings_gt_track"}))
    track = condition.get("buildings_gt_track")
    return Trigger(
        _events(where, on),
        read_cost(where, record.get("cost", ())),
        read_gains(where, record["gain"]),
        on.get("beyond", -1),
        on.get("min_rp", on.get("min", 0)),
        on.get("choice", ""),
        on.get("including_self", False),
        condition.get("gold_min", 0),
        track_number(where, track) if track is not None else -1,
    )


def read_effect(where: str, record: Mapping[str, Any]) -> Effect:
    """The effect of a card; raises BadPack."""
    kind = str(record.get("kind"))
    if kind not in _EFFECT_KEYS:
        raise BadPack(where, f"{kind!r} is not a kind of effect: {', '.join(_EFFECT_KEYS)}")
    needed, optional = (frozenset(keys.split()) for keys in _EFFECT_KEYS[kind])
    _keys(where, record, needed | {"kind"}, optional)
    cost = read_cost(where, record.get("cost", ()))
    options: tuple[tuple[Gain, ...], ...] = ()
    triggers: tuple[Trigger, ...] = ()
    if kind == "trigger":
        triggers = (read_trigger(where, record["on"], record),)
        cost = FREE
    elif kind == "trigger_choice":
        triggers = tuple(read_trigger(where, option["on"], option) for option in record["options"])
    elif kind == "action_choice":
        options = tuple(read_gains(where, option) for option in record["options"])
    elif "gain" in record:
        options = (read_gains(where, record["gain"]),)
    numbers = record.get("only_current_age_in", record.get("others_gold", ()))
    return Effect(
        kind,
        cost,
        options,
        triggers,
        type_mask(where, record["one_of"]) if "one_of" in record else 0,
        record.get("mod", ""),
        record.get("n", record.get("by", record.get("last_age_vp", record.get("replace_steps", 0)))),
        str(record.get("what", record.get("color", record.get("gold_per", "")))),
        record.get("limit") == "once_per_action_phase",
        read_gains(where, record.get("opponents", ())),
        (*numbers, record["max"]) if "max" in record else tuple(numbers),
    )
