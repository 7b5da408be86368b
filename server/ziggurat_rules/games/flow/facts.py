"""The facts of the cards: read from cards.toml, checked, and compiled for an edition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

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
from ziggurat_rules.games.flow.effects import KINDS, CardEffect, build_effect
from ziggurat_rules.games.flow.symbols import (
    AGE_VALUES,
    AGES,
    ICONS,
    NO_AGE,
    TIMINGS,
    TYPES,
    UNTYPED,
    icon_row,
)

FILE = "flow/cards.toml"
TYPE_KEYS = {
    "id": Key((str,), required=True, choices=TYPES),
    "source": Key((str,)),
    "bonus": Key((str,), required=True, choices=ICONS),
}
VARIANT_KEYS = {
    "timing": Key((str,), choices=TIMINGS),
    "obsolete": Key((bool,)),
    "effect": Key((dict,)),
    "text": Key((str,), required=True),
}
VARIANTS = ("korean", "glossary")
CARD_KEYS = {
    "id": Key((str,), required=True),
    "name": Key((str,), required=True),
    "name_ko": Key((str,), required=True),
    "source": Key((str,)),
    "age": Key((str,), required=True, choices=AGES),
    "type": Key((str,), choices=TYPES),
    "timing": Key((str,), required=True, choices=TIMINGS),
    "obsolete": Key((bool,)),
    "effect": Key((dict,)),
    "icons": Key((dict,), required=True),
    "text": Key((str,), required=True),
    "two_players": Key((bool,)),
    "banker_starts": Key((bool,)),
    "deck_place": Key((str,), choices=("bottom", "second_from_bottom")),
    **{variant: Key((dict,)) for variant in VARIANTS},
}
HEADINGS = ("id", "name", "text", "source")
"""What a catalogue card says besides its facts."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card in the edition in play."""

    id: str
    kind: int
    age: int
    timing: str
    obsolete: bool
    stripe: tuple[int, ...]
    bonus: int
    effect: CardEffect
    two_players: bool
    banker_starts: bool
    deck_place: str
    ends_game: bool
    """Whether the game ends when it comes out."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The facts and the readings that one game is played by."""

    faces: tuple[Face, ...]
    backs: tuple[int, ...]
    ages: tuple[int, ...]
    """By face, as the next three."""
    stripes: tuple[int, ...]
    """Packed."""
    permanent: tuple[CardEffect | None, ...]
    permanent_at_end: tuple[CardEffect | None, ...]
    turn_actions: frozenset[int]
    top_up_from_supply: bool
    age_never_falls: bool
    late_icons_count_in_half_points: bool
    future_counts_as_card: bool


@dataclass(frozen=True, slots=True)
class CardFile:
    """The records of cards.toml, with packs applied."""

    cards: tuple[Facts, ...]
    bonus: Mapping[str, str]
    bonus_source: Mapping[str, str]

    def catalogue(self) -> Catalogue:
        """What clients are served: names and texts, the facts of both editions, the source of each."""
        return Catalogue(tuple(self._card(n, record) for n, record in enumerate(self.cards)), AGES)

    def _card(self, number: int, record: Facts) -> Card:
        facts = {key: record[key] for key in CARD_KEYS if key in record and key not in HEADINGS}
        sources = {key: source_of(record, key) for key in facts}
        if "type" in record:
            facts["bonus"] = self.bonus[record["type"]]
            sources["bonus"] = self.bonus_source[record["type"]]
        back = AGES.index(record["age"])
        return Card(number, record["id"], record["name"], back, 1, record["text"], facts, sources)

    def faces(self, variants: Mapping[str, str]) -> tuple[Face, ...]:
        """The cards in play; `variants` names the variant of a card, "" those of the other cards."""
        return tuple(self._face(one, variants.get(one["id"], variants[""])) for one in self.cards)

    def _face(self, record: Facts, variant: str) -> Face:
        facts = record | record.get(variant, {})
        kind = record.get("type")
        return Face(
            id=record["id"],
            kind=UNTYPED if kind is None else TYPES.index(kind),
            age=AGE_VALUES.get(record["age"], NO_AGE),
            timing=facts["timing"],
            obsolete=facts.get("obsolete", False),
            stripe=icon_row(f"{FILE}: {record['id']}: icons", record["icons"]),
            bonus=ICONS.index(self.bonus.get(kind or "", ICONS[0])),
            effect=build_effect(f"{FILE}: {record['id']}: effect", facts.get("effect"), facts["timing"]),
            two_players=record.get("two_players", True),
            banker_starts=record.get("banker_starts", False),
            deck_place=record.get("deck_place", ""),
            ends_game=facts["timing"] == "game_end",
        )


def read_cards(packs: Sequence[Pack] = ()) -> CardFile:
    """cards.toml, with the facts that packs replace; raises BadPack with file, card and key."""
    check_pack_tables(packs, ("card", "type"))
    document = parse(FILE, files(__package__).joinpath("cards.toml").read_text("utf-8"))
    cards = apply_packs(read_records(FILE, document, "card", CARD_KEYS), packs, "card", CARD_KEYS)
    types = apply_packs(read_records(FILE, document, "type", TYPE_KEYS), packs, "type", TYPE_KEYS)
    changed_by = {
        record["id"]: pack.name for pack in packs for record in parse(pack.name, pack.text).get("card", ())
    }
    for record in cards:
        _check_card(changed_by.get(record["id"], FILE), record)
    made = CardFile(
        tuple(cards),
        {record["id"]: record["bonus"] for record in types},
        {record["id"]: source_of(record, "bonus") for record in types},
    )
    _check_whole(packs[-1].name if packs else FILE, made)
    return made


def _check_card(name: str, record: Facts) -> None:
    """Refuse what the schema cannot: icons, variants, and effects unknown or not of the timing."""
    where = f"{name}: {record['id']}"
    icon_row(f"{where}: icons", record["icons"])
    build_effect(f"{where}: effect", record.get("effect"), record["timing"])
    for variant in VARIANTS:
        if variant in record:
            check_record(f"{where}: {variant}", record[variant], VARIANT_KEYS)
            facts = record | record[variant]
            build_effect(f"{where}: {variant}: effect", facts.get("effect"), facts["timing"])


def _check_whole(name: str, file: CardFile) -> None:
    """Refuse a set of cards that no game can be set up with, or that no game would end with."""
    count = {age: sum(record["age"] == age for record in file.cards) for age in AGES}
    two = sum(record["age"] == "S" and record.get("two_players", True) for record in file.cards)
    if count["A"] != 5 or count["S"] < 5 or two < 4 or not count["I"]:
        raise BadPack(
            name, "five cards of age A, five of age S (four for two players) and one of age I are needed"
        )
    banked = _only(name, file, "banker_starts", True)
    if banked["age"] != "A":
        raise BadPack(f"{name}: {banked['id']}: banker_starts", "not in the first Market: its age is not A")
    last = _only(name, file, "deck_place", "bottom")
    for record in (last, _only(name, file, "deck_place", "second_from_bottom")):
        if record["age"] in ("S", "A"):
            raise BadPack(f"{name}: {record['id']}: deck_place", "cards of ages S and A are not in the deck")
    if last["timing"] != "game_end":
        raise BadPack(f"{name}: {last['id']}: timing", "the last card of the deck must be 'game_end'")
    for record in file.cards:
        if record["age"] == "future" and record is not last:
            raise BadPack(f"{name}: {record['id']}: age", f"only {last['id']} may be of age 'future'")


def _only(name: str, file: CardFile, key: str, wanted: object) -> Facts:
    """The one card that has this value."""
    found = [record for record in file.cards if record.get(key) == wanted]
    if len(found) != 1:
        raise BadPack(f"{name}: {key}", f"exactly one card must have {wanted}")
    return found[0]


def _check_used(file: CardFile) -> None:
    """Refuse effects that no printed card has."""
    facts = [facts for record in file.cards for facts in variants_of(record)]
    unused = set(KINDS) - {one["effect"]["kind"] for one in facts if "effect" in one}
    if unused:
        raise BadPack(FILE, f"no card has the effects {', '.join(sorted(unused))}")


def variants_of(record: Facts) -> list[Facts]:
    """The facts of a card in the English edition, then in each variant it has."""
    return [record, *(record | record[variant] for variant in VARIANTS if variant in record)]


@cache
def printed_cards() -> CardFile:
    """cards.toml without packs."""
    file = read_cards()
    _check_used(file)
    return file
