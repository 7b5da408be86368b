"""`run`: a bot as a program of its own."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Any

from ziggurat.bot import Bot
from ziggurat.errors import ZigguratError
from ziggurat.pool import Decide

DEFAULT_ADDRESS = "127.0.0.1:50051"


def arguments(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Adds the options of every bot to a parser: --address, --name, --token, --matches, --verbose."""
    environment = os.environ
    parser.add_argument(
        "--address",
        default=environment.get("ZIGGURAT_ADDRESS", DEFAULT_ADDRESS),
        help="HOST:PORT of the server (ZIGGURAT_ADDRESS)",
    )
    parser.add_argument(
        "--name", default=environment.get("ZIGGURAT_NAME", ""), help="for the server's logs (ZIGGURAT_NAME)"
    )
    parser.add_argument(
        "--token",
        default=environment.get("ZIGGURAT_TOKEN", ""),
        help="hex; opens the bot's seats (ZIGGURAT_TOKEN)",
    )
    parser.add_argument("--matches", type=int, help="end after so many matches")
    parser.add_argument("--verbose", action="store_true", help="log connections to standard error")
    return parser


def run(
    decide: Decide,
    address: str | None = None,
    *,
    name: str | None = None,
    token: bytes | str | None = None,
    argv: Sequence[str] | None = None,
    verbose: bool = False,
    **settings: Any,
) -> None:
    """Play as a program: until SIGTERM or SIGINT, or for `matches` matches.

    What is not given here comes from the command line (`argv`; None: the program's own, if address or token
    are not given), then from ZIGGURAT_ADDRESS, ZIGGURAT_NAME, ZIGGURAT_TOKEN. Further settings are those of
    Bot. What the server refuses is told in one line on standard error, with exit status 1.
    """
    if argv is None:
        argv = sys.argv[1:] if address is None or token is None else ()
    options = arguments(argparse.ArgumentParser(description="A bot for Ziggurat.")).parse_args(argv)
    if options.matches is not None:
        settings["matches"] = options.matches
    logging.basicConfig(
        level=logging.INFO if verbose or options.verbose else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
    )
    token = token or options.token
    try:
        if not token:
            raise ZigguratError("no token: give --token or ZIGGURAT_TOKEN (hex)")
        bot = Bot(decide, address or options.address, token, name=name or options.name, **settings)
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: bot.stop())
        bot.run()
    except ZigguratError as error:
        sys.exit(f"{name or options.name or 'bot'}: {error}")
