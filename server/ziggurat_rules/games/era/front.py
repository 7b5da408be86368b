"""What the cards in play add up to, on the two sides of one Era.

A front is all that interacts: the owner's cards in play (NORMAL) and the conflict cards of his Era (THREAT).
It is a pure function of public cells, so tables share it until one of those cells changes.
"""

from __future__ import annotations

from collections.abc import Sequence

from ziggurat_rules.games.era.facts import RESOURCE, Face
from ziggurat_rules.games.era.layout import HEIGHT, POSITIONS, STRIDE, TOKENS
from ziggurat_rules.games.era.symbols import (
    BLOCK,
    HARVEST,
    KEY,
    KINDS,
    MILITARY,
    NORMAL,
    THREAT,
    UNIQUE,
    Symbol,
)

Counts = list[int]

EMPTY = (0,) * len(KINDS)


class Front:
    """Sums for both sides, indexed by side, then by position, then by kind.

    `symbols` are unlocked, before blocks; `active` after them. `resources` are the symbols on resource cards.
    `blocks[side]` are block symbols that hit this side, `gifts[side]` (military, ruin) symbols it is given.
    """

    __slots__ = (
        "active",
        "blocks",
        "faces",
        "free",
        "gifts",
        "heights",
        "keys",
        "resources",
        "symbols",
        "totals",
    )

    def __init__(self, faces: tuple[list[Face], list[Face]], stacks: Sequence[int]) -> None:
        self.faces = faces
        self.heights = (stacks[HEIGHT::STRIDE], (1,) * len(faces[THREAT]))
        self.keys = [0, 0]
        self.symbols: tuple[list[Counts], list[Counts]] = ([], [])
        self.resources = list(EMPTY)
        self.blocks = (list(EMPTY), list(EMPTY))
        self.gifts = ([0, 0], [0, 0])
        self.free = [False, False]
        """Unique cards are free of their rule."""
        self._unlock()
        for side in (NORMAL, THREAT):
            for face, height in zip(faces[side], self.heights[side], strict=True):
                self.symbols[side].append(self._add_up(side, face, height))
        for position, tokens in enumerate(stacks[TOKENS::STRIDE]):
            if tokens < 0:
                self.symbols[NORMAL][position][HARVEST] = 0
        self.active = self.symbols
        self.totals = (_totals(self.symbols[NORMAL]), _totals(self.symbols[THREAT]))

    def block(self, blocked: tuple[Sequence[int], Sequence[int]]) -> None:
        """Take the blocked symbols off `active`."""
        if not blocked[NORMAL] and not blocked[THREAT]:
            return
        self.active = (
            [counts[:] for counts in self.symbols[NORMAL]],
            [counts[:] for counts in self.symbols[THREAT]],
        )
        for side in (NORMAL, THREAT):
            for entry in blocked[side]:
                position, kind = divmod(entry, POSITIONS)
                self.active[side][position][kind] -= 1
        self.totals = (_totals(self.active[NORMAL]), _totals(self.active[THREAT]))

    def _unlock(self) -> None:
        """Find the letters unlocked on each side; a key may itself be locked."""
        keys = [
            (side, symbol)
            for side in (NORMAL, THREAT)
            for face, height in zip(self.faces[side], self.heights[side], strict=True)
            for symbol, _ in shown(face, height)
            if symbol.kind == KEY
        ]
        before = None
        while keys and before != self.keys:
            before = self.keys[:]
            for side, symbol in keys:
                if symbol.lock & ~self.keys[side] == 0:
                    self.keys[1 - side if symbol.across else side] |= symbol.letter

    def _add_up(self, side: int, face: Face, height: int) -> Counts:
        """The unlocked symbols of one stack; what works elsewhere is noted where it works."""
        counts = list(EMPTY)
        for symbol, n in shown(face, height):
            if symbol.lock & ~self.keys[side]:
                continue
            target = 1 - side if symbol.across else side
            if face.kind == RESOURCE:
                self.resources[symbol.kind] += n
            elif symbol.kind == BLOCK:
                self._add_block(symbol, n, target)
            elif symbol.kind == KEY:
                continue
            elif symbol.across:
                self.gifts[target][symbol.kind - MILITARY] += n
            else:
                counts[symbol.kind] += n
        return counts

    def _add_block(self, symbol: Symbol, n: int, target: int) -> None:
        if symbol.blocks == UNIQUE:
            self.free[target] = True
        else:
            self.blocks[target][symbol.blocks] += n

    def defense(self, side: int, position: int, kind: int) -> int:
        """The number an attack of this kind must reach, or -1 if the card has no such defense."""
        face = self.faces[side][position]
        printed = face.defense[kind - MILITARY]
        return (
            printed
            if printed < 0
            else printed + face.armour[kind - MILITARY] * (self.heights[side][position] - 1)
        )


def shown(face: Face, height: int) -> list[tuple[Symbol, int]]:
    """The symbols a stack contributes: left of a dash once, right of it for each further copy."""
    symbols = [(symbol, symbol.n) for symbol in face.left]
    if height > 1:
        symbols += [(symbol, symbol.n * (height - 1)) for symbol in face.right]
    return symbols


def _totals(rows: Sequence[Counts]) -> Counts:
    return [sum(column) for column in zip(*rows, strict=True)] if rows else list(EMPTY)
