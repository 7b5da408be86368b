"""A run from its first process to its last: server, bots, what the server tells of the event, records, result."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from ziggurat import AsyncClient, BadAddress, Event
from ziggurat_server.convert import events as convert_events
from ziggurat_server.runner.bots import Bots, Launch
from ziggurat_server.runner.calls import REACH_SECONDS, is_refusal, patiently, refused_as
from ziggurat_server.runner.directory import Place, RunDirectory
from ziggurat_server.runner.errors import BotNeverPlayed, TournamentError
from ziggurat_server.runner.eventfile import EventFile
from ziggurat_server.runner.exports import Summary, files, result_json, summarize
from ziggurat_server.runner.exports.words import lost_notes
from ziggurat_server.runner.files import write_whole
from ziggurat_server.runner.follow import Follower
from ziggurat_server.runner.outcome import empty_state, show_standings
from ziggurat_server.runner.processes import Child, Keepers
from ziggurat_server.runner.progress import Progress, say
from ziggurat_server.runner.records import Records
from ziggurat_server.runner.server import served
from ziggurat_server.tournaments.event import Memory
from ziggurat_server.tournaments.log import State
from ziggurat_server.tournaments.state import EventState

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOK_SECONDS = 0.1
ASK_SECONDS = 2.0


class Run:
    """Plays an event to its end, from wherever it is; `finish` does it and returns the exit code.

    `json`: a further place for the result. With `cancel` (the reason) the event is ended instead.
    """

    def __init__(
        self,
        run: RunDirectory,
        event: EventFile,
        screen: Console,
        *,
        json: Path | None = None,
        cancel: str = "",
    ) -> None:
        self.run = run
        self.event = event
        self.screen = screen
        self.state: EventState | None = None
        self.lost: dict[str, str] = {}
        self.records: Records | None = None
        self.seed: int | None = None
        self.json = json
        self._cancel = cancel
        self._signal = 0
        self._served = False
        self._leave = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def finish(self) -> int:
        """Run it. Raises TournamentError; no process of the run is left, whatever happens."""
        with self.run.lock() as mine:
            if not mine:
                raise TournamentError(f"{self.run.path}: another process is running it; stop that one first")
            failure: TournamentError | None = None
            with self._hard_signals():
                try:
                    with Keepers() as keepers:
                        self._play(keepers)
                except TournamentError as error:
                    failure = error
            return self._report(failure)

    def never_began(self, failure: TournamentError | None = None) -> bool:
        """Whether there is nothing to go on with: no server, no event at it, or no game and a bot that cannot play.

        At a server or in a store of others an event stays when a bot fails: it can be resumed or cancelled.
        """
        if not self._served:
            return True
        if self.state is None:
            return failure is not None and is_refusal(failure)
        played = self.state.results or self.state.open or self.state.voids
        return isinstance(failure, BotNeverPlayed) and self.run.place == Place() and not played

    # Signals

    def _play(self, keepers: Keepers) -> None:
        try:
            with asyncio.Runner() as runner:
                runner.run(self._main(keepers))
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

    def _stop(self, number: int) -> None:
        """Games in play are left as they are in the store of an own server; at another they are let end."""
        if self._signal:
            os._exit(128 + number)  # the guard ends what is left of the run
        self._signal = number
        if self.run.place.server and self.state is not None:
            self._leave.set()
        elif self._task is not None:
            self._task.cancel()

    # Playing

    async def _main(self, keepers: Keepers) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self._stop, number)
        async with served(self.run, keepers) as (server, address):
            self._served = True
            try:
                client = AsyncClient(address)
            except BadAddress as error:
                raise TournamentError(f"--server: {error}") from None
            async with client:
                event = await self._create(client)
                self.state = empty_state(event)
                self._tell_where(event, address)
                await self._follow(client, keepers, server, event.entries)

    def _tell_where(self, event: Event, address: str) -> None:
        """Bots that are not launched have to know where to connect."""
        names = [bot.name for bot in (*self.event.bots, *self.run.late_bots()) if not bot.command]
        if names and int(event.state) not in (State.FINISHED, State.CANCELLED):
            self._say(f"{address} is where to connect: {', '.join(names)}")

    async def _create(self, client: AsyncClient) -> Event:
        """Create the event, or find it: the call may be repeated."""
        spec = convert_events.spec_message(self.event.spec)
        run, key = self.run, self.run.key
        if run.created_ms:
            await self._check_known(client)
        event: Event = await patiently(
            lambda: client.create_event(spec, run.owner, event_id=self.event.id, launch_key=key),
            REACH_SECONDS,
        )
        if not run.created_ms:
            run.note_created(event.created_ms)
        if self._cancel:
            event = await patiently(lambda: client.cancel_event(self.event.id, run.owner, self._cancel))
        elif int(event.state) == State.PAUSED:
            event = await patiently(lambda: client.resume_event(self.event.id, run.owner))
        return event

    async def _check_known(self, client: AsyncClient) -> None:
        """Refuse to begin an event anew whose store is gone: its games would be played twice, with other deals."""
        try:
            event: Event = await patiently(lambda: client.get_event(self.event.id), REACH_SECONDS)
            known = event.created_ms == self.run.created_ms
        except TournamentError as error:
            if not refused_as(error, "UNKNOWN_EVENT"):
                raise
            known = False
        if not known:
            place = self.run.place
            where = place.server or (
                "its Redis" if place.redis else self.run.store
            )  # the URL may hold a password
            raise TournamentError(
                f"{where}: event {self.event.id!r} had begun there and is gone: put it back, or begin another event "
                f"with `ziggurat tournament run {self.run.event_file} --id NAME`"
            )

    async def _follow(self, client: AsyncClient, keepers: Keepers, server: Child | None, known: int) -> None:
        assert self.state is not None
        launch = Launch(
            key=self.run.key,
            address=client.address,
            logs=self.run.logs,
            directory=self.run.bots_directory,
            keepers=keepers,
            fresh=self.event.memory == Memory.PROCESS,
        )
        with Progress(self.screen, self.state) as progress:
            bots = Bots(launch, progress.say)
            records = Records(client, self.run, self.state)
            self.lost, self.records = bots.lost, records
            follower = Follower(self.run, self.state, bots, records, progress)
            try:
                async with asyncio.TaskGroup() as tasks:
                    helpers = [
                        tasks.create_task(self._watch_processes(server, bots, progress)),
                        tasks.create_task(self._take_out(client, bots)),
                        tasks.create_task(records.fetch()),
                        tasks.create_task(self._ask(client, progress)),
                        tasks.create_task(self._wait_to_leave(client, progress)),
                    ]
                    self.seed = await follower.follow(client, self.event.bots, known)
                    for helper in helpers:
                        helper.cancel()
            except BaseExceptionGroup as group:
                raise _first_of(group) from None
            await bots.stop()
            await records.finish()

    async def _watch_processes(self, server: Child | None, bots: Bots, progress: Progress) -> None:
        while True:
            if server is not None and server.poll() is not None:
                raise TournamentError(f"the server {server.how_it_ended()}\nits log is {server.output}")
            bots.look()
            progress.tick()
            self._leave_if_done()
            await asyncio.sleep(LOOK_SECONDS)

    async def _take_out(self, client: AsyncClient, bots: Bots) -> None:
        """Withdraw bots that are given up: nobody waits for them, and no game is played without its bots."""
        while True:
            while bots.given_up:
                await self._withdraw(client, bots.given_up.pop(0), bots)
            await asyncio.sleep(LOOK_SECONDS)

    async def _withdraw(self, client: AsyncClient, name: str, bots: Bots) -> None:
        event_id, owner, why = self.event.id, self.run.owner, bots.lost[name]
        try:
            await patiently(lambda: client.withdraw_bot(event_id, owner, name, why))
        except TournamentError as error:
            if not is_refusal(error):  # else the event has ended meanwhile
                raise

    async def _ask(self, client: AsyncClient, progress: Progress) -> None:
        """Keep up with what the log does not tell: bots are waited for that were so the last time, too."""
        before: set[str] = set()
        while True:
            event: Event = await patiently(lambda: client.get_event(self.event.id))
            progress.planned = event.games_planned
            progress.waiting_for = tuple(name for name in event.waiting_for if name in before)
            before = set(event.waiting_for)
            await asyncio.sleep(ASK_SECONDS)

    async def _wait_to_leave(self, client: AsyncClient, progress: Progress) -> None:
        """Told to stop, pause the event and let the games in play end: the server goes on without us."""
        await self._leave.wait()
        assert self.state is not None
        try:
            await patiently(lambda: client.pause_event(self.event.id, self.run.owner))
        except TournamentError as error:
            if not is_refusal(error):
                raise
            return  # the event has ended meanwhile, or is about to
        progress.say(
            f"paused; {len(self.state.open)} games in play are let end; a second signal ends the run"
        )

    def _leave_if_done(self) -> None:
        assert self.state is not None and self._task is not None
        if self._leave.is_set() and self.state.state == State.PAUSED and not self.state.open:
            self._task.cancel()

    # The end

    def _report(self, failure: TournamentError | None) -> int:
        """Print standings and write the exports, as far as the event has come."""
        state, records = self.state, self.records
        if state is not None and records is not None and not (failure and self.never_began(failure)):
            found = summarize(state, self.seed, records.commitments, self.lost)
            self._write(found)
            if found.games:
                self._show(found, records)
        if failure is not None:
            raise failure
        if self._signal:
            name = signal.Signals(self._signal).name
            how = f"go on with {self.run.resume_command}" if self._served else "nothing had begun"
            self._say(f"stopped by {name}; {how}")
            return 128 + self._signal
        assert state is not None and records is not None
        if self._cancel:
            return 0
        return 0 if state.state == State.FINISHED and not self.lost and not records.missing else 1

    def _write(self, found: Summary) -> None:
        files.write_exports(self.run.path, found)
        if self.json is not None:
            write_whole(self.json, result_json(found).encode())
        event = found.event
        if event.state in (State.FINISHED, State.CANCELLED):
            if self.seed is not None and self.event.seed is None:
                self.run.write_event(replace(self.event, seed=self.seed))
            self.run.note_end(f"{event.state.name.lower()}: {event.reason}")

    def _show(self, found: Summary, records: Records) -> None:
        event = found.event
        show_standings(self.screen, found, self.lost)
        dropped = f", {event.dropped} not played" if event.dropped else ""
        self._say(f"{len(found.games)} games{dropped}; {records.count} records in {self.run.records}")
        self._say(f"report: {self.run.path / 'report.html'}")
        if event.reason:
            self._say(f"{event.state.name.lower()}: {event.reason}")
        for note in lost_notes(event):
            self._say(f"note: bot {note}")
        for match in records.missing:
            self._say(f"note: there is no record of {match}")

    def _say(self, text: str) -> None:
        say(self.screen, text)


def play_new(directory: RunDirectory, screen: Console, json: Path | None = None) -> int:
    """Play the event of a new directory; of a run that never began nothing is left. Raises TournamentError."""
    run = Run(directory, directory.read_event(), screen, json=json)
    try:
        code = run.finish()
    except TournamentError as error:
        if not run.never_began(error):
            raise
        directory.discard()
        if not isinstance(error, BotNeverPlayed):
            raise
        for line in error.said:
            say(screen, f"{error.bot}: {line}")
        raise TournamentError(error.what) from None
    if code and run.state is None and run.never_began():
        directory.discard()
    return code


def _first_of(group: BaseException) -> BaseException:
    """One cause of many."""
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group
