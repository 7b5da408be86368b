"""What a tournament is told, checked before anything starts."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path

from ziggurat import Policy
from ziggurat_rules.catalogue import Pack
from ziggurat_rules.game import parse_options
from ziggurat_rules.registry import load_game
from ziggurat_server.runner.errors import TournamentError

MOST_CONCURRENT = 500
OWN_BOTS = ("greedy", "random")
FALLBACKS = {"default": 1, "random": 2, "forfeit": 3}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
_UINT32 = 2**32 - 1


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot: `text` is its command as given, `command` what is run."""

    name: str
    text: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything `ziggurat tournament run` is told."""

    game: str
    bots: tuple[BotSpec, ...]
    games: int
    concurrency: int
    seed: int
    seats: int | None = None
    options: dict[str, str] = field(default_factory=dict)
    packs: tuple[Pack, ...] = ()
    records: Path = Path("records")
    json: Path | None = None
    server: str = ""
    redis: str = ""
    data_dir: Path | None = None
    policy: dict[str, int] = field(default_factory=dict)
    run_id: str = ""

    @property
    def names(self) -> list[str]:
        """Names of the bots, as given."""
        return [bot.name for bot in self.bots]

    def policy_message(self) -> Policy:
        """The policy of its matches."""
        return Policy(**self.policy)  # type: ignore[arg-type]

    def check(self) -> None:
        """Refuse what can be refused before anything starts."""
        _at_least_one("--games", self.games)
        _at_least_one("--concurrency", self.concurrency)
        if self.concurrency > MOST_CONCURRENT:
            raise TournamentError(f"--concurrency {self.concurrency}: at most {MOST_CONCURRENT} are possible")
        if self.seats is not None:
            _at_least_one("--seats", self.seats)
        if self.run_id and not _NAME.fullmatch(self.run_id):
            raise TournamentError(
                f"--run-id {self.run_id!r}: 1 to 32 of a-z, A-Z, 0-9, '.', '_', '-' are wanted"
            )
        if self.seed < 0:
            raise TournamentError(f"--seed {self.seed}: 0 or more is wanted")
        where = (("--server", self.server), ("--redis", self.redis), ("--data-dir", self.data_dir))
        given = [name for name, value in where if value]
        if len(given) > 1:
            raise TournamentError(f"{' and '.join(given)} exclude each other: name one of them")
        self._check_bots()
        self._check_policy()
        if not self.server:
            self.check_game()
        self._check_files()

    def check_game(self) -> None:
        """Refuse, by the rules installed here, an unknown game, bad options, packs and numbers of seats."""
        game = load_game(self.game)
        game = game.with_packs(self.packs) if self.packs else game
        parse_options(game.options, self.options)
        game.check_seats(choose_seats(self, game.seats.start, game.seats.stop - 1))

    def _check_bots(self) -> None:
        seen: set[str] = set()
        for bot in self.bots:
            if bot.name in seen:
                raise TournamentError(
                    f"--bot {bot.name}={bot.text}: another has this name; give each its own"
                )
            seen.add(bot.name)
            if shutil.which(bot.command[0]) is None:
                raise TournamentError(
                    f"--bot {bot.name}={bot.text}: {bot.command[0]!r} is no command and no built-in bot; "
                    f"built-in are {', '.join(own_bots())}"
                )

    def _check_policy(self) -> None:
        for name, value in self.policy.items():
            if not 0 <= value <= _UINT32:
                raise TournamentError(f"--{name.replace('_', '-')} {value}: 0 to {_UINT32} is wanted")
            if not value and name in ("gone_ms", "ready_ms"):
                raise TournamentError(
                    f"--{name.replace('_', '-')} 0: a bot that is gone would be waited for without end"
                )

    def _check_files(self) -> None:
        if self.json is not None:
            if self.json.is_dir():
                raise TournamentError(f"--json {self.json} is a directory; name a file")
            _check_writable("--json", self.json.absolute().parent)
        _check_writable("--records", self.records)


def _at_least_one(option: str, value: int) -> None:
    if value < 1:
        raise TournamentError(f"{option} {value}: 1 or more is wanted")


def _check_writable(option: str, directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        why = error.strerror or error
        raise TournamentError(f"{option}: cannot write in {directory}: {why}; name another place") from None


def choose_seats(settings: Settings, fewest: int, most: int) -> int:
    """The seats of each game: as asked, or one for each bot if the game takes so many."""
    bots = len(settings.bots)
    seats = settings.seats or min(bots, most)
    if bots < (settings.seats or fewest):
        wanted = max(seats, fewest)
        lower = " or lower --seats" if settings.seats is not None and settings.seats > fewest else ""
        there = "there is 1" if bots == 1 else f"there are {bots}"
        raise TournamentError(f"{wanted} seats need {wanted} bots and {there}: add --bot NAME=COMMAND{lower}")
    if not fewest <= seats <= most:
        raise TournamentError(f"--seats {seats}: {settings.game} takes {fewest} to {most}")
    return seats


def own_bots() -> list[str]:
    """Names of the built-in bots."""
    return sorted({*OWN_BOTS, *(entry.name for entry in entry_points(group="ziggurat.bots"))})


def parse_bot(text: str) -> BotSpec:
    """A `--bot`: NAME=COMMAND, where the command may begin with the name of a built-in bot."""
    name, equals, rest = text.partition("=")
    if not equals or not _NAME.fullmatch(name):
        raise TournamentError(
            f"--bot {text!r}: NAME=COMMAND is wanted, such as mine=random; "
            "a name has 1 to 32 of a-z, A-Z, 0-9, '.', '_', '-'"
        )
    try:
        command = shlex.split(rest)
    except ValueError as error:
        raise TournamentError(f"--bot {text!r}: the command cannot be split: {error}") from None
    if not command:
        raise TournamentError(f"--bot {text!r}: a command is wanted, or a built-in bot")
    if command[0] in own_bots():
        command = [sys.executable, "-m", "ziggurat_bots", *command]
    return BotSpec(name, rest, tuple(command))


def parse_options_given(texts: Iterable[str]) -> dict[str, str]:
    """All `--option KEY=VALUE`."""
    options: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise TournamentError(f"--option {text!r}: KEY=VALUE is wanted")
        if options.setdefault(key, value) != value:
            raise TournamentError(f"--option {key} is given twice, as {options[key]!r} and {value!r}")
    return options


def read_packs(files: Sequence[Path]) -> tuple[Pack, ...]:
    """The card packs in files."""
    packs = []
    for file in files:
        try:
            packs.append(Pack(file.name, file.read_text(encoding="utf-8")))
        except OSError as error:
            raise TournamentError(f"--pack {file}: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise TournamentError(f"--pack {file}: it is no UTF-8 text; a pack is a TOML file") from None
    if len({pack.name for pack in packs}) != len(packs):
        raise TournamentError("--pack: two packs have the same file name; rename one")
    return tuple(packs)


def fallback(option: str, text: str) -> int:
    """The wire's number of a fallback."""
    if text not in FALLBACKS:
        raise TournamentError(f"{option} {text!r}: {', '.join(FALLBACKS)} are possible")
    return FALLBACKS[text]


def clean_environment() -> dict[str, str]:
    """Our environment without what is ours alone: no bot learns of a store or of another token."""
    return {key: value for key, value in os.environ.items() if not key.startswith("ZIGGURAT_")}
