"""The facts of one game object: the catalogue as served, and what the rules read, compiled once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import accumulate
from typing import Any

from ziggurat_rules.catalogue import (
    Card,
    Catalogue,
    Facts,
    Pack,
    apply_packs,
    check_pack_tables,
    parse,
    read_records,
    source_of,
)
from ziggurat_rules.errors import BadPack
from ziggurat_rules.games.millennia.effects import (
    FREE,
    NOTHING,
    SPECIALS,
    TYPES,
    Cost,
    Effect,
    Event,
    Gain,
    Group,
    Trigger,
    read_cost,
    read_effect,
    read_gains,
    type_mask,
)
from ziggurat_rules.games.millennia.payable import Patterns
from ziggurat_rules.games.millennia.schema import BACKS, FILES, SCHEMAS, SIDES, back_of
from ziggurat_rules.games.millennia.scores import Condition, Part, read_condition, read_part
from ziggurat_rules.games.millennia.words import BRANCHES, COMMON, TRACKS

MODIFIERS = frozenset(
    {
        "prosperity_one_icon_enough",
        "two_constructions_per_turn",
        "influence_arts_counts_as",
        "influence_skip_economics",
        "influence_cost_minus",
        "construct_discount",
        "diplomacy_keep_both",
        "extend_tech_duration",
        "copy_opponent_wonder",
    }
)
"""Behaviours that data names and code gives."""


@dataclass(frozen=True, slots=True)
class Face:
    """What the rules read of one face; fields that its table does not have keep their defaults."""

    index: int
    table: str
    age: int = 0
    type: int = -1
    last_age: int = 0
    mask: int = 0
    cost: int = 0
    color: str = ""
    phase: str = ""
    exhaust: bool = True
    effect: Effect = NOTHING
    tech_cost: Cost = FREE
    options: tuple[tuple[Gain, ...], ...] = ()
    score: tuple[Part, ...] = ()
    vp: int = 0
    conditions: tuple[Condition, ...] = ()
    which: str = ""
    points: int = 0
    n: int = 0
    income: int = 0
    locked: bool = False
    spots: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def gain(self) -> tuple[Gain, ...]:
        return self.options[0]


@dataclass(frozen=True, slots=True)
class Spot:
    """One spot of a track; `face`: -1 where nothing is printed; `slot` numbers the book tokens of a side."""

    face: int = -1
    vp_end: int = 0
    income: int = 0
    wonder_discount: int = 0
    penalty: tuple[tuple[str, int], ...] = ()
    immediate: tuple[Gain, ...] = ()
    unlocks: tuple[str, ...] = ()
    slot: int = -1


@dataclass(frozen=True, slots=True)
class Track:
    """One track of a side: its spots by branch, from 0 on."""

    spots: int
    maxed: tuple[Gain, ...]
    lock_before: int
    lock: str
    common: int
    tyranny_counts_as: int
    rows: tuple[tuple[Spot, ...], ...]
    vp_end: tuple[int, ...]
    """By spot reached, for tracks without sections: the highest VP activated."""
    wonder_discount: tuple[int, ...]
    """By spot reached, for tracks without sections: the highest discount activated."""

    def spot(self, n: int, branch: int) -> Spot:
        return self.rows[branch if n > self.common else COMMON][n]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the board."""

    tracks: tuple[Track, ...]
    buys: tuple[int, ...]
    books: int


def _read(packs: Sequence[Pack]) -> dict[str, list[Facts]]:
    check_pack_tables(packs, SCHEMAS)
    records: dict[str, list[Facts]] = {}
    for name, tables in FILES.items():
        text = files("ziggurat_rules.games.millennia").joinpath(f"cards/{name}").read_text(encoding="utf-8")
        document = parse(name, text)
        for table in document:
            if table not in tables:
                raise BadPack(f"{name}: {table}", "unknown table")
        for table in tables:
            records[table] = apply_packs(
                read_records(name, document, table, SCHEMAS[table]), packs, table, SCHEMAS[table]
            )
    return records


def _shown(table: str, record: Facts) -> dict[str, Any]:
    facts = {
        k: v
        for k, v in record.items()
        if k not in ("id", "name", "text", "copies") and not k.endswith("source")
    }
    return {"kind": table} | facts


def _catalogue(records: Mapping[str, list[Facts]]) -> Catalogue:
    cards: list[Card] = []
    for table, rows in records.items():
        for record in rows:
            shown = _shown(table, record)
            sources = {key: source_of(record, key) for key in shown if key != "kind"}
            age = record.get("age", 0)
            back = back_of(table, age)
            copies = record.get("copies", 0 if BACKS[back] == "printed" else 1)
            name = str(record.get("name", record["id"]))
            cards.append(
                Card(len(cards), record["id"], name, back, copies, record.get("text", ""), shown, sources)
            )
    return Catalogue(tuple(cards), BACKS)


class _Patterns:
    """Numbers the different tech parts of costs."""

    def __init__(self) -> None:
        self.groups: list[tuple[tuple[Group, ...], bool]] = []

    def number(self, groups: tuple[Group, ...], distinct: bool = False) -> int:
        key = (groups, distinct)
        if key not in self.groups:
            self.groups.append(key)
        return self.groups.index(key)

    def cost(self, cost: Cost) -> Cost:
        return replace(cost, pattern=self.number(cost.groups, cost.distinct)) if cost.groups else cost

    def effect(self, effect: Effect) -> Effect:
        triggers = tuple(replace(trigger, cost=self.cost(trigger.cost)) for trigger in effect.triggers)
        return replace(effect, cost=self.cost(effect.cost), triggers=triggers)


NUMBERS = {"automa_row": ("rows",), "starter": ("income_unlock_ages",), "challenge": ("vp",)}
"""The key that Face.numbers is read from."""


def _first(record: Facts, default: Any, *keys: str) -> Any:
    """The value of the first of these keys that the record has."""
    return next((record[key] for key in keys if key in record), default)


def _face(index: int, table: str, record: Facts, where: str, patterns: _Patterns) -> Face:
    ages = record.get("ages", ())
    effect = patterns.effect(read_effect(where, record["effect"])) if "effect" in record else NOTHING
    if effect.kind in ("modifier", "end_game") and effect.mod not in MODIFIERS:
        raise BadPack(where, f"no behaviour {effect.mod!r}; there are: {', '.join(sorted(MODIFIERS))}")
    type_name = record.get("type", record.get("icon", "none"))
    tech = TYPES.index(type_name) if type_name in TYPES else -1
    options: tuple[tuple[Gain, ...], ...] = ()
    if "gain" in record:
        options = (read_gains(where, record["gain"]),)
    elif "options" in record:
        options = tuple(read_gains(where, option) for option in record["options"])
    tech_cost = (
        patterns.cost(read_cost(where, record["cost"])) if isinstance(record.get("cost"), list) else FREE
    )
    return Face(
        index,
        table,
        record.get("age", 0),
        tech,
        max(ages, default=0),
        1 << tech if tech >= 0 and table == "tech" else effect.icons,
        record["cost"] if isinstance(record.get("cost"), int) else 0,
        record.get("color", ""),
        record.get("phase", ""),
        record.get("exhaust", table == "building"),
        effect,
        tech_cost,
        options,
        tuple(read_part(where, part) for part in record.get("score", ())),
        record.get("vp", 0) if table == "building" else 0,
        tuple(read_condition(where, condition) for condition in record.get("conditions", ())),
        _first(record, "", "which", "target", "token"),
        record.get("points", 0),
        _first(record, 0, "n", "slot", "value", "advance"),
        _first(record, 0, "income", "gold"),
        _first(record, False, "locked", "hard_only", "stackable"),
        tuple(record["spots"]) if table == "row" else (),
        tuple(_first(record, (), *NUMBERS.get(table, ()))),
        tuple(record.get("criteria", ())),
    )


def _check(face: Face, where: str) -> None:
    if face.color == "yellow" and not face.conditions:
        raise BadPack(where, "a yellow building needs conditions")
    if face.color in ("green", "brown") and (face.effect == NOTHING or not face.last_age):
        raise BadPack(where, "a green or brown building needs an effect and ages")
    if face.table == "wonder" and not face.score:
        raise BadPack(where, "a wonder needs a score")


def _spot(record: Facts, face: int, slot: int) -> Spot:
    where = f"tracks.toml: {record['id']}"
    penalty = tuple((str(p["pen"]), int(p["n"])) for p in record.get("penalty", ()))
    for name, _ in penalty:
        if name not in ("pay_gold_or_stop", "war_cap", "discard_diplomacy_or_stop"):
            raise BadPack(where, f"{name!r} is not a kind of penalty")
    immediate = read_gains(where, record.get("immediate", ()))
    book = any(gain.g == "book_token" for gain in immediate)
    return Spot(
        face,
        record.get("vp_end", 0),
        record.get("income", 0),
        record.get("wonder_discount", 0),
        penalty,
        immediate,
        tuple(passive["what"] for passive in record.get("passive", ())),
        slot if book else -1,
    )


def _track(record: Facts, printed: Mapping[tuple[str, str, int, str], Spot]) -> Track:
    side, name = record["side"], record["track"]
    common: int = record.get("common_spots") or record["spots"]
    rows = []
    for branch in BRANCHES:
        row = [Spot(income=record.get("start_income", 0))]
        for n in range(1, record["spots"] + 1):
            at = branch if n > common else "common"
            spot = printed.get((side, name, n, at))
            # A spot where nothing is printed keeps what the spot before it shows below the track.
            row.append(spot or replace(row[-1], face=-1, penalty=(), immediate=(), unlocks=(), slot=-1))
        rows.append(tuple(row))
    return Track(
        record["spots"],
        read_gains(record["id"], record["maxed"]),
        record.get("lock_before", 0),
        record.get("lock", ""),
        common,
        int(record.get("tyranny_counts_as", 0)),
        tuple(rows),
        tuple(accumulate((spot.vp_end for spot in rows[COMMON]), max)),
        tuple(accumulate((spot.wonder_discount for spot in rows[COMMON]), max)),
    )


class GameFacts:
    """All facts, compiled; shared by every match of one game object."""

    def __init__(self, packs: Sequence[Pack] = ()) -> None:
        records = _read(packs)
        self.catalogue = _catalogue(records)
        patterns = _Patterns()
        faces: list[Face] = []
        for table, rows in records.items():
            for record in rows:
                where = f"{table} {record['id']}"
                face = _face(len(faces), table, record, where, patterns)
                if table == "automa_row":
                    face = replace(face, spots=tuple(record["columns"]))
                _check(face, where)
                faces.append(face)
        self.faces = tuple(faces)
        self.mask = tuple(face.mask for face in faces)
        self.sides = {side: self._side(side, records) for side in SIDES}
        self._index()
        self._influence(patterns)
        self.patterns = Patterns(patterns.groups)
        self.menus: dict[int, dict[tuple[int, ...], tuple[int, int, int]]] = {}
        """Cache of the action menu: what is paid in techs alone, by the mask of payable patterns."""

    def of(self, table: str) -> list[Face]:
        """The faces of one table of facts."""
        return [face for face in self.faces if face.table == table]

    def aged(self, table: str, age: int) -> list[Face]:
        """The faces of one age."""
        return [face for face in self.faces if face.table == table and face.age == age]

    def number(self, name: str) -> int:
        """A number of the set-up or the scoring."""
        return self.numbers[name]

    def _index(self) -> None:
        self.rows = self.of("row")
        self.specials = self.of("special")
        self.special_number = {face.which: n for n, face in enumerate(self.specials)}
        if tuple(self.special_number) != SPECIALS:
            raise BadPack("board.toml: special", f"the special actions are, in order: {', '.join(SPECIALS)}")
        self.actions = {face.which: face for face in self.of("action")}
        fixed = [face for which, face in self.actions.items() if which != "influence"]
        self.tech_actions = [face for face in fixed if face.tech_cost.groups and not face.tech_cost.gold]
        """Actions paid in techs alone; the influence action has several ways to pay."""
        self.other_actions = [face for face in fixed if face not in self.tech_actions]
        self.converts = self.of("convert")
        self.starters = self.of("starter")
        self.challenge = self.of("challenge")[0].numbers
        self.diplomacy = self.of("diplomacy")
        self.type_effects = {TYPES.index(self.catalogue.cards[f.index].id): f.effect for f in self.of("type")}
        self.numbers = {self.catalogue.cards[face.index].id: face.n for face in self.of("number")}
        self.architect_discount = self.number("architect-discount")
        self.standard = (self.number("standard-gold"), self.number("standard-vp"))
        self.blank = self.catalogue.index("blank")
        self.triggers: dict[Event, dict[int, tuple[Trigger, ...]]] = {}
        self.windows: dict[Event, frozenset[int]] = {}
        for face, trigger, event in self._each_trigger():
            if face.table == "diplomacy":
                self.windows[event] = self.windows.get(event, frozenset()) | {face.index}
            at = self.triggers.setdefault(event, {})
            at[face.index] = (*at.get(face.index, ()), trigger)
        self.discounts = {
            what: frozenset(
                f.index
                for f in self.diplomacy
                if f.effect.kind == "construct_discount" and f.effect.what == what
            )
            for what in ("green", "brown", "yellow", "wonder")
        }
        mods: dict[str, list[int]] = {}
        for face in self.faces:
            if face.effect.mod:
                mods.setdefault(face.effect.mod, []).append(face.index)
        if set(mods) != MODIFIERS:
            raise BadPack("facts", f"no card has the behaviour {sorted(MODIFIERS - set(mods))}")
        self.mods = {mod: frozenset(indexes) for mod, indexes in mods.items()}

    def _each_trigger(self) -> Iterator[tuple[Face, Trigger, Event]]:
        for face in self.faces:
            for trigger in face.effect.triggers:
                for event in trigger.events:
                    yield face, trigger, event

    def _influence(self, patterns: _Patterns) -> None:
        """Every way to pay an influence action: (economics, mixed, 1: one arts pays for two) -> cost."""
        economics, mixed = self.actions["influence"].tech_cost.groups
        arts = type_mask("arts", ["arts"])
        self.influence_costs: dict[tuple[int, int, int], Cost] = {}
        for econ in (0, 1):
            for n in range(1, mixed[1] + 1):
                for opera in (0, 1) if n >= 2 else (0,):
                    groups = [(economics[0], 1)] * econ + [(arts, 1)] * opera
                    rest = n - 2 * opera
                    groups += [(mixed[0], rest)] if rest else []
                    self.influence_costs[econ, n, opera] = patterns.cost(Cost(tuple(groups)))
        self.influence_mixed = mixed[1]
        self.influence_patterns = sum({1 << cost.pattern for cost in self.influence_costs.values()})

    def _side(self, side: str, records: Mapping[str, list[Facts]]) -> Side:
        printed: dict[tuple[str, str, int, str], Spot] = {}
        slot = 0
        for record in records["spot"]:
            if record["side"] == side:
                spot = _spot(record, self.catalogue.index(record["id"]), slot)
                slot += spot.slot >= 0
                printed[side, record["track"], record["n"], record["branch"]] = spot
        tracks = {r["track"]: _track(r, printed) for r in records["track"] if r["side"] == side}
        buys = tuple(self.catalogue.index(r["id"]) for r in records["buy"] if r["side"] == side)
        return Side(tuple(tracks[name] for name in TRACKS), buys, slot)
