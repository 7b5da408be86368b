"""The bots of a run: processes with a token each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ziggurat import new_token
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.processes import BOT_GRACE_SECONDS, Child, Keepers, new_output
from ziggurat_server.runner.schedule import Game
from ziggurat_server.runner.settings import BotSpec, clean_environment


@dataclass(slots=True)
class Bot:
    """A bot and its process. `started`: it has been in play; `lost`: its process has ended since."""

    spec: BotSpec
    token: bytes
    child: Child
    started: bool = False
    lost: bool = False


class Bots:
    """All bots of a run."""

    def __init__(self, games: Iterable[Game], logs: Path) -> None:
        self._logs = logs
        self._bots: dict[str, Bot] = {}
        self._games_left = Counter(name for game in games for name in game.seats)

    def __getitem__(self, name: str) -> Bot:
        return self._bots[name]

    def start(self, specs: Iterable[BotSpec], address: str, keepers: Keepers) -> None:
        """Start their processes. A token is in its bot's environment and nowhere else."""
        for spec in specs:
            token = new_token()
            environment = clean_environment() | {
                "ZIGGURAT_ADDRESS": address,
                "ZIGGURAT_NAME": spec.name,
                "ZIGGURAT_TOKEN": token.hex(),
            }
            output = new_output(self._logs, f"bot-{spec.name}")
            child = keepers.start(spec.command, output, environment, BOT_GRACE_SECONDS)
            self._bots[spec.name] = Bot(spec, token, child)

    def newly_lost(self) -> list[tuple[str, str]]:
        """Bots that have ended since the last call though games are left, and how.

        Raises TournamentError if one never played.
        """
        found = []
        for name, bot in self._bots.items():
            if bot.lost or bot.child.poll() is None:
                continue
            how = bot.child.how_it_ended()
            if not bot.started:
                raise TournamentError(
                    f"bot {name} ({bot.spec.text}) {how}\nits output is in {bot.child.output}"
                )
            bot.lost = True
            if self._games_left[name]:
                found.append((name, how))
        return found

    def in_play(self, game: Game) -> None:
        """A game has begun: its bots are there."""
        for name in game.seats:
            self._bots[name].started = True

    def played(self, game: Game) -> None:
        """A game is over."""
        self._games_left.subtract(game.seats)
