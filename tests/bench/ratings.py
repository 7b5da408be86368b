"""Batch ratings: what they take, or with --cover whether their intervals hold: `python -m tests.bench.ratings`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from tests.support.outcomes import format_event

from ziggurat_server.tournaments.event import FormatSpec
from ziggurat_server.tournaments.statistics.blocks import blocks_of
from ziggurat_server.tournaments.statistics.rating import rate
from ziggurat_server.tournaments.statistics.superiority import cross_table

Event = tuple[FormatSpec, int, int]
"""Format, bots, seats."""
LARGE: tuple[Event, ...] = (
    (FormatSpec("round_robin"), 200, 4),
    (FormatSpec("round_robin"), 200, 2),
    (FormatSpec("swiss", rounds=20), 200, 4),
    (FormatSpec("round_robin", rounds=5), 50, 4),
    (FormatSpec("round_robin", rounds=36), 8, 4),
)
SMALL: tuple[Event, ...] = (
    *((FormatSpec("round_robin", rounds=rounds), 8, 4) for rounds in (1, 2, 4, 12)),
    *((FormatSpec("round_robin", rounds=rounds), 5, 2) for rounds in (3, 12)),
    *((FormatSpec("gauntlet", rounds=rounds, candidates=("0", "1")), 8, 4) for rounds in (3, 8)),
    (FormatSpec("swiss", rounds=6), 32, 4),
    (FormatSpec("ladder", rounds=10), 12, 4),
    (FormatSpec("knockout"), 16, 4),
)


def measure(event: Event) -> str:
    """Seconds of processor time for the ratings of an event."""
    form, bots, seats = event
    strengths = {str(bot): 2 * bot / bots for bot in range(bots)}
    rounds, results = format_event(form, strengths, seats, 1, 0.3)
    blocks = blocks_of(rounds, results, form.rotations).complete
    start = time.process_time()
    rate(blocks, list(strengths))
    return f"{len(results)} games: {time.process_time() - start:.2f} s"


def cover(event: Event, swing: float, events: int) -> str:
    """Of intervals of equal bots (nominal 95 %) the share that holds, and of likelihoods of superiority that beyond
    2.5 or 97.5 %. `swing`: how much bots vary by round (natural units, standard deviation)."""
    form, bots, seats = event
    equal = {str(bot): 0.0 for bot in range(bots)}
    held: list[bool] = []
    sure: list[bool] = []
    for seed in range(events):
        blocks = blocks_of(*format_event(form, equal, seats, seed, swing), form.rotations).complete
        for found in rate(blocks, list(equal)).bots.values():
            held.append((found.low or 0) <= 0 <= (found.high or 0))
        for cell in cross_table(blocks, list(equal)):
            sure.append(not 0.025 < (cell.superiority or 0) < 0.975)
    return f"swing {swing}: {sum(held) / len(held):.3f} hold, {sum(sure) / len(sure):.3f} sure"


def main(argv: Sequence[str] | None = None) -> None:
    """Print a line for each event."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.ratings", description=__doc__)
    parser.add_argument("--cover", type=int, default=0, metavar="EVENTS", help="of each kind")
    events = parser.parse_args(argv).cover
    for event in SMALL if events else LARGE:
        form, bots, seats = event
        said = [cover(event, swing, events) for swing in (0.0, 0.7)] if events else [measure(event)]
        rounds = f", {form.rounds} rounds" if form.rounds else ""
        print(f"{form.name}, {bots} bots, {seats} seats{rounds}: {'; '.join(said)}", flush=True)


if __name__ == "__main__":
    main()
