"""What a tournament leaves: results, records and the JSON file. Files appear whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import platform
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from ziggurat_server import VERSION
from ziggurat_server.log import Cause, Kind
from ziggurat_server.records.zgr import unpack
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.schedule import Game
from ziggurat_server.runner.settings import FALLBACKS, Settings
from ziggurat_server.runner.standings import Faults, Seat, Standings, Total

FORMAT = 1
_HOW = {number: name for name, number in FALLBACKS.items()}


@dataclass(slots=True)
class Played:
    """One match: a game of the schedule as it was played."""

    game: Game
    match_id: str
    commitment: str
    rules_version: int
    decisions: int = 0
    standings: tuple[Seat, ...] = ()
    void_reason: str = ""
    seconds: float = 0.0
    faults: dict[str, Faults] = field(default_factory=dict)
    record: str = ""
    sha256: str = ""


@dataclass(slots=True)
class Outcome:
    """A whole run. `problems`: what did not go as it should, in words."""

    run_id: str
    seats: int
    deals: int
    scheduled: int
    standings: Standings
    played: list[Played] = field(default_factory=list)
    lost: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    started_at: str = ""
    seconds: float = 0.0
    complete: bool = False


def faults_of(zgr: bytes, seats: tuple[str, ...]) -> dict[str, Faults]:
    """What a record holds against each bot."""
    found = {bot: Faults() for bot in seats}
    for entry in unpack(zgr)[1]:
        faults = found[seats[entry.seat]]
        if entry.kind == Kind.STRIKE:
            faults.illegal += 1
        elif entry.kind == Kind.FORFEIT:
            faults.forfeits += 1
        elif entry.kind == Kind.SUBSTITUTE:
            faults.substitutes += 1
            faults.late += entry.cause == Cause.SLOW
            faults.gone += entry.cause == Cause.GONE
    return found


def keep_record(directory: Path, played: Played, zgr: bytes) -> None:
    """Write the record of a match and note what it says."""
    path = directory / f"{played.match_id}.zgr"
    write_whole(path, zgr)
    played.record = str(path)
    played.sha256 = hashlib.sha256(zgr).hexdigest()
    played.faults = faults_of(zgr, played.game.seats)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is never there in part."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise TournamentError(f"cannot write {path}: {error.strerror or error}") from None


def write_result(path: Path, settings: Settings, outcome: Outcome) -> None:
    """Write the JSON file."""
    text = json.dumps(as_json(settings, outcome), indent=1, allow_nan=False)
    write_whole(path, text.encode() + b"\n")


def as_json(settings: Settings, outcome: Outcome) -> dict[str, Any]:
    """A run as plain values; what is not known is absent."""
    return {
        "format": FORMAT,
        "run": outcome.run_id,
        "complete": outcome.complete,
        "problems": outcome.problems,
        "versions": _versions(outcome),
        "settings": _settings(settings, outcome),
        "started": outcome.started_at,
        "seconds": round(outcome.seconds, 3),
        "bots": [_bot(rank, total, outcome) for rank, total in enumerate(outcome.standings.ranking(), 1)],
        "games": [
            _game(played) for played in sorted(outcome.played, key=lambda p: (p.game.number, p.match_id))
        ],
    }


def _versions(outcome: Outcome) -> dict[str, Any]:
    versions: dict[str, Any] = {"ziggurat": VERSION, "python": platform.python_version()}
    rules = sorted({played.rules_version for played in outcome.played})
    return versions | ({"rules": rules[-1]} if rules else {})


def _settings(settings: Settings, outcome: Outcome) -> dict[str, Any]:
    server = settings.server or ("own, on Redis" if settings.redis else "own, embedded store")
    policy = sorted(settings.policy.items())
    return {
        "game": settings.game,
        "seats": outcome.seats,
        "options": settings.options,
        "packs": [{"name": pack.name, "sha256": pack.sha256} for pack in settings.packs],
        "bots": [{"name": bot.name, "command": bot.text} for bot in settings.bots],
        "seed": settings.seed,
        "games_asked": settings.games,
        "games": outcome.scheduled,
        "deals": outcome.deals,
        "concurrency": settings.concurrency,
        "policy": {
            name: _HOW.get(value, value) if name.startswith("on_") else value for name, value in policy
        },
        "records": str(settings.records),
        "server": server,
    }


def _bot(rank: int, total: Total, outcome: Outcome) -> dict[str, Any]:
    row: dict[str, Any] = {
        "rank": rank,
        "name": total.name,
        "games": total.games,
        "wins": str(total.wins),
        "places": total.places,
        "faults": asdict(total.faults),
    }
    shares = {"win_share": total.win_share, "points_mean": total.points_mean, "place_mean": total.place_mean}
    row |= {name: finite(value) for name, value in shares.items() if value is not None}
    if total.name in outcome.lost:
        row["lost"] = outcome.lost[total.name]
    return row


def _game(played: Played) -> dict[str, Any]:
    game = played.game
    row: dict[str, Any] = {
        "game": game.number,
        "match": played.match_id,
        "deal": game.deal,
        "line_up": game.line_up,
        "seats": list(game.seats),
        "commitment": played.commitment,
        "decisions": played.decisions,
        "seconds": round(played.seconds, 3),
    }
    if played.standings:
        row["standings"] = [asdict(seat) | {"seat": number} for number, seat in enumerate(played.standings)]
    if played.void_reason:
        row["void"] = played.void_reason
    if played.record:
        row |= {"record": Path(played.record).name, "sha256": played.sha256}
        row["faults"] = {bot: asdict(faults) for bot, faults in played.faults.items()}
    return row


def finite(value: Fraction) -> float:
    """A number for JSON."""
    number = float(value)
    assert math.isfinite(number)
    return round(number, 6)
