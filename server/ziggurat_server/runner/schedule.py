"""Who plays whom, where and with which deal: pure functions.

A deal is one seed. In each deal every line-up (combination of bots) plays once per rotation of the seats, so
that over a deal each bot sits equally often in each seat, and every line-up gets the same deals.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import comb


@dataclass(frozen=True, slots=True)
class Game:
    """One game to play: `seats` names the bot of each seat."""

    number: int
    deal: int
    line_up: int
    seats: tuple[str, ...]


def deal_size(bots: int, seats: int) -> int:
    """Games of one deal."""
    return comb(bots, seats) * seats


def deals_for(games: int, bots: int, seats: int) -> int:
    """The fewest whole deals that make at least so many games."""
    return -(-games // deal_size(bots, seats))


def schedule(bots: Sequence[str], seats: int, deals: int) -> list[Game]:
    """All games in the order in which they are started."""
    games: list[Game] = []
    for deal in range(deals):
        for line_up, members in enumerate(combinations(bots, seats)):
            order = _orders(members)[deal % len(_orders(members))]
            for turn in range(seats):
                games.append(Game(len(games), deal, line_up, order[turn:] + order[:turn]))
    return games


@cache
def _orders(members: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Who sits left of whom: the cyclic orders of a line-up. Deals take them in turn: neighbours change."""
    return tuple((members[0], *rest) for rest in permutations(members[1:]))


def deal_seed(seed: int, deal: int) -> int:
    """The 64-bit seed of a deal."""
    digest = hashlib.sha256(f"ziggurat tournament {seed} deal {deal}".encode()).digest()
    return int.from_bytes(digest[:8], "little")
