"""The command line: `ziggurat serve`, `health`, `verify`, `show`, and what the other packages add."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from ziggurat_rules.errors import RulesError
from ziggurat_server import VERSION, logs
from ziggurat_server.app import Settings
from ziggurat_server.app import serve as serve_app
from ziggurat_server.errors import ServiceError, StartupError
from ziggurat_server.health import health
from ziggurat_server.offline import register as register_offline
from ziggurat_server.records.verify import verify as verify_record
from ziggurat_server.runner.cli import register as register_tournaments
from ziggurat_server.runner.register import register as register_bots

app = typer.Typer(
    name="ziggurat",
    help="A headless game server for civilization games, and its tools.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
register_offline(app)
register_tournaments(app)
register_bots(app)
app.command()(health)


def fail(message: object) -> NoReturn:
    """End with one line on standard error."""
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(1)


@app.command()
def serve(
    listen: Annotated[
        str, typer.Option(envvar="ZIGGURAT_LISTEN", help="HOST:PORT; port 0 picks one.")
    ] = "127.0.0.1:50051",
    redis: Annotated[str, typer.Option(envvar="ZIGGURAT_REDIS", help="URL; none: the embedded store.")] = "",
    data_dir: Annotated[Path, typer.Option(envvar="ZIGGURAT_DATA_DIR", help="Of the embedded store.")] = Path(
        "ziggurat-data"
    ),
    durability: Annotated[
        str | None, typer.Option(help="always or everysec, where CONFIG GET is forbidden.")
    ] = None,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "info",
    ready_file: Annotated[Path | None, typer.Option(help="Gets the port once the server serves.")] = None,
    fast: Annotated[bool, typer.Option(help="Use uvloop, if it is installed.")] = True,
) -> None:
    """Serve games until SIGTERM or SIGINT."""
    if durability not in (None, "always", "everysec"):
        fail(f"--durability {durability!r} is not always or everysec")
    if log_level not in ("debug", "info", "warning", "error"):
        fail(f"--log-level {log_level!r} is not debug, info, warning or error")
    logs.configure(log_level)
    settings = Settings(listen, redis, data_dir, durability)
    try:
        with asyncio.Runner(loop_factory=_loop_factory(fast)) as runner:
            runner.run(serve_app(settings, ready_file))
    except StartupError as error:
        fail(error)


def _loop_factory(fast: bool) -> Callable[[], asyncio.AbstractEventLoop]:
    if fast:
        try:
            import uvloop  # noqa: PLC0415  (optional)

            return uvloop.new_event_loop
        except ImportError:
            pass
    return asyncio.new_event_loop


@app.command()
def verify(files: Annotated[list[Path], typer.Argument(help="Records (.zgr).")]) -> None:
    """Replay records and check that they are true.

    Hashes, results and the commitment to the seed are checked.
    """
    bad = 0
    for file in files:
        try:
            good = verify_record(file.read_bytes())
        except (RulesError, OSError) as error:
            words = error.strerror if isinstance(error, OSError) else error
            typer.echo(f"{file}: {words}", err=True)
            bad += 1
            continue
        end = good.void_reason or ", ".join(
            f"seat {s.seat}: {s.points} (place {s.place})" for s in good.standings
        )
        typer.echo(f"{file}: ok, {good.game}, {good.decisions} decisions; {end}")
    typer.echo(f"{len(files) - bad} of {len(files)} records verified")
    if bad:
        raise typer.Exit(1)


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(VERSION)


def main() -> None:
    """Entry point: refused input is one line on standard error, never a traceback."""
    try:
        code = app(prog_name="ziggurat", standalone_mode=False)
    except TyperException as error:
        message = error.format_message()
        if "\n" in message:  # help, since no command was given
            typer.echo(message)
        else:
            context = getattr(error, "ctx", None)
            see = f" (see `{context.command_path} --help`)" if context else ""
            typer.echo(f"error: {message}{see}", err=True)
        sys.exit(error.exit_code)
    except typer.Abort:
        sys.exit(130)
    except (RulesError, ServiceError, StartupError) as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
