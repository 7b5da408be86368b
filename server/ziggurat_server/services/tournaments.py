"""TournamentService: events."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace
from typing import Any

from ziggurat.v1 import tournament_pb2 as pb
from ziggurat.v1 import tournament_pb2_grpc
from ziggurat_server import convert
from ziggurat_server.bots.ratings import Ratings
from ziggurat_server.bots.registry import Registry
from ziggurat_server.bots.values import Rating
from ziggurat_server.convert import events as convert_events
from ziggurat_server.errors import ServiceError
from ziggurat_server.matches.node import Node
from ziggurat_server.services.errors import guarded, guarded_stream, page_size
from ziggurat_server.services.tokens import token_hash
from ziggurat_server.tournaments import check
from ziggurat_server.tournaments.director import Director
from ziggurat_server.tournaments.errors import BadEvent
from ziggurat_server.tournaments.event import Entrant, EventSpec
from ziggurat_server.tournaments.events import EventLog
from ziggurat_server.tournaments.formats import FORMATS
from ziggurat_server.tournaments.log import EventEntry, EventHeader, Kind, State
from ziggurat_server.tournaments.state import EventState
from ziggurat_server.tournaments.statistics import report

ENTRIES_IN_A_MESSAGE = 256
LOOK_SECONDS = 2.0
"""A watcher's log is read again after so long: another node may take care of the event."""
KEY_BYTES = 16
MOST_RATED = 100
"""Events of which standings with ratings are kept."""


class Tournaments(tournament_pb2_grpc.TournamentServiceServicer):
    """Events."""

    def __init__(self, node: Node, director: Director, registry: Registry, ratings: Ratings) -> None:
        self._node = node
        self._registry = registry
        self._ratings = ratings
        self._director = director
        self._events = director.events
        self._rating = asyncio.Lock()
        self._rated: dict[str, tuple[int, pb.GetStandingsResponse]] = {}
        """By event: the length of its log, and standings with batch ratings then."""

    # Plans and creation

    @guarded
    async def PlanEvent(self, request: pb.PlanEventRequest, context: Any) -> pb.PlanEventResponse:
        """What would be played, as far as it is known before results."""
        spec = await asyncio.to_thread(check.resolve, convert_events.read_spec(request.spec))
        rounds, found = await asyncio.to_thread(check.plan_of, spec)
        return pb.PlanEventResponse(
            spec=convert_events.spec_message(spec, public=True),
            rounds=map(convert_events.round_message, rounds),
            audit=convert_events.audit_message(found),
        )

    @guarded
    async def CreateEvent(self, request: pb.CreateEventRequest, context: Any) -> pb.CreateEventResponse:
        """Create an event, or find it if it was created with the same content."""
        self._check_serving()
        event_id = request.event_id or f"event-{secrets.token_hex(6)}"
        check.check_event_id(event_id)
        if len(request.owner_token_sha256) != 32:
            raise BadEvent("owner_token_sha256", "the SHA-256 (32 bytes) of the owner's token is needed")
        spec = await asyncio.to_thread(check.resolve, convert_events.read_spec(request.spec))
        if await self._events.known(event_id) is None:  # else it is found, whatever became of the register
            spec = await self._entered(spec)
            _check_launch_key(spec, request.launch_key)
        chosen = spec.seed is not None
        header = EventHeader(
            event_id=event_id,
            spec=spec if chosen else replace(spec, seed=secrets.randbits(64)),
            owner_token_sha256=request.owner_token_sha256,
            launch_key=request.launch_key,
            created_ms=int(time.time() * 1000),
            rules_version=check.load_rules(spec).rules_version,
            seed_chosen=chosen,
            ratings=await self._ratings_of(spec),
        )
        event = await self._events.create(header)
        self._director.take_care(event)
        return pb.CreateEventResponse(event=self._message(event))

    async def _entered(self, spec: EventSpec) -> EventSpec:
        """An event with what the register knows of its bots."""
        bots = [await self._entrant(bot, f"bots[{n}]", spec.game) for n, bot in enumerate(spec.bots)]
        spec = replace(spec, bots=tuple(bots))
        check.check_bots(spec)
        return spec

    async def _entrant(self, bot: Entrant, field: str, game: str) -> Entrant:
        """A bot with what the register knows of it, if it is a registered one; nobody else may have its name."""
        found = await self._registry.find(bot.name)
        if not bot.registered:
            if found is not None and found.token_sha256 != bot.token_sha256:
                raise ServiceError(
                    "BOT_EXISTS",
                    f"{field}.name",
                    f"a bot is registered as {bot.name!r}: enter it as registered, or choose another name",
                )
            return bot
        if bot.token_sha256 or bot.version or bot.capacity:
            raise BadEvent(field, f"{bot.name} is registered: leave out its token, version and capacity")
        if found is None:
            raise ServiceError("UNKNOWN_BOT", f"{field}.name", f"no bot is registered as {bot.name!r}")
        if not found.plays(game):
            raise BadEvent(f"{field}.name", f"{bot.name} plays {', '.join(found.games)}, not {game}")
        return Entrant(bot.name, found.version, found.token_sha256, found.capacity, True)

    async def _ratings_of(self, spec: EventSpec) -> dict[str, Rating]:
        known = await self._ratings.read(spec.game)
        keys = {bot.name: (bot.name, bot.version) for bot in spec.bots}
        return {name: known[key] for name, key in keys.items() if key in known}

    def _check_serving(self) -> None:
        if self._node.stopping:
            raise ServiceError("STOPPING", "", "the server is stopping; connect again")

    # States

    def _message(self, event: EventLog) -> pb.Event:
        state, header = event.state, event.header
        return pb.Event(
            event_id=event.id,
            spec=convert_events.spec_message(header.spec, public=True, seed=state.over),
            state=int(state.state),  # type: ignore[arg-type]
            games_planned=_planned(state),
            games_finished=len(state.results),
            games_open=len(state.open),
            games_dropped=state.dropped,
            voids=state.voids,
            created_ms=header.created_ms,
            ended_ms=state.ended_ms,
            entries=state.length - 1,
            waiting_for=self._director.waiting_for(event.id),
            test=convert_events.test_message(state.test),
            rules_version=header.rules_version,
            reason=state.reason,
            ratings=convert_events.ratings_messages(header.ratings),
        )

    @guarded
    async def GetEvent(self, request: pb.GetEventRequest, context: Any) -> pb.GetEventResponse:
        """The state of an event."""
        return pb.GetEventResponse(event=self._message(await self._find(request.event_id)))

    async def _find(self, event_id: str) -> EventLog:
        check.check_event_id(event_id)
        return await self._events.find(event_id)

    @guarded
    async def ListEvents(self, request: pb.ListEventsRequest, context: Any) -> pb.ListEventsResponse:
        """Events that are open, then those that are over, the last one first."""
        limit = page_size(request.limit)
        found = []
        for event_id in await self._events.store.all_events(limit):
            try:
                found.append(self._message(await self._events.find(event_id)))
            except ServiceError as error:
                if error.reason not in ("UNKNOWN_EVENT", "ENGINE_FAULT"):
                    raise
        return pb.ListEventsResponse(events=found)

    @guarded_stream
    async def WatchEvent(self, request: pb.WatchEventRequest, context: Any) -> AsyncGenerator[bytes, None]:
        """The log of an event, to its end."""
        event = await self._find(request.event_id)
        position = request.from_entry
        news = asyncio.Event()
        unfollow = event.follow(news)
        try:
            while True:
                news.clear()
                chunk = event.entries[position : position + ENTRIES_IN_A_MESSAGE]
                if chunk:
                    yield _watch_message(event, position, chunk)
                    position += len(chunk)
                elif event.state.over:
                    return
                else:
                    await self._wait(event, news)
        finally:
            unfollow()

    async def _wait(self, event: EventLog, news: asyncio.Event) -> None:
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await news.wait()
        except TimeoutError:
            await event.catch_up()

    # Changes

    @guarded
    async def PauseEvent(self, request: pb.PauseEventRequest, context: Any) -> pb.PauseEventResponse:
        """Start no new games."""
        event = await self._owned(request.event_id, request.token)
        await event.append(_when(State.RUNNING, EventEntry(Kind.PAUSED)))
        return pb.PauseEventResponse(event=self._message(event))

    @guarded
    async def ResumeEvent(self, request: pb.ResumeEventRequest, context: Any) -> pb.ResumeEventResponse:
        """Go on after a pause."""
        event = await self._owned(request.event_id, request.token)
        await event.append(_when(State.PAUSED, EventEntry(Kind.RESUMED)))
        self._director.take_care(event)
        return pb.ResumeEventResponse(event=self._message(event))

    @guarded
    async def CancelEvent(self, request: pb.CancelEventRequest, context: Any) -> pb.CancelEventResponse:
        """End an event."""
        event = await self._owned(request.event_id, request.token)
        ending = EventEntry(Kind.ENDING, state=State.CANCELLED, reason=request.reason[:500] or "cancelled")
        await event.append(lambda state: () if state.ending else (ending,))
        self._director.take_care(event)
        return pb.CancelEventResponse(event=self._message(event))

    @guarded
    async def AddBot(self, request: pb.AddBotRequest, context: Any) -> pb.AddBotResponse:
        """Enter a bot late."""
        event = await self._owned(request.event_id, request.token)
        spec = event.header.spec
        entrant = await self._entrant(convert_events.read_entrant(request.bot), "bot", spec.game)
        if not FORMATS[spec.format.name].late:
            raise BadEvent("bot", f"no bot can join a {spec.format.name} once it has begun")

        def make(state: EventState) -> Sequence[EventEntry]:
            if state.ending:
                raise _over(state)
            if entrant.name in state.withdrawn:
                raise BadEvent("bot.name", f"{entrant.name!r} was withdrawn; enter it under another name")
            if state.entrants.get(entrant.name) == entrant:
                return ()
            tokens = {bot.token_sha256 for bot in state.entrants.values()}
            check.check_bot(spec, entrant, "bot", state.entrants.keys(), tokens)
            check.check_count(len(state.entrants) + 1)
            _check_launch_key(replace(spec, bots=(entrant,)), event.header.launch_key)
            return (EventEntry(Kind.ADDED, entrant=entrant),)

        await event.append(make)
        return pb.AddBotResponse(event=self._message(event))

    @guarded
    async def WithdrawBot(self, request: pb.WithdrawBotRequest, context: Any) -> pb.WithdrawBotResponse:
        """Take a bot out."""
        self._check_serving()
        event = await self._find(request.event_id)
        entrant = event.state.entrants.get(request.bot)
        if entrant is None:
            raise ServiceError("UNKNOWN_BOT", "bot", f"{request.bot!r} takes no part in {event.id!r}")
        given = token_hash(request.token)
        if not entrant.token_sha256 or not hmac.compare_digest(given, entrant.token_sha256):
            _check_owner(event, request.token)
        reason = request.reason[:500] or "withdrawn"

        def make(state: EventState) -> Sequence[EventEntry]:
            if state.ending:
                raise _over(state)
            gone = request.bot in state.withdrawn
            return () if gone else (EventEntry(Kind.WITHDRAWN, bot=request.bot, reason=reason),)

        await event.append(make)
        return pb.WithdrawBotResponse(event=self._message(event))

    async def _owned(self, event_id: str, token: bytes) -> EventLog:
        self._check_serving()
        event = await self._find(event_id)
        _check_owner(event, token)
        return event

    # Results

    @guarded
    async def GetStandings(self, request: pb.GetStandingsRequest, context: Any) -> pb.GetStandingsResponse:
        """Standings and statistics. Batch ratings take seconds: one is made at a time, and kept till there is news."""
        event = await self._find(request.event_id)
        if not request.ratings:
            return await self._standings(event, rated=False)
        async with self._rating:
            length, kept = self._rated.get(event.id, (0, pb.GetStandingsResponse()))
            if length != event.state.length:
                length = event.state.length
                kept = await self._standings(event, rated=True)
                self._rated[event.id] = length, kept
            while len(self._rated) > MOST_RATED:
                del self._rated[next(iter(self._rated))]
            return kept

    async def _standings(self, event: EventLog, rated: bool) -> pb.GetStandingsResponse:
        state = event.state
        spec = replace(event.header.spec, bots=tuple(state.entrants.values()))
        found = await asyncio.to_thread(
            report,
            spec,
            [drawn.round for drawn in state.rounds],
            state.ordered_results(),
            frozenset(state.withdrawn),
            live={bot: (rating.mu, rating.sigma) for bot, rating in event.header.ratings.items()},
            rated=rated,
            pending=state.pending_blocks(),
        )
        return convert_events.standings_message(found)

    @guarded
    async def ListResults(self, request: pb.ListResultsRequest, context: Any) -> pb.ListResultsResponse:
        """Results in the order in which they came."""
        event = await self._find(request.event_id)
        limit = page_size(request.limit)
        mine = self._seen_by(event, request.token)
        found = [pair for pair in event.state.result_entries if pair[0] > request.after_entry]
        page = found[:limit]
        return pb.ListResultsResponse(
            results=[convert_events.result_message(event.state.results[number], mine) for _, number in page],
            next_after_entry=page[-1][0] if len(found) > limit else 0,
            policy=convert.policy_message(event.header.spec.policy),
        )

    def _seen_by(self, event: EventLog, token: bytes) -> Callable[[str], bool]:
        """Whose choices a token lets see."""
        if not token:
            return lambda bot: False
        given = token_hash(token)
        if hmac.compare_digest(given, event.header.owner_token_sha256):
            return lambda bot: True
        own = {bot.name for bot in event.state.entrants.values() if bot.token_sha256 == given}
        own |= {bot for bot in event.state.entrants if event.launched_hash(bot) == given}
        if not own:
            raise ServiceError("BAD_TOKEN", "token", f"it is nobody's in event {event.id!r}")
        return own.__contains__


def _check_launch_key(spec: EventSpec, key: bytes) -> None:
    launched = [bot.name for bot in spec.bots if not bot.token_sha256]
    if launched and len(key) < KEY_BYTES:
        raise BadEvent(
            "launch_key",
            f"{launched[0]} has no token, so its runner launches it, and a key of {KEY_BYTES} bytes is needed",
        )


def _check_owner(event: EventLog, token: bytes) -> None:
    if not hmac.compare_digest(token_hash(token), event.header.owner_token_sha256):
        raise ServiceError("BAD_TOKEN", "token", f"it is not the token of the owner of event {event.id!r}")


def _over(state: EventState) -> ServiceError:
    return ServiceError("EVENT_OVER", "event_id", f"event {state.header.event_id!r} is over")


def _when(wanted: State, entry: EventEntry) -> Callable[[EventState], Sequence[EventEntry]]:
    """The entry, in this state alone; refused when the event is over."""

    def make(state: EventState) -> Sequence[EventEntry]:
        if state.ending:
            raise _over(state)
        return (entry,) if state.state == wanted else ()

    return make


def _planned(state: EventState) -> int:
    """Games known so far; of formats that do not wait for results all of them."""
    if state.ending:
        return len(state.games)
    return len(state.games) + state.games_to_draw()


def _watch_message(event: EventLog, first: int, entries: Sequence[EventEntry]) -> bytes:
    seed = event.header.spec.seed or 0
    public = [convert_events.public_entry(entry, seed) for entry in entries]
    return pb.WatchEventResponse(first_entry=first, entries=public).SerializeToString()
