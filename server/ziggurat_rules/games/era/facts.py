"""The facts of ERA: decks, bonus cards and numbers, read strictly; a user's deck file adds a deck."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
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
from ziggurat_rules.games.era.symbols import (
    BLOCK,
    BLOCKABLE,
    KEY,
    KINDS,
    MILITARY,
    RUIN,
    UNIQUE,
    Symbol,
    letter_bit,
    letters,
)

DECKS = ("egypt", "medieval", "great_war", "cold_war", "frontier")
BACKS = ("era card", "bonus card")
ERA_BACK, BONUS_BACK = 0, 1

RESOURCE, PLAIN, CONFLICT, ERA, BONUS = range(5)
CARD_KINDS = ("resource", "normal", "conflict")

DECK_SCHEMA = {
    "id": Key((str,), True),
    "name": Key((str,), True),
    "size": Key((int,), True, (60,)),
    "conflict": Key((int,), True, (10,)),
    "source": Key((str,), True, ("rulebook", "public", "house")),
}
CARD_SCHEMA = {
    "id": Key((str,), True),
    "name": Key((str,), True),
    "kind": Key((str,), True, CARD_KINDS),
    "copies": Key((int,), True),
    "cost": Key((int,), True),
    "flourish_cost": Key((int,)),
    "title_lock": Key((str,)),
    "flourish_lock": Key((str,)),
    "unique": Key((bool,)),
    "might": Key((bool,)),
    "stars": Key((int,), True),
    "symbols": Key((list,)),
    "dash_left": Key((list,)),
    "dash_right": Key((list,)),
    "defense": Key((dict,)),
    "flourish_defense": Key((dict,)),
    "source": Key((str,), True, ("rulebook", "public", "house")),
}
BONUS_SCHEMA = {
    "id": Key((str,), True),
    "name": Key((str,), True),
    "timing": Key((str,), True, ("reveal", "deal", "turn_start", "conflict")),
    "deal": Key((int,)),
    "progress": Key((int,)),
    "stars": Key((int,)),
    "cards": Key((int,)),
    "text": Key((str,), True),
    "source": Key((str,), True, ("rulebook", "public", "house")),
}
SYMBOL_KEYS = frozenset({"sym", "n", "lock", "to", "letter", "blocks"})


@dataclass(frozen=True)
class Rules:
    """The numbers of rules.toml."""

    win_progress: list[int]
    destruction_limit: int
    deal: int
    first_deals: list[list[int]]
    harvest_draw: int
    exhaustion: int
    separators: int
    money_stars: int
    initiative: int
    initiative_cost: int
    cycle_cost: int
    turn_cap: int


@dataclass(frozen=True, slots=True)
class Face:
    """One face. `defense` and, for each further copy, `armour` are (military, ruin); -1 is none."""

    index: int
    id: str
    deck: int
    kind: int
    copies: int = 0
    cost: int = 0
    flourish_cost: int = -1
    title_lock: int = 0
    flourish_lock: int = 0
    unique: bool = False
    stars: int = 0
    left: tuple[Symbol, ...] = ()
    right: tuple[Symbol, ...] = ()
    defense: tuple[int, int] = (-1, -1)
    armour: tuple[int, int] = (0, 0)
    shows_progress: bool = False
    bonus: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Deck:
    """One Era: the face that stands for it, and a face for each of its cards, in the order of the file."""

    face: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameFacts:
    """All that a table knows of its cards."""

    catalogue: Catalogue
    faces: tuple[Face, ...]
    decks: tuple[Deck, ...]
    bonus: tuple[int, ...]
    rules: Rules
    dealt: tuple[int, ...]
    """The face of every handle: deck after deck, then the bonus cards."""
    deck_of: tuple[int, ...]
    """The deck of every handle; -1 for a bonus card."""


@cache
def read_own(name: str) -> str:
    """The text of a fact file of this game."""
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def load_rules() -> Rules:
    """The numbers of rules.toml; unknown or missing ones are refused."""
    record = dict(parse("rules.toml", read_own("rules.toml"))["rules"])
    names = {field.name: Key((list, int), True) for field in fields(Rules)}
    check_record("rules.toml", record, names | {"source": Key((str,), True)})
    return Rules(**{name: record[name] for name in names})


def load_facts(packs: Sequence[Pack] = ()) -> GameFacts:
    """The facts with a user's packs: a file with `[deck]` adds a deck, one without replaces facts of cards.

    Raises BadPack with file, card and key.
    """
    check_pack_tables(packs, ("deck", "card", "bonus"))
    added = [pack for pack in packs if "deck" in parse(pack.name, pack.text)]
    changes = [pack for pack in packs if pack not in added]
    sources = [(f"{deck}.toml", read_own(f"decks/{deck}.toml")) for deck in DECKS]
    sources += [(pack.name, pack.text) for pack in added]
    eras: list[Facts] = []
    records: list[Facts] = []
    for name, text in sources:
        era, cards = _read_deck(name, parse(name, text))
        if any(other["id"] == era["id"] for other in eras):
            raise BadPack(f"{name}: {era['id']}", "there is a deck of this id already")
        eras.append(era)
        records += cards
    where = ", ".join(pack.name for pack in changes)
    records = apply_packs(records, changes, "card", CARD_SCHEMA)
    bonus = (
        apply_packs(_bonus_records(), changes, "bonus", BONUS_SCHEMA)
        if _has(changes, "bonus")
        else _bonus_records()
    )
    for era in eras:
        _check_deck(
            where or f"{era['id']}.toml", era, [card for card in records if _deck_id(card) == era["id"]]
        )
    return _build(eras, records, bonus)


def _has(packs: Sequence[Pack], table: str) -> bool:
    return any(table in parse(pack.name, pack.text) for pack in packs)


def _deck_id(record: Facts) -> str:
    return str(record["id"]).partition(".")[0]


def _bonus_records() -> list[Facts]:
    return read_records("bonus.toml", parse("bonus.toml", read_own("bonus.toml")), "bonus", BONUS_SCHEMA)


def _read_deck(name: str, document: Facts) -> tuple[Facts, list[Facts]]:
    unknown = [key for key in document if key not in ("deck", "card")]
    if unknown or not isinstance(document["deck"], dict):
        raise BadPack(
            f"{name}: {unknown[0] if unknown else 'deck'}", "a deck file holds one [deck] and its [[card]]s"
        )
    era = dict(document["deck"])
    check_record(f"{name}: deck", era, DECK_SCHEMA)
    if not re.fullmatch("[a-z][a-z0-9_]*", era["id"]):
        raise BadPack(f"{name}: deck: id", "small letters, digits and _ wanted")
    records = read_records(name, document, "card", CARD_SCHEMA)
    for record in records:
        if _deck_id(record) != era["id"]:
            raise BadPack(f"{name}: {record['id']}", f"the id must begin with {era['id']!r} and a dot")
    _check_deck(name, era, records)
    return era, records


# Checks of a deck


def _check_deck(name: str, era: Facts, records: Sequence[Facts]) -> None:
    for record in records:
        _check_card(f"{name}: {record['id']}", record)
    total = sum(record["copies"] for record in records)
    if total != era["size"]:
        raise BadPack(f"{name}: {era['id']}", f"a deck has {era['size']} cards, not {total}")
    conflict = sum(record["copies"] for record in records if record["kind"] == "conflict")
    if conflict != era["conflict"]:
        raise BadPack(f"{name}: {era['id']}", f"a deck has {era['conflict']} conflict cards, not {conflict}")
    locks, keys = _letters(records)
    if locks != keys:
        raise BadPack(
            f"{name}: {era['id']}", f"letters with a key but no lock, or the reverse: {letters(locks ^ keys)}"
        )


def _letters(records: Sequence[Facts]) -> tuple[int, int]:
    locks = keys = 0
    for record in records:
        for lock in (record.get("title_lock"), record.get("flourish_lock")):
            locks |= letter_bit(lock) if lock else 0
        for symbol in (
            *_symbols(record, "symbols"),
            *_symbols(record, "dash_left"),
            *_symbols(record, "dash_right"),
        ):
            locks |= symbol.lock
            keys |= symbol.letter
    return locks, keys


def _check_card(where: str, record: Facts) -> None:
    for key, low in (("copies", 1), ("cost", 0), ("stars", 0), ("flourish_cost", 0)):
        if record.get(key, low) < low:
            raise BadPack(f"{where}: {key}", f"at least {low} wanted")
    for key in ("title_lock", "flourish_lock"):
        _check_letter(f"{where}: {key}", record.get(key, "A"))
    for key in ("symbols", "dash_left", "dash_right"):
        for raw in record.get(key, ()):
            _check_symbol(f"{where}: {key}", raw)
    for key in ("defense", "flourish_defense"):
        for name, value in record.get(key, {}).items():
            if name not in ("military", "ruin") or type(value) is not int or value < 0:
                raise BadPack(f"{where}: {key}", "military and ruin with numbers from 0 wanted")
    _check_shape(where, record)
    _check_kind(where, record)


def _check_shape(where: str, record: Facts) -> None:
    dash = [key for key in ("dash_left", "dash_right") if key in record]
    if len(dash) == 1 or (dash and "symbols" in record):
        raise BadPack(f"{where}: {dash[0]}", "either symbols, or both sides of a dash")
    for key in (*dash, "flourish_defense", "flourish_lock"):
        if key in record and "flourish_cost" not in record:
            raise BadPack(f"{where}: {key}", "only with a flourish_cost")
    if record.get("might") and record.get("defense"):
        raise BadPack(f"{where}: might", "a card with might has no defense")


ALLOWED = {
    "resource": frozenset({"harvest", "money", "build"}),
    "normal": frozenset({*KINDS, "key", "block"}),
    "conflict": frozenset({"military", "ruin", "key", "block"}),
}


def _check_kind(where: str, record: Facts) -> None:
    kind = record["kind"]
    for raw in (*record.get("symbols", ()), *record.get("dash_left", ()), *record.get("dash_right", ())):
        if raw["sym"] not in ALLOWED[kind] or (kind == "resource" and set(raw) - {"sym", "n"}):
            raise BadPack(f"{where}: symbols", f"a {kind} card has no such {raw['sym']} symbol")
    barred = {"normal": (), "conflict": ("flourish_cost",), "resource": RESOURCE_BARS}[kind]
    for key in barred:
        if record.get(key):
            raise BadPack(f"{where}: {key}", f"not on a {kind} card")


RESOURCE_BARS = ("cost", "flourish_cost", "title_lock", "unique", "might", "defense")


def _check_letter(where: str, letter: object) -> None:
    if not (isinstance(letter, str) and re.fullmatch("[A-Z]", letter)):
        raise BadPack(where, "one letter A to Z wanted")


def _check_symbol(where: str, raw: object) -> None:
    if not isinstance(raw, dict):
        raise BadPack(where, "a list of tables wanted")
    unknown = sorted(set(raw) - SYMBOL_KEYS)
    if unknown:
        raise BadPack(f"{where}: {unknown[0]}", "unknown key")
    kind = raw.get("sym")
    if kind not in (*KINDS, "key", "block"):
        raise BadPack(f"{where}: sym", f"unknown symbol {kind!r}")
    if type(raw.get("n", 1)) is not int or raw.get("n", 1) < 1:
        raise BadPack(f"{where}: n", "a number from 1 wanted")
    for key, wanted in (("letter", "key"), ("blocks", "block")):
        if (key in raw) != (kind == wanted):
            raise BadPack(f"{where}: {key}", f"a {wanted} symbol, and no other, has this")
    for key in ("lock", "letter"):
        _check_letter(f"{where}: {key}", raw.get(key, "A"))
    if raw.get("blocks", "unique") not in BLOCKABLE:
        raise BadPack(f"{where}: blocks", f"one of {', '.join(BLOCKABLE)} wanted")
    _check_arrow(where, raw)


def _check_arrow(where: str, raw: Mapping[str, object]) -> None:
    arrow = raw.get("to")
    if arrow is not None and (arrow not in ("self", "opponent") or raw["sym"] not in ARROWED):
        raise BadPack(
            f"{where}: to", "only a key, block, military or ruin symbol has an arrow, to self or to opponent"
        )


ARROWED = ("key", "block", "military", "ruin")


# Faces and catalogue


def _symbols(record: Facts, key: str) -> tuple[Symbol, ...]:
    return tuple(_symbol(raw) for raw in record.get(key, ()))


def _symbol(raw: Mapping[str, Any]) -> Symbol:
    kind = {"key": KEY, "block": BLOCK}.get(raw["sym"])
    if kind is None:
        kind = KINDS.index(raw["sym"])
    blocks = BLOCKABLE.index(raw["blocks"]) if "blocks" in raw else -1
    lock = letter_bit(raw["lock"]) if "lock" in raw else 0
    letter = letter_bit(raw["letter"]) if "letter" in raw else 0
    # Rulebook, Effect Arrows: without an arrow a block works across, all else (and the unique block) at home.
    home = "opponent" if kind == BLOCK and blocks != UNIQUE else "self"
    arrow = raw.get("to", home)
    return Symbol(kind, raw.get("n", 1), lock, letter, blocks, arrow == "opponent")


def _pair(raw: Mapping[str, int], missing: int) -> tuple[int, int]:
    return raw.get(KINDS[MILITARY], missing), raw.get(KINDS[RUIN], missing)


def _face(index: int, deck: int, record: Facts) -> Face:
    left = _symbols(record, "symbols") + _symbols(record, "dash_left")
    right = _symbols(record, "dash_right")
    return Face(
        index,
        record["id"],
        deck,
        CARD_KINDS.index(record["kind"]),
        record["copies"],
        record["cost"],
        record.get("flourish_cost", -1),
        letter_bit(record["title_lock"]) if "title_lock" in record else 0,
        letter_bit(record["flourish_lock"]) if "flourish_lock" in record else 0,
        record.get("unique", False),
        record["stars"],
        left,
        right,
        _pair(record.get("defense", {}), -1),
        _pair(record.get("flourish_defense", {}), 0),
        any(symbol.kind == 0 for symbol in (*left, *right)),
    )


def _build(eras: Sequence[Facts], records: Sequence[Facts], bonus: Sequence[Facts]) -> GameFacts:
    cards: list[Card] = []
    faces: list[Face] = []
    decks: list[Deck] = []
    for number, era in enumerate(eras):
        mine = [record for record in records if _deck_id(record) == era["id"]]
        faces.append(Face(len(faces), era["id"], number, ERA))
        cards.append(_card(len(cards), era, ERA_BACK, 0, "An Era: a deck to choose."))
        first = len(faces)
        for record in mine:
            faces.append(_face(len(faces), number, record))
            cards.append(_card(len(cards), record, ERA_BACK, record["copies"], describe(record)))
        dealt = tuple(face.index for face in faces[first:] for _ in range(face.copies))
        decks.append(Deck(first - 1, dealt))
    own = range(len(faces), len(faces) + len(bonus))
    for record in bonus:
        numbers = {key: value for key, value in record.items() if type(value) is int}
        faces.append(Face(len(faces), record["id"], -1, BONUS, 1, bonus=numbers))
        cards.append(_card(len(cards), record, BONUS_BACK, 1, record["text"]))
    dealt = tuple(face for deck in decks for face in deck.cards) + tuple(own)
    deck_of = tuple(number for number, deck in enumerate(decks) for _ in deck.cards) + (-1,) * len(own)
    catalogue = Catalogue(tuple(cards), BACKS)
    return GameFacts(catalogue, tuple(faces), tuple(decks), tuple(own), load_rules(), dealt, deck_of)


def _card(index: int, record: Facts, back: int, copies: int, text: str) -> Card:
    facts = {
        key: value for key, value in record.items() if not key.endswith("source") and key not in OWN_FIELDS
    }
    sources = {key: source_of(record, key) for key in (*facts, "name")}
    return Card(index, record["id"], record["name"], back, copies, text, facts, sources)


OWN_FIELDS = ("id", "name", "copies", "text")


def describe(record: Facts) -> str:
    """What a card does, in words made from its facts."""
    parts = [f"{record['kind'].capitalize()} card"]
    if record.get("unique"):
        parts.append("unique")
    if "title_lock" in record:
        parts.append(f"locked by {record['title_lock']}")
    for key, label in (("symbols", ""), ("dash_left", ""), ("dash_right", "each further copy: ")):
        if record.get(key):
            parts.append(label + ", ".join(_say(raw) for raw in record[key]))
    if record.get("might"):
        parts.append("cannot be attacked")
    for key, label in (("defense", "defends"), ("flourish_defense", "each further copy defends")):
        if record.get(key):
            parts.append(f"{label} " + ", ".join(f"{name} {value:+}" for name, value in record[key].items()))
    return "; ".join(parts) + "."


def _say(raw: Mapping[str, Any]) -> str:
    words = [str(raw.get("n", 1)), raw["sym"]]
    words += [cast("str", raw[key]) for key in ("letter", "blocks") if key in raw]
    words += [f"to {raw['to']}"] if "to" in raw else []
    words += [f"(lock {raw['lock']})"] if "lock" in raw else []
    return " ".join(words)
