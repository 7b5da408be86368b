"""Counts events for ratings, as a process to be killed: URL, first event, number of events.

Each event adds one game to bot "a" and moves its mean by one, so that what is lost or done twice shows.
"""

from __future__ import annotations

import asyncio
import sys

from ziggurat_server.bots.ratings import Ratings
from ziggurat_server.bots.values import Rating, RatingMap
from ziggurat_server.sessions.store import Store

NONE = Rating(0.0, 5.0)


def one_more(now: RatingMap) -> RatingMap:
    """The rating of "a" after another event."""
    old = now.get(("a", "1"), NONE)
    return {("a", "1"): Rating(old.mu + 1, old.sigma, old.games + 1, old.events + 1)}


async def count(url: str, first: int, number: int) -> None:
    """Count events of flow, one after another."""
    store = Store(url)
    ratings = Ratings(store)
    for event in range(first, first + number):
        await ratings.update("flow", f"event-{event}", one_more)
    await store.close()


if __name__ == "__main__":
    asyncio.run(count(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
