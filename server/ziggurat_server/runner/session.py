"""A run from its first process to its last: server, bots, games, report, files."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import os
import secrets
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from ziggurat import AsyncClient, BadAddress
from ziggurat_rules.registry import load_game
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.processes import Child, Keepers
from ziggurat_server.runner.referee import patiently
from ziggurat_server.runner.report import Report, table
from ziggurat_server.runner.result import Outcome, write_result
from ziggurat_server.runner.runner import Tournament, logs_of
from ziggurat_server.runner.schedule import deal_size, deals_for, schedule
from ziggurat_server.runner.server import start_server
from ziggurat_server.runner.settings import Settings, choose_seats
from ziggurat_server.runner.standings import Standings

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
REACH_SECONDS = 10.0


class Run:
    """One tournament; `finish` runs it and returns the exit code."""

    def __init__(self, settings: Settings, screen: Console) -> None:
        self.settings = settings
        self.screen = screen
        self.outcome: Outcome | None = None
        self._signal = 0

    def finish(self) -> int:
        """Run it. Raises TournamentError; no process of the run is left, whatever happens."""
        self.settings.check()
        failure: TournamentError | None = None
        with self._hard_signals(), tempfile.TemporaryDirectory(prefix="ziggurat-run-") as scratch:
            try:
                with Keepers() as keepers:
                    self._play(keepers, Path(scratch))
            except TournamentError as error:
                failure = error
        return self._report(failure)

    def _play(self, keepers: Keepers, scratch: Path) -> None:
        try:
            with asyncio.Runner() as runner:
                runner.run(self._main(keepers, scratch))
        except (asyncio.CancelledError, KeyboardInterrupt):
            if not self._signal:
                raise
        finally:
            self._install_hard()  # the loop has set the handlers back to the system's as it closed

    @contextlib.contextmanager
    def _hard_signals(self) -> Iterator[None]:
        """Outside of the event loop a signal ends us at once: the guard then ends what is left of the run."""
        before = {number: signal.getsignal(number) for number in SIGNALS}
        self._install_hard()
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @staticmethod
    def _install_hard() -> None:
        for number in SIGNALS:
            signal.signal(number, lambda number, _: os._exit(128 + number))

    async def _main(self, keepers: Keepers, scratch: Path) -> None:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self._stop, task, number)
        if self.settings.server:
            await self._on(self.settings.server, keepers, None)
            return
        game = load_game(self.settings.game)
        self._begin(game.seats.start, game.seats.stop - 1)
        server, address = await start_server(self.settings, keepers, self._logs(), scratch)
        await self._on(address, keepers, server)

    def _stop(self, task: asyncio.Task[None], number: int) -> None:
        if self._signal:
            os._exit(128 + number)
        self._signal = number
        task.cancel()

    def _begin(self, fewest: int, most: int) -> None:
        """Fix what is played."""
        settings = self.settings
        seats = choose_seats(settings, fewest, most)
        deals = deals_for(settings.games, len(settings.bots), seats)
        size = deal_size(len(settings.bots), seats)
        run_id = settings.run_id or f"{settings.game}-{secrets.token_hex(4)}"
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        self.outcome = Outcome(
            run_id, seats, deals, deals * size, Standings(settings.names, seats), started_at=now
        )
        if deals * size != settings.games:
            self.screen.print(
                f"{deals * size} games instead of {settings.games}: a deal of {len(settings.bots)} bots on "
                f"{seats} seats has {size}, and only whole deals are fair",
                markup=False,
            )

    def _logs(self) -> Path:
        assert self.outcome is not None
        logs = logs_of(self.settings, self.outcome)
        try:
            logs.mkdir(parents=True, exist_ok=not self.settings.run_id)
        except FileExistsError:
            raise TournamentError(f"--run-id {self.outcome.run_id}: {logs} is there; name another") from None
        except OSError as error:
            raise TournamentError(f"--records: cannot make {logs}: {error.strerror or error}") from None
        return logs

    async def _on(self, address: str, keepers: Keepers, server: Child | None) -> None:
        settings = self.settings
        try:
            client = AsyncClient(address)
        except BadAddress as error:
            raise TournamentError(f"--server: {error}") from None
        async with client:
            await self._ask_server(client)
            assert self.outcome is not None
            if server is None:
                self._logs()
            games = schedule(settings.names, self.outcome.seats, self.outcome.deals)
            began = time.monotonic()
            with Report(self.screen, self.outcome) as report:
                try:
                    await Tournament(settings, games, self.outcome, report, client).play(keepers, server)
                    self.outcome.complete = all_played(self.outcome)
                finally:
                    self.outcome.seconds = time.monotonic() - began

    async def _ask_server(self, client: AsyncClient) -> None:
        """Refuse, by what the server says, an unknown game, bad options and numbers of seats."""
        settings = self.settings
        if self.outcome is None:
            games = {found.name: found for found in await patiently(client.list_games, REACH_SECONDS)}
            if settings.game not in games:
                raise TournamentError(f"--game {settings.game!r}: the server has {', '.join(sorted(games))}")
            self._begin(games[settings.game].min_seats, games[settings.game].max_seats)
        outcome = self.outcome
        assert outcome is not None
        await patiently(
            lambda: client.get_game(settings.game, outcome.seats, settings.options), REACH_SECONDS
        )

    def _report(self, failure: TournamentError | None) -> int:
        """Print standings and write the result, as far as the run came."""
        outcome = self.outcome
        if outcome is not None and any(played.standings for played in outcome.played):
            self.screen.print(table(outcome))
            self._print_summary(outcome)
            if self.settings.json is not None:
                write_result(self.settings.json, self.settings, outcome)
        if failure is not None:
            raise failure
        if self._signal:
            name = signal.Signals(self._signal).name
            self.screen.print(f"stopped by {name}; no process of the run is left", markup=False)
            return 128 + self._signal
        return 0 if outcome is not None and outcome.complete else 1

    def _print_summary(self, outcome: Outcome) -> None:
        finished = sum(bool(played.standings) for played in outcome.played)
        records = sum(bool(played.record) for played in outcome.played)
        decisions = sum(played.decisions for played in outcome.played)
        speed = decisions / outcome.seconds if outcome.seconds else 0.0
        self.screen.print(
            f"{finished} of {outcome.scheduled} games in {outcome.seconds:.1f} s ({speed:.0f} decisions/s); "
            f"{records} records in {self.settings.records}",
            markup=False,
        )
        for problem in outcome.problems:
            self.screen.print(f"note: {problem}", markup=False)


def all_played(outcome: Outcome) -> bool:
    """Whether each game has its result and its record."""
    results = {played.game.number for played in outcome.played if played.standings and played.record}
    return len(results) == outcome.scheduled
