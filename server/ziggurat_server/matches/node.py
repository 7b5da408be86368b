"""The node: serves matches from their logs. Any node can serve any match; none owns one.

Order of a move: judge it (no apply), append it, apply what the store confirmed, then verdict, updates and decisions.
One append is in flight per match; answers that arrive meanwhile form its next batch.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

import structlog

from ziggurat_server import convert
from ziggurat_server.errors import EngineFault, ServiceError, StoreUnavailable
from ziggurat_server.failpoints import passing
from ziggurat_server.log import ENDS, MOVES, Cause, Entry, Fallback, Header, Kind
from ziggurat_server.matches.clock import MOST_MS, Absence, Clock, KeptClock
from ziggurat_server.matches.live import (
    ACCEPTED,
    ILLEGAL,
    LATE,
    OVER,
    PLAYING,
    VOID,
    WAITING,
    Listener,
    LiveMatch,
    Verdict,
    deal_of,
)
from ziggurat_server.matches.session import Reply, Session, Submission
from ziggurat_server.matches.void import is_void, make_void, replayed
from ziggurat_server.sessions.store import Store, chain, unknown_match
from ziggurat_server.sessions.writer import APPENDED, MISSING, UNKNOWN
from ziggurat_server.tasks import end

log = structlog.get_logger()

LOOK_SECONDS = 10.0
"""A match that no node tends is looked at after so long."""
TICK_SECONDS = 0.5
SYNC_SECONDS = 1.0
"""While there are other nodes, a match is not trusted for longer without reading its tail."""
NODE_GONE_SECONDS = 15.0
LOOK_AT_MOST_SECONDS = 5.0
"""How long a caller waits for a tail to be read."""
MOST_NOTED = 64
"""So many numbers of a refused answer are kept."""
ABOUT_DECISIONS = (*MOVES, Kind.STRIKE, Kind.FORFEIT, Kind.LATE)
"""Kinds that are right or wrong by what became of a seat's decision."""
KEEP_SECONDS = 30.0
"""How long a match without listeners stays in memory."""


class Node:
    """Serves matches. All methods run in one event loop."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.id = secrets.token_hex(8)
        self.sessions: dict[str, Session] = {}
        self.faulty: set[str] = set()
        self.stopping = False
        self._ticked = time.monotonic()
        self._started_ms = time.time() * 1000
        self.token_listeners: dict[bytes, list[Callable[[str], None]]] = {}
        self._left: set[bytes] = set()
        """Tokens whose last stream here has ended, until the store knows."""
        self.match_over: Callable[[LiveMatch], None] = lambda _: None
        """Told of each match that ends, or that is not served here any more."""
        self.counts = {"answers": 0, "resyncs": 0, "faults": 0}
        self._loading: dict[str, asyncio.Task[Session]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # Life

    async def start(self) -> None:
        """Begin to look after matches."""
        await self._beat()
        self._spawn(self._tick(), "ticker")
        self._spawn(self._sweep(), "sweeper")
        self._spawn(self.store.wakes(self._heard), "wakes")

    async def stop(self) -> None:
        """Finish the appends in flight, then stop. New answers are refused before."""
        self.stopping = True
        deadline = time.monotonic() + 10.0
        while any(s.in_flight or s.queue for s in self.sessions.values()):
            if time.monotonic() > deadline:
                break
            await asyncio.sleep(0.005)
        await end(self._tasks)
        try:
            await self.store.node_gone(self.id)
            await self.store.bots.absent({*self.token_listeners, *self._left})
        except StoreUnavailable:
            log.warning("store away at stop")
        await self.store.close()

    def _spawn(self, coroutine: object, name: str) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(coroutine, name=name)  # type: ignore[arg-type]
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task failed", task=task.get_name(), exc_info=error)

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
        self._loading.pop(header.match_id, None)  # a load that began before the log did finds nothing
        session = await self.session(header.match_id)
        if not session.live.over:
            tokens = [seat.token_sha256 for seat in standing.seats if seat.token_sha256]
            await self.store.seat_taken(header.match_id, tokens)
            for token in tokens:
                self._token_got_seat(token, header.match_id)
        return session.live

    async def announce(self, match_id: str) -> None:
        """Say that a match is about to be; if it never is, the hints about it are dropped some seconds later."""
        await self.store.note_due([match_id], int((time.time() + LOOK_SECONDS) * 1000))

    async def session(self, match_id: str) -> Session:
        """The match in memory, read from its log if need be. Raises UNKNOWN_MATCH or ENGINE_FAULT."""
        if match_id in self.faulty:
            if not await is_void(self.store, match_id):
                raise engine_fault(match_id)
            self.faulty.discard(match_id)
        session = self.sessions.get(match_id)
        if session is not None:
            session.touched = time.monotonic()
            if self.store.wake_others and session.touched - session.synced > SYNC_SECONDS:
                await self.look(match_id)
                if self.sessions.get(match_id) is not session:
                    return await self.session(match_id)
            return session
        task = self._loading.get(match_id)
        if task is None:
            task = self._loading[match_id] = asyncio.create_task(self._load(match_id))
            task.add_done_callback(lambda done: self._loaded(match_id, done))
        return await asyncio.shield(task)

    def _loaded(self, match_id: str, task: asyncio.Task[Session]) -> None:
        if self._loading.get(match_id) is task:
            del self._loading[match_id]

    async def _load(self, match_id: str) -> Session:
        tail = await self.store.read(match_id)
        if tail is None:
            raise unknown_match(match_id)
        session = Session(self._replayed(match_id, tail.entries))
        kept = await self.store.clocks(match_id)
        session.kept_clocks = {seat: KeptClock.parse(text) for seat, text in kept.items()}
        self.sessions[match_id] = session
        self._care(session)
        return session

    def _replayed(self, match_id: str, raw: Sequence[bytes]) -> LiveMatch:
        try:
            live = replayed(raw)
        except ServiceError:
            raise
        except Exception as error:  # damaged bytes, or a fault of the rules: this match's, and no other's
            self._fault(match_id, error)
            raise engine_fault(match_id) from None
        live.tip = chain(live.tip, raw[1:])
        return live

    def _fault(self, match_id: str, error: Exception) -> None:
        """Serve a match no longer. What is wrong with it is for the log alone: it may tell of hidden cards."""
        self.faulty.add(match_id)
        self.counts["faults"] += 1
        log.error(
            "engine fault: match no longer served here",
            match=match_id,
            error=repr(error),
            exc_info=None if isinstance(error, EngineFault) else error,
        )
        session = self.sessions.pop(match_id, None)
        if session is not None:
            self._let_go(session, "engine fault on this node")
            self.match_over(session.live)

    def _let_go(self, session: Session, reason: str) -> None:
        """Tell all who wait for something of a match that it is not served here any more."""
        session.live.void_reason = reason
        waiting, session.queue = session.queue, deque()
        for submission in waiting:
            if submission.reply is not None:
                submission.reply(Verdict(submission.entry.decision_id, OVER, f"match: {reason}"))
        for listener in list(session.live.listeners):
            listener.closed(session.live)
            _give_up([*(session.in_flight or ()), *session.queue])
            session.queue.clear()

    # Answers

    def answer(
        self,
        session: Session,
        seat: int,
        decision_id: int,
        choice: tuple[int, ...],
        move_id: bytes,
        plan: tuple[tuple[int, ...], ...],
        reply: Reply,
    ) -> None:
        """Take an answer; `reply` gets the verdict, for an accepted one after it is durable.

        Each choice of the plan that is taken gets a verdict too.
        """
        live = session.live
        verdict = live.judge(seat, decision_id, choice, move_id)
        session.heard(seat)
        clock = session.clock(seat, decision_id)
        elapsed = clock.elapsed_ms(time.monotonic()) if clock else 0
        received_ms = int(time.time() * 1000)
        if (verdict is None or verdict.status == ILLEGAL) and self._too_late(session, seat, elapsed):

            def told(_: Verdict) -> None:  # unless an answer that came in time stands meanwhile
                stands = session.live.judge(seat, decision_id, choice, move_id)
                late = Verdict(decision_id, LATE, "decision_id: its time was over")
                reply(late if stands is None or stands.status == ILLEGAL else stands)

            self.substitute(session, seat, Cause.SLOW, live.header.policy.on_timeout, told)
            self._came_late(session, seat, decision_id, choice, move_id, received_ms)
        elif verdict is None:
            entry = Entry(Kind.ANSWER, seat, decision_id, choice, move_id, received_ms=received_ms)
            session.timed(entry, elapsed)
            self._submit(session, Submission(entry, reply, plan, judged_at=live.length))
        elif verdict.status == ILLEGAL and not self.stopping:
            refused = Entry(Kind.STRIKE, seat, decision_id, choice[:MOST_NOTED], move_id)
            refused.received_ms, refused.note = received_ms, verdict.message
            if live.fits(refused) and not session.strikes(refused):
                self._strike(session, refused, verdict, reply)
            else:
                reply(verdict)  # a repeat
        else:
            if verdict.status == LATE:
                self._came_late(session, seat, decision_id, choice, move_id, received_ms)
            reply(verdict)

    def _too_late(self, session: Session, seat: int, elapsed: int) -> bool:
        """Whether a decision's time was over before the ticker saw it; a stall that it has yet to see is no fault."""
        limit = session.limit_ms(seat)
        return limit is not None and elapsed > limit and time.monotonic() - self._ticked < 2 * TICK_SECONDS

    def _came_late(
        self,
        session: Session,
        seat: int,
        decision_id: int,
        choice: tuple[int, ...],
        move_id: bytes,
        received_ms: int,
    ) -> None:
        """Note a late answer, the first of each decision."""
        if self.stopping or session.live.over or decision_id in session.live.seats[seat].late:
            return
        entry = Entry(Kind.LATE, seat, decision_id, choice[:MOST_NOTED], move_id, received_ms=received_ms)
        entry.round_trip_ms = session.round_trip_ms(seat)
        self._submit(session, Submission(entry))

    def _strike(self, session: Session, entry: Entry, verdict: Verdict, reply: Reply) -> None:
        """Count an illegal answer, unless its decision is found to be answered before."""
        seat, entry.cause = entry.seat, Cause.ILLEGAL

        def told(stands: Verdict) -> None:
            reply(verdict if stands.status == ACCEPTED else stands)

        self._submit(session, Submission(session.with_evidence(entry), told))
        policy = session.live.header.policy
        unfolded = session.count(Kind.STRIKE, seat)  # this one too, so that many in one message count
        if session.live.seats[seat].strikes + unfolded > policy.illegal_retries:
            self.substitute(session, seat, Cause.ILLEGAL, policy.on_illegal)

    def substitute(
        self, session: Session, seat: int, cause: Cause, how: Fallback, reply: Reply | None = None
    ) -> None:
        """Answer for a seat; `reply` is called when that is done, or not needed any more."""
        live = session.live
        if live.asked(seat) is None:
            if reply is not None:
                reply(Verdict(0, LATE))
            return
        decision_id = live.seats[seat].decision_id
        choice = live.fallback(seat, how)
        entry = Entry(Kind.SUBSTITUTE, seat, decision_id, choice, cause=cause, fallback=how)
        submissions = [Submission(session.with_evidence(entry), reply)]
        if how == Fallback.FORFEIT and not live.seats[seat].forfeited:
            forfeit = Entry(Kind.FORFEIT, seat, decision_id, cause=cause, fallback=how)
            submissions.insert(0, Submission(session.with_evidence(forfeit)))
        self._submit(session, *submissions)

    def note(self, session: Session, entry: Entry) -> None:
        """Append something that is no answer (ready, void)."""
        self._submit(session, Submission(entry))

    async def join(self, session: Session, seat: int, name: str, token_sha256: bytes, ready: bool) -> None:
        """Take an open seat; taking it again with the same token is fine. Raises SEAT_TAKEN."""
        live = session.live
        if not 0 <= seat < len(live.seats):
            raise ServiceError("NO_SUCH_SEAT", "seat", f"seats are 0 to {len(live.seats) - 1}, not {seat}")
        if not live.seats[seat].token_sha256:
            if live.over:
                raise ServiceError("MATCH_OVER", "match_id", "the match is over")
            await self._append_and_wait(
                session, Entry(Kind.JOINED, seat, name=name, token_sha256=token_sha256)
            )
        if session.live.seats[seat].token_sha256 != token_sha256:
            raise ServiceError(
                "SEAT_TAKEN", "seat", f"seat {seat} is taken by {session.live.seats[seat].name!r}"
            )
        await self.store.seat_taken(live.id, [token_sha256])
        self._token_got_seat(token_sha256, live.id)
        if ready and not session.live.seats[seat].ready:
            await self._append_and_wait(session, Entry(Kind.READY, seat))

    async def abort(self, session: Session, reason: str) -> None:
        """End a match without a result."""
        if not session.live.over:
            await self._append_and_wait(
                session, Entry(Kind.VOID, cause=Cause.ABORTED, note=reason or "aborted")
            )

    async def void(self, match_id: str, cause: Cause, note: str) -> None:
        """End a match without a result, though it may not be replayed here; one that is over stays as it is.

        Raises UNKNOWN_MATCH or STORE_UNAVAILABLE.
        """
        await make_void(self.store, match_id, cause, note)
        self.faulty.discard(match_id)
        await self.look(match_id)

    async def _append_and_wait(self, session: Session, entry: Entry) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def reply(_: Verdict) -> None:
            if not done.done():
                done.set_result(None)

        self._submit(session, Submission(entry, reply))
        try:
            async with asyncio.timeout(30.0):
                await done
        except TimeoutError:
            raise StoreUnavailable("the store has not confirmed this; try again") from None

    # Appending

    def _submit(self, session: Session, *submissions: Submission) -> None:
        """Queue what is to be appended; what is given together goes out together."""
        for submission in submissions:
            if submission.entry.kind != Kind.ANSWER:
                submission.entry.applied_ms = int(time.time() * 1000)
            session.queue.append(submission)
        self._kick(session)

    def _kick(self, session: Session) -> None:
        """Append the next batch, if none is in flight."""
        if session.in_flight is not None or session.recovering:
            return
        live = session.live
        batch = self._next_batch(session)
        if not batch:
            return
        for submission in batch:
            if submission.entry.kind in MOVES:  # the others of the batch were checked against this state too
                submission.entry.state_hash = live.state_hash()
                break
        raw = [convert.encode_entry(submission.entry) for submission in batch]
        new_tip = chain(live.tip, raw)
        session.in_flight = batch
        self.store.append(
            live.id, live.tip, new_tip, raw, lambda outcome: self._outcome(session, outcome, new_tip)
        )

    def _next_batch(self, session: Session) -> list[Submission]:
        """What of the queue can go out together: of a seat nothing after its move, and nothing after an end."""
        batch: list[Submission] = []
        moved: list[int] = []
        queue = session.queue
        while queue:
            submission = queue[0]
            entry = submission.entry
            if entry.kind in ABOUT_DECISIONS and entry.seat in moved:
                break
            queue.popleft()
            if self._still_right(session.live, submission):
                if entry.kind in MOVES or entry.kind == Kind.LATE:  # noted once
                    moved.append(entry.seat)
                batch.append(submission)
                if entry.kind in ENDS:
                    break
        return batch

    def _still_right(self, live: LiveMatch, submission: Submission) -> bool:
        """Judge again what was queued; replies if it no longer stands."""
        if submission.judged_at == live.length:
            return True
        entry = submission.entry
        verdict: Verdict | None = None
        if entry.kind == Kind.ANSWER:
            verdict = live.judge(entry.seat, entry.decision_id, entry.choice, entry.move_id)
        elif entry.kind == Kind.STRIKE:
            if not live.fits(entry):
                verdict = live.judge(entry.seat, entry.decision_id, entry.choice, entry.move_id)
        elif live.over or not live.fits(entry):
            verdict = Verdict(entry.decision_id, ACCEPTED)
        if verdict is None:
            return True
        if submission.reply is not None:
            submission.reply(verdict)
        return False

    def _outcome(self, session: Session, outcome: int, new_tip: bytes) -> None:
        batch = session.in_flight or []
        session.in_flight = None
        if outcome == APPENDED:
            session.live.tip = new_tip
            session.synced = time.monotonic()
            self._confirmed(session, batch)
            return
        session.queue.extendleft(reversed(batch))
        if outcome == MISSING:
            log.error("the log of a match is gone", match=session.live.id)
        self._begin_recovery(session, wait=outcome == UNKNOWN)

    def _confirmed(self, session: Session, batch: list[Submission]) -> None:
        live = session.live
        left = deque(batch)
        try:
            while left:
                submission = left.popleft()
                if submission.reply is not None:
                    submission.reply(
                        Verdict(
                            submission.entry.decision_id,
                            ACCEPTED,
                            "",
                            submission.taken,
                            submission.entry.move_id,
                        )
                    )
                    passing("answered")
                live.fold(submission.entry)
                passing("applied")
                if submission.plan and submission.reply is not None:
                    self._go_on(session, submission)
                self.counts["answers"] += 1
            self._care(session)
            self._kick(session)
        except Exception as error:  # a fault of one game must not reach the others
            session.queue.extendleft(reversed(left))
            self._fault(live.id, error)

    def _go_on(self, session: Session, done: Submission) -> None:
        """Take the next choice of a plan, if it is offered and the last one revealed nothing new."""
        live, seat = session.live, done.entry.seat
        choice, rest = done.plan[0], done.plan[1:]
        decision_id = live.seats[seat].decision_id
        if (
            live.asked(seat) is None
            or live.judge(seat, decision_id, choice, b"") is not None
            or live.revealed(seat)
            or live.seats[seat].forfeited
        ):
            return
        entry = Entry(Kind.ANSWER, seat, decision_id, choice, received_ms=done.entry.received_ms)
        session.queue.append(Submission(entry, done.reply, rest, done.taken + 1))

    def _begin_recovery(self, session: Session, wait: bool) -> None:
        session.recovering = True
        session.recovery = self._spawn(self._recover(session, wait), f"recover {session.live.id}")

    async def _recover(self, session: Session, wait: bool) -> None:
        """After a lost compare or an unknown outcome: read what the log holds, then judge again what was queued."""
        pause = 0.05
        while True:
            try:
                if wait:
                    await asyncio.sleep(pause)
                await self._catch_up(session)
                break
            except ServiceError as error:
                if error.reason != "STORE_UNAVAILABLE":
                    if session.live.id not in self.faulty:
                        self._drop(session, error)
                    return
                wait, pause = True, min(pause * 2, 1.0)
                self._stall(session, pause)
        session.recovering = False
        session.synced = time.monotonic()
        self._care(session)
        self._kick(session)

    def _drop(self, session: Session, error: ServiceError) -> None:
        log.error("match dropped", match=session.live.id, error=str(error))
        self.sessions.pop(session.live.id, None)
        self._let_go(session, str(error))

    async def _catch_up(self, session: Session) -> None:
        """Fold what other nodes appended; if the log is not a continuation of ours, start again from it."""
        live = session.live
        tail = await self.store.read(live.id, live.length)
        if tail is None:
            raise unknown_match(live.id)
        if live is not session.live or (tail.length == live.length and tail.tip == live.tip):
            return
        if tail.length < live.length or chain(live.tip, tail.entries) != tail.tip:
            await self._start_again(session)
            return
        try:
            for entry in map(convert.decode_entry, tail.entries):
                live.fold(entry)
                if entry.kind == Kind.ANSWER:
                    session.heard(entry.seat)
        except Exception as error:
            self._fault(live.id, error)
            raise engine_fault(live.id) from None
        live.tip = tail.tip

    async def _start_again(self, session: Session) -> None:
        old = session.live
        tail = await self.store.read(old.id)
        if tail is None:
            raise unknown_match(old.id)
        log.warning("log went back", match=old.id, held=old.length, found=tail.length)
        session.live = self._replayed(old.id, tail.entries)
        session.clocks.clear()
        session.live.listeners = old.listeners
        for listener in session.live.listeners:
            listener.resync(session.live)

    # Care: whatever a match needs that no client asks for

    def _care(self, session: Session) -> None:
        live = session.live
        if live.over:
            if not session.settled:
                session.settled = True
                self.match_over(live)
                self._spawn(self._settle(live), f"settle {live.id}")
            return
        if live.rules.over and live.state == PLAYING and not session.has(Kind.CLOSE):
            self._submit(
                session, Submission(Entry(Kind.CLOSE, state_hash=live.state_hash(), standings=live.result()))
            )
        elif live.rules.answers >= live.game.max_decisions and not session.has(Kind.VOID):
            note = f"more than {live.game.max_decisions} decisions"
            self._submit(session, Submission(Entry(Kind.VOID, cause=Cause.CAPPED, note=note)))
        elif live.state == PLAYING:
            for number, seat in enumerate(live.seats):
                if seat.decision is not None and not session.has(Kind.SUBSTITUTE, number):
                    self._answer_for(session, number)

    def _answer_for(self, session: Session, seat: int) -> None:
        """Answer at once for a seat that has forfeited, or whose grace is over and that is not at another node."""
        policy, state, absence = (
            session.live.header.policy,
            session.live.seats[seat],
            session.absences.get(seat),
        )
        if state.forfeited:
            self.substitute(session, seat, Cause.FORFEITED, Fallback.DEFAULT)
        elif absence is not None and policy.gone_ms and not self.store.wake_others:
            away = not session.present.get(seat) and absence.over(policy, state.absent_ms)
            if away and not session.has(Kind.ANSWER, seat):
                absence.owes(state.decision_id, time.monotonic())
                self.substitute(session, seat, Cause.GONE, policy.on_gone)

    async def settled(self, live: LiveMatch) -> None:
        """Wait until the hints about a match that is over have been dropped."""
        await self._settle(live)

    async def _settle(self, live: LiveMatch) -> None:
        """Drop the hints about a match that is over, however long the store is away."""
        tokens = [seat.token_sha256 for seat in live.seats if seat.token_sha256]
        while True:
            try:
                await self.store.closed(live.id, tokens, deal_of(live.header.game, live.header.seed))
                return
            except StoreUnavailable:
                await asyncio.sleep(1.0)

    # Presence and clocks

    def attach(self, session: Session, listener: Listener) -> None:
        """Let a listener follow a match."""
        session.live.listeners.append(listener)

    def detach(self, session: Session, listener: Listener) -> None:
        """End that."""
        if listener in session.live.listeners:
            session.live.listeners.remove(listener)
        session.touched = time.monotonic()

    def seat_here(self, session: Session, seat: int) -> None:
        """A stream of the seat is here."""
        session.present[seat] = session.present.get(seat, 0) + 1
        session.heard(seat)

    def seat_left(self, session: Session, seat: int, round_trip_ms: int = 0) -> None:
        """A stream of the seat is gone; `round_trip_ms` was last measured on it."""
        session.present[seat] = max(0, session.present.get(seat, 0) - 1)
        if round_trip_ms:
            session.round_trips[seat] = round_trip_ms
        if not session.present[seat] and session.live.asked(seat) is not None:
            absence = session.absences.setdefault(seat, Absence())
            absence.owes(session.live.seats[seat].decision_id, time.monotonic())

    async def connected(self, token_hashes: Iterable[bytes]) -> set[bytes]:
        """Those of the tokens that have a stream, at any node."""
        tokens = set(token_hashes)
        here = tokens & self.token_listeners.keys()
        return here | await self.store.bots.connected(tokens - here)

    async def stand_in(self, session: Session, seat: int, missed: bool) -> None:
        """Say ready for a seat. If it was `missed` for long its time of grace is over, too."""
        await self._append_and_wait(session, Entry(Kind.READY, seat))
        if missed and not session.present.get(seat):  # it has not come meanwhile
            session.absences.setdefault(seat, Absence()).use_up(session.live.header.policy)

    def decision_sent(self, session: Session, seat: int) -> int:
        """Start the clock of a seat's decision if it was not sent before; returns the ms left (0: no limit)."""
        live = session.live
        state = live.seats[seat]
        clock = session.clock(seat, state.decision_id)
        now = time.monotonic()
        session.heard(seat)
        if clock is None:
            kept = session.kept_clocks.pop(seat, None)
            used, sent = 0, int(time.time() * 1000)
            if kept is not None and kept.decision_id == state.decision_id:
                used, sent = kept.used_ms, kept.sent_ms
            clock = session.clocks[seat] = Clock(state.decision_id, used, now, sent)
        limit = session.limit_ms(seat)
        return 0 if limit is None else min(max(1, limit - clock.elapsed_ms(now)), MOST_MS)

    def _stall(self, session: Session, seconds: float) -> None:
        now = time.monotonic()
        for clock in session.clocks.values():
            clock.skip(seconds, now)

    async def _tick(self) -> None:
        """Every half second: time out what is due, keep old clocks, read the tails other nodes may have written."""
        last = time.monotonic()
        ticks = 0
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = time.monotonic()
            stalled = now - last - TICK_SECONDS
            last = self._ticked = now
            ticks += 1
            for session in list(self.sessions.values()):
                if stalled > TICK_SECONDS:  # our own stall, charged to nobody
                    self._stall(session, stalled)
                if not session.live.over and not session.recovering:
                    try:
                        self._time_out(session, now)
                    except Exception as error:
                        self._fault(session.live.id, error)
            if ticks % 2 == 0:
                await self._keep_clocks(now)
                await self._beat()
            self._forget_idle(now)

    def _time_out(self, session: Session, now: float) -> None:
        live = session.live
        policy = live.header.policy
        if live.state == WAITING:
            age = time.time() * 1000 - max(live.header.created_ms, self._started_ms)
            if policy.ready_ms and age > policy.ready_ms and not session.has(Kind.VOID):
                missing = ", ".join(str(n) for n, seat in enumerate(live.seats) if not seat.ready)
                note = f"seats not ready in time: {missing}"
                self._submit(session, Submission(Entry(Kind.VOID, cause=Cause.NOT_READY, note=note)))
            return
        for number, seat in enumerate(live.seats):
            if (
                seat.decision is None
                or session.has(Kind.SUBSTITUTE, number)
                or session.has(Kind.ANSWER, number)
            ):
                if number in session.absences:
                    session.absences[number].owes_nothing()
                continue
            clock, limit = session.clock(number, seat.decision_id), session.limit_ms(number)
            if clock is not None and limit is not None and clock.elapsed_ms(now) > limit:
                self.substitute(session, number, Cause.SLOW, policy.on_timeout)
            elif not session.present.get(number):
                absence = session.absences.setdefault(number, Absence())
                absence.owes(seat.decision_id, now)
                self._gone(session, number, absence)

    def _gone(self, session: Session, seat: int, absence: Absence) -> None:
        """A seat must act and has no stream here: perhaps it has one at another node, which then keeps its clock."""
        policy = session.live.header.policy
        if not absence.over(policy, session.live.seats[seat].absent_ms):
            return
        if not self.store.wake_others:
            self.substitute(session, seat, Cause.GONE, policy.on_gone)
        elif absence.used - absence.looked > 2 * LOOK_SECONDS:
            absence.looked = absence.used
            self._spawn(self._gone_everywhere(session, seat, absence), f"gone {session.live.id}")

    async def _gone_everywhere(self, session: Session, seat: int, absence: Absence) -> None:
        """Substitute for a seat unless another node keeps the clock of its decision."""
        live = session.live
        decision_id = live.seats[seat].decision_id
        try:
            kept = (await self.store.clocks(live.id)).get(seat)
        except StoreUnavailable:
            return
        if session.live is not live or not live.asks(seat, decision_id) or absence.since is None:
            return
        clock = KeptClock.parse(kept) if kept else None
        age = time.time() * 1000 - clock.written_ms if clock and clock.decision_id == decision_id else None
        if age is None or age > 1000 * LOOK_SECONDS:
            absence.looked -= (
                2 * LOOK_SECONDS
            )  # while the seat stays away, its next decision is looked at at once
            self.substitute(session, seat, Cause.GONE, live.header.policy.on_gone)
        else:
            absence.elsewhere()

    async def _keep_clocks(self, now: float) -> None:
        """Keep clocks that have run for a second; say that the matches with a stream here are tended."""
        now_ms = int(time.time() * 1000)
        clocks: dict[str, dict[int, str]] = {}
        tended: list[str] = []
        for match_id, session in self.sessions.items():
            if session.live.over:
                continue
            if any(session.present.values()):
                tended.append(match_id)
            old = {
                seat: clock.kept(now, now_ms)
                for seat, clock in session.clocks.items()
                if session.live.asked(seat) is not None
                and clock.decision_id == session.live.seats[seat].decision_id
                and clock.elapsed_ms(now) > 1000
                and (not self.store.wake_others or session.present.get(seat))
            }
            if old:
                clocks[match_id] = old
        try:
            if clocks:
                await self.store.save_clocks(clocks)
            await self.store.note_due(tended, now_ms + int(LOOK_SECONDS * 1000))
            if self.store.wake_others:
                for match_id in tended:
                    if now - self.sessions[match_id].synced > SYNC_SECONDS:
                        await self.look(match_id)
        except StoreUnavailable:
            log.warning("store away; clocks are not kept")

    async def _beat(self) -> None:
        try:
            self.store.wake_others = await self.store.node_alive(self.id, NODE_GONE_SECONDS) > 1
            await self.store.bots.present(self.token_listeners.keys())
        except StoreUnavailable:
            return
        if self.store.wake_others:
            for token in list(self.token_listeners):
                await self._find_seats(token)

    def _forget_idle(self, now: float) -> None:
        for match_id, session in list(self.sessions.items()):
            idle = not session.live.listeners and session.in_flight is None and not session.queue
            idle = idle and not session.recovering and (session.live.over or session.live.asks_nobody)
            if idle and now - session.touched > KEEP_SECONDS:
                del self.sessions[match_id]

    async def _sweep(self) -> None:
        """Look at matches that no node tends, so that none stalls for ever."""
        while True:
            await asyncio.sleep(2.0)
            now_ms = int(time.time() * 1000)
            try:
                for match_id in await self.store.due(now_ms):
                    await self.store.note_due([match_id], now_ms + int(LOOK_SECONDS * 1000))
                    await self._look_after(match_id)
            except StoreUnavailable:
                continue

    async def _look_after(self, match_id: str) -> None:
        try:
            session = await self.session(match_id)
            await self.look(match_id)
            if session.live.over:
                await self._settle(session.live)
        except StoreUnavailable:
            raise
        except ServiceError as error:
            if error.reason == "UNKNOWN_MATCH":  # its creation was broken off
                await self.store.forget_due(match_id)

    async def look(self, match_id: str) -> None:
        """Re-read the tail of a match."""
        session = self.sessions.get(match_id)
        if session is None or session.in_flight is not None:
            return
        if not session.recovering:
            self._begin_recovery(session, wait=False)
        if session.recovery is not None:
            await asyncio.wait({session.recovery}, timeout=LOOK_AT_MOST_SECONDS)

    def _heard(self, text: str) -> None:
        """News of some node, perhaps this one."""
        what, _, tip = text.partition(" ")
        if what == "token:":
            token = bytes.fromhex(tip)
            if token in self.token_listeners:
                self._spawn(self._find_seats(token), "find seats")
            return
        session = self.sessions.get(what)
        if session is None or session.live.tip.hex() == tip:
            return
        session.synced = 0.0
        if session.live.listeners:
            self._spawn(self.look(what), f"look {what}")

    # Tokens

    async def listen(self, token_hash: bytes, heard: Callable[[str], None]) -> None:
        """Let a stream hear of each match in which its token gets a seat; till `unlisten` the token is connected."""
        self.token_listeners.setdefault(token_hash, []).append(heard)
        try:
            await self.store.bots.present([token_hash])
        except StoreUnavailable:
            log.warning("store away; a bot is not known to be connected")  # the next beat says it

    def unlisten(self, token_hash: bytes, heard: Callable[[str], None]) -> None:
        """End that."""
        listeners = self.token_listeners[token_hash]
        listeners.remove(heard)
        if not listeners:
            del self.token_listeners[token_hash]
            self._left.add(token_hash)
            if not self.stopping:  # else `stop` tells of all at once
                self._spawn(self._tell_left(), "bot left")

    async def _tell_left(self) -> None:
        gone = self._left - self.token_listeners.keys()
        try:
            await self.store.bots.absent(gone)
        except StoreUnavailable:
            return
        self._left -= gone

    def _token_got_seat(self, token_hash: bytes, match_id: str) -> None:
        for heard in list(self.token_listeners.get(token_hash, ())):
            heard(match_id)

    async def _find_seats(self, token_hash: bytes) -> None:
        try:
            for match_id in await self.store.seats_of(token_hash):
                self._token_got_seat(token_hash, match_id)
        except StoreUnavailable:
            return


def engine_fault(match_id: str) -> ServiceError:
    """The error for a match that this node could not replay; the log says why."""
    return ServiceError("ENGINE_FAULT", "match_id", f"{match_id!r} could not be replayed on this node")


def _give_up(submissions: Sequence[Submission]) -> None:
    for submission in submissions:
        if submission.reply is not None:
            words = "match: it is no longer served on this node"
            submission.reply(Verdict(submission.entry.decision_id, OVER, words))


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


__all__ = ["VOID", "Node", "Session"]
