"""The symbols printed on cards, as numbers."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("progress", "harvest", "money", "build", "military", "ruin", "vision")
"""Kinds that a stack adds up and a block may cancel."""

PROGRESS, HARVEST, MONEY, BUILD, MILITARY, RUIN, VISION = range(7)
UNIQUE = 7
"""What a block names besides the kinds: it lifts the rule of unique cards."""
BLOCKABLE = (*KINDS, "unique")

KEY, BLOCK = 8, 9
RESOURCES = (HARVEST, MONEY, BUILD)
ATTACKS = (MILITARY, RUIN)

NORMAL, THREAT = 0, 1
"""The two sides of an Era: its owner's cards in play, and the Era's conflict cards in play against him."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """One printed symbol, `n` times. `lock` and `letter` are bits of letters (0: none); `blocks` is a kind or
    UNIQUE; `across`: its effect goes to the other side than where such a symbol usually works."""

    kind: int
    n: int
    lock: int = 0
    letter: int = 0
    blocks: int = -1
    across: bool = False


def letter_bit(letter: str) -> int:
    """The bit of a letter "A".."Z"."""
    return 1 << ord(letter) - ord("A")


def letters(bits: int) -> str:
    """The letters of some bits."""
    return "".join(chr(ord("A") + i) for i in range(26) if bits >> i & 1)
