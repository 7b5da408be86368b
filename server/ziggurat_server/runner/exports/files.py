"""The exports of a run in its directory: written, and compared with what the records say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ziggurat_server.runner.directory import RunDirectory
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.eventfile import read_event
from ziggurat_server.runner.exports import (
    EXPORTS,
    RESULT,
    BadResult,
    Description,
    Summary,
    read_result,
    recomputed,
)
from ziggurat_server.runner.files import write_whole
from ziggurat_server.runner.flags import Given
from ziggurat_server.tournaments.log import State


def write_exports(directory: Path, summary: Summary) -> list[Path]:
    """Write all exports; returns their paths. Raises TournamentError."""
    written = []
    for name, text in EXPORTS.items():
        write_whole(directory / name, text(summary).encode())
        written.append(directory / name)
    return written


def recompute(directory: Path) -> tuple[Summary, Summary | None]:
    """The event of a run with statistics from its records alone, and what its `result.json` says, if there is one.

    What no record tells (versions, stop rule, withdrawn bots, rounds without games) is taken from `result.json`, or
    without it from the event file. Raises TournamentError.
    """
    written = read_written(directory)
    event = written.event if written is not None else _described(RunDirectory(directory))
    return recomputed(event, directory / "records"), written


def read_written(directory: Path) -> Summary | None:
    """What the `result.json` of a run says; None if there is none. Raises TournamentError."""
    path = directory / RESULT
    try:
        return read_result(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise TournamentError(f"{path}: it cannot be read: {error}; move it elsewhere") from None
    except BadResult as error:
        raise TournamentError(f"{path}: {error}") from None


def _described(run: RunDirectory) -> Description:
    """The event by its file, with the bots that were entered late."""
    if not run.event_file.is_file():
        raise TournamentError(
            f"{run.path}: it has neither {RESULT} nor event.toml; name the directory of a run"
        )
    event, _ = read_event(run.event_file, Given())
    late = tuple(bot.entrant for bot in run.late_bots())
    bots = tuple(replace(bot, token_sha256=b"") for bot in event.spec.bots + late)
    state, reason = _ending(run)
    return Description(event.id, replace(event.spec, bots=bots), state=state, reason=reason)


def _ending(run: RunDirectory) -> tuple[State, str]:
    """How the event has ended, as far as its run noted it."""
    word, _, reason = (run.ended if run.run_file.is_file() else "").partition(": ")
    return State.__members__.get(word.upper(), State.RUNNING), reason
