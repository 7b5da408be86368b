"""What every card effect is, and how one is made from the facts of a card."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ziggurat_rules.errors import BadPack
from ziggurat_rules.games.flow.symbols import ICONS, NO_ICONS, TYPES, icon_row

if TYPE_CHECKING:
    from ziggurat_rules.games.flow.table import FlowTable


@dataclass(frozen=True, slots=True)
class CardEffect:
    """What a card does. Each kind says with which timings a card may have it."""

    timings: ClassVar[tuple[str, ...]] = ()
    icons = NO_ICONS
    """Icons it provides by itself, in the order of ICONS."""
    packed_icons = 0
    """The same, packed."""
    icon = -1
    """The icon it provides per something; -1: none."""

    def counted(self, t: FlowTable, seat: int, totals: Sequence[int]) -> int:
        """How many of its icon (or points of its scoring) something in the Nation is worth."""
        raise NotImplementedError

    def check(self, where: str) -> None:
        """Raise BadPack if its keys contradict each other."""


@dataclass(frozen=True, slots=True)
class NoEffect(CardEffect):
    """Starting cards, and The Future (its timing says all)."""

    timings = ("none", "game_end")


NOTHING = NoEffect()
KINDS: dict[str, type[CardEffect]] = {}
K = TypeVar("K", bound=type[CardEffect])
Read = Callable[[str, object], Any]


def effect(kind: str) -> Callable[[K], K]:
    """Name a kind of effect as cards.toml calls it."""

    def name(cls: K) -> K:
        KINDS[kind] = cls
        return cls

    return name


def key(read: Read, default: object = dataclasses.MISSING) -> Any:
    """A field of an effect, read from the key of its name."""
    return dataclasses.field(default=default, metadata={"read": read})


def build_effect(where: str, facts: Mapping[str, object] | None, timing: str) -> CardEffect:
    """The effect that a card's facts describe; raises BadPack for what is unknown, missing or misplaced."""
    if facts is None:
        made: CardEffect = NOTHING
    else:
        kind = KINDS.get(str(facts.get("kind")))
        if kind is None:
            raise BadPack(f"{where}.kind", f"{facts.get('kind')!r} is not one of {', '.join(sorted(KINDS))}")
        made = kind(**_read_keys(where, kind, facts))
        made.check(where)
    if timing not in made.timings:
        raise BadPack(
            where.removesuffix("effect") + "timing",
            f"{timing!r} does not fit; this effect takes {', '.join(made.timings)}",
        )
    return made


def _read_keys(where: str, kind: type[CardEffect], facts: Mapping[str, object]) -> dict[str, object]:
    fields = {field.name: field for field in dataclasses.fields(kind) if field.init}
    for name in facts:
        if name != "kind" and name not in fields:
            raise BadPack(
                f"{where}.{name}", f"unknown key; {facts['kind']} takes {', '.join(fields) or 'none'}"
            )
    for name, field in fields.items():
        if name not in facts and field.default is dataclasses.MISSING:
            raise BadPack(f"{where}.{name}", "missing")
    return {
        name: fields[name].metadata["read"](f"{where}.{name}", facts[name])
        for name in facts
        if name != "kind"
    }


def an_amount(where: str, value: object) -> int:
    """A number from 1."""
    if type(value) is not int or not 1 <= value <= 99:
        raise BadPack(where, f"{value!r} is not a number from 1 to 99")
    return value


def a_flag(where: str, value: object) -> bool:
    """true or false."""
    if type(value) is not bool:
        raise BadPack(where, f"{value!r} is not true or false")
    return value


def _one_of(where: str, value: object, names: Sequence[str]) -> int:
    if value not in names:
        raise BadPack(where, f"{value!r} is not one of {', '.join(names)}")
    return names.index(str(value))


def an_icon(where: str, value: object) -> int:
    """The number of an icon."""
    return _one_of(where, value, ICONS)


def a_type(where: str, value: object) -> int:
    """The number of a card type."""
    return _one_of(where, value, TYPES)


def some_types(where: str, value: object) -> tuple[int, ...]:
    """The numbers of several card types."""
    if not isinstance(value, list) or not value:
        raise BadPack(where, "a list of card types wanted")
    types = tuple(a_type(where, one) for one in value)
    if len(set(types)) < len(types):
        raise BadPack(where, "a card type is named twice")
    return types


def some_icons(where: str, value: object) -> tuple[int, ...]:
    """Amounts of icons, in the order of ICONS."""
    if not isinstance(value, dict):
        raise BadPack(where, "a table of icons wanted")
    return icon_row(where, value)


def a_store(where: str, value: object) -> bool:
    """Whether tokens come from the Reserve (else from the Supply)."""
    return bool(_one_of(where, value, ("supply", "reserve")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Per(CardEffect):
    """An effect that counts icons of a kind, or cards of a type (covered ones too)."""

    per_icon: int = key(an_icon, -1)
    per_card: int = key(a_type, -1)
    amount: int = key(an_amount, 1)
    step: int = key(an_amount, 1)

    def check(self, where: str) -> None:
        """One thing is counted."""
        if (self.per_icon >= 0) == (self.per_card >= 0):
            raise BadPack(where, "one of per_icon and per_card is wanted")

    def counted(self, t: FlowTable, seat: int, totals: Sequence[int]) -> int:
        """`amount` for every `step` of what is counted."""
        found = totals[self.per_icon] if self.per_icon >= 0 else len(t.stack(seat, self.per_card))
        return self.amount * (found // self.step)
