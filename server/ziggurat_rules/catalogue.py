"""Card facts: TOML read strictly, with the provenance of every fact, and card packs that replace numbers.

A fact file holds `[[card]]` records. `source` says where a record's facts come from, `<key>_source` where one
fact does: "rulebook", "public" or "house" (reconstructed). A pack is a file of the same schema: it replaces
facts of cards that exist; what it sets has the source "pack".
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ziggurat_rules.errors import BadPack

Facts = dict[str, Any]
_ABOUT = ("id", "source")
MAX_TEXT = 512 * 1024
MAX_DOTS = 64
SOURCES = ("rulebook", "public", "house", "pack")


@dataclass(frozen=True, slots=True)
class Pack:
    """A user's card pack: the TOML text, and its SHA-256 (hex), which names it in headers and records."""

    name: str
    text: str
    sha256: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sha256", hashlib.sha256(self.text.encode()).hexdigest())


@dataclass(frozen=True, slots=True)
class Card:
    """One face of the catalogue: its facts, and the source of each."""

    index: int
    id: str
    name: str
    back: int
    copies: int
    text: str
    facts: Mapping[str, Any]
    sources: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All faces of a game, and the public backs."""

    cards: tuple[Card, ...]
    backs: tuple[str, ...]

    def __post_init__(self) -> None:
        ids = [card.id for card in self.cards]
        if len(set(ids)) != len(ids):
            raise ValueError(
                f"a card id stands twice in the catalogue: {sorted(i for i in ids if ids.count(i) > 1)}"
            )

    def index(self, card_id: str) -> int:
        """The face of a card id; KeyError if there is none."""
        for card in self.cards:
            if card.id == card_id:
                return card.index
        raise KeyError(card_id)


@dataclass(frozen=True, slots=True)
class Key:
    """What a key of a fact file may hold: its types, whether it must be there, the values allowed."""

    types: tuple[type, ...]
    required: bool = False
    choices: tuple[object, ...] = ()


Schema = Mapping[str, Key]


def parse(name: str, text: str) -> Facts:
    """Parse TOML; raises BadPack with the file's name and the line."""
    if len(text) > MAX_TEXT:
        raise BadPack(name, f"{len(text)} characters; at most {MAX_TEXT} are read")
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > MAX_DOTS:  # the parser's time grows with the square of a dotted key's length
            raise BadPack(name, f"line {number} has more than {MAX_DOTS} dots")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of too many digits
        raise BadPack(name, f"not valid TOML: {error}") from None


def check_record(name: str, record: Mapping[str, object], schema: Schema, complete: bool = True) -> None:
    """Refuse unknown keys, missing keys (if `complete`), wrong types, wrong values; `name`: file and card."""
    for key, value in record.items():
        plain = key.removesuffix("_source")
        if plain != key and (plain in schema or not plain):
            if value not in SOURCES:
                raise BadPack(f"{name}: {key}", f"unknown source {value!r}; known are {', '.join(SOURCES)}")
            continue
        rule = schema.get(key)
        if rule is None:
            raise BadPack(f"{name}: {key}", "unknown key")
        if type(value) not in rule.types:
            wanted = " or ".join(kind.__name__ for kind in rule.types)
            raise BadPack(f"{name}: {key}", f"{wanted} wanted, not {type(value).__name__}")
        if rule.choices and value not in rule.choices:
            raise BadPack(f"{name}: {key}", f"{value!r} is not one of {', '.join(map(str, rule.choices))}")
    if complete:
        for key, rule in schema.items():
            if rule.required and key not in record:
                raise BadPack(f"{name}: {key}", "missing")


def _records(name: str, document: Facts, table: str) -> list[Facts]:
    records = document.get(table, [])
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise BadPack(f"{name}: {table}", f"a list of records wanted, as [[{table}]] makes")
    return records


def read_records(name: str, document: Facts, table: str, schema: Schema) -> list[Facts]:
    """The `[[table]]` records of a fact file, checked; each must have an `id` that no other has."""
    records: list[Facts] = []
    seen: set[str] = set()
    for record in _records(name, document, table):
        where = f"{name}: {record.get('id', '?')}"
        check_record(where, record, schema)
        if record["id"] in seen:
            raise BadPack(where, "this id stands twice")
        seen.add(record["id"])
        records.append(dict(record))
    return records


def apply_packs(records: Iterable[Facts], packs: Sequence[Pack], table: str, schema: Schema) -> list[Facts]:
    """The records with the facts that the packs replace, whose source is then the pack, whatever it says."""
    by_id = {record["id"]: dict(record) for record in records}
    for pack in packs:
        for change in _records(pack.name, parse(pack.name, pack.text), table):
            card = change.get("id")
            where = f"{pack.name}: {card or '?'}"
            if not isinstance(card, str) or card not in by_id:
                raise BadPack(where, "unknown card")
            check_record(where, change, schema, complete=False)
            facts = {key: value for key, value in change.items() if key not in _ABOUT and key in schema}
            by_id[card] |= facts | {f"{key}_source": "pack" for key in facts}
    return list(by_id.values())


def check_pack_tables(packs: Iterable[Pack], tables: Iterable[str]) -> None:
    """Refuse a pack with a top-level key that the game does not read."""
    for pack in packs:
        for key in parse(pack.name, pack.text):
            if key not in tables:
                raise BadPack(
                    f"{pack.name}: {key}", f"unknown table; this game reads {', '.join(sorted(tables))}"
                )


def source_of(record: Mapping[str, object], key: str) -> str:
    """Where one fact of a record comes from."""
    return str(record.get(f"{key}_source", record.get("source", "rulebook")))
