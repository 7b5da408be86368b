"""`ziggurat tournament run`."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from ziggurat_rules.errors import RulesError
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.report import console
from ziggurat_server.runner.session import Run
from ziggurat_server.runner.settings import (
    Settings,
    fallback,
    parse_bot,
    parse_options_given,
    read_packs,
)

tournament = typer.Typer(help="Let bots play against each other.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.add_typer(tournament, name="tournament")


@tournament.callback()
def group() -> None:
    """Let bots play against each other."""


@tournament.command()
def run(  # noqa: PLR0913, PLR0917
    game: Annotated[str, typer.Option(help="Name of the game.")],
    bot: Annotated[list[str], typer.Option(help="NAME=COMMAND, or NAME=random for one built in.")],
    games: Annotated[int, typer.Option(help="Games; rounded up to whole deals.")] = 24,
    concurrency: Annotated[int, typer.Option(help="Matches at once.")] = 4,
    seed: Annotated[int | None, typer.Option(help="All deals follow from it; none: a random one.")] = None,
    json: Annotated[Path | None, typer.Option(help="File for the result.")] = None,
    seats: Annotated[int | None, typer.Option(help="Seats of a game; none: one for each bot.")] = None,
    records: Annotated[Path, typer.Option(help="For records (.zgr) and logs.")] = Path("records"),
    option: Annotated[list[str] | None, typer.Option(help="KEY=VALUE of the game. Repeatable.")] = None,
    pack: Annotated[list[Path] | None, typer.Option(help="Card pack (TOML). Repeatable.")] = None,
    data_dir: Annotated[Path | None, typer.Option(help="Of the embedded store; none: a passing one.")] = None,
    redis: Annotated[str, typer.Option(help="URL of a store for the run's server.")] = "",
    run_id: Annotated[str, typer.Option(help="Begins the ids of its matches; none: a random one.")] = "",
    server: Annotated[str, typer.Option(help="HOST:PORT of a running server, to start none.")] = "",
    decision_ms: Annotated[int, typer.Option(help="For a decision before the bank.")] = 30_000,
    bank_ms: Annotated[int, typer.Option(help="Bank of a seat for a game; 0 for both: no limit.")] = 120_000,
    increment_ms: Annotated[int, typer.Option(help="Added to the bank after each decision.")] = 0,
    hard_cap_ms: Annotated[int, typer.Option(help="No decision takes longer; 0: no cap.")] = 0,
    illegal_retries: Annotated[int, typer.Option(help="Illegal answers of a seat before --on-illegal.")] = 3,
    gone_ms: Annotated[int, typer.Option(help="How long a bot without a connection is waited for.")] = 10_000,
    ready_ms: Annotated[int, typer.Option(help="How long a match waits for its bots to be ready.")] = 120_000,
    on_illegal: Annotated[str, typer.Option(help="default, random or forfeit.")] = "default",
    on_timeout: Annotated[str, typer.Option(help="default, random or forfeit.")] = "default",
    on_gone: Annotated[str, typer.Option(help="default, random or forfeit.")] = "default",
) -> None:
    """Play a seat-balanced round robin with bots in processes of their own."""
    policy: dict[str, int] = {
        "decision_ms": decision_ms,
        "bank_ms": bank_ms,
        "increment_ms": increment_ms,
        "hard_cap_ms": hard_cap_ms,
        "illegal_retries": illegal_retries,
        "gone_ms": gone_ms,
        "ready_ms": ready_ms,
    }
    try:
        for name, text in (("on_illegal", on_illegal), ("on_timeout", on_timeout), ("on_gone", on_gone)):
            policy[name] = fallback(f"--{name.replace('_', '-')}", text)
        settings = Settings(
            game=game,
            bots=tuple(map(parse_bot, bot)),
            games=games,
            concurrency=concurrency,
            seed=secrets.randbits(64) if seed is None else seed,
            seats=seats,
            options=parse_options_given(option or ()),
            packs=read_packs(pack or ()),
            records=records,
            json=json,
            server=server,
            redis=redis,
            data_dir=data_dir,
            policy=policy,
            run_id=run_id,
        )
        code = Run(settings, console()).finish()
    except (TournamentError, RulesError) as error:
        typer.echo(f"error: {error}", err=True)
        code = 1
    raise typer.Exit(code)
