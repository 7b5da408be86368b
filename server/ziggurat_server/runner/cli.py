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
from ziggurat_server.runner.builtin import check_arguments
from ziggurat_server.runner.calls import check_reachable
from ziggurat_server.runner.directory import Place, RunDirectory
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.eventfile import Source, bot_of, read_event
from ziggurat_server.runner.exports.cli import register as register_exports
from ziggurat_server.runner.files import check_writable
from ziggurat_server.runner.flags import FLAGS, Given, parse_bot, told
from ziggurat_server.runner.planning import Prepared, prepare, show_plan
from ziggurat_server.runner.progress import complain, console, say
from ziggurat_server.runner.session import Run, play_new

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
            complain(error)
            code = 1
        raise typer.Exit(code)

    return guarded


def _describes_event(command: Command) -> Callable[..., None]:
    """A command that is given an event by file and flags; it gets it prepared."""

    @_guarded
    def described(event: Path | None, **arguments: Any) -> int | None:
        found, source = read_event(event, Given.of(arguments))
        own = {name: value for name, value in arguments.items() if name in parameters}
        prepared = prepare(found, source)
        check_arguments(found.bots, source)
        return command(prepared, **own)

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
    return play_new(directory, screen, json)


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
    if found.ended:
        raise commands.over(found)
    if asyncio.run(commands.cancel(found, reason, screen)):
        return 0
    return Run(found, event, screen, cancel=reason).finish()


@tournament.command(name="add-bot")
@_guarded
def add_bot(
    directory: RunArgument,
    bot: Annotated[
        str,
        typer.Argument(
            help="NAME=COMMAND, NAME=random for one built in, or NAME for one that connects from elsewhere.",
            metavar="BOT",
        ),
    ],
    token_sha256: Annotated[
        str,
        typer.Option(
            help=told(
                "Hash of the token with which it connects from elsewhere.",
                "it is the one registered by its name",
            )
        ),
    ] = "",
    version: Annotated[str, typer.Option(help=told("Ratings are kept by name and version.", "none"))] = "",
    capacity: Annotated[int | None, typer.Option(help=told("Most games at once.", "0", "no limit"))] = None,
    memory_mb: Annotated[
        int | None, typer.Option(help=told("Memory of each of its processes.", "0", "no limit"))
    ] = None,
    cpu_seconds: Annotated[
        int | None, typer.Option(help=told("Processor time of each of its processes.", "0", "no limit"))
    ] = None,
    restarts: Annotated[
        int | None, typer.Option(help=told("How often it is started again when it ends by itself.", "3"))
    ] = None,
) -> None:
    """Enter a bot late, where the format allows it."""
    given = {
        "version": version,
        "token_sha256": token_sha256,
        "capacity": capacity,
        "memory_mb": memory_mb,
        "cpu_seconds": cpu_seconds,
        "restarts": restarts,
    }
    raw = parse_bot(bot) | {key: value for key, value in given.items() if value not in (None, "")}
    found = bot_of(raw, Source())
    check_arguments([found], Source(), "bot")
    asyncio.run(commands.add_bot(RunDirectory.open(directory), found, console()))


@tournament.command()
@_guarded
def withdraw(
    directory: RunArgument,
    bot: Annotated[str, typer.Argument(help="Its name.", metavar="NAME")],
    reason: Annotated[str, typer.Option(help="Why; it is kept with the event.")] = "withdrawn by the owner",
) -> None:
    """Take a bot out; its games in play go on."""
    asyncio.run(commands.withdraw(RunDirectory.open(directory), bot, reason, console()))


register_exports(tournament)
