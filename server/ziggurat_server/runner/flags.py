"""The flags that describe an event: each stands for a key of the event file and overrides it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from ziggurat_server.runner.errors import TournamentError


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag. `key`: the key of the event file that it sets; `names`: how it is written."""

    key: str
    kind: Any
    help: str
    names: tuple[str, ...]

    @property
    def parameter(self) -> str:
        """Name of the command's parameter."""
        return self.key.replace(".", "_")


def _flag(key: str, kind: Any, text: str, *names: str) -> Flag:
    return Flag(key, kind, text, names or ("--" + key.rpartition(".")[2].replace("_", "-"),))


_WORD = "default, random or forfeit."


class FlagTable(tuple[Flag, ...]):
    """All flags, in the order in which `--help` tells them."""

    def flag_of(self, key: str) -> str:
        """How the flag of a key is written; "" if there is none."""
        key = key.partition("[")[0]
        return next((flag.names[0] for flag in self if flag.key == key), "")

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
        _flag("game", str, "Name of the game."),
        _flag("bots", list[str], "NAME=COMMAND, or NAME=random for one built in. Repeatable.", "--bot"),
        _flag("id", str, "Begins the ids of its matches; none: a random one.", "--id", "--run-id"),
        _flag("seats", int, "Seats of a game; none: one for each bot."),
        _flag("games", int, "At least so many games, in whole rounds."),
        _flag("seed", int, "All deals follow from it; none: a random one."),
        _flag("options", list[str], "KEY=VALUE of the game. Repeatable.", "--option"),
        _flag("packs", list[Path], "Card pack (TOML). Repeatable.", "--pack"),
        _flag(
            "format.name",
            str,
            "round_robin, gauntlet, swiss, knockout, double_elimination or ladder.",
            "--format",
        ),
        _flag("format.rounds", int, "Rounds; none: as many as the format needs."),
        _flag(
            "format.candidates", list[str], "Gauntlet: a bot that meets the field. Repeatable.", "--candidate"
        ),
        _flag("format.advance", int, "Knockouts: how many of a table go on; none: half of them."),
        _flag("format.rotations", int, "Games of a block; none: one for each seat."),
        _flag("memory", str, "What bots may keep of a deal: stateless, process or independent."),
        _flag("concurrency", int, "Games at once."),
        _flag("tries", int, "How often a game is played that ends by a fault of the server."),
        _flag(
            "stop.candidate",
            str,
            "A:B ends the event once it is sure whether A is better than B.",
            "--stop-better",
        ),
        _flag("stop.h0", float, "Edge of A under the first hypothesis."),
        _flag("stop.h1", float, "Edge of A under the second."),
        _flag("stop.alpha", float, "Risk of a false yes."),
        _flag("stop.beta", float, "Risk of a false no."),
        _flag("policy.decision_ms", int, "For a decision before the bank."),
        _flag("policy.bank_ms", int, "Bank of a seat for a game; 0 for both: no limit."),
        _flag("policy.increment_ms", int, "Added to the bank after each decision taken in time."),
        _flag("policy.bank_every", int, "After so many of them the bank is filled up again; 0: never."),
        _flag("policy.hard_cap_ms", int, "No decision takes longer; 0: no cap."),
        _flag("policy.illegal_retries", int, "Illegal answers of a seat before --on-illegal."),
        _flag("policy.gone_ms", int, "How long a bot without a connection is waited for."),
        _flag("policy.gone_bank_ms", int, "The same for all its absences of a game; 0: no limit."),
        _flag("policy.ready_ms", int, "How long a match waits for its bots to be ready."),
        _flag("policy.on_illegal", str, _WORD),
        _flag("policy.on_timeout", str, _WORD),
        _flag("policy.on_gone", str, _WORD),
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
        return raw

    def _name_bots(self, raw: dict[str, Any], bots: list[dict[str, str]]) -> None:
        """A bot of a name that is in the file gets another command; others are entered too."""
        listed = raw.setdefault("bots", [])
        if not isinstance(listed, list):
            return
        for bot in bots:
            names = [found.get("name") if isinstance(found, dict) else None for found in listed]
            if bot["name"] in names:
                place = names.index(bot["name"])
                listed[place]["command"] = bot["command"]
                self._bots[place] = {"command"}
            else:
                listed.append(dict(bot))
                self._bots[len(listed) - 1] = {"", "name", "command"}


def parse_bot(text: str) -> dict[str, str]:
    """The name and the command of a `--bot`."""
    name, equals, command = text.partition("=")
    if not equals or not name:
        raise TournamentError(f"--bot {text!r}: NAME=COMMAND is wanted, such as mine=random")
    if not command.strip():
        raise TournamentError(f"--bot {text!r}: a command is wanted, or a built-in bot")
    return {"name": name, "command": command}


def _bots(texts: Iterable[str]) -> list[dict[str, str]]:
    bots: dict[str, dict[str, str]] = {}
    for bot in map(parse_bot, texts):
        if bot["name"] in bots:
            raise TournamentError(
                f"--bot {bot['name']}={bot['command']}: another has this name; give each its own"
            )
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
