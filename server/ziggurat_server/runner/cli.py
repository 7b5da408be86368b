"""`ziggurat tournament`."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ziggurat_rules.errors import RulesError
from ziggurat_server.runner import commands
from ziggurat_server.runner.calls import check_reachable, is_refusal
from ziggurat_server.runner.directory import Place, RunDirectory
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.eventfile import read_event
from ziggurat_server.runner.exports.cli import register as register_exports
from ziggurat_server.runner.files import check_writable
from ziggurat_server.runner.flags import FLAGS, Given, told
from ziggurat_server.runner.planning import Prepared, prepare, show_plan
from ziggurat_server.runner.progress import console, say
from ziggurat_server.runner.session import Run

tournament = typer.Typer(help="Let bots play against each other.", no_args_is_help=True)

EventArgument = Annotated[
    Path | None,
    typer.Argument(help=told("TOML file that describes the event.", "the flags do"), metavar="EVENT"),
]
RunArgument = Annotated[Path, typer.Argument(help="Directory of the run.", metavar="DIR")]
Command = Callable[..., int | None]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.add_typer(tournament, name="tournament")


@tournament.callback()
def group() -> None:
    """Let bots play against each other."""


def _guarded(command: Command) -> Callable[..., None]:
    """Bad input is one or two lines on standard error; what the command returns is the exit code."""

    @functools.wraps(command)
    def guarded(*args: Any, **kwargs: Any) -> None:
        try:
            code = command(*args, **kwargs) or 0
        except (TournamentError, RulesError) as error:
            typer.echo(f"error: {error}", err=True)
            code = 1
        raise typer.Exit(code)

    return guarded


def _describes_event(command: Command) -> Callable[..., None]:
    """A command that is given an event by file and flags; it gets it prepared."""

    @_guarded
    def described(event: Path | None, **arguments: Any) -> int | None:
        found, source = read_event(event, Given.of(arguments))
        own = {name: value for name, value in arguments.items() if name in parameters}
        return command(prepare(found, source), **own)

    signature = inspect.signature(command, eval_str=True)
    _, *own = signature.parameters.values()
    parameters = {parameter.name for parameter in own}
    first = inspect.Parameter(
        "event", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=EventArgument
    )
    keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    described.__signature__ = inspect.Signature([first, *FLAGS.parameters(), *keyword])  # type: ignore[attr-defined]
    described.__annotations__ = {p.name: p.annotation for p in [first, *FLAGS.parameters(), *keyword]}
    described.__name__, described.__doc__ = command.__name__, command.__doc__
    del described.__wrapped__  # type: ignore[attr-defined]
    return described


@tournament.command()
@_describes_event
def plan(prepared: Prepared) -> None:
    """Print and audit the schedule of an event; nothing is started.

    A file, flags, or both describe it; flags override the file.
    """
    show_plan(console(), prepared)


@tournament.command()
@_describes_event
def run(
    prepared: Prepared,
    records: Annotated[Path, typer.Option(help="The run gets a directory of its id in this one.")] = Path(
        "records"
    ),
    server: Annotated[
        str, typer.Option(help=told("HOST:PORT of a running server.", "the run starts one of its own"))
    ] = "",
    redis: Annotated[
        str, typer.Option(help=told("URL of a store for the run's server.", "an embedded one"))
    ] = "",
    data_dir: Annotated[
        Path | None, typer.Option(help=told("Directory of the embedded store.", "store in the run's"))
    ] = None,
    json: Annotated[
        Path | None, typer.Option(help=told("A further place for result.json.", "the run's directory alone"))
    ] = None,
) -> int:
    """Play an event, with bots in processes of their own.

    A file, flags, or both describe it; flags override the file.
    """
    place = Place(server, redis, str(data_dir.absolute()) if data_dir else "")
    place.check()
    place.check_registered(prepared.event)
    check_writable("--json", json)
    screen = console()
    if prepared.note:
        say(screen, prepared.note)
    if server:
        asyncio.run(check_reachable(server))
    directory = RunDirectory.create(records, prepared.event, place)
    run = Run(directory, directory.read_event(), screen, json=json)
    try:
        return run.finish()
    except TournamentError as error:
        if run.state is None and is_refusal(error):
            directory.discard()
        raise


@tournament.command()
@_guarded
def resume(directory: RunArgument) -> int:
    """Go on with an event, whatever ended its run."""
    found, screen = RunDirectory.open(directory), console()
    event = found.read_event()
    if found.is_held() and asyncio.run(commands.unpause(found, screen)):
        return 0
    return Run(found, event, screen).finish()


@tournament.command()
@_guarded
def status(directory: RunArgument) -> None:
    """Print how far an event is, and its standings."""
    asyncio.run(commands.status(RunDirectory.open(directory), console()))


@tournament.command()
@_guarded
def pause(directory: RunArgument) -> None:
    """Start no new games; games in play go on."""
    asyncio.run(commands.pause(RunDirectory.open(directory), console()))


@tournament.command()
@_guarded
def cancel(
    directory: RunArgument,
    reason: Annotated[str, typer.Option(help="Why; it is kept with the event.")] = "cancelled by its owner",
) -> int:
    """End an event; games in play end without a result."""
    found, screen = RunDirectory.open(directory), console()
    event = found.read_event()
    if asyncio.run(commands.cancel(found, reason, screen)):
        return 0
    return Run(found, event, screen, cancel=reason).finish()


@tournament.command(name="add-bot")
@_guarded
def add_bot(
    directory: RunArgument,
    bot: Annotated[str, typer.Argument(help="NAME=COMMAND, or NAME=random for one built in.")],
    version: Annotated[str, typer.Option(help="Ratings are kept by name and version.")] = "",
) -> None:
    """Enter a bot late, where the format allows it."""
    asyncio.run(commands.add_bot(RunDirectory.open(directory), bot, version, console()))


@tournament.command()
@_guarded
def withdraw(
    directory: RunArgument,
    bot: Annotated[str, typer.Argument(help="Its name.")],
    reason: Annotated[str, typer.Option(help="Why; it is kept with the event.")] = "withdrawn by the owner",
) -> None:
    """Take a bot out; its games in play go on."""
    asyncio.run(commands.withdraw(RunDirectory.open(directory), bot, reason, console()))


register_exports(tournament)
