"""What wonders and yellow buildings score, as fact files say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ziggurat_rules.errors import BadPack
from ziggurat_rules.games.millennia.effects import COUNTS, track_number


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a wonder's score. `s`: "track_pos", "count", "product" (track, count) or "lowest_track"."""

    s: str
    track: int = -1
    what: str = ""
    mult: int = 1
    tracks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a yellow building. `cond`: "track_min", "count_min", "gold_min" or "tracks_at_least"."""

    cond: str
    least: int
    track: int = -1
    what: str = ""
    tracks: int = 0


def _count(where: str, what: object) -> str:
    if what not in COUNTS:
        raise BadPack(where, f"{what!r} is not one of {', '.join(COUNTS)}")
    return str(what)


def read_part(where: str, record: Mapping[str, Any]) -> Part:
    """One part of a score; raises BadPack."""
    kind = record.get("s")
    if kind == "track_pos":
        return Part("track_pos", track_number(where, record["track"]), mult=record["mult"])
    if kind == "count":
        return Part("count", what=_count(where, record["what"]), mult=record["mult"])
    if kind == "product":
        track, what = record["a"].removeprefix("track:"), record["b"].removeprefix("count:")
        return Part("product", track_number(where, track), _count(where, what))
    if kind == "lowest_track":
        of = tuple(track_number(where, track) for track in record["of"])
        return Part("lowest_track", mult=record["mult"], tracks=of)
    raise BadPack(where, f"{kind!r} is not a kind of score")


def read_condition(where: str, record: Mapping[str, Any]) -> Condition:
    """One condition; raises BadPack."""
    kind = record.get("cond")
    if kind == "track_min":
        return Condition("track_min", record["min"], track_number(where, record["track"]))
    if kind == "count_min":
        return Condition("count_min", record["min"], what=_count(where, record["what"]))
    if kind == "gold_min":
        return Condition("gold_min", record["min"])
    if kind == "tracks_at_least":
        return Condition("tracks_at_least", record["spot"], tracks=record["tracks"])
    raise BadPack(where, f"{kind!r} is not a kind of condition")
