"""Games, options and card packs as they are named on the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import typer

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.errors import BadOption, RulesError
from ziggurat_rules.game import Game, Options, parse_options
from ziggurat_rules.registry import load_game


def fail(message: object) -> NoReturn:
    """End with one line on standard error."""
    typer.echo(f"error: {' '.join(str(message).split())}", err=True)
    raise typer.Exit(1)


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what the rules refuse into one line."""
    try:
        yield
    except RulesError as error:
        fail(error)


def read_game(name: str, packs: Sequence[Path]) -> Game[Any]:
    """The installed game of this name, with the facts of these files; raises RulesError."""
    return load_game(name).with_packs([read_pack(path) for path in packs]) if packs else load_game(name)


def read_pack(path: Path) -> Pack:
    """A card pack; one line and the end if it can't be read."""
    try:
        return Pack(path.name, path.read_text(encoding="utf-8"))
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    except UnicodeDecodeError:
        fail(f"{path}: not a text in UTF-8")


def read_options(game: Game[Any], texts: Sequence[str]) -> Options:
    """Options from texts like `edition=ko`; raises BadOption."""
    given = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise BadOption(f"--option {text}", "NAME=VALUE wanted")
        if name in given:
            raise BadOption(f"--option {text}", f"{name} is given twice")
        given[name] = value
    return parse_options(game.options, given)
