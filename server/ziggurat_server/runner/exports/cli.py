"""`ziggurat tournament report` and `recompute`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from ziggurat_rules.errors import RulesError
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.exports import RESULT, Summary, compare, files
from ziggurat_server.runner.exports.words import counted
from ziggurat_server.runner.progress import complain
from ziggurat_server.tournaments.log import State

RunArgument = Annotated[Path, typer.Argument(help="Directory of the run.", metavar="DIR")]


def register(tournament: typer.Typer) -> None:
    """Add the commands to `ziggurat tournament`."""
    tournament.command()(report)
    tournament.command()(recompute)


def report(directory: RunArgument) -> None:
    """Write all exports anew, from the records alone."""
    found, _ = _recomputed(directory)
    try:
        for path in files.write_exports(directory, found):
            typer.echo(path)
    except TournamentError as error:
        _fail(error)


def recompute(directory: RunArgument) -> None:
    """Verify all records, and recompute all statistics from them.

    They are compared with those in result.json; the exit status is 1 if they differ.
    """
    found, written = _recomputed(directory)
    games, blocks = len(found.games), found.report.complete_blocks
    typer.echo(
        f"{found.event.event_id}: {counted(games, 'game')} verified, {counted(blocks, 'complete block')}"
    )
    if written is None:
        typer.echo(
            f"there is no {RESULT} to compare with; `ziggurat tournament report {directory}` writes it"
        )
        return
    differences = [f"game {number}{which}" for number, which in _other_games(found, written)]
    differences += compare(found.report, written.report)
    if not differences:
        typer.echo(f"all agree with {directory / RESULT}")
        return
    for difference in differences:
        typer.echo(difference)
    going_on = written.event.state not in (State.FINISHED, State.CANCELLED)
    why = "; the event is not over, and records of open deals come with its end" if going_on else ""
    _fail(f"{directory / RESULT} differs from the records in {counted(len(differences), 'point')}{why}")


def _other_games(a: Summary, b: Summary) -> list[tuple[int, str]]:
    """Numbers of games that differ, and how. Evidence of faults may be told in part only, their counts never are."""
    left, right = ({game.number: replace(game, faults=()) for game in summary.games} for summary in (a, b))
    return [
        (number, _alone(number in left, number in right))
        for number in sorted(left.keys() | right.keys())
        if left.get(number) != right.get(number)
    ]


def _alone(recorded: bool, written: bool) -> str:
    if recorded and written:
        return " is not the same"
    return f" is in {RESULT} alone: its record is missing" if written else " is in the records alone"


def _recomputed(directory: Path) -> tuple[Summary, Summary | None]:
    try:
        return files.recompute(directory)
    except (TournamentError, RulesError) as error:
        _fail(error)


def _fail(error: object) -> NoReturn:
    complain(error)
    raise typer.Exit(1)
