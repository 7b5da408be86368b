"""Whose turn it is: which of the due games are started, and when the next round is drawn for those who wait.

The next game is always the first of those whose busiest bot has the fewest games in play. So a bot that is slow, full
or away holds up nobody else: its own games wait, and others' go on, if need be with the next round.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from ziggurat_server.tournaments.log import EventEntry, Kind, State
from ziggurat_server.tournaments.results import Round
from ziggurat_server.tournaments.state import EventState, Game

MOST_WAITING = 1000
"""With so many games due no round is drawn ahead; of more that could be started, the first so many are compared."""

Seats = tuple[str, ...]


class _Queue:
    """Seats of games in turn. `busy`, games in play by bot, may grow meanwhile."""

    def __init__(self, games: Sequence[Seats], busy: Mapping[str, int]) -> None:
        self._games = games
        self._busy = busy
        self._heap = [(self._load(at), at) for at in range(len(games))]
        heapq.heapify(self._heap)

    def _load(self, at: int) -> int:
        return max(self._busy[bot] for bot in self._games[at])

    def first(self) -> tuple[int, int] | None:
        """Who is next: games in play of the busiest bot, and where in `games` it is."""
        while self._heap:
            load, at = self._heap[0]
            if (now := self._load(at)) == load:
                return load, at
            heapq.heapreplace(self._heap, (now, at))
        return None

    def pop(self) -> None:
        """The first one is dealt with."""
        heapq.heappop(self._heap)


def startable(
    state: EventState, away: Set[str], elsewhere: Counter[str], blocked: set[str]
) -> Iterator[Game]:
    """Games that can be started, in turn.

    `elsewhere`: games of bots in other events and matches. `blocked` gets those of `away` that due games wait for.
    """
    busy = state.busy + elsewhere
    may_play = _rule(state, away, busy)
    ready: list[Game] = []
    for game in state.due.values():
        blocked |= away & set(game.seats)
        if may_play(game.seats):
            ready.append(game)
        if len(ready) == MOST_WAITING:
            break
    queue, room = _Queue([game.seats for game in ready], busy), state.room
    while room and (first := queue.first()) is not None:
        queue.pop()
        game = ready[first[1]]
        if may_play(game.seats):
            busy.update(game.seats)
            room -= 1
            yield game


def held_up(
    state: EventState, away: Set[str], elsewhere: Counter[str], next_round: Callable[[], Round | None]
) -> bool:
    """Whether the next round has a game for bots that are less busy than those of due games that would be started."""
    if state.state != State.RUNNING or not state.room or len(state.due) >= MOST_WAITING:
        return False
    drawn = next_round()
    if drawn is None:
        return False
    busy = state.busy + elsewhere
    may_play = _rule(state, away, busy)
    due = [game.seats for game in state.due.values() if may_play(game.seats)]
    to_come = [bots for bots in drawn.tables[:MOST_WAITING] if may_play(bots)]
    now, then, room = _Queue(due, busy), _Queue(to_come, busy), state.room
    while room and (later := then.first()) is not None:
        if not may_play(to_come[later[1]]):  # any more
            then.pop()
            continue
        first = now.first()
        if first is None or later[0] < first[0]:
            return True
        now.pop()
        if may_play(seats := due[first[1]]):
            busy.update(seats)
            room -= 1
    return False


def started(
    state: EventState, away: Set[str], elsewhere: Counter[str], chosen: Mapping[int, int]
) -> Sequence[EventEntry]:
    """The start of the chosen games (number: try), as far as that is still right."""
    if state.state != State.RUNNING:
        return ()
    return [
        EventEntry(Kind.STARTED, game=game.number, attempt=game.attempt)
        for game in startable(state, away, elsewhere, set())
        if chosen.get(game.number) == game.attempt
    ]


def _rule(state: EventState, away: Set[str], busy: Mapping[str, int]) -> Callable[[Seats], bool]:
    """Whether bots may play: all are in and there, and none has as many games in play as it can."""
    capacities = {name: bot.capacity for name, bot in state.entrants.items() if bot.capacity}
    out = away | state.withdrawn.keys()

    def may_play(seats: Seats) -> bool:
        return out.isdisjoint(seats) and not any(
            name in capacities and busy[name] >= capacities[name] for name in seats
        )

    return may_play
