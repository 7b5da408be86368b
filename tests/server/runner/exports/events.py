"""Small events with results, for tests of exports."""

from __future__ import annotations

from collections.abc import Sequence

from ziggurat_server.log import Cause, Fault, Faults
from ziggurat_server.runner.exports import Description, Summary, summary_of
from ziggurat_server.tournaments.event import Entrant, EventSpec, FormatSpec, StopRule
from ziggurat_server.tournaments.log import State, match_id
from ziggurat_server.tournaments.results import GameResult, Round, SeatResult

NAMES = ("ann", "bob", "cyd", "dan")


def places_of(points: Sequence[int]) -> list[int]:
    """Shared places: two winners both have place 1, the next has place 3."""
    return [1 + sum(other > mine for other in points) for mine in points]


def game(number: int, seats: Sequence[str], points: Sequence[int], rotations: int, **more: int) -> GameResult:
    """The number-th game of an event with one table a round; seats as they sat, points by seat."""
    results = tuple(
        SeatResult(bot, mine, place)
        for bot, mine, place in zip(seats, points, places_of(points), strict=True)
    )
    at, rotation = divmod(number, rotations)
    return GameResult(
        number, at, 0, rotation, results, match_id("small", number, more.get("attempt", 0)), **more
    )


def event(
    names: Sequence[str],
    blocks: Sequence[Sequence[Sequence[int] | None]],
    withdrawn: Sequence[str] = (),
    stop: bool = False,
) -> Summary:
    """An event of one table a round. `blocks[round][rotation]`: points by seat; None for a game without a result."""
    seats = len(names)
    rounds = tuple(Round(number, (tuple(names),)) for number in range(len(blocks)))
    games = []
    for number, block in enumerate(blocks):
        for rotation, points in enumerate(block):
            if points is not None:
                sat = (*names[rotation:], *names[:rotation])
                games.append(game(number * seats + rotation, sat, points, seats))
    spec = EventSpec(
        "flow",
        tuple(Entrant(name, version=f"v{at}") for at, name in enumerate(names)),
        seats=seats,
        format=FormatSpec("ladder", rounds=len(blocks)),
        seed=2**64 - 1,
        stop=StopRule(names[0], names[1], h1=0.2) if stop else None,
    )
    told = Description(
        "small", spec, 4, State.FINISHED, "all games are over", rounds, dict.fromkeys(withdrawn, "broke")
    )
    return summary_of(told, tuple(games), {match_id("small", 0, 0): "ab" * 32})


def with_faults() -> Summary:
    """A game in which much was held against the second bot."""
    seats = (SeatResult("ann", 7, 1, (3, 1)), SeatResult("bob", 2, 2, (0, -1), True, Faults(3, 2, 1, 4, 1)))
    spec = EventSpec("flow", (Entrant("ann", "1"), Entrant("bob", "2|x")), seats=2)
    told = Description(
        "small", spec, 4, State.CANCELLED, "no | <b>more</b> time\n", (Round(0, (("ann", "bob"),)),)
    )
    held = (
        Fault(1, 9, Cause.SLOW, 1_000, 2_000, substitute=(1, 4), note="too late", fallback=1),
        Fault(1, 10, Cause.GONE),
    )
    return summary_of(told, (GameResult(0, 0, 0, 0, seats, "small-00000", 0, 31, held),), {})


SMALL: dict[str, Summary] = {
    "no games": event(NAMES[:2], []),
    "no games of a drawn round": event(NAMES[:2], [[None, None]]),
    "one game": event(NAMES[:2], [[(5, 3), None]]),
    "20:0": event(NAMES[:2], [[(5, 3), (3, 5)]] * 10, stop=True),
    "1:1": event(NAMES[:2], [[(5, 3), (5, 3)]]),
    "all ties": event(NAMES[:2], [[(4, 4), (4, 4)]] * 3, stop=True),
    "shared win": event(NAMES, [[(9, 9, 3, 1), (9, 3, 1, 9), (3, 1, 9, 9), (1, 9, 9, 3)]]),
    "one seat": event(NAMES[:1], [[(5,)], [(7,)]]),
    "void game": event(NAMES[:2], [[(5, 3), None], [(5, 3), (4, 6)]]),
    "withdrawn": event(NAMES[:3], [[(5, 3, 1), (3, 2, 1), (9, 2, 3)], [None, None, None]], withdrawn=["ann"]),
    "faults": with_faults(),
}
