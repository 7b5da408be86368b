"""What ends a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ziggurat import Refused, ZigguratError


class TournamentError(Exception):
    """Bad input or a failure; the message names the thing and the remedy in one or two lines."""


class BotNeverPlayed(TournamentError):
    """A launched bot ended before it had played any game. `said`: the last lines of its output."""

    def __init__(self, bot: str, what: str, output: Path, said: Sequence[str]) -> None:
        super().__init__(f"{what}\nits output is in {output}")
        self.bot = bot
        self.what = what
        self.said = tuple(said)


def words_of(error: ZigguratError) -> str:
    """What a server has said, for people: without the reason that is there for programs, if it says more itself."""
    return str(error.args[0] if isinstance(error, Refused) and error.reason else error)
