"""In what a report by the records and one that was written differ, in words."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from math import isclose
from typing import Any

from ziggurat_server.tournaments.statistics import Report
from ziggurat_server.tournaments.statistics.values import BotStanding, CrossCell, Curve, FaultRow

SAME = 2e-6
"""Numbers that differ by less are the same: machines round differently."""


def compare(records: Report, written: Report) -> list[str]:
    """All differences, such as "bots, a: games is 12 by the records and 11 in result.json"; empty if there are none."""
    return _differences(records, written, "")


def _differences(a: Any, b: Any, where: str) -> list[str]:
    if isinstance(a, float) and isinstance(b, float):
        return [] if isclose(a, b, rel_tol=1e-9, abs_tol=SAME) else [_differ(a, b, where)]
    if is_dataclass(a) and type(a) is type(b):
        found = []
        for item in fields(a):
            found += _differences(getattr(a, item.name), getattr(b, item.name), _join(where, item.name))
        return found
    if isinstance(a, tuple) and isinstance(b, tuple):
        return _lists(a, b, where)
    return [] if type(a) is type(b) and a == b else [_differ(a, b, where)]


def _lists(a: tuple[Any, ...], b: tuple[Any, ...], where: str) -> list[str]:
    """Lists of bots or pairs are compared by name, others by place."""
    left, right = ({_key(part, at): part for at, part in enumerate(parts)} for parts in (a, b))
    found = [f"{where}: {key} is in the records alone" for key in left if key not in right]
    found += [f"{where}: {key} is in result.json alone" for key in right if key not in left]
    if not found and list(left) != list(right):
        found.append(
            f"{where}: the order is {_listed(left)} by the records and {_listed(right)} in result.json"
        )
    for key, part in left.items():
        if key in right:
            found += _differences(part, right[key], f"{where}, {key}")
    return found


def _key(part: Any, at: int) -> str:
    match part:
        case BotStanding():
            return part.name
        case Curve() | FaultRow():
            return part.bot
        case CrossCell():
            return f"{part.bot} against {part.opponent}"
    return f"number {at + 1}"


def _listed(found: dict[str, Any]) -> str:
    return ", ".join(found)


def _join(where: str, name: str) -> str:
    if not where:
        return name
    return f"{where}.{name}" if ": " in where else f"{where}: {name}"


def _differ(a: object, b: object, where: str) -> str:
    left, right = ("absent" if value is None else _said(value) for value in (a, b))
    return f"{where} is {left} by the records and {right} in result.json"


def _said(value: object) -> str:
    return type(value).__name__ if is_dataclass(value) else repr(value)
