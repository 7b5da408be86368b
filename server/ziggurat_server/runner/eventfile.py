"""The event file: TOML that describes a whole event. Its keys are the fields of the values here and in tournaments."""

from __future__ import annotations

import difflib
import math
import re
import shlex
import shutil
import sys
import tomllib
import types
import typing
from collections.abc import Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import IntEnum
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar

from ziggurat_rules.catalogue import Pack
from ziggurat_server.log import Policy
from ziggurat_server.processes import Limits
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.flags import FLAGS, Given
from ziggurat_server.tournaments.event import Entrant, EventSpec, FormatSpec, Memory, StopRule

T = TypeVar("T")

OWN_BOTS = ("greedy", "random")
_UINT32 = 2**32 - 1
_FROM_ONE = {"seats", "games", "format.rounds", "format.advance", "format.rotations"}
"""Numbers of which 0 would stand for what is left out."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot. With a command the run launches it; without one it connects from elsewhere, with a token of its own or,
    if it has none, with that under which it is registered at the server.

    `memory_mb` and `cpu_seconds` limit each of its processes (see launch.py); 0 for no limit.
    """

    name: str
    command: str = ""
    """Words as in a shell, or a built-in bot and its arguments."""
    version: str = ""
    capacity: int = 0
    memory_mb: int = 0
    cpu_seconds: int = 0
    restarts: int = 3
    """How often it is started again when it ends by itself; with memory "process" in each game."""
    token_sha256: bytes = b""
    """Of a bot from elsewhere: hash of the token with which it connects; none: it is the one registered by its name."""

    @property
    def argv(self) -> list[str]:
        """What is run."""
        words = shlex.split(self.command)
        return [sys.executable, "-m", "ziggurat_bots", *words] if words[0] in own_bots() else words

    @property
    def limits(self) -> Limits:
        """What its processes may use."""
        return Limits(self.memory_mb, self.cpu_seconds)

    @property
    def entrant(self) -> Entrant:
        """The bot as the server knows it."""
        return Entrant(self.name, self.version, self.token_sha256, self.capacity, self.registered)

    @property
    def registered(self) -> bool:
        """Whether it is the bot that is registered at the server by this name."""
        return not self.command and not self.token_sha256


@dataclass(frozen=True, slots=True)
class EventFile:
    """A whole event and how its bots are launched. See EventSpec."""

    game: str
    bots: tuple[BotSpec, ...] = ()
    id: str = ""
    seats: int = 0
    seed: int | None = None
    games: int = 0
    """At least so many games, in place of `format.rounds`."""
    memory: Memory = Memory.STATELESS
    concurrency: int = 4
    tries: int = 3
    options: dict[str, str] = field(default_factory=dict)
    packs: tuple[str, ...] = ()
    """Paths of card packs; in the file relative to it."""
    format: FormatSpec = field(default_factory=FormatSpec)
    policy: Policy = field(default_factory=Policy)
    stop: StopRule | None = None

    @property
    def spec(self) -> EventSpec:
        """The event as the server knows it."""
        return EventSpec(
            game=self.game,
            bots=tuple(bot.entrant for bot in self.bots),
            seats=self.seats,
            options=self.options,
            packs=read_packs(self.packs),
            format=self.format,
            seed=self.seed,
            memory=self.memory,
            concurrency=self.concurrency,
            policy=self.policy,
            tries=self.tries,
            stop=self.stop,
        )


@dataclass(frozen=True, slots=True)
class Source:
    """Where the keys of an event come from, to name what is at fault. `file` is empty if there is none."""

    file: str = ""
    given: Given = field(default_factory=Given)

    def name(self, key: str) -> str:
        """A key as the one who wrote it knows it: a flag, or a key of the file."""
        flag = self.given.flag(key)
        if flag or not self.file:
            return flag or FLAGS.flag_of(key) or key
        return f"{self.file}: {key}"

    def refuse(self, key: str, why: str) -> TournamentError:
        """The error about a key."""
        return TournamentError(f"{self.name(key)}: {why}")


def read_event(file: Path | None, given: Given) -> tuple[EventFile, Source]:
    """The event of a file and of the command line, which overrides it. Raises TournamentError."""
    source = Source(str(file) if file else "", given)
    raw = given.over(_load(file) if file else {})
    if not raw.get("game"):
        raise source.refuse("game", "name the game to be played")
    event = _Reader(source).table(EventFile, raw, "")
    for number, bot in enumerate(event.bots):
        check_bot(bot, f"bots[{number}]", source)
        if bot.registered and event.memory == Memory.PROCESS:
            raise source.refuse(
                f"bots[{number}]",
                f"with memory 'process' each bot is launched for each game, and {bot.name} has no command: give it one",
            )
    return event, source


def read_bot(file: Path) -> BotSpec:
    """A bot in a file of its own."""
    return bot_of(_load(file), Source(str(file)))


def bot_of(raw: Mapping[str, object], source: Source) -> BotSpec:
    """A bot from its keys in the event file. Raises TournamentError."""
    bot = _Reader(source).table(BotSpec, dict(raw), "")
    check_bot(bot, "", source)
    return bot


def _load(file: Path) -> dict[str, Any]:
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise TournamentError(
            f"{file}: {error.strerror or error}; name a file that describes an event"
        ) from None
    except UnicodeDecodeError:
        raise TournamentError(f"{file}: it is no UTF-8 text; an event is a TOML file") from None
    except tomllib.TOMLDecodeError as error:
        raise TournamentError(f"{file}: it is no TOML: {error}") from None
    except RecursionError:
        raise TournamentError(f"{file}: it is nested too deeply; an event has tables in a table") from None
    packs = raw.get("packs")
    if isinstance(packs, list):
        raw["packs"] = [str(file.parent / pack) if isinstance(pack, str) else pack for pack in packs]
    return raw


class _Reader:
    """Makes values of the TOML's, by the types of their fields; all else is refused."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def table(self, kind: type[T], raw: object, key: str) -> T:
        """A dataclass from a table."""
        if not isinstance(raw, dict):
            raise self._wanted(key, "a table", raw)
        hints = typing.get_type_hints(kind)
        known = fields(kind)  # type: ignore[arg-type]
        for name in raw:
            if name not in hints:
                raise self._source.refuse(
                    _under(key, name), f"unknown key; {_home(name) or near(name, hints)}"
                )
        for item in known:
            if item.name not in raw and item.default is MISSING and item.default_factory is MISSING:
                raise self._source.refuse(_under(key, item.name), "it is missing; a value is needed")
        values = {name: self._value(hints[name], value, _under(key, name)) for name, value in raw.items()}
        return kind(**values)

    def _value(self, hint: Any, value: object, key: str) -> Any:
        if isinstance(hint, types.UnionType):
            hint = next(part for part in typing.get_args(hint) if part is not type(None))
        if typing.get_origin(hint) is tuple:
            return self._list(typing.get_args(hint)[0], value, key)
        if typing.get_origin(hint) is dict:
            return self._options(value, key)
        if issubclass(hint, IntEnum):
            return self._word(hint, value, key)
        if hint in _PLAIN:
            return _PLAIN[hint](self, value, key)
        return self.table(hint, value, key)

    def _list(self, hint: Any, value: object, key: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise self._wanted(key, "a list", value)
        return tuple(self._value(hint, item, f"{key}[{number}]") for number, item in enumerate(value))

    def _text(self, value: object, key: str) -> str:
        if not isinstance(value, str):
            raise self._wanted(key, "text in quotes", value)
        return value

    def _whole(self, value: object, key: str) -> int:
        least, most = int(key in _FROM_ONE), 2**64 - 1 if key == "seed" else _UINT32
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            flag = FLAGS.of(key) if value == 0 else None
            otherwise = f"; left out it is {flag.default}" if flag else ""
            raise self._wanted(key, f"a whole number from {least} to {most}", value, otherwise)
        return value

    def _number(self, value: object, key: str) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
            raise self._wanted(key, "a number", value)
        return float(value)

    def _hash(self, value: object, key: str) -> bytes:
        if not isinstance(value, str) or not re.fullmatch("[0-9a-fA-F]{64}|", value):
            raise self._wanted(key, "a SHA-256 (64 hex digits in quotes)", value)
        return bytes.fromhex(value)

    def _word(self, kind: type[IntEnum], value: object, key: str) -> IntEnum:
        words = {member.name.lower(): member for member in kind}
        if not isinstance(value, str):
            raise self._wanted(key, f"one of {', '.join(words)}", value)
        if value not in words:
            raise self._source.refuse(key, f"{value!r}: {near(value, words)}")
        return words[value]

    def _options(self, value: object, key: str) -> dict[str, str]:
        if not isinstance(value, dict):
            raise self._wanted(key, "a table", value)
        found = {}
        for name, chosen in value.items():
            if not isinstance(chosen, str | int):
                raise self._wanted(f"{key}.{name}", "text, a whole number, true or false", chosen)
            found[name] = str(chosen).lower() if isinstance(chosen, bool) else str(chosen)
        return found

    def _wanted(self, key: str, what: str, value: object, otherwise: str = "") -> TournamentError:
        return self._source.refuse(key, f"{what} is wanted, not {_shown(value)}{otherwise}")


_PLAIN: dict[Any, Any] = {
    str: _Reader._text,
    int: _Reader._whole,
    float: _Reader._number,
    bytes: _Reader._hash,
}


def _under(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _home(name: str) -> str:
    """Where a key belongs that stands in the wrong table; "" if there is none of this name."""
    for flag in FLAGS:
        table, _, last = flag.key.rpartition(".")
        if last == name:
            return (
                f"it belongs in [{table}]"
                if table
                else "it belongs at the top of the file, before all tables"
            )
    return ""


def near(word: str, known: Collection[str]) -> str:
    """What may be meant."""
    found = difflib.get_close_matches(word, list(known), 1)
    return f"did you mean {found[0]!r}?" if found else f"there are {', '.join(known)}"


# Bots and packs


def own_bots() -> list[str]:
    """Names of the built-in bots."""
    return sorted({*OWN_BOTS, *(entry.name for entry in entry_points(group="ziggurat.bots"))})


def check_bot(bot: BotSpec, key: str, source: Source) -> None:
    """Refuse a bot that can't be launched."""
    key = f"{key}.command" if key else "command"
    if bot.command and bot.token_sha256:
        raise source.refuse(
            key, f"{bot.name} has a token of its own, so it is not launched: leave one of them out"
        )
    if "\0" in bot.command:
        raise source.refuse(
            key, f"{bot.command!r} holds a null character, which no command can: leave it out"
        )
    try:
        words = shlex.split(bot.command)
    except ValueError as error:
        raise source.refuse(key, f"{bot.command!r} cannot be split: {error}") from None
    if not words:
        if bot.command or bot.memory_mb or bot.cpu_seconds:
            raise source.refuse(
                key, f"{bot.name} has limits or blanks and no command: name a command or a built-in bot"
            )
        if bot.registered and (bot.version or bot.capacity):
            raise source.refuse(
                key,
                f"{bot.name} has neither a command nor a token, so it is the bot registered by this name, whose "
                "version and capacity the register tells: leave them out",
            )
        return
    if words[0] not in own_bots() and shutil.which(words[0]) is None:
        raise source.refuse(
            key, f"{words[0]!r} is no command and no built-in bot; built-in are {', '.join(own_bots())}"
        )


def read_packs(files: Collection[str]) -> tuple[Pack, ...]:
    """The card packs in files."""
    packs = []
    for file in map(Path, files):
        try:
            packs.append(Pack(file.name, file.read_text(encoding="utf-8")))
        except OSError as error:
            raise TournamentError(f"pack {file}: {error.strerror or error}; name another file") from None
        except UnicodeDecodeError:
            raise TournamentError(f"pack {file}: it is no UTF-8 text; a pack is a TOML file") from None
    if len({pack.name for pack in packs}) != len(packs):
        raise TournamentError("packs: two packs have the same file name; rename one")
    return tuple(packs)


def as_table(value: Any) -> dict[str, Any]:
    """An event or a part of it as TOML values, with all keys that say something: what `read_event` reads."""
    return {
        item.name: _toml(found)
        for item in fields(value)
        if (found := getattr(value, item.name)) not in (None, "", b"", (), {})
        and not (found == 0 and item.default == 0)
    }


def _toml(value: Any) -> Any:
    if isinstance(value, IntEnum):
        return value.name.lower()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple | list):
        return [_toml(item) for item in value]
    if isinstance(value, Mapping | str | int | float):
        return value
    return as_table(value)
