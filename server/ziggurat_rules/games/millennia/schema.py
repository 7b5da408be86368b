"""The shape of the fact files: tables, keys and types, and the public backs of cards."""

from __future__ import annotations

from collections.abc import Mapping

from ziggurat_rules.catalogue import Key, Schema
from ziggurat_rules.games.millennia.effects import SPECIALS, TYPES
from ziggurat_rules.games.millennia.words import BRANCHES, TRACKS

AGES = 8
SIDES = ("A1", "A2")

_ID = {"id": Key((str,), True), "source": Key((str,), True, ("rulebook", "public", "house", "pack"))}
_NAME = {"name": Key((str,), True)}
_TEXT = {"text": Key((str,))}
_CARD = _ID | _NAME | _TEXT | {"number": Key((int,), True), "age": Key((int,), True, tuple(range(AGES + 1)))}
_EFFECT = {"effect": Key((dict,))}
_PLAYED = (
    _ID
    | _NAME
    | _TEXT
    | {"number": Key((int,), True), "phase": Key((str,), True), "effect": Key((dict,), True)}
)
_SIDE = {"side": Key((str,), True, SIDES)}

SCHEMAS: Mapping[str, Schema] = {
    "type": _ID | _NAME | _TEXT | _EFFECT,
    "tech": _CARD
    | {"type": Key((str,), True, (*TYPES, "none")), "ages": Key((list,), True), "copies": Key((int,))},
    "wonder": _CARD | {"cost": Key((int,), True), "score": Key((list,), True)},
    "building": _CARD
    | _EFFECT
    | {
        "color": Key((str,), True, ("green", "brown", "yellow")),
        "cost": Key((int,), True),
        "ages": Key((list,)),
        "phase": Key((str,)),
        "exhaust": Key((bool,)),
        "vp": Key((int,)),
        "conditions": Key((list,)),
    },
    "research": _PLAYED,
    "diplomacy": _PLAYED,
    "prosperity": _ID | _NAME | {"icon": Key((str,), True, TYPES)},
    "book": _ID
    | _NAME
    | _TEXT
    | {"copies": Key((int,), True), "cost": Key((list,), True), "gain": Key((list,), True)},
    "track": _ID
    | _SIDE
    | {
        "track": Key((str,), True, TRACKS),
        "spots": Key((int,), True),
        "maxed": Key((list,), True),
        "lock_before": Key((int,)),
        "lock": Key((str,)),
        "common_spots": Key((int,)),
        "tyranny_counts_as": Key((int,)),
        "start_income": Key((int,)),
    },
    "spot": _ID
    | _SIDE
    | {
        "track": Key((str,), True, TRACKS),
        "n": Key((int,), True),
        "branch": Key((str,), True, BRANCHES),
        "vp_end": Key((int,)),
        "income": Key((int,)),
        "wonder_discount": Key((int,)),
        "penalty": Key((list,)),
        "immediate": Key((list,)),
        "passive": Key((list,)),
    },
    "row": _ID
    | {
        "n": Key((int,), True),
        "income": Key((int,), True),
        "locked": Key((bool,), True),
        "spots": Key((list,), True),
    },
    "special": _ID
    | _NAME
    | {"which": Key((str,), True, SPECIALS), "gain": Key((list,), True), "stackable": Key((bool,), True)},
    "action": _ID
    | _NAME
    | {"which": Key((str,), True), "cost": Key((list,), True), "options": Key((list,), True)},
    "convert": _ID | _NAME | {"cost": Key((list,), True), "points": Key((int,), True)},
    "buy": _ID | _NAME | _SIDE | {"points": Key((int,), True), "gain": Key((list,), True)},
    "number": _ID | {"value": Key((int,), True)},
    "starter": _ID
    | _NAME
    | {
        "n": Key((int,), True),
        "gold": Key((int,), True),
        "token": Key((str,), False, ("leader", "architect")),
        "income_unlock_ages": Key((list,), True),
    },
    "automa_row": _ID | {"rows": Key((list,), True), "columns": Key((list,), True)},
    "automa_priority": _ID | {"criteria": Key((list,), True)},
    "automa_construction": _ID
    | {"target": Key((str,), True, ("wonder", "building")), "slot": Key((int,), True)},
    "automa_war": _ID | {"advance": Key((int,), True), "hard_only": Key((bool,), True)},
    "challenge": _ID | {"vp": Key((list,), True)},
}

FILES: Mapping[str, tuple[str, ...]] = {
    "techs.toml": ("type", "tech"),
    "wonders.toml": ("wonder",),
    "buildings.toml": ("building",),
    "research.toml": ("research",),
    "diplomacy.toml": ("diplomacy",),
    "prosperity.toml": ("prosperity",),
    "books.toml": ("book",),
    "tracks.toml": ("track", "spot"),
    "board.toml": ("row", "special", "action", "convert", "buy", "number", "starter"),
    "automa.toml": ("automa_row", "automa_priority", "automa_construction", "automa_war", "challenge"),
}

BACKS = (
    *(f"{kind} age {age}" for kind in ("tech", "wonder", "building") for age in range(1, AGES + 1)),
    "prosperity",
    "diplomacy",
    "research",
    "book",
    "automa_row",
    "automa_priority",
    "automa_construction",
    "automa_war",
    "blank tech",
    "printed",
)
"""`printed`: what is no card but stands on the boards (spots, actions, rows)."""


def back_of(table: str, age: int) -> int:
    """The public back of the cards of a table of facts."""
    if age:
        return BACKS.index(f"{table} age {age}")
    if table == "tech":
        return BACKS.index("blank tech")
    return BACKS.index(table) if table in BACKS else BACKS.index("printed")
