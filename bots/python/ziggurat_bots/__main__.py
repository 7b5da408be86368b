"""python -m ziggurat_bots NAME: a bot as a process of its own."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from typing import NoReturn

from ziggurat import ZigguratError, arguments, run
from ziggurat.main import Decide
from ziggurat_bots import find, names

CHECK = "--check"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ZigguratError(f"{message} (see python -m ziggurat_bots --help)")


def chosen(words: Sequence[str]) -> tuple[Decide, argparse.Namespace]:
    """What a bot decides by, and its options, from its command line. Raises ZigguratError."""
    parser = _Parser(
        prog="python -m ziggurat_bots",
        description="A bot for Ziggurat.",
        epilog=f"{CHECK} COMMAND ... starts none: it tells what is wrong with the arguments of such commands.",
    )
    parser.add_argument("bot", help=", ".join(names()))
    parser.add_argument(
        "--seed", help="for bots that play by chance: the same seed plays the same (else the token)"
    )
    parser.add_argument("--threads", type=int, default=1, help="decisions at the same time")
    options = arguments(parser).parse_args(words)
    module = find(options.bot)
    seeded = getattr(module, "seeded", None)
    if options.seed is not None and seeded is None:
        raise ZigguratError(f"{options.bot} does not play by chance: it takes no --seed")
    decide: Decide = seeded(options.seed or options.token).decide if seeded else module.decide
    return decide, options


def check(commands: Sequence[str]) -> list[str]:
    """What is wrong with command lines of bots: "NUMBER: REASON" for each bad one."""
    found = []
    for number, command in enumerate(commands):
        try:
            chosen(shlex.split(command))
        except ZigguratError as error:
            found.append(f"{number}: {error}")
        except SystemExit:
            found.append(f"{number}: it would only tell its usage")
    return found


def main() -> None:
    """Play until stopped; exit status 1 and one line on standard error if that is not possible."""
    if sys.argv[1:2] == [CHECK]:
        sys.exit("\n".join(check(sys.argv[2:])) or None)
    try:
        decide, options = chosen(sys.argv[1:])
    except ZigguratError as error:
        sys.exit(f"ziggurat_bots: {error}")
    run(
        decide,
        options.address,
        name=options.name or options.bot,
        token=options.token,
        matches=options.matches,
        threads=options.threads,
        verbose=options.verbose,
        argv=(),
    )


if __name__ == "__main__":
    main()
