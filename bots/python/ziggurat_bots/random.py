"""Plays any game at random: a choice depends on seed, match, seat and decision alone."""

from __future__ import annotations

import os
from hashlib import blake2b

from ziggurat import Choice, Decision, View


class Player:
    """A random player; players of one seed play alike in one match and seat."""

    def __init__(self, seed: str) -> None:
        self._key = blake2b(seed.encode(), digest_size=32).digest()

    def number(self, view: View, decision: Decision, salt: int = 0) -> int:
        """64 random bits for this decision."""
        name = f"{view.match_id} {view.seat} {decision.id} {salt}"
        return int.from_bytes(blake2b(name.encode(), digest_size=8, key=self._key).digest(), "little")

    def decide(self, view: View, decision: Decision) -> Choice:
        """Any choice, each about equally likely."""
        bits = self.number(view, decision)
        if decision.kind == "options":
            return (bits * decision.size) >> 64
        size = decision.low + ((bits * (decision.high - decision.low + 1)) >> 64)
        if decision.kind == "range":
            return size
        left = list(range(decision.size))
        chosen = [left.pop((self.number(view, decision, 1 + i) * len(left)) >> 64) for i in range(size)]
        return tuple(sorted(chosen))


def seeded(seed: str) -> Player:
    """The player of a seed."""
    return Player(seed)


decide = Player(os.urandom(16).hex()).decide
