"""The figures beside their targets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table

Figures = dict[str, Any]

ENGINE_TARGETS = {"flow": 40_000, "era": 30_000, "millennia": 20_000, "tta": 15_000}
CLONE_TARGET = 3.0
PYTHON_BOTS = 10_000
RAW_SHARE, IN_PROCESS_SHARE = 0.5, 0.3
UPDATE_P50, UPDATE_P99, SMALLER = 100, 3 * 1024, 60


def compare(figures: Figures) -> list[Figures]:
    """Each target with what was measured and how far that is from it."""
    return list(_compared(figures))


def _at_least(name: str, measured: float, target: float, alone: float | None = None) -> Figures:
    row = _row(name, ">=", measured, target, measured / target)
    return row if alone is None else row | {"alone_estimate": alone}


def _at_most(name: str, measured: float, target: float) -> Figures:
    return _row(name, "<=", measured, target, target / measured if measured else 1.0)


def _row(name: str, sense: str, measured: float, target: float, reached: float) -> Figures:
    """`reached`: 1 and more if the target is met."""
    return {"name": name, "sense": sense, "measured": measured, "target": target, "reached": reached}


def _compared(figures: Figures) -> Iterator[Figures]:
    whole = figures.get("end_to_end")
    if whole is not None:
        rate = whole["decisions_per_second"]
        quiet = whole["decisions_per_second_alone_estimate"]
        yield _at_least("1 end to end, Python bots, decisions/s", rate, PYTHON_BOTS, quiet)
        if "ping_pong" in figures:
            raw = figures["ping_pong"][0]
            share = rate / raw["items_per_second"]
            alone = quiet / (raw["items_per_second_alone_estimate"] or raw["items_per_second"])
            yield _at_least("1 share of raw grpc.aio ping-pong", share, RAW_SHARE, alone)
        if "bots_in_process" in figures:
            bots = figures["bots_in_process"]
            share, alone = rate / bots["decisions_per_second"], quiet / bots["decisions_per_cpu_second"]
            yield _at_least("1 share of the same bots in process", share, IN_PROCESS_SHARE, alone)
    wire = figures.get("wire")
    if wire is not None:
        yield _at_most("4 update, median bytes", wire["update_bytes_p50"], UPDATE_P50)
        yield _at_most("4 update, p99 bytes", wire["update_bytes_p99"], UPDATE_P99)
        yield _at_least("4 snapshots / updates over a game", wire["snapshots_to_updates"], SMALLER)
    for name, engine in figures.get("engine", {}).items():
        if name in ENGINE_TARGETS:
            rate = engine["decisions_per_cpu_second"]
            yield _at_least(f"5 {name}, decisions/s of a core", rate, ENGINE_TARGETS[name])
        yield _at_most(f"5 {name}, clone-and-apply / apply", engine["clone_ratio"], CLONE_TARGET)


def show(figures: Figures) -> None:
    """Print them."""
    console = Console(width=110)
    about = figures["about"]
    console.print(
        f"Python {about['python']}, {about['event_loop']}, grpcio {about['grpcio']}, {about['cores']} cores, "
        f"load {about['load_average']:.1f} at the start, fsync {about['fsync_us']:.0f} us; "
        f"{about['seconds']:.0f} s",
        highlight=False,
    )
    parts = Table("measured", "figure", "", title="Figures", title_justify="left")
    parts.columns[1].justify = "right"
    for name, figure, remark in _figures(figures):
        parts.add_row(name, figure, remark)
    console.print(parts)
    targets = Table(
        "target", "measured", "wanted", "reached", "machine to itself", title="Targets", title_justify="left"
    )
    for column in targets.columns[1:]:
        column.justify = "right"
    for row in figures["compared"]:
        colour = "green" if row["reached"] >= 1 else "red"
        wanted = f"{row['sense']} {_number(row['target'])}"
        reached = f"[{colour}]{row['reached']:.0%}[/]"
        alone = _number(row["alone_estimate"]) if "alone_estimate" in row else ""
        targets.add_row(row["name"], _number(row["measured"]), wanted, reached, alone)
    console.print(targets)
    console.print("machine to itself: an estimate from processor time alone", highlight=False)
    console.print(
        "Not measured here: the native client, boardgame.io beside it (1), latency at half load (2), scale (3), "
        "faults (6).",
        highlight=False,
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _figures(figures: Figures) -> Iterator[tuple[str, str, str]]:
    for name, one in figures.get("engine", {}).items():
        yield (
            f"rules: {name}, {one['seats']} seats, decisions/s of a core",
            _number(one["decisions_per_cpu_second"]),
            f"{one['us_a_decision']:.0f} us, {one['options_a_decision']:.1f} options; "
            f"apply {one['apply_us_p50']:.0f} us, with clone {one['clone_and_apply_us_p50']:.0f}",
        )
    if "bots_in_process" in figures:
        one = figures["bots_in_process"]
        remark = f"{_number(one['decisions_per_cpu_second'])} of processor time"
        yield (
            "rules with the random bot in process, decisions/s",
            _number(one["decisions_per_second"]),
            remark,
        )
    if "wire" in figures:
        one = figures["wire"]
        yield (
            "wire: update, median bytes",
            _number(one["update_bytes_p50"]),
            f"p99 {_number(one['update_bytes_p99'])}, snapshot {_number(one['snapshot_bytes_p50'])}, decision "
            f"{_number(one['decision_bytes_p50'])} (p99 {_number(one['decision_bytes_p99'])})",
        )
    for one in figures.get("ping_pong", ()):
        yield (
            f"grpc.aio: {one['streams']} streams, {one['items_a_message']} a message, items/s",
            _number(one["items_per_second"]),
            f"server {one['server_cpu_us_an_item']:.1f} us an item",
        )
    if "appends" in figures:
        one = figures["appends"]
        yield (
            f"store: {one['in_flight']} in flight, fsync {one['durability']}, appends/s",
            _number(one["appends_per_second"]),
            f"writer {one['writer_cpu_us_an_append']:.1f} us, store {one['store_cpu_us_an_append']:.1f} us",
        )
    for key in ("end_to_end", "end_to_end_unwatched"):
        if key in figures:
            yield from _end_to_end(figures[key])


def _end_to_end(one: Figures) -> Iterator[tuple[str, str, str]]:
    parts = ", ".join(f"{part} {us:.0f}" for part, us in one["cpu_us_a_decision"].items() if us)
    yield (
        f"end to end: {one['concurrent_games']} games, {one['watched_games']} watched, decisions/s",
        _number(one["decisions_per_second"]),
        f"us a decision: {parts}",
    )
    cores = sum(one["cores_used"].values())
    yield "  cores used", f"{cores:.2f}", f"other work on the machine {one['cores_used_by_others']:.2f}"
    alone = _number(one["decisions_per_second_alone_estimate"])
    yield "  with the machine to itself, decisions/s", alone, "estimate from processor time alone"
    yield "  server, MiB", _number(one["server_mib"]), f"{one['server_mib_growth']:+.1f} over the window"
    if "latency" in one:
        late = one["latency"]
        yield (
            "  answer sent -> verdict, ms p50",
            _number(late["ms_p50"]),
            f"p99 {late['ms_p99']:.1f}, max {late['ms_max']:.1f}; at full load, {late['answers']} answers",
        )
