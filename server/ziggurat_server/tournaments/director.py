"""The director: does what the log of an event asks for next, on whichever node takes care of it.

Two nodes may take care of one event at a time: what they append is fenced, and all else they do is the same twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import structlog

from ziggurat_server.bots.ratings import Ratings
from ziggurat_server.bots.registry import Registry
from ziggurat_server.errors import ServiceError, StoreUnavailable
from ziggurat_server.log import Cause, EventGame, Header, SeatSpec
from ziggurat_server.matches.live import FINISHED, WAITING, LiveMatch, commitment_of, deal_of
from ziggurat_server.matches.node import Node
from ziggurat_server.matches.session import Session
from ziggurat_server.tasks import end
from ziggurat_server.tournaments.check import load_rules
from ziggurat_server.tournaments.event import Entrant, Memory
from ziggurat_server.tournaments.events import CARE_SECONDS, EventLog, Events, in_ms
from ziggurat_server.tournaments.log import EventEntry, Kind, State, event_of
from ziggurat_server.tournaments.results import GameResult, Round, seat_results
from ziggurat_server.tournaments.state import EventState, Game
from ziggurat_server.tournaments.statistics.sprt import deals_in_words
from ziggurat_server.tournaments.tokens import token_hash
from ziggurat_server.tournaments.turns import held_up, startable, started

log = structlog.get_logger()

MOST_FAULTS = 100
"""Faults of a game that are kept with its result; its record has them all."""
TURN_SECONDS = 1.0
"""At least so often it is looked whether there is something to do."""


class Direction:
    """One event being taken care of."""

    def __init__(self, node: Node, registry: Registry, ratings: Ratings, event: EventLog) -> None:
        self._node = node
        self._registry = registry
        self._ratings = ratings
        self._store = node.store
        self._event = event
        self._news = asyncio.Event()
        self._absent_since: dict[str, float] = {}
        self._sealed: set[int] = set()
        self._made: dict[int, str] = {}
        """Matches of open games that are known to be made, with all that leads bots to them."""
        self._peeked: tuple[object, Round | None] = (None, None)
        self._seen: tuple[set[str], Counter[str]] = set(), Counter()
        """Bots that were away, and games of bots elsewhere, when games were last to be started."""
        self._looked = 0.0
        self.waiting_for: tuple[str, ...] = ()
        """Bots that games wait for."""

    @property
    def state(self) -> EventState:
        """The event's state."""
        return self._event.state

    def stir(self) -> None:
        """Look soon whether there is something to do."""
        self._news.set()

    async def run(self) -> None:
        """Take care of the event until it is over. Raises ServiceError if this node cannot."""
        header = self.state.header
        played, known = header.rules_version, load_rules(header.spec).rules_version
        if played != known:
            raise ServiceError(
                "RULES_VERSION",
                "event_id",
                f"{self._event.id!r} is played by rules {played}, here are {known}",
            )
        unfollow = self._event.follow(self._news)
        try:
            await self._look()
            self._sealed = self.state.begun_deals()  # or opened, by a node that died
            while not self.state.over:
                await self._turn()
                await self._pause()
            await self._store.event_closed(self._event.id)
        finally:
            unfollow()

    async def _pause(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TURN_SECONDS):  # wait_for of Python 3.11 may swallow a cancellation
                await self._news.wait()
        self._news.clear()
        if time.monotonic() - self._looked > TURN_SECONDS:
            await self._look()

    async def _look(self) -> None:
        """Say that the event is taken care of, and read what other nodes appended."""
        self._looked = time.monotonic()
        await self._store.note_event(self._event.id, in_ms(CARE_SECONDS))
        await self._event.catch_up()

    async def _turn(self) -> None:
        for game in list(self.state.open.values()):
            if game.number in self.state.open:
                await self._tend(game)
        await self._event.append(_drop_unplayable)
        await self._event.append(_verdict)
        await self._unseal()
        if self.state.played_out:
            await self._close()
        await self._draw()
        await self._start()

    # Rounds and deals

    async def _draw(self) -> None:
        """Draw rounds until there are games enough, or none can be drawn now; end an event that has no more."""
        away, elsewhere = self._seen
        while len(self.state.due) < self.state.header.spec.concurrency or held_up(
            self.state, away, elsewhere, self._peek
        ):
            if not await self._event.append(self._next_round):
                return

    def _next_round(self, state: EventState) -> Sequence[EventEntry]:
        """The next round, or the end if there is none."""
        if state.state != State.RUNNING or state.waits_for_results:
            return ()
        drawn = self._peek()
        if drawn is not None:
            return (EventEntry(Kind.ROUND, round=drawn),)
        if state.due or state.open:
            return ()
        return (EventEntry(Kind.ENDING, state=State.FINISHED, reason="all games are over"),)

    def _peek(self) -> Round | None:
        """The next round, drawn once; None if there is none, or none that could be drawn before more results."""
        if self.state.waits_for_results:
            return None
        key = (len(self.state.rounds), self.state.active())
        if self._peeked[0] != key:
            self._peeked = (key, self.state.next_round())
        return self._peeked[1]

    async def _seal(self, games: Iterable[Game]) -> None:
        """Keep the deals of games closed before the first of them is started."""
        deals = {self.state.deal(game) for game in games} - self._sealed
        hashes = {self._deal_hash(self.state.deal_seed(deal)): deal for deal in deals}
        await self._store.event_deals(self._event.id, hashes, {})
        self._sealed |= deals

    async def _unseal(self) -> None:
        """Open the deals of which no game will be played any more."""
        # Another node may have sealed those of games in play.
        self._sealed |= {self.state.deal(game) for game in self.state.open.values()}
        over = {deal for deal in self._sealed if self.state.deal_is_over(deal)}
        hashes = {self._deal_hash(self.state.deal_seed(deal)): deal for deal in over}
        await self._store.event_deals(self._event.id, {}, hashes)
        self._sealed -= over

    def _deal_hash(self, seed: int) -> bytes:
        return deal_of(self.state.header.spec.game, seed)

    # Games

    async def _start(self) -> None:
        """Start games, as many as concurrency, capacities and connections allow."""
        if self.state.state != State.RUNNING or not self.state.due or not self.state.room:
            self.waiting_for = ()
            return
        self._seen = away, elsewhere = await self._away(), await self._elsewhere()
        blocked: set[str] = set()
        ready = list(startable(self.state, away, elsewhere, blocked))
        self.waiting_for = tuple(sorted(blocked))
        ready = [game for game in ready if await self._has_places(game)]
        if not ready:
            return
        await self._seal(ready)
        numbers = {game.number: game.attempt for game in ready}
        for entry in await self._event.append(lambda state: started(state, away, elsewhere, numbers)):
            await self._tend(self.state.games[entry.game])

    def _counted(self, names: Iterable[str]) -> dict[bytes, Entrant]:
        """By token (hash): those of the bots that have a capacity and may play elsewhere."""
        bots = (self.state.entrants[name] for name in names)
        return {bot.token_sha256: bot for bot in bots if bot.capacity and bot.token_sha256}

    async def _elsewhere(self) -> Counter[str]:
        """By bot that has a capacity: its open matches that are not of this event."""
        counted = self._counted(self.state.entrants)
        held = await self._store.bots.open_matches(counted)
        mine = self._event.id
        return Counter(
            {counted[token].name: sum(event_of(m) != mine for m in found) for token, found in held.items()}
        )

    async def _has_places(self, game: Game) -> bool:
        """Take the places of a game's bots, lest another event or match take more than there are at the same time."""
        counted, match_id = self._counted(game.seats), self.state.match_id(game)
        if not counted:
            return True
        await self._node.announce(match_id)
        _, full = await self._registry.take_places(match_id, counted.values())
        return full is None

    async def _away(self) -> set[str]:
        """Bots that have no connection, and have not been missed for so long that games go on without them."""
        if self.state.header.spec.memory == Memory.PROCESS:
            return set()  # each process comes for its own game
        tokens = {name: self._token_hash(name) for name, games in self.state.wanted.items() if games}
        here = await self._node.connections.connected(tokens.values())
        now = time.monotonic()
        for name, token in tokens.items():
            if token in here:
                self._absent_since.pop(name, None)
            else:
                self._absent_since.setdefault(name, now)
        return {name for name in self._absent_since if not self._is_missed(name)}

    def _is_missed(self, name: str) -> bool:
        """Whether a bot has been away for so long that nobody waits for it any more."""
        patience = self.state.header.spec.policy.ready_ms / 1000
        return time.monotonic() - self._absent_since.get(name, math.inf) >= patience

    def _token_hash(self, bot: str, match_id: str = "") -> bytes:
        return token_hash(self.state.header, bot, self.state.entrants[bot].token_sha256, match_id)

    async def _tend(self, game: Game) -> None:
        """See that an open game has its match and waits for nobody who will not come; take down what came of it."""
        game = replace(game)  # this try: another node may go on to the next meanwhile
        try:
            session = await self._session_of(game)
        except StoreUnavailable:
            raise
        except ServiceError as error:  # this game's, and no other's
            cause = Cause.SERVER
            if error.reason == "ENGINE_FAULT":
                cause = Cause.ENGINE_FAULT
                await self._node.void(self.state.match_id(game), cause, error.message)
            await self._take_down(game, _void(game, cause, str(error)))
            return
        if self.state.ending:
            await self._node.abort(session, "the event has ended")
        if session.live.over:
            await self._node.settled(session.live)
            await self._take_down(game, self._outcome(game, session.live))
        elif session.live.state == WAITING:
            await self._stand_in(game, session)

    async def _session_of(self, game: Game) -> Session:
        match_id = self.state.match_id(game)
        if self._made.get(game.number) != match_id:  # also one whose creation was broken off
            await self._node.create(self._header(game, match_id))
            self._made[game.number] = match_id
        return await self._node.session(match_id)

    async def _stand_in(self, game: Game, session: Session) -> None:
        """Say ready for bots that were missed for long, and halfway through its patience for all that are not.

        A bot has seen its hand by then: it must not be able to void games that it does not like.
        """
        header, seats = session.live.header, session.live.seats
        late = time.time() * 1000 > header.created_ms + header.policy.ready_ms / 2
        wanted = {
            seat: seats[seat].token_sha256
            for seat, name in enumerate(game.seats)
            if not seats[seat].ready and (late or self._is_missed(name))
        }
        here = await self._node.connections.connected(wanted.values()) if wanted else set()
        for seat, token in wanted.items():
            missed = token not in here and self._is_missed(game.seats[seat])
            if late or missed:
                await self._node.stand_in(session, seat, missed)

    def _header(self, game: Game, match_id: str) -> Header:
        spec = self.state.header.spec
        seed = self.state.deal_seed(self.state.deal(game))
        salt = secrets.token_bytes(16)
        return Header(
            match_id=match_id,
            game=spec.game,
            rules_version=self.state.header.rules_version,
            options=spec.options,
            packs=spec.packs,
            seed=seed,
            salt=salt,
            commitment=commitment_of(seed, salt),
            seed_chosen=self.state.header.seed_chosen,
            seats=tuple(SeatSpec(bot, self._token_hash(bot, match_id)) for bot in game.seats),
            policy=spec.policy,
            created_ms=int(time.time() * 1000),
            durability=self._store.durability,
            owner_token_sha256=self.state.header.owner_token_sha256,
            event=EventGame(self._event.id, game.number, game.round, game.table, game.rotation, game.attempt),
        )

    def _outcome(self, game: Game, live: LiveMatch) -> EventEntry:
        if live.state != FINISHED:
            return _void(game, live.void_cause, live.void_reason or "no reason given")
        result = GameResult(
            game.number,
            game.round,
            game.table,
            game.rotation,
            seat_results(game.seats, live.standings, live.evidence.counts),
            live.id,
            game.attempt,
            live.rules.answers,
            tuple(live.evidence.faults[:MOST_FAULTS]),
        )
        return EventEntry(Kind.RESULT, game=game.number, attempt=game.attempt, result=result)

    async def _take_down(self, game: Game, entry: EventEntry) -> None:
        attempt, tries = game.attempt, self.state.header.spec.tries

        def make(state: EventState) -> Sequence[EventEntry]:
            if game.number not in state.open or state.open[game.number].attempt != attempt:
                return ()
            if entry.kind == Kind.VOID and attempt + 1 >= tries and not state.ending:
                reason = f"no result after {tries} tries; the last one: {entry.reason}"
                return (entry, EventEntry(Kind.DROPPED, game=game.number, reason=reason))
            return (entry,)

        await self._event.append(make)
        self._made.pop(game.number, None)

    # The end

    async def _close(self) -> None:
        """Do what the end of an event asks for: open its deals, keep its ratings. Then it is over."""
        if self.state.results:
            await self._ratings.update(self.state.header.spec.game, self._event.id, self.state.rated)
        await self._event.append(_closed)


class Director:
    """Takes care of all open events that no other node takes care of."""

    def __init__(self, node: Node, events: Events, registry: Registry, ratings: Ratings) -> None:
        self.events = events
        self._registry = registry
        self._ratings = ratings
        self._node = node
        self._directions: dict[str, Direction] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    def start(self, alone: bool) -> None:
        """Begin; if this node is `alone` at its store, with all open events at once."""
        self._node.match_over = self._match_over
        self._sweeper = asyncio.create_task(self._sweep(alone), name="director")

    async def stop(self) -> None:
        """Leave all events to other nodes, or to a later start."""
        tasks = [*self._tasks.values()]
        if self._sweeper is not None:
            tasks.append(self._sweeper)
        await end(tasks)

    def take_care(self, event: EventLog) -> None:
        """Take care of an event from now on."""
        if event.id in self._tasks or event.state.over:
            return
        direction = self._directions[event.id] = Direction(self._node, self._registry, self._ratings, event)
        task = self._tasks[event.id] = asyncio.create_task(direction.run(), name=f"event {event.id}")
        task.add_done_callback(lambda done: self._ended(event.id, done))

    def waiting_for(self, event_id: str) -> tuple[str, ...]:
        """Bots that an event's games wait for, as far as this node knows."""
        direction = self._directions.get(event_id)
        return direction.waiting_for if direction is not None else ()

    def _ended(self, event_id: str, task: asyncio.Task[None]) -> None:
        self._directions.pop(event_id, None)
        self._tasks.pop(event_id, None)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, ServiceError):
            log.warning("the event goes on later", event_id=event_id, error=str(error))
        else:
            log.error("event failed; it is tried again", event_id=event_id, exc_info=error)

    def _match_over(self, live: LiveMatch) -> None:
        game = live.header.event
        if game is not None and game.event_id in self._directions:
            self._directions[game.event_id].stir()

    async def _sweep(self, alone: bool) -> None:
        until = in_ms(CARE_SECONDS if alone else 0.0)
        while True:
            try:
                for event_id in await self.events.store.events_due(until):
                    await self._adopt(event_id)
            except StoreUnavailable:
                pass
            await asyncio.sleep(TURN_SECONDS)
            until = in_ms(0.0)

    async def _adopt(self, event_id: str) -> None:
        store = self.events.store
        await store.note_event(event_id, in_ms(CARE_SECONDS))
        try:
            event = await self.events.find(event_id)
        except StoreUnavailable:
            raise
        except ServiceError as error:
            if error.reason == "UNKNOWN_EVENT":  # its creation was broken off
                await store.event_forgotten(event_id)
            return
        if event.state.over:
            await store.event_closed(event_id)
        self.take_care(event)


def _void(game: Game, cause: Cause, reason: str) -> EventEntry:
    return EventEntry(Kind.VOID, game=game.number, attempt=game.attempt, cause=cause, reason=reason)


# What follows from a state


def _drop_unplayable(state: EventState) -> Sequence[EventEntry]:
    """Games with a bot that was taken out are not played."""
    return [
        EventEntry(Kind.DROPPED, game=game.number, reason="a bot was withdrawn")
        for game in state.unplayable()
    ]


def _verdict(state: EventState) -> Sequence[EventEntry]:
    """The end, if the sequential test has come to one."""
    rule, test = state.header.spec.stop, state.test
    if state.ending or rule is None or test is None or not test.verdict:
        return ()
    reason = f"{rule.candidate} is {test.verdict} than {rule.baseline}, by {deals_in_words(state.header.spec, test)}"
    return (EventEntry(Kind.ENDING, state=State.FINISHED, reason=reason),)


def _closed(state: EventState) -> Sequence[EventEntry]:
    """The end, when no game is left in play."""
    if state.over or not state.played_out:
        return ()
    return (EventEntry(Kind.CLOSED, state=state.ends_as, reason=state.reason),)
