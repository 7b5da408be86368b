"""Follows the log of an event: the same fold as the server's, and what it asks of bots and records."""

from __future__ import annotations

from ziggurat import AsyncClient
from ziggurat_server.convert import events as convert_events
from ziggurat_server.runner.bots import Bots
from ziggurat_server.runner.directory import RunDirectory
from ziggurat_server.runner.eventfile import BotSpec
from ziggurat_server.runner.progress import Progress
from ziggurat_server.runner.records import Records
from ziggurat_server.tournaments.log import EventEntry, Kind, match_id
from ziggurat_server.tournaments.state import EventState


class Follower:
    """One event being followed. Entries that are older than the run change the state and start nothing."""

    def __init__(
        self, run: RunDirectory, state: EventState, bots: Bots, records: Records, progress: Progress
    ) -> None:
        self._run = run
        self._state = state
        self._bots = bots
        self._records = records
        self._progress = progress
        self._live = False
        self._dropped: list[int] = []
        """Games that are not played and that nobody was told of yet."""
        self._dropped_by = ""

    async def follow(self, client: AsyncClient, specs: tuple[BotSpec, ...], known: int) -> int | None:
        """Follow it to its end; returns its seed. `known`: how many entries there are already."""
        for spec in specs:
            self._bots.know(spec)
        if not known:
            self._go_live()
        async for number, message in client.watch_event(self._state.header.event_id):
            self._take(convert_events.decode_event_entry(message.SerializeToString()))
            if not self._live and number + 1 >= known:
                self._go_live()
            if self._state.over:
                return message.seed if message.HasField("seed") else None
        return None

    def _go_live(self) -> None:
        """All that was there is known: from now on bots play."""
        self._live = True
        self._progress.begin()
        if self._state.over:
            return
        for name in self._state.active():
            self._bots.enter(name)
        for game in self._state.open.values():
            self._bots.game_started(self._state.match_id(game), game.seats)

    def _take(self, entry: EventEntry) -> None:
        self._state.fold(entry)
        self._records.note(entry)
        if entry.kind == Kind.ADDED and entry.entrant is not None:
            self._added(entry.entrant.name)
        elif entry.kind in (Kind.STARTED, Kind.RESULT, Kind.VOID, Kind.DROPPED):
            self._game(entry)
        if self._live:
            self._tell(entry)
        for name in self._state.withdrawn:
            if not self._state.busy[name]:
                self._bots.leave(name)

    def _added(self, name: str) -> None:
        spec = self._run.late_bot(name)
        if spec is not None:
            self._bots.know(spec, late=True)
            if self._live:
                self._bots.enter(name)

    def _game(self, entry: EventEntry) -> None:
        seats = self._state.games[entry.game].seats
        match = match_id(self._state.header.event_id, entry.game, entry.attempt)
        if entry.kind != Kind.STARTED:
            self._bots.game_over(match, seats)
        elif self._live:
            self._bots.game_started(match, seats)
        else:
            self._bots.played(seats)

    def _tell(self, entry: EventEntry) -> None:
        """What people should know of an entry; games that are dropped together are told in one line."""
        if self._dropped and (entry.kind != Kind.DROPPED or entry.reason != self._dropped_by):
            count, first = len(self._dropped), self._dropped[0]
            which = f"game {first} is" if count == 1 else f"{count} games, from game {first} on, are"
            self._progress.say(f"{which} not played: {self._dropped_by}")
            self._dropped.clear()
        if entry.kind == Kind.DROPPED:
            self._dropped.append(entry.game)
            self._dropped_by = entry.reason
        elif told := self._words(entry):
            self._progress.say(told)

    def _words(self, entry: EventEntry) -> str:
        match entry.kind:
            case Kind.VOID if not self._state.ending:
                return f"game {entry.game} ended without a result: {entry.reason}"
            case Kind.PAUSED:
                return f"paused; {self._run.resume_command} goes on"
            case Kind.RESUMED:
                return "goes on"
            case Kind.ENDING:
                return f"ends: {entry.reason}"
            case Kind.WITHDRAWN:
                return f"bot {entry.bot} is out: {entry.reason}"
            case Kind.ADDED if entry.entrant is not None:
                return f"bot {entry.entrant.name} is in"
        return ""
