"""Measure rules, parts and the whole path in one run, beside their targets: `python -m tests.bench --json FILE`."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from tests.bench import ceilings, endtoend, rules
from tests.bench.endtoend import Setting
from tests.bench.machine import BenchError, fsync_us, loop_factory
from tests.bench.report import Figures, compare, show

from ziggurat import ZigguratError
from ziggurat_rules.registry import game_names, load_game

SHAPES = ((256, 1), (4, 64))
PARTS = ("rules", "ceilings", "end")


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    add = parser.add_argument
    add("--game", default="flow", help="played end to end")
    add("--seats", type=int, default=4)
    add("--matches", type=int, default=64, help="games at the same time")
    add("--watched", type=int, help="games with a watcher (all of them)")
    add("--probes", type=int, default=2, help="games with a seat that times its answers")
    add("--seconds", type=float, default=20.0, help="end to end, counted")
    add("--warm", type=float, default=4.0, help="seconds before that, once all games have begun")
    add("--unwatched", type=float, default=8.0, help="seconds end to end without watchers; 0: leave out")
    add("--rules-seconds", type=float, default=4.0, help="processor time for each game")
    add("--ceiling-seconds", type=float, default=5.0, help="for each ceiling")
    add("--wire-games", type=int, default=10, help="games whose updates are sized")
    add("--only", choices=PARTS, action="append", help="leave out the others; may be repeated")
    add("--json", type=Path, help="write the figures there")
    add(
        "--work",
        type=Path,
        default=Path(".bench"),
        help="directory for the stores' files, on the disk to measure",
    )
    options = parser.parse_args(argv)
    if options.game not in game_names():
        parser.error(f"--game {options.game!r} is not installed, only {', '.join(game_names())}")
    if options.seats not in load_game(options.game).seats:
        parser.error(f"--seats {options.seats}: {options.game} does not take so many")
    if min(options.seconds, options.rules_seconds, options.ceiling_seconds) <= 0 or options.matches < 1:
        parser.error("seconds and matches must be more than 0")
    return options


async def measure(options: argparse.Namespace, work: Path) -> Figures:
    """All parts, one after another."""
    parts = options.only or PARTS
    game = load_game(options.game)
    figures: Figures = {"about": about(work)}
    if "rules" in parts:
        say("rules, in this process")
        figures["engine"] = rules.engines(options.seats, options.rules_seconds)
        figures["wire"] = rules.wire(game, options.seats, options.wire_games)
        figures["bots_in_process"] = rules.bots_in_process(game, options.seats, options.rules_seconds)
    if "ceilings" in parts:
        say("ceilings: grpc.aio, the store")
        figures["ping_pong"] = await ceilings.ping_pong(work, options.ceiling_seconds, SHAPES)
        figures["appends"] = await ceilings.appends(work, options.ceiling_seconds, 64)
    if "end" in parts:
        say(f"end to end: {options.game}, {options.seats} seats, {options.matches} games")
        watched = options.matches if options.watched is None else min(options.watched, options.matches)
        probes = min(options.probes, options.matches)
        common = (options.game, options.seats, options.matches)
        setting = Setting(*common, watched, probes, options.warm, options.seconds)
        figures["end_to_end"] = await endtoend.measure(work, "watched", setting)
        if options.unwatched > 0:
            say("end to end, without watchers")
            setting = Setting(*common, 0, 0, options.warm / 2, options.unwatched)
            figures["end_to_end_unwatched"] = await endtoend.measure(work, "unwatched", setting)
    figures["compared"] = compare(figures)
    return figures


def about(work: Path) -> Figures:
    """What the figures depend on."""
    factory = loop_factory()
    return {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load_average": os.getloadavg()[0],
        "event_loop": factory.__module__.partition(".")[0],
        "grpcio": version("grpcio"),
        "protobuf": version("protobuf"),
        "fsync_us": fsync_us(work),
    }


def say(what: str) -> None:
    """Tell what is being measured."""
    print(f"measuring {what} ...", flush=True)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print, write."""
    options = arguments(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    began = time.monotonic()
    options.work.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="run-", dir=options.work.resolve()) as work,
        asyncio.Runner(loop_factory=loop_factory()) as runner,
    ):
        try:
            figures = runner.run(measure(options, Path(work)))
        except (BenchError, ZigguratError) as error:
            sys.exit(f"error: {error}")
        except KeyboardInterrupt:
            sys.exit(130)
    figures["about"]["seconds"] = time.monotonic() - began
    show(figures)
    if options.json is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2, allow_nan=False) + "\n")
        print(f"figures: {options.json}")


if __name__ == "__main__":
    main()
