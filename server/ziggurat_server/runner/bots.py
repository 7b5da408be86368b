"""The bots that a run launches: started, started again, and given up."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ziggurat_server.runner.errors import BotNeverPlayed
from ziggurat_server.runner.eventfile import BotSpec
from ziggurat_server.runner.processes import BOT_GRACE_SECONDS, Child, Keepers
from ziggurat_server.tournaments.tokens import launched_token

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds before a bot is started again: twice as many each time."""


def clean_environment() -> dict[str, str]:
    """Our environment without what is ours alone: no bot learns of a store or of another token."""
    return {key: value for key, value in os.environ.items() if not key.startswith("ZIGGURAT_")}


@dataclass(slots=True)
class Worker:
    """A bot's process, or its next one. `match_id` is empty unless it plays that one alone."""

    spec: BotSpec
    match_id: str
    child: Child | None = None
    ended: int = 0
    start_at: float = 0.0
    lost: bool = False


@dataclass(slots=True)
class Launch:
    """What all bots of a run are launched with. `key`: their tokens follow from it; see CreateEventRequest."""

    key: bytes
    address: str
    logs: Path
    directory: Path
    keepers: Keepers
    fresh: bool = False
    """Whether each game has a process of its own."""
    environment: Mapping[str, str] = field(default_factory=clean_environment)

    def token(self, worker: Worker) -> bytes:
        """The token of a process."""
        return launched_token(self.key, worker.spec.name, worker.match_id)

    def start(self, worker: Worker) -> Child:
        """Start a process. Its token is in its environment and nowhere else."""
        spec = worker.spec
        environment = {
            **self.environment,
            "ZIGGURAT_ADDRESS": self.address,
            "ZIGGURAT_NAME": spec.name,
            "ZIGGURAT_TOKEN": self.token(worker).hex(),
        }
        output = self.logs / f"bot-{spec.name}.log"
        return self.keepers.start(
            spec.argv, output, environment, BOT_GRACE_SECONDS, limits=spec.limits, directory=self.directory
        )


class Bots:
    """All launched bots. `say` is told what people should know."""

    def __init__(self, launch: Launch, say: Callable[[str], None]) -> None:
        self._launch = launch
        self._say = say
        self._specs: dict[str, BotSpec] = {}
        self._workers: dict[tuple[str, str], Worker] = {}
        self._in_play: set[str] = set()
        self.lost: dict[str, str] = {}
        """Bots that are not started any more (with fresh processes: for one game at least), and how they ended."""
        self.given_up: list[str] = []
        """Those of them that play no game any more and are to be taken out."""

    def know(self, spec: BotSpec, late: bool = False) -> None:
        """A bot that takes part; one that came `late` is given up where another that never played ends the run."""
        if spec.command:
            self._specs[spec.name] = spec
        if late:
            self._in_play.add(spec.name)

    def enter(self, name: str) -> None:
        """A bot plays from now on."""
        if name in self._specs and not self._launch.fresh:
            self._begin(self._specs[name], "")

    def leave(self, name: str) -> None:
        """A bot has no game to play any more."""
        for worker in [worker for (bot, _), worker in self._workers.items() if bot == name]:
            self._end(worker)

    def played(self, seats: Iterable[str]) -> None:
        """A game had begun before, so its bots were there."""
        self._in_play.update(seats)

    def game_started(self, match_id: str, seats: Iterable[str]) -> None:
        """A game has begun, so its bots are there; or it waits for processes of its own."""
        for name in seats:
            if self._launch.fresh and name in self._specs:
                self._begin(self._specs[name], match_id)
            self._in_play.add(name)

    def game_over(self, match_id: str, seats: Iterable[str]) -> None:
        """A game is over."""
        for name in seats:
            if worker := self._workers.get((name, match_id)):
                self._end(worker)

    async def stop(self) -> None:
        """End all of them."""
        children = [worker.child for worker in self._workers.values() if worker.child is not None]
        self._workers.clear()
        await asyncio.to_thread(self._launch.keepers.end, children, BOT_GRACE_SECONDS)

    def _begin(self, spec: BotSpec, match_id: str) -> None:
        if (spec.name, match_id) not in self._workers:
            worker = self._workers[spec.name, match_id] = Worker(spec, match_id)
            worker.child = self._launch.start(worker)

    def _end(self, worker: Worker) -> None:
        del self._workers[worker.spec.name, worker.match_id]
        if worker.child is not None:
            worker.child.terminate(BOT_GRACE_SECONDS)

    def look(self) -> None:
        """See who has ended, and start again who may be. Raises BotNeverPlayed."""
        self._launch.keepers.poll()
        now = time.monotonic()
        for worker in list(self._workers.values()):
            if worker.child is not None and worker.child.poll() is not None:
                self._ended(worker, worker.child, now)
            elif worker.child is None and not worker.lost and now >= worker.start_at:
                worker.child = self._launch.start(worker)

    def _ended(self, worker: Worker, child: Child, now: float) -> None:
        name, how = worker.spec.name, child.how_it_ended()
        worker.child = None
        if name not in self._in_play:
            raise BotNeverPlayed(
                name, f"bot {name} ({worker.spec.command}) {how}", child.output, child.said()
            )
        worker.ended += 1
        where = f" in {worker.match_id}" if worker.match_id else ""
        if worker.ended <= worker.spec.restarts:
            pause = min(FIRST_PAUSE * 2 ** min(worker.ended - 1, 10), LONGEST_PAUSE)
            worker.start_at = now + pause
            self._say(f"bot {name} {how}{where}; it is started again in {pause:g} s")
        else:
            worker.lost = True
            self.lost[name] = how
            if worker.match_id:
                self._say(f"bot {name} {how}{where}; this game goes on by policy")
            else:
                self.given_up.append(name)
                self._say(f"bot {name} {how}; it is given up, and its games in play go on by policy")
