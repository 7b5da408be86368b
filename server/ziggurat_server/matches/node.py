"""The node: serves matches from their logs. Any node can serve any match; none owns one.

Order of a move: judge it (no apply), append it, apply what the store confirmed, then verdict, updates and decisions.
What does that: Answers judges, or Substitutes answers for a seat; Appender appends and applies; Recovery reads what
other nodes appended. Memory holds the matches, Ticker and Sweeper look after them, Connections knows who is here.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence

import structlog

from ziggurat_server import convert
from ziggurat_server.errors import ServiceError, StoreUnavailable
from ziggurat_server.log import Cause, Entry, Header, Kind
from ziggurat_server.matches.answers import Answers
from ziggurat_server.matches.appending import Appender
from ziggurat_server.matches.clock import LOOK_SECONDS
from ziggurat_server.matches.connections import Connections
from ziggurat_server.matches.live import PLAYING, LiveMatch, deal_of
from ziggurat_server.matches.memory import Memory
from ziggurat_server.matches.recovery import Recovery
from ziggurat_server.matches.session import Session, Submission
from ziggurat_server.matches.substitutes import Substitutes
from ziggurat_server.matches.sweeping import Sweeper
from ziggurat_server.matches.ticking import Ticker
from ziggurat_server.matches.void import make_void
from ziggurat_server.sessions.store import Store
from ziggurat_server.tasks import Tasks

log = structlog.get_logger()

NODE_GONE_SECONDS = 15.0
STOP_SECONDS = 10.0
"""So long appends in flight may take when the node stops."""


class Node:
    """Serves matches. All methods run in one event loop."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.id = secrets.token_hex(8)
        self.stopping = False
        """Once it is set, callers give no new answers and create no matches."""
        self.match_over: Callable[[LiveMatch], None] = lambda _: None
        """Told of each match that ends, or that is not served here any more."""
        self._tasks = Tasks()
        self.connections = Connections(store, self._tasks)
        self.memory = Memory(store, self._see_to, self._lost)
        recovery = self._recovery = Recovery(store, self._tasks, self.memory, self._see_to)
        appender = self._appender = Appender(store, self.memory, recovery, self._see_to)
        substitutes = self._substitutes = Substitutes(store, self._tasks, appender)
        self.answers = Answers(appender, substitutes)
        self._sweeper = Sweeper(store, self._tasks, self.memory, recovery)
        self._ticker = Ticker(store, self.memory, recovery, appender, substitutes, self._beat)

    # Life

    async def start(self) -> None:
        """Begin to look after matches."""
        await self._beat()
        self._tasks.spawn(self._ticker.run(), "ticker")
        self._tasks.spawn(self._sweeper.run(), "sweeper")
        self._tasks.spawn(self.store.wakes(self._heard), "wakes")

    async def stop(self) -> None:
        """Finish the appends in flight, then stop. New answers are refused before."""
        self.stopping = True
        deadline = time.monotonic() + STOP_SECONDS
        while any(s.in_flight or s.queue for s in self.memory.sessions.values()):
            if time.monotonic() > deadline:
                break
            await asyncio.sleep(0.005)
        await self._tasks.end()
        try:
            await self.store.node_gone(self.id)
            await self.connections.all_leave()
        except StoreUnavailable:
            log.warning("store away at stop")
        await self.store.close()

    async def _beat(self) -> None:
        """Say that this node lives, and who is connected to it."""
        try:
            self.store.wake_others = await self.store.node_alive(self.id, NODE_GONE_SECONDS) > 1
            await self.connections.beat()
        except StoreUnavailable:
            return

    def _heard(self, text: str) -> None:
        """News of some node, perhaps this one."""
        what, _, rest = text.partition(" ")
        if what == "token:":
            self.connections.heard(bytes.fromhex(rest))
        else:
            self._recovery.heard(what, rest)

    # Matches

    async def create(self, header: Header) -> LiveMatch:
        """Create a match, or find it again if it was created with the same content (MATCH_EXISTS if with other)."""
        await self.announce(header.match_id)
        deal = deal_of(header.game, header.seed)
        await self.store.deal_opened(deal, header.match_id)
        standing = convert.decode_header(
            await self.store.create(header.match_id, convert.encode_header(header))
        )
        if deal_of(standing.game, standing.seed) != deal:
            await self.store.closed_deal(deal, header.match_id)
        if not _same_content(standing, header):
            raise ServiceError(
                "MATCH_EXISTS",
                "match_id",
                f"{header.match_id!r} exists with other content; choose another id",
            )
        session = await self.memory.find_new(header.match_id)
        await self._note_seats(session, [seat.token_sha256 for seat in standing.seats if seat.token_sha256])
        return session.live

    async def announce(self, match_id: str) -> None:
        """Say that a match is about to be; if it never is, the hints about it are dropped some seconds later."""
        await self.store.note_due([match_id], int((time.time() + LOOK_SECONDS) * 1000))

    async def session(self, match_id: str) -> Session:
        """A match as it is now. Raises UNKNOWN_MATCH or ENGINE_FAULT."""
        while True:
            session = await self.memory.find(match_id)
            await self._recovery.refresh(session)
            if self.memory.sessions.get(match_id) is session:
                return session

    async def look(self, match_id: str) -> None:
        """Read again the tail of a match that is in memory."""
        session = self.memory.sessions.get(match_id)
        if session is not None:
            await self._recovery.look(session)

    def note(self, session: Session, entry: Entry) -> None:
        """Append something that is no answer (ready, void)."""
        self._appender.submit(session, Submission(entry))

    async def join(self, session: Session, seat: int, name: str, token_sha256: bytes, ready: bool) -> None:
        """Take an open seat; taking it again with the same token is fine. Raises SEAT_TAKEN."""
        live = session.live
        if not 0 <= seat < len(live.seats):
            raise ServiceError("NO_SUCH_SEAT", "seat", f"seats are 0 to {len(live.seats) - 1}, not {seat}")
        if not live.seats[seat].token_sha256:
            if live.over:
                raise ServiceError("MATCH_OVER", "match_id", "the match is over")
            joined = Entry(Kind.JOINED, seat, name=name, token_sha256=token_sha256)
            await self._appender.append(session, joined)
        if session.live.seats[seat].token_sha256 != token_sha256:
            raise ServiceError(
                "SEAT_TAKEN", "seat", f"seat {seat} is taken by {session.live.seats[seat].name!r}"
            )
        await self._note_seats(session, [token_sha256])
        if ready and not session.live.seats[seat].ready:
            await self._appender.append(session, Entry(Kind.READY, seat))

    async def _note_seats(self, session: Session, token_hashes: Sequence[bytes]) -> None:
        """Let the streams of tokens know of their seats; a match that is over leaves nothing noted."""
        if not session.live.over:
            await self.store.seat_taken(session.live.id, token_hashes)
            for token_hash in token_hashes:
                self.connections.got_seat(token_hash, session.live.id)
        if session.live.over:
            self._sweeper.clear(session.live)

    async def stand_in(self, session: Session, seat: int, missed: bool) -> None:
        """Say ready for a seat. If it was `missed` for long its time of grace is over, too."""
        await self._appender.append(session, Entry(Kind.READY, seat))
        if missed and not session.present.get(seat):  # it has not come meanwhile
            session.absence(seat).use_up(session.live.header.policy)

    async def abort(self, session: Session, reason: str) -> None:
        """End a match without a result."""
        if not session.live.over:
            void = Entry(Kind.VOID, cause=Cause.ABORTED, note=reason or "aborted")
            await self._appender.append(session, void)

    async def void(self, match_id: str, cause: Cause, note: str) -> None:
        """End a match without a result, though it may not be replayed here; one that is over stays as it is.

        Raises UNKNOWN_MATCH or STORE_UNAVAILABLE.
        """
        await make_void(self.store, match_id, cause, note)
        self.memory.faulty.discard(match_id)
        await self.look(match_id)

    async def settled(self, live: LiveMatch) -> None:
        """Wait until the hints about a match that is over, and others of its deal that ended here, are dropped."""
        await self._sweeper.cleared(live)

    # What a match needs that no client asks for

    def _lost(self, live: LiveMatch) -> None:
        self.match_over(live)

    def _see_to(self, session: Session) -> None:
        """See to what a match needs that was loaded, or in which something has happened, and append what waits."""
        live = session.live
        if not live.over:
            self._play_on(session)
        elif not session.ended:
            session.ended = True
            self.match_over(live)
            self._sweeper.clear(live)
        self._appender.go_on(session)

    def _play_on(self, session: Session) -> None:
        live = session.live
        if live.rules.over and live.state == PLAYING and not session.has(Kind.CLOSE):
            self.note(session, Entry(Kind.CLOSE, state_hash=live.state_hash(), standings=live.result()))
        elif live.rules.answers >= live.game.max_decisions and not session.has(Kind.VOID):
            note = f"more than {live.game.max_decisions} decisions"
            self.note(session, Entry(Kind.VOID, cause=Cause.CAPPED, note=note))
        elif live.state == PLAYING:
            self._substitutes.at_once(session)


def _same_content(a: Header, b: Header) -> bool:
    """Whether a repeated creation asks for the same match (a drawn seed and salt may differ)."""
    same_seed = a.seed == b.seed if a.seed_chosen or b.seed_chosen else True
    return (
        same_seed
        and (a.game, a.options, a.policy) == (b.game, b.options, b.policy)
        and [seat.asked for seat in a.seats] == [seat.asked for seat in b.seats]
        and (a.owner_token_sha256, a.event) == (b.owner_token_sha256, b.event)
        and [p.sha256 for p in a.packs] == [p.sha256 for p in b.packs]
    )
