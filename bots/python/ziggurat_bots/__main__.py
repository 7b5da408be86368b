"""python -m ziggurat_bots NAME: a bot as a process of its own."""

from __future__ import annotations

import argparse
import sys

from ziggurat import ZigguratError, arguments, run
from ziggurat_bots import find, names


def main() -> None:
    """Play until stopped; exit status 1 and one line on standard error if that is not possible."""
    parser = argparse.ArgumentParser(prog="python -m ziggurat_bots", description="A bot for Ziggurat.")
    parser.add_argument("bot", help=", ".join(names()))
    parser.add_argument(
        "--seed", help="for bots that play by chance: the same seed plays the same (else the token)"
    )
    parser.add_argument("--threads", type=int, default=1, help="decisions at the same time")
    options = arguments(parser).parse_args()
    try:
        module = find(options.bot)
        seeded = getattr(module, "seeded", None)
        if options.seed is not None and seeded is None:
            raise ZigguratError(f"{options.bot} does not play by chance: it takes no --seed")
    except ZigguratError as error:
        sys.exit(f"ziggurat_bots: {error}")
    decide = seeded(options.seed or options.token).decide if seeded else module.decide
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
