"""Keyed randomness: every random order is a function of (seed, pile, epoch, card), never of a stream.

The same card keeps its relative order whatever else lies in the pile, so one seed is one deal.
"""

from __future__ import annotations

from collections.abc import Iterable

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


def mix64(value: int) -> int:
    """SplitMix64's finalizer: a bijection on 64-bit integers that flips half of the bits on average."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def splitmix64(seed: int, n: int) -> int:
    """The n-th output (from 1) of SplitMix64 started at `seed`; the published test vectors check it."""
    return mix64((seed + n * _GAMMA) & _MASK)


def keyed(*parts: int) -> int:
    """A 64-bit number that depends on every part and on their order."""
    value = 0
    for part in parts:
        value = mix64((value + part + _GAMMA) & _MASK)
    return value


def below(bound: int, *parts: int) -> int:
    """A number in 0..bound-1, uniform to within bound / 2**64."""
    return (keyed(*parts) * bound) >> 64


def shuffled(cards: Iterable[int], *parts: int) -> list[int]:
    """The cards in the order that this key gives them."""
    key = keyed(*parts)
    return sorted(cards, key=lambda card: mix64((key + card * _GAMMA) & _MASK))
