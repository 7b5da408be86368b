"""Plays any game at random.

A choice depends on the seed, the seat, its own cells and the decision. It does not depend on process, match or time:
a bot that is started again, or plays the same deal again, plays on alike. Cells of others are left out since in a
phase where all decide at once it is chance how many of their moves have been seen.
"""

from __future__ import annotations

import os
from functools import cache
from hashlib import blake2b

from ziggurat import Choice, Decision, GameInfo, View


class Player:
    """A random player; players of one seed play alike."""

    def __init__(self, seed: str) -> None:
        self._key = blake2b(seed.encode(), digest_size=32).digest()

    def number(self, asked: bytes, salt: int = 0) -> int:
        """64 random bits for what is asked."""
        return int.from_bytes(blake2b(asked + b"%d" % salt, digest_size=8, key=self._key).digest(), "little")

    def decide(self, view: View, decision: Decision) -> Choice:
        """Any choice, each about equally likely."""
        asked = _asked(view, decision)
        bits = self.number(asked)
        if decision.kind == "options":
            return (bits * decision.size) >> 64
        size = decision.low + ((bits * (decision.high - decision.low + 1)) >> 64)
        if decision.kind == "range":
            return size
        left = list(range(decision.size))
        chosen = [left.pop((self.number(asked, 1 + i) * len(left)) >> 64) for i in range(size)]
        return tuple(sorted(chosen))


def _asked(view: View, decision: Decision) -> bytes:
    """What a choice depends on."""
    own = [view.cell(key) for key in _own_cells(view.info, view.seat)]
    options = [option.values for option in decision.options]
    return repr(
        (view.seat, own, decision.id, decision.prompt.values, options, decision.low, decision.high)
    ).encode()


@cache
def _own_cells(info: GameInfo, seat: int) -> tuple[int, ...]:
    return tuple(sorted(key for key, cell in info.cells.items() if cell.owner == seat))


def seeded(seed: str) -> Player:
    """The player of a seed."""
    return Player(seed)


decide = Player(os.urandom(16).hex()).decide
