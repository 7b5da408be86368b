"""Built-in bots: their arguments are checked before anything is started."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.eventfile import BotSpec, Source, own_bots

CHECK_SECONDS = 60.0


def check_arguments(bots: Sequence[BotSpec], source: Source, key: str = "bots[{}].command") -> None:
    """Refuse built-in bots with arguments that they do not take. `key`: of the command of a bot of this number.

    They are asked in a process of their own: it loads their modules, which may be anybody's.
    """
    given = [(number, bot) for number, bot in enumerate(bots) if _has_arguments(bot)]
    if not given:
        return
    command = [sys.executable, "-m", "ziggurat_bots", "--check", *(bot.command for _, bot in given)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=CHECK_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise TournamentError(f"built-in bots said nothing for {CHECK_SECONDS:g} s; try again") from None
    if not done.returncode:
        return
    first = done.stderr.strip().split("\n")[0]
    at, _, why = first.partition(": ")
    if not at.isdecimal():
        raise TournamentError(f"built-in bots cannot be started: {done.stderr.strip().splitlines()[-1]}")
    number, bot = given[int(at)]
    raise source.refuse(key.format(number), f"{bot.command!r}: {why}")


def _has_arguments(bot: BotSpec) -> bool:
    name, _, rest = bot.command.strip().partition(" ")
    return bool(rest) and name in own_bots()
