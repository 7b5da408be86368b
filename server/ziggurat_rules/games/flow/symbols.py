"""The rulebook's symbols: production icons, card types, ages and timings, by number where play needs one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ziggurat_rules.errors import BadPack

ICONS = ("attack", "culture", "defense", "harvest", "industry", "science", "trade")
ATTACK, CULTURE, DEFENSE, HARVEST, INDUSTRY, SCIENCE, TRADE = range(7)
NO_ICONS = (0,) * len(ICONS)

TYPES = ("government", "construction", "knowledge", "military", "leader", "wonder")
GOVERNMENT, CONSTRUCTION, KNOWLEDGE, MILITARY, LEADER, WONDER = range(6)
UNTYPED = len(TYPES)
"""Where The Future lies in a Nation."""

AGES = ("S", "A", "I", "II", "III", "IV", "V", "future")
AGE_VALUES = {"S": 0, "A": 0, "I": 1, "II": 2, "III": 3, "IV": 4, "V": 5}
NO_AGE = -1

TIMINGS = ("none", "instant", "attack", "attack_all", "permanent", "turn_action", "end_game", "game_end")

SHIFTS = tuple(16 * n for n in range(len(ICONS)))
"""Where the count of each icon lies in counts packed into one integer."""


def packed(icons: Sequence[int]) -> int:
    """Counts of icons, in the order of ICONS, in one integer: sums of such are the sums of the counts."""
    return sum(count << shift for count, shift in zip(icons, SHIFTS, strict=True))


def unpacked(counts: int) -> list[int]:
    """Counts of icons, in the order of ICONS."""
    return [counts >> shift & 0xFFFF for shift in SHIFTS]


def icon_row(where: str, icons: Mapping[str, object]) -> tuple[int, ...]:
    """How many of each icon, in the order of ICONS; raises BadPack for what is no icon or no amount."""
    for icon, amount in icons.items():
        if icon not in ICONS:
            raise BadPack(f"{where}.{icon}", f"not one of {', '.join(ICONS)}")
        if type(amount) is not int or not 0 <= amount <= 99:
            raise BadPack(f"{where}.{icon}", f"{amount!r} is not a number from 0 to 99")
    return tuple(int(str(icons.get(icon, 0))) for icon in ICONS)
