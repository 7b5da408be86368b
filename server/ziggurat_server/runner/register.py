"""`ziggurat bots`: the register of bots at a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.table import Table

from ziggurat import Client, ZigguratError, new_token
from ziggurat_server.runner.errors import words_of
from ziggurat_server.runner.flags import told
from ziggurat_server.runner.progress import complain, console

bots = typer.Typer(help="The register of bots at a server.", no_args_is_help=True)

ServerOption = Annotated[str, typer.Option(envvar="ZIGGURAT_ADDRESS", help="HOST:PORT of a running server.")]
NameArgument = Annotated[str, typer.Argument(help="Name of the bot.", metavar="NAME")]
_OWNER = "The owner's token (hex, 16 bytes or more)."
OwnerOption = Annotated[str, typer.Option(envvar="ZIGGURAT_OWNER_TOKEN", help=_OWNER)]
NewOwnerOption = Annotated[str, typer.Option(envvar="ZIGGURAT_OWNER_TOKEN", help=told(_OWNER, "a new one"))]
USUAL_SERVER = "127.0.0.1:50051"
SECONDS = 10.0


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.add_typer(bots, name="bots")


@contextmanager
def client(server: str) -> Iterator[Client]:
    """A client of the server; what it refuses is one line on standard error."""
    try:
        with Client(server, SECONDS) as connected:
            yield connected
    except ZigguratError as error:
        complain(words_of(error))
        raise typer.Exit(1) from None


@bots.command("list")
def list_(
    server: ServerOption = USUAL_SERVER,
    game: Annotated[str, typer.Option(help=told("Only bots that play it.", "all"))] = "",
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List the registered bots: connected, open matches, ratings."""
    with client(server) as calls:
        found = calls.list_bots(game)
    if as_json:
        typer.echo(json.dumps([described(bot) for bot in found], indent=2))
        return
    if not found:
        typer.echo(f"no bot is registered{f' for {game}' if game else ''}")
        return
    table = Table("bot", "version", "plays", "connected", "matches", "ratings (mean ± uncertainty, games)")
    for bot in found:
        ratings = "; ".join(f"{r.game} {r.mu:.1f} ± {r.sigma:.1f}, {r.games}" for r in bot.ratings)
        open_matches = f"{bot.open_matches} of {bot.capacity}" if bot.capacity else str(bot.open_matches)
        plays = ", ".join(bot.games) or "all"
        connected = "yes" if bot.connected else "no"
        table.add_row(bot.name, bot.version, plays, connected, open_matches, ratings)
    console().print(table)


def described(bot: Any) -> dict[str, Any]:
    """A bot as JSON has it; `bot` is the proto's BotInfo."""
    return {
        "name": bot.name,
        "version": bot.version,
        "games": list(bot.games),
        "capacity": bot.capacity,
        "connected": bot.connected,
        "open_matches": bot.open_matches,
        "ratings": {
            r.game: {"mu": r.mu, "sigma": r.sigma, "games": r.games, "events": r.events} for r in bot.ratings
        },
    }


@bots.command("register")
def add(
    name: NameArgument,
    server: ServerOption = USUAL_SERVER,
    version: Annotated[str, typer.Option(help=told("Ratings are kept by name and version.", "none"))] = "",
    game: Annotated[
        list[str] | None, typer.Option(help=told("A game that it plays. Repeatable.", "all"))
    ] = None,
    capacity: Annotated[
        int, typer.Option(min=0, help=told("Most matches at once.", "0", "no limit"), show_default=False)
    ] = 0,
    token: Annotated[
        str,
        typer.Option(envvar="ZIGGURAT_TOKEN", help=told("What the bot connects with (hex).", "a new one")),
    ] = "",
    owner_token: NewOwnerOption = "",
) -> None:
    """Register a bot, or change one with its owner's token.

    Tokens that are not given are drawn and printed: they are kept nowhere else.
    """
    play, owner = token or new_token().hex(), owner_token or new_token().hex()
    with client(server) as calls:
        calls.register_bot(name, play, owner, version=version, games=game or (), capacity=capacity)
    typer.echo(f"{name} is registered at {server}")
    if not token:
        typer.echo(f"ZIGGURAT_TOKEN={play}")
    if not owner_token:
        typer.echo(f"ZIGGURAT_OWNER_TOKEN={owner}")


@bots.command()
def remove(
    name: NameArgument,
    owner_token: OwnerOption,
    server: ServerOption = USUAL_SERVER,
) -> None:
    """Remove a bot from the register. Its open matches and its ratings stay."""
    with client(server) as calls:
        calls.unregister_bot(name, owner_token)
    typer.echo(f"{name} is removed from {server}")
