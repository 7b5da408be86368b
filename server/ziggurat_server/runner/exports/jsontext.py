"""`result.json`: a whole event in one file, and back.

An object with these keys. What is not known or cannot be estimated is left out; no number is infinite or NaN.

- `format`: 1, the version of this schema.
- `event`: what the event was.
  `event_id`, `rules_version`, `state` ("running", "paused", "finished", "cancelled"), `reason` (why it ended),
  `spec` (game, bots with name, version and capacity, seats, options, packs, format, seed as text, since it has 64 bits,
  memory, concurrency, policy, tries, stop; 0 in format and "" stand for what was left out),
  `rounds` (number, tables: lists of names in seat order of the first game, byes, labels), `withdrawn` (name: why),
  `pending` ([round, table] of blocks with games to come), `dropped` (games not played), `voids` (tries without result),
  `ratings` (of bots before the event, by name), `lost` (bots that ended for good: how).
- `report`: standings and statistics. `bots`, best first: rank, name, version, withdrawn, games, wins, win_share,
  credit, points, place, margin, places (how often 1st, 2nd, ...), faults, rating {value, low, high}, live_mu,
  live_sigma. `cross`: bot, opponent, games, score, superiority. `seats`: what each seat is worth {value, low, high}.
  `complete_blocks`, `incomplete_blocks`, `variance_ratio`. `test`: deals, llr, lower, upper, verdict, score.
  `curves`: bot, numbers (of its games), credits (mean after each). `faults`: bot, games, faulty, faults. `notes`.
- `games`, by number: number, round, table, rotation, match_id, attempt, decisions, commitment (hex), and `seats` in
  order: bot, points, place, tie_break, forfeited, faults {illegal, late, gone, substitutes, forfeits}; `faults`: the
  evidence as far as it is told: seat, decision_id, cause, times in milliseconds, submission, substitute, note,
  fallback.
"""

from __future__ import annotations

import json
import math
import re
import types
import typing
from collections import Counter
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import IntEnum
from typing import Any, TypeVar

from ziggurat_server.runner.exports.summary import Description, Summary
from ziggurat_server.tournaments.errors import BadEvent
from ziggurat_server.tournaments.formats import FORMATS
from ziggurat_server.tournaments.results import GameResult
from ziggurat_server.tournaments.statistics import Report
from ziggurat_server.tournaments.statistics.sprt import check_stop

T = TypeVar("T")

FORMAT = 1
_SECRET = ("token_sha256",)
_TEXT = ("seed",)
"""Numbers that are written as text: readers with floating point would round them."""


class BadResult(ValueError):
    """A text that is no `result.json`; the message names the key, the reason and the remedy."""


def result_json(summary: Summary) -> str:
    """The whole event as JSON; equal summaries give equal text."""
    games = []
    for game in summary.games:
        plain = _plain(game)
        if game.match_id in summary.commitments:
            plain["commitment"] = summary.commitments[game.match_id]
        games.append(plain)
    whole = {
        "format": FORMAT,
        "event": _plain(summary.event),
        "report": _plain(summary.report),
        "games": games,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if is_dataclass(value):
        found = {item.name: getattr(value, item.name) for item in fields(value) if item.init}
        return {
            name: str(part) if name in _TEXT else _plain(part)
            for name, part in found.items()
            if part is not None and name not in _SECRET
        }
    return value


@dataclass(frozen=True, slots=True)
class _Whole:
    format: int
    event: Description
    report: Report
    games: tuple[GameResult, ...]


def read_result(text: str) -> Summary:
    """What `result_json` wrote. Raises BadResult."""
    try:
        raw = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise BadResult(f"it is no JSON: {error}; move it elsewhere and export it anew") from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        found = raw.get("format") if isinstance(raw, dict) else None
        raise BadResult(f"format: {FORMAT} is wanted, not {found!r}; read it with the ziggurat that wrote it")
    commitments = {}
    for game in raw.get("games", ()) if isinstance(raw.get("games"), list) else ():
        if isinstance(game, dict) and "commitment" in game:
            commitments[str(game.get("match_id"))] = str(game.pop("commitment"))
    whole = _read(_Whole, raw, "")
    _check(whole)
    return Summary(whole.event, whole.report, whole.games, commitments)


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


def _finite(word: str) -> float:
    number = float(word)
    return number if math.isfinite(number) else _refuse_constant(word)


def _check(whole: _Whole) -> None:
    """Refuse what no event has."""
    spec, again = whole.event.spec, "move it elsewhere and export it anew"
    if spec.format.name not in FORMATS:
        raise BadResult(f"event.spec.format.name: there is no format {spec.format.name!r}; {again}")
    if spec.stop is not None:
        try:
            check_stop(spec.stop, [bot.name for bot in spec.bots])
        except BadEvent as error:
            raise BadResult(f"event.spec.{error.field}: {error.message}") from None
    for number, count in Counter(game.number for game in whole.games).items():
        if count > 1:
            raise BadResult(f"games: game {number} is there {count} times; {again}")


def _read(kind: type[T], raw: object, key: str) -> T:
    """A dataclass of an object; unknown keys are refused."""
    if not isinstance(raw, dict):
        raise _wanted(key, "an object", raw)
    hints = typing.get_type_hints(kind)
    known = {item.name: item for item in fields(kind) if item.init}  # type: ignore[arg-type]
    for name in raw:
        if name not in known:
            raise BadResult(f"{_under(key, name)}: unknown key; move it elsewhere and export it anew")
    for name, item in known.items():
        if name not in raw and item.default is MISSING and item.default_factory is MISSING:
            raise BadResult(f"{_under(key, name)}: it is missing; move it elsewhere and export it anew")
    values = {name: _value(hints[name], part, _under(key, name)) for name, part in raw.items()}
    try:
        return kind(**values)
    except ValueError as error:
        raise BadResult(f"{key}: {error}; move it elsewhere and export it anew") from None


def _value(hint: Any, raw: object, key: str) -> Any:
    if isinstance(hint, types.UnionType):
        hint = next(part for part in typing.get_args(hint) if part is not type(None))
    origin = typing.get_origin(hint)
    if origin is tuple:
        return _tuple(typing.get_args(hint), raw, key)
    if origin is not None:  # a mapping from text
        if not isinstance(raw, dict):
            raise _wanted(key, "an object", raw)
        return {name: _value(typing.get_args(hint)[1], part, f"{key}.{name}") for name, part in raw.items()}
    if isinstance(hint, type) and is_dataclass(hint):
        return _read(hint, raw, key)
    return _scalar(hint, raw, key)


def _tuple(hints: tuple[Any, ...], raw: object, key: str) -> tuple[Any, ...]:
    if not isinstance(raw, list):
        raise _wanted(key, "a list", raw)
    if hints[-1] is not Ellipsis and len(hints) != len(raw):
        raise _wanted(key, f"a list of {len(hints)}", raw)
    return tuple(_value(hints[0], part, f"{key}[{number}]") for number, part in enumerate(raw))


def _scalar(hint: type[Any], raw: object, key: str) -> Any:
    if issubclass(hint, IntEnum):
        words = {member.name.lower(): member for member in hint}
        if not isinstance(raw, str) or raw not in words:
            raise _wanted(key, f"one of {', '.join(words)}", raw)
        return words[raw]
    if hint is int and key.rpartition(".")[2] in _TEXT:
        if not isinstance(raw, str) or not re.fullmatch("[0-9]{1,20}", raw):
            raise _wanted(key, "a whole number as text", raw)
        return int(raw)
    if hint is float and type(raw) in (int, float):
        return float(typing.cast(float, raw))
    if type(raw) is not hint:
        raise _wanted(
            key, {str: "text", int: "a whole number", bool: "true or false"}.get(hint, "a number"), raw
        )
    return raw


def _under(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _wanted(key: str, what: str, raw: object) -> BadResult:
    return BadResult(
        f"{key or 'the file'}: {what} is wanted, not {json.dumps(raw)[:60]}; move it elsewhere and export it anew"
    )
