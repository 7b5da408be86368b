"""The directory of a run: all that is needed to go on with it, and what it leaves."""

from __future__ import annotations

import contextlib
import fcntl
import hmac
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.eventfile import (
    BotSpec,
    EventFile,
    as_table,
    own_bots,
    read_bot,
    read_event,
    read_packs,
)
from ziggurat_server.runner.files import write_whole
from ziggurat_server.runner.flags import Given
from ziggurat_server.runner.tomltext import toml_text

KEY_BYTES = 32
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Place:
    """Where the event is: at a running server, or at one of its own with a store in Redis or in a data directory."""

    server: str = ""
    redis: str = ""
    data_dir: str = ""

    def check(self) -> None:
        """Refuse two of them."""
        given = [f"--{name.replace('_', '-')}" for name, value in asdict(self).items() if value]
        if len(given) > 1:
            raise TournamentError(f"{' and '.join(given)} exclude each other: name one of them")

    def check_registered(self, event: EventFile) -> None:
        """Refuse registered bots where nobody can be registered: at a server with a new store."""
        name = next((bot.name for bot in event.bots if bot.registered), "")
        if name and not (self.server or self.redis or self.data_dir):
            such = f", such as mine={name}" if name in own_bots() else ""
            raise TournamentError(
                f"--server: {name} has neither a command nor a token, so it is the bot registered by this name at a "
                f"server: name the server, or give it one of them{such}"
            )


class RunDirectory:
    """Paths and secrets of a run.

    `event.toml`: the whole event; `key`: the secret that tokens come from; `run.json`: how the event began and where
    it is; `address`: of the server, while the run is live; `added`: bots that were entered late; `logs`; `records`;
    `store`: what an own server keeps.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._has_parent = True
        self.event_file = path / "event.toml"
        self.key_file = path / "key"
        self.run_file = path / "run.json"
        self.address_file = path / "address"
        self.port_file = path / "port"
        self.logs = path / "logs"
        self.records = path / "records"
        self.added = path / "added"

    @classmethod
    def create(cls, parent: Path, event: EventFile, place: Place) -> RunDirectory:
        """A new one. Raises TournamentError if there is one of this event, or none can be made."""
        found = cls(parent / event.id)
        found._has_parent = parent.exists()
        try:
            parent.mkdir(parents=True, exist_ok=True)
            found.path.mkdir(0o700)  # what bots write, and the seed, is nobody else's before the end
        except FileExistsError as error:
            if not found.path.is_dir():
                raise TournamentError(f"--records: {parent} is no directory; name another place") from None
            raise TournamentError(
                f"{found.path} is there ({error.strerror}): go on with {found.resume_command}, or name another --id"
            ) from None
        except OSError as error:
            raise TournamentError(
                f"--records: cannot write in {parent}: {error.strerror}; name another place"
            ) from None
        for directory in (found.logs, found.records):
            directory.mkdir()
        found._write_secret(found.key_file, secrets.token_hex(KEY_BYTES))
        found._copy_packs(event)
        found.write_event(event)
        written, _ = read_event(found.event_file, Given())
        began = {"format": FORMAT, "place": asdict(place), "cwd": str(Path.cwd()), "event": facts(written)}
        found._write_secret(found.run_file, json.dumps(began, indent=1))
        return found

    @classmethod
    def open(cls, path: Path) -> RunDirectory:
        """One that is there."""
        found = cls(path)
        if not found.run_file.is_file():
            raise TournamentError(
                f"{path} is no directory of a run: it has no run.json; name the one that `tournament run` made"
            )
        return found

    def discard(self) -> None:
        """Remove it: its event never began, so it may be tried again under this id."""
        shutil.rmtree(self.path, ignore_errors=True)
        if not self._has_parent:
            with contextlib.suppress(OSError):  # others are in it by now
                self.path.parent.rmdir()

    def _write_secret(self, path: Path, text: str) -> None:
        write_whole(path, text.encode() + b"\n", 0o600)

    def _copy_packs(self, event: EventFile) -> None:
        for pack in read_packs(event.packs):
            (self.path / "packs").mkdir(exist_ok=True)
            write_whole(self.path / "packs" / pack.name, pack.text.encode())

    def write_event(self, event: EventFile) -> None:
        """Write the event file."""
        packs = tuple(f"packs/{Path(pack).name}" for pack in event.packs)
        write_whole(self.event_file, toml_text(as_table(replace(event, packs=packs))).encode())

    def read_event(self) -> EventFile:
        """The event as it was created; refused if its file is not what it was then. A drawn seed is left out."""
        event, _ = read_event(self.event_file, Given())
        before, now = self._run()["event"], facts(event)
        for key in sorted(before.keys() | now.keys()):
            if before.get(key) != now.get(key) and (key != "seed" or key in before):
                raise TournamentError(
                    f"{self.event_file}: {key} was {before.get(key, 'not set')} when the event began and is "
                    f"{now.get(key, 'not set')}: put it back, or begin another event with "
                    f"`ziggurat tournament run {self.event_file} --id NAME`"
                )
        return event if "seed" in before else replace(event, seed=None)

    def keep_late_bot(self, bot: BotSpec) -> None:
        """Note a bot that is entered late, for whoever launches it."""
        self.added.mkdir(exist_ok=True)
        write_whole(self.added / f"{bot.name}.toml", toml_text(as_table(bot)).encode())

    def late_bot(self, name: str) -> BotSpec | None:
        """A bot that was entered late by `add-bot`."""
        file = self.added / f"{name}.toml"
        return read_bot(file) if file.is_file() else None

    def late_bots(self) -> tuple[BotSpec, ...]:
        """All of them, by name."""
        return tuple(read_bot(file) for file in sorted(self.added.glob("*.toml")))

    def forget_late_bot(self, name: str) -> None:
        """A bot was not entered after all."""
        (self.added / f"{name}.toml").unlink(missing_ok=True)

    def _run(self) -> dict[str, Any]:
        try:
            run: dict[str, Any] = json.loads(self.run_file.read_text())
        except (OSError, ValueError, RecursionError) as error:
            raise TournamentError(f"{self.run_file}: it cannot be read: {error}; put it back") from None
        if run.get("format") != FORMAT:
            raise TournamentError(f"{self.run_file}: it is of another version of ziggurat; use that one")
        return run

    def note_end(self, how: str) -> None:
        """Note that the event is over."""
        self._write_secret(self.run_file, json.dumps(self._run() | {"ended": how}, indent=1))

    @property
    def ended(self) -> str:
        """How the event ended; "" if it has not."""
        return str(self._run().get("ended", ""))

    @property
    def place(self) -> Place:
        """Where the event is."""
        return Place(**self._run()["place"])

    @property
    def bots_directory(self) -> Path:
        """Where bots are started: their commands may name files there."""
        found = Path(self._run()["cwd"])
        if not found.is_dir():
            raise TournamentError(f"{found}: the bots were started there and it is gone; put it back")
        return found

    @property
    def store(self) -> Path:
        """The data directory of an own server."""
        return Path(self.place.data_dir or self.path / "store")

    def bot_log(self, name: str) -> Path:
        """What a launched bot writes."""
        return self.logs / f"bot-{name}.log"

    @property
    def key(self) -> bytes:
        """The launch key."""
        try:
            return bytes.fromhex(self.key_file.read_text())
        except (OSError, ValueError) as error:
            raise TournamentError(f"{self.key_file}: it cannot be read: {error}; put it back") from None

    @property
    def owner(self) -> bytes:
        """The owner's token. No bot's is the same: no name has a blank."""
        return hmac.digest(self.key, b"the owner", "sha256")

    @property
    def resume_command(self) -> str:
        """How to go on with it, for people."""
        return f"`ziggurat tournament resume {self.path}`"

    def address(self) -> str:
        """Where its server was last, or is; "" if it never was."""
        server = self.place.server
        try:
            return server or self.address_file.read_text().strip()
        except OSError:
            return ""

    def is_held(self) -> bool:
        """Whether another process runs it."""
        with self.lock() as mine:
            return not mine

    @contextlib.contextmanager
    def lock(self) -> Iterator[bool]:
        """Hold the run; False if another process holds it."""
        descriptor = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
            else:
                yield True
        finally:
            os.close(descriptor)


def facts(event: EventFile) -> dict[str, str]:
    """All that an event file says, by key: to tell what has changed."""
    found: dict[str, str] = {}
    _flatten(as_table(event), "", found)
    for number, pack in enumerate(read_packs(event.packs)):
        found[f"packs[{number}]"] = f"{pack.name} {pack.sha256}"
    return found


def _flatten(value: object, key: str, found: dict[str, str]) -> None:
    if isinstance(value, Mapping):
        for name, part in value.items():
            _flatten(part, f"{key}.{name}" if key else name, found)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            _flatten(part, f"{key}[{number}]", found)
    else:
        found[key] = json.dumps(value)
