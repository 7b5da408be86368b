"""Card and board facts: read strictly, refused with file, card and key, and compiled to what the rules ask
for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, cast

from ziggurat_rules.catalogue import (
    Card,
    Catalogue,
    Facts,
    Key,
    Pack,
    apply_packs,
    check_pack_tables,
    check_record,
    parse,
    read_records,
    source_of,
)
from ziggurat_rules.errors import BadPack
from ziggurat_rules.games.tta.armies import Tactic
from ziggurat_rules.games.tta.schema import (
    BACKS,
    BONUS_KEYS,
    EFFECT_KEYS,
    FILES,
    KIND_SCHEMAS,
    LEVELS,
    OPS,
    PACT_KEYS,
    RECORD,
    WORKER_KINDS,
)

FARM, MINE, LAB, TEMPLE, LIBRARY, THEATER, ARENA, INFANTRY, CAVALRY, ARTILLERY, AIR_FORCE = range(11)
SPECIAL, GOVERNMENT, LEADER, WONDER, ACTION = range(11, 16)
TACTIC, BONUS, TERRITORY, EVENT, AGGRESSION, WAR, PACT = range(16, 23)
KIND_NAMES = (
    *WORKER_KINDS,
    *("special", "government", "leader", "wonder", "action"),
    *("tactic", "bonus", "territory", "event", "aggression", "war", "pact"),
)
GROUPS = {"urban": range(LAB, ARENA + 1), "unit": range(INFANTRY, AIR_FORCE + 1)}

Op = Mapping[str, Any]


def kinds_named(names: str | Sequence[str]) -> frozenset[int]:
    """The kinds that a fact names, groups ("urban", "unit") included."""
    found: set[int] = set()
    for name in (names,) if isinstance(names, str) else names:
        found.update(GROUPS[name] if name in GROUPS else (KIND_NAMES.index(name),))
    return frozenset(found)


class Gives:
    """The symbols that a card gives while it is in play."""

    __slots__ = (
        "blue_tokens",
        "civil_actions",
        "colonization",
        "culture",
        "happiness",
        "military_actions",
        "science",
        "strength",
        "yellow_tokens",
    )

    def __init__(self, given: Mapping[str, int]) -> None:
        self.culture = given.get("culture", 0)
        self.science = given.get("science", 0)
        self.strength = given.get("strength", 0)
        self.happiness = given.get("happiness", 0)
        self.civil_actions = given.get("civil_actions", 0)
        self.military_actions = given.get("military_actions", 0)
        self.colonization = given.get("colonization", 0)
        self.blue_tokens = given.get("blue_tokens", 0)
        self.yellow_tokens = given.get("yellow_tokens", 0)


class Face:
    """One card face, as the rules read it. `slot` numbers the technologies that hold workers, -1 for other
    cards."""

    __slots__ = (
        "back",
        "copies",
        "effects",
        "facts",
        "gives",
        "id",
        "index",
        "kind",
        "level",
        "name",
        "ops",
        "output",
        "resource_cost",
        "revolution_cost",
        "science_cost",
        "slot",
        "stages",
        "tactic",
        "tech",
        "unit",
        "urban",
        "value",
    )

    def __init__(self, index: int, record: Facts, slot: int) -> None:
        self.index = index
        self.id = str(record["id"])
        self.name = str(record["name"])
        self.kind = KIND_NAMES.index(record["kind"])
        self.level = int(record["level"])
        self.copies = tuple(int(record["copies"][f"p{n}"]) for n in (2, 3, 4))
        self.back = back_of(record)
        self.slot = slot
        self.urban = LAB <= self.kind <= ARENA
        self.unit = INFANTRY <= self.kind <= AIR_FORCE
        self.tech = self.kind <= GOVERNMENT
        self.science_cost = int(record.get("science_cost_peaceful", record.get("science_cost", 0)) or 0)
        self.revolution_cost = int(record.get("science_cost_revolution", 0))
        self.resource_cost = int(record.get("resource_cost", 0))
        self.output = Gives(record.get("per_worker", {}))
        self.value = max(0, *(record.get("per_worker", {}).get(what, 0) for what in ("food", "resources")))
        self.gives = Gives(given_by(record))
        self.stages = tuple(record.get("stages", ()))
        self.tactic = tactic_of(record)
        self.effects: tuple[Op, ...] = tuple(record.get("effects", ()))
        self.ops: dict[str, list[Op]] = {}
        for effect in self.effects:
            if "op" in effect:
                self.ops.setdefault(effect["op"], []).append(effect)
        self.facts = record

    def op(self, name: str) -> Op | None:
        """The first effect of this name, if the card has it."""
        found = self.ops.get(name)
        return found[0] if found else None


def tactic_of(record: Facts) -> Tactic:
    """Needs and strengths of a tactic card; zeros for another."""
    needs = record.get("needs", {})
    normal, outdated = record.get("strength", 0), record.get("outdated_strength", 0)
    return needs.get("infantry", 0), needs.get("cavalry", 0), needs.get("artillery", 0), normal, outdated


def given_by(record: Facts) -> dict[str, int]:
    """Symbols of a card in play, those of a government and of a colony included."""
    given: dict[str, int] = {**record.get("gives", {}), **record.get("permanent", {})}
    for key in ("civil_actions", "military_actions"):
        if record["kind"] == "government":
            given[key] = given.get(key, 0) + record[key]
    return given


def back_of(record: Facts) -> int:
    """The public back: player board, or deck and age."""
    if record["file"] == "initial.toml":
        return 0
    military = record["file"] == "military.toml"
    return 1 + int(record["level"]) + (4 if military else 0)


@dataclass(frozen=True, eq=False, slots=True)
class Board:
    """Numbers of the boards, as in board.toml."""

    row_costs: tuple[int, ...]
    row_discards: tuple[int, int, int]
    blue_tokens: int
    yellow_tokens: int
    workers: Mapping[str, int]
    unused_workers: int
    happiness_max: int
    draw_max: int
    famine_culture: int
    age_end_yellow_tokens: int
    war_resigned_culture: int
    tactic_actions: int
    copy_tactic_actions: int
    corruption: tuple[tuple[int, int], ...]
    population_food_cost: tuple[int, ...]
    consumption: tuple[int, ...]
    happiness_required: tuple[int, ...]


class Library:
    """All facts of the game: the faces by index, the technologies by slot, the boards, the catalogue
    served."""

    __slots__ = ("board", "by_id", "catalogue", "faces", "food_slots", "mine_slots", "ruin", "slots")

    def __init__(self, records: Sequence[Facts], board: Board, catalogue: Catalogue) -> None:
        slot = 0
        faces = []
        for index, record in enumerate(records):
            holds = record["kind"] in WORKER_KINDS
            faces.append(Face(index, record, slot if holds else -1))
            slot += holds
        self.faces = tuple(faces)
        self.by_id = {face.id: face for face in faces}
        self.slots = tuple(face for face in faces if face.slot >= 0)
        ordered = sorted(self.slots, key=lambda face: (face.value, face.index))
        self.food_slots = tuple(face for face in ordered if face.kind == FARM)
        self.mine_slots = tuple(face for face in ordered if face.kind == MINE)
        self.ruin = Gives(next((e["ruin_gives"] for f in faces for e in f.effects if "ruin_gives" in e), {}))
        self.board = board
        self.catalogue = catalogue


def load(packs: Sequence[Pack] = ()) -> Library:
    """The facts of the game with the packs applied; raises BadPack with file, card and key."""
    check_pack_tables(packs, ("card",))
    records: list[Facts] = []
    for name in FILES:
        text = files(__package__).joinpath(name).read_text(encoding="utf-8")
        for record in read_records(name, parse(name, text), "card", RECORD):
            records.append(record | {"file": name})
    records = apply_packs(records, packs, "card", RECORD)
    for record in records:
        check_card(_where(record, packs), record)
    return Library(records, load_board(), Catalogue(tuple(_cards(records)), BACKS))


def _where(record: Facts, packs: Sequence[Pack]) -> str:
    for pack in packs:
        if any(change.get("id") == record["id"] for change in parse(pack.name, pack.text).get("card", ())):
            return f"{pack.name}: {record['id']}"
    return f"{record['file']}: {record['id']}"


def _cards(records: Sequence[Facts]) -> list[Card]:
    made = []
    for index, record in enumerate(records):
        keys = [
            key for key in record if key not in ("file", "source", "text") and not key.endswith("_source")
        ]
        sources = {key: source_of(record, key) for key in keys}
        shown = {key: record[key] for key in keys}
        copies = record["copies"]["p4"]
        back = back_of(record)
        made.append(Card(index, record["id"], record["name"], back, copies, record["text"], shown, sources))
    return made


def check_card(where: str, record: Facts) -> None:
    """Refuse a card that lacks a fact of its kind, or has an effect that nothing carries out."""
    kind = record["kind"]
    schema = KIND_SCHEMAS[kind]
    for key, needed in schema.items():
        if needed and key not in record:
            raise BadPack(f"{where}: {key}", f"missing; a {kind} needs it")
    for key in record:
        if key in RECORD and not RECORD[key].required and key not in schema and key not in ("note", "text"):
            raise BadPack(f"{where}: {key}", f"a {kind} has no such fact")
    _check_copies(where, record)
    if record["level"] not in LEVELS:
        raise BadPack(f"{where}: level", "0, 1, 2 or 3 wanted")
    if "stages" in record and not (record["stages"] and all(type(cost) is int for cost in record["stages"])):
        raise BadPack(f"{where}: stages", "a wonder has one stage or more, each with its cost")
    for key in ("per_worker", "gives", "immediate", "permanent", "needs"):
        _check_symbols(where, key, record.get(key, {}))
    for effect in record.get("effects", ()):
        _check_effect(where, kind, effect)
    for key in ("both", "side_a", "side_b"):
        for name in record.get(key, {}):
            if name not in PACT_KEYS:
                raise BadPack(f"{where}: {key}", f"unknown effect {name!r}")


def _check_copies(where: str, record: Facts) -> None:
    copies = record["copies"]
    for key in ("p2", "p3", "p4"):
        if type(copies.get(key)) is not int or copies[key] < 0:
            raise BadPack(f"{where}: copies", f"{key} missing or not a number")
    if set(copies) != {"p2", "p3", "p4"} or not copies["p2"] <= copies["p3"] <= copies["p4"]:
        raise BadPack(f"{where}: copies", "p2, p3 and p4 wanted, none smaller than the one before")


def _check_symbols(where: str, key: str, given: Mapping[str, object]) -> None:
    for name, amount in given.items():
        if name not in BONUS_KEYS[key]:
            raise BadPack(f"{where}: {key}", f"unknown symbol {name!r}")
        if type(amount) is not int:
            raise BadPack(f"{where}: {key}", f"{name}: an integer wanted")


def _check_effect(where: str, kind: str, effect: object) -> None:
    if not isinstance(effect, dict):
        raise BadPack(f"{where}: effects", "a list of tables wanted")
    if kind in EFFECT_KEYS:
        unknown = sorted(set(effect) - EFFECT_KEYS[kind])
        if unknown:
            raise BadPack(f"{where}: effects", f"unknown effect {unknown[0]!r}")
        return
    name = effect.get("op")
    if name not in OPS:
        raise BadPack(f"{where}: effects", f"unknown effect {name!r}")
    unknown = sorted(set(effect) - OPS[name] - {"op"})
    if unknown:
        raise BadPack(f"{where}: effects", f"{name}: unknown key {unknown[0]!r}")


def load_board() -> Board:
    """The numbers of board.toml."""
    name = "board.toml"
    document = parse(name, files(__package__).joinpath(name).read_text(encoding="utf-8"))
    types = {int: Key((int,), True), list: Key((list,), True), dict: Key((dict,), True)}
    schema = {key: types[type(value)] for key, value in document.items() if key != "source"}
    check_record(name, {key: value for key, value in document.items() if key != "source"}, schema)
    discards = document["row_discards"]
    return Board(
        row_costs=tuple(document["row_costs"]),
        row_discards=(discards["p2"], discards["p3"], discards["p4"]),
        corruption=tuple((row[0], row[1]) for row in document["corruption"]),
        population_food_cost=tuple(document["population_food_cost"]),
        consumption=tuple(document["consumption"]),
        happiness_required=tuple(document["happiness_required"]),
        workers=cast("Mapping[str, int]", document["workers"]),
        **{
            key: document[key]
            for key in (
                *(
                    "blue_tokens",
                    "yellow_tokens",
                    "unused_workers",
                    "happiness_max",
                    "draw_max",
                    "famine_culture",
                ),
                *("age_end_yellow_tokens", "war_resigned_culture", "tactic_actions", "copy_tactic_actions"),
            )
        },
    )
