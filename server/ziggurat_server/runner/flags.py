"""The flags that describe an event: each stands for a key of the event file and overrides it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, get_origin

import typer

from ziggurat_server.log import Policy
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.tournaments.event import EventSpec, FormatSpec, StopRule


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag. `key`: the key of the event file that it sets; `names`: how it is written; `default`: what it means to
    leave it out; `zero`: what 0 means, where that is not just a number."""

    key: str
    kind: Any
    text: str
    names: tuple[str, ...]
    default: str = ""
    zero: str = ""

    @property
    def parameter(self) -> str:
        """Name of the command's parameter."""
        return self.key.replace(".", "_")

    @property
    def help(self) -> str:
        """All of it for `--help`."""
        repeatable = " Repeatable." if get_origin(self.kind) is list else ""
        return told(self.text + repeatable, self.default, self.zero)


def told(text: str, default: str = "", zero: str = "") -> str:
    """What an option is, what it means to leave it out, and what 0 means: in the form that typer has for defaults."""
    if default == "0" and zero:
        default, zero = f"0 ({zero})", ""
    facts = [f"default: {default}"] if default else []
    facts += [f"0: {zero}"] if zero else []
    return f"{text}  [{'; '.join(facts)}]" if facts else text


def _flag(key: str, kind: Any, text: str, *names: str, default: str = "", zero: str = "") -> Flag:
    """`default`: in words, where the value that the event gets says less."""
    table, _, name = key.rpartition(".")
    return Flag(
        key, kind, text, names or ("--" + name.replace("_", "-"),), default or _default(table, name), zero
    )


_TABLES = {"": EventSpec, "format": FormatSpec, "stop": StopRule, "policy": Policy}


def _default(table: str, name: str) -> str:
    """The value of a key that is left out, in words; "" if it has none."""
    value = next((item.default for item in fields(_TABLES[table]) if item.name == name), MISSING)
    if isinstance(value, IntEnum):
        return value.name.lower()
    return f"{value:g}" if isinstance(value, int | float) else value if isinstance(value, str) else ""


_FORMATS = "round_robin, gauntlet, swiss, knockout, double_elimination or ladder."
_FALLBACK = (
    "Then the choice is the decision's default, random, or the seat is out: default, random or forfeit."
)


class FlagTable(tuple[Flag, ...]):
    """All flags, in the order in which `--help` tells them."""

    def flag_of(self, key: str) -> str:
        """How the flag of a key is written; "" if there is none."""
        found = self.of(key)
        return found.names[0] if found else ""

    def of(self, key: str) -> Flag | None:
        """The flag of a key, or of the list that holds it."""
        key = key.partition("[")[0]
        return next((flag for flag in self if flag.key == key), None)

    def parameters(self) -> list[inspect.Parameter]:
        """As parameters of a command; what is not given is None."""
        return [
            inspect.Parameter(
                flag.parameter,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[flag.kind | None, typer.Option(*flag.names, help=flag.help)],
            )
            for flag in self
        ]


FLAGS = FlagTable(
    (
        _flag("game", str, "Name of the game.", default="the file's; needed"),
        _flag(
            "bots",
            list[str],
            "NAME=COMMAND, NAME=random for one built in, or NAME for the one registered at --server.",
            "--bot",
            default="the file's; needed",
        ),
        _flag(
            "id",
            str,
            "Name of the event; ids of its matches begin with it.",
            "--id",
            "--run-id",
            default="drawn",
        ),
        _flag("seats", int, "Seats of a table.", default="as many as bots and game allow"),
        _flag("games", int, "At least so many games, in whole rounds.", default="as --rounds says"),
        _flag("seed", int, "All deals follow from it.", default="drawn"),
        _flag("options", list[str], "KEY=VALUE of the game.", "--option", default="the game's own"),
        _flag("packs", list[Path], "Card pack (TOML).", "--pack", default="none"),
        _flag("format.name", str, _FORMATS, "--format"),
        _flag(
            "format.rounds", int, "Rounds.", default="as many as the format needs, but a ladder asks for them"
        ),
        _flag(
            "format.candidates",
            list[str],
            "A bot that meets the field, in a gauntlet.",
            "--candidate",
            default="none; a gauntlet needs one",
        ),
        _flag("format.advance", int, "How many of a table go on, in knockouts.", default="half of its seats"),
        _flag("format.rotations", int, "Games of a block.", default="one for each seat"),
        _flag("memory", str, "What bots may keep of a deal: stateless, process or independent."),
        _flag("concurrency", int, "Most games at once."),
        _flag("tries", int, "How often a game is begun that ends by a fault of the server."),
        _flag(
            "stop.candidate",
            str,
            "A:B ends the event once it is sure whether A is better than B.",
            "--stop-better",
            default="no test",
        ),
        _flag("stop.h0", float, "The test: A's share of the games with B, less a half, if A is not better."),
        _flag("stop.h1", float, "The same if A is better."),
        _flag("stop.alpha", float, "Risk that the test says better and A is not."),
        _flag("stop.beta", float, "Risk that the test says not better and A is."),
        _flag(
            "policy.decision_ms",
            int,
            "Time for each decision before the bank is used.",
            zero="the bank alone",
        ),
        _flag(
            "policy.bank_ms",
            int,
            "Bank of a seat for a game.",
            zero="no bank; no clock if --decision-ms is 0, too",
        ),
        _flag("policy.increment_ms", int, "Added to the bank after each decision taken in time."),
        _flag("policy.bank_every", int, "After so many of them the bank is filled up again.", zero="never"),
        _flag("policy.hard_cap_ms", int, "No decision takes longer, whatever is in the bank.", zero="no cap"),
        _flag("policy.illegal_retries", int, "Illegal answers of a seat in a game before --on-illegal."),
        _flag("policy.gone_ms", int, "How long a bot without a connection is waited for before --on-gone."),
        _flag("policy.gone_bank_ms", int, "The same for all its absences of a game.", zero="no limit"),
        _flag(
            "policy.ready_ms",
            int,
            "How long a game waits for its bots to be ready; it begins after half of it.",
        ),
        _flag("policy.on_illegal", str, f"After too many illegal answers. {_FALLBACK}"),
        _flag("policy.on_timeout", str, "The same when its time is over."),
        _flag("policy.on_gone", str, "The same when it was gone for too long."),
    )
)


@dataclass(slots=True)
class Given:
    """What the command line says of an event: values by key of the event file."""

    values: Mapping[str, Any] = field(default_factory=dict)
    _bots: dict[int, set[str]] = field(default_factory=dict)
    """By place in the list of bots: keys that flags have set."""

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Given:
        """From the parameters of a command. Raises TournamentError."""
        values = {flag.key: found for flag in FLAGS if (found := arguments[flag.parameter]) is not None}
        if "bots" in values:
            values["bots"] = _bots(values["bots"])
        if "options" in values:
            values["options"] = _options(values["options"])
        if "packs" in values:
            values["packs"] = [str(pack) for pack in values["packs"]]
        if "stop.candidate" in values:
            values["stop.candidate"], values["stop.baseline"] = _pair(values["stop.candidate"])
        return cls(values)

    def flag(self, key: str) -> str:
        """The flag that set a key; "" if none did."""
        place, _, rest = key.removeprefix("bots[").partition("]")
        if key.startswith("bots["):
            keys = self._bots.get(int(place), set())
            return FLAGS.flag_of("bots") if rest.removeprefix(".") in keys else ""
        whole = key.partition("[")[0]
        if whole.partition(".")[0] == "options" and key.partition(".")[2] in self.values.get("options", {}):
            return f"--option {key.partition('.')[2]}"
        return FLAGS.flag_of(whole.replace("stop.baseline", "stop.candidate")) if whole in self.values else ""

    def over(self, raw: dict[str, Any]) -> dict[str, Any]:
        """The values of an event file with these over them."""
        for key, value in self.values.items():
            table, _, name = key.rpartition(".")
            if key == "bots":
                self._name_bots(raw, value)
            elif key == "options" and isinstance(raw.get("options", {}), dict):
                raw["options"] = raw.get("options", {}) | value
            else:
                place = raw.setdefault(table, {}) if table else raw
                if isinstance(place, dict):  # else what the file says is refused
                    place[name] = value
        self._drop_other_length(raw)
        return raw

    def _drop_other_length(self, raw: dict[str, Any]) -> None:
        """`--rounds` stands in place of the file's `games`, `--games` in place of its `format.rounds`."""
        given = {"games", "format.rounds"} & self.values.keys()
        if given == {"format.rounds"}:
            raw.pop("games", None)
        elif given == {"games"} and isinstance(raw.get("format"), dict):
            raw["format"].pop("rounds", None)

    def _name_bots(self, raw: dict[str, Any], bots: list[dict[str, str]]) -> None:
        """A bot of a name that is in the file gets the command that is given; others are entered too."""
        listed = raw.setdefault("bots", [])
        if not isinstance(listed, list):
            return
        for bot in bots:
            names = [found.get("name") if isinstance(found, dict) else None for found in listed]
            if bot["name"] in names:
                place = names.index(bot["name"])
                listed[place] |= bot
                self._bots[place] = {"command"} & bot.keys()
            else:
                listed.append(dict(bot))
                self._bots[len(listed) - 1] = {"", "name", "command"}


def parse_bot(text: str) -> dict[str, str]:
    """The name of a `--bot` and, if it is launched, its command."""
    name, equals, command = text.partition("=")
    if not name:
        raise TournamentError(f"--bot {text!r}: NAME=COMMAND is wanted, such as mine=random")
    if equals and not command.strip():
        raise TournamentError(f"--bot {text!r}: a command is wanted, or a built-in bot")
    return {"name": name, "command": command} if equals else {"name": name}


def _bots(texts: Iterable[str]) -> list[dict[str, str]]:
    bots: dict[str, dict[str, str]] = {}
    for text in texts:
        bot = parse_bot(text)
        if bot["name"] in bots:
            raise TournamentError(f"--bot {text}: another has this name; give each its own")
        bots[bot["name"]] = bot
    return list(bots.values())


def _options(texts: Iterable[str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise TournamentError(f"--option {text!r}: KEY=VALUE is wanted")
        if options.setdefault(key, value) != value:
            raise TournamentError(f"--option {key} is given twice, as {options[key]!r} and {value!r}")
    return options


def _pair(text: str) -> tuple[str, str]:
    candidate, colon, baseline = text.partition(":")
    if not colon or not candidate or not baseline:
        raise TournamentError(f"--stop-better {text!r}: A:B is wanted: is bot A better than bot B?")
    return candidate, baseline
