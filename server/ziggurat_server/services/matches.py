"""MatchService: matches one call at a time."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import structlog

from ziggurat.v1 import match_pb2, match_pb2_grpc, play_pb2, record_pb2
from ziggurat_rules.game import options_dict, parse_options
from ziggurat_rules.projection import PUBLIC
from ziggurat_rules.registry import load_game
from ziggurat_server import convert
from ziggurat_server.bots.seating import Seating, check_wish
from ziggurat_server.errors import ServiceError, StoreUnavailable
from ziggurat_server.log import Cause, Header, Policy, SeatSpec
from ziggurat_server.matches.clock import check_clocks
from ziggurat_server.matches.live import LiveMatch, Verdict, commitment_of, deal_of
from ziggurat_server.matches.node import Node
from ziggurat_server.matches.session import Session
from ziggurat_server.matches.void import owners_of
from ziggurat_server.records import zgr
from ziggurat_server.services.errors import guarded, guarded_stream, page_size
from ziggurat_server.services.games import GameInfos, check_match_id
from ziggurat_server.services.items import closed_item, first, snapshot, snapshot_item, verdict_message
from ziggurat_server.services.tokens import seat_by_token, token_hash
from ziggurat_server.tournaments.event import Memory
from ziggurat_server.tournaments.events import Events
from ziggurat_server.tournaments.log import event_of

log = structlog.get_logger()

_STATES = convert.match_states()
MAX_WATCH_QUEUE = 4096
WATCH_PAUSE_SECONDS = 0.1
"""Between two messages to a watcher: moves that come meanwhile share the next one."""


def _check_seats(request: match_pb2.CreateMatchRequest) -> tuple[SeatSpec, ...]:
    seats = []
    for number, seat in enumerate(request.seats):
        if len(seat.token_sha256) not in (0, 32):
            raise ServiceError("BAD_FIELD", f"seats[{number}].token_sha256", "a SHA-256 has 32 bytes")
        if len(seat.name) > 64:
            raise ServiceError("BAD_FIELD", f"seats[{number}].name", "at most 64 characters")
        spec = convert.read_seat(seat)
        if spec.wish is not None:
            if seat.name or seat.token_sha256:
                words = "a seat is for a registered bot or has a name and token of its own, not both"
                raise ServiceError("BAD_FIELD", f"seats[{number}].bot", words)
            check_wish(spec.wish, f"seats[{number}].bot")
        seats.append(spec)
    taken = [seat.token_sha256 for seat in seats if seat.token_sha256]
    if len(set(taken)) != len(taken):
        raise ServiceError(
            "BAD_FIELD", "seats", "two seats have the same token; give each seat one of its own"
        )
    return tuple(seats)


def _check_policy(request: match_pb2.CreateMatchRequest) -> Policy:
    if not request.HasField("policy"):
        return Policy()
    for name in ("on_illegal", "on_timeout", "on_gone"):
        value = getattr(request.policy, name)
        if value not in record_pb2.Fallback.values():
            raise ServiceError("BAD_FIELD", f"policy.{name}", f"{value} is no Fallback")
    policy = convert.read_policy(request.policy)
    check_clocks(policy)
    return policy


class Watcher:
    """One watch call: a listener that queues encoded items."""

    def __init__(self, audience: int) -> None:
        self.audience = audience
        self.round_trip_ms = 0
        self.items: list[bytes] = []
        self.news = asyncio.Event()
        self.ended = False
        self.stale = False

    def put(self, item: bytes) -> None:
        """Queue an encoded item; a reader too slow for its queue gets a snapshot instead."""
        if len(self.items) >= MAX_WATCH_QUEUE:
            self.items.clear()
            self.stale = True
        self.items.append(convert.watch_frame(item))
        self.news.set()

    def update(self, live: LiveMatch, item: bytes) -> None:
        """The view changed."""
        self.put(item)

    def decision(self, live: LiveMatch, seat: int) -> None:
        """Watchers are not asked."""

    def closed(self, live: LiveMatch) -> None:
        """The match is over."""
        self.put(closed_item(live))
        self.ended = True

    def start_again(self, live: LiveMatch) -> None:
        """What waits is replaced by the view as it is, and the end if it has come."""
        self.stale = False
        self.items = [convert.watch_frame(snapshot_item(live, self.audience))]
        if self.ended:
            self.items.append(convert.watch_frame(closed_item(live)))

    def resync(self, live: LiveMatch) -> None:
        """Start again from a snapshot."""
        self.put(snapshot_item(live, self.audience, rolled_back=True))


class Matches(match_pb2_grpc.MatchServiceServicer):
    """Matches, one call at a time."""

    def __init__(self, node: Node, infos: GameInfos, seating: Seating, events: Events) -> None:
        self._node = node
        self._events = events
        self._infos = infos
        self._seating = seating

    def _info(self, live: LiveMatch) -> match_pb2.MatchInfo:
        header = live.header
        return match_pb2.MatchInfo(
            match_id=live.id,
            game=header.game,
            rules_version=header.rules_version,
            options=header.options,
            seats=[seat.name for seat in live.seats],
            state=_STATES[live.state],  # type: ignore[arg-type]
            commitment=header.commitment,
            decisions=live.rules.answers if live.over else live.version(PUBLIC) - 1,
            standings=map(convert.standing_message, live.standings),
            policy=convert.policy_message(header.policy),
            seed_chosen=header.seed_chosen,
            game_info_id=self._infos.of(live).id,
            void_reason=live.void_reason,
            event=convert.event_game_message(header.event),
        )

    @guarded
    async def CreateMatch(
        self, request: match_pb2.CreateMatchRequest, context: Any
    ) -> match_pb2.CreateMatchResponse:
        """Create a match, or find it if it was created with the same content."""
        if self._node.stopping:
            raise ServiceError("STOPPING", "", "the server is stopping; connect again")
        match_id = request.match_id or secrets.token_hex(8)
        check_match_id(match_id)
        if event_of(match_id):
            words = f"{match_id!r} ends as ids of events' matches do (-00001, -00001-again-1); choose another"
            raise ServiceError("BAD_FIELD", "match_id", words)
        if not request.game:
            raise ServiceError("BAD_FIELD", "game", "name a game")
        game = load_game(request.game)
        packs = convert.read_packs(request.packs)
        game = game.with_packs(packs) if packs else game
        options = parse_options(game.options, dict(request.options))
        if len(request.owner_token_sha256) not in (0, 32):
            raise ServiceError("BAD_FIELD", "owner_token_sha256", "a SHA-256 has 32 bytes")
        seats = _check_seats(request)
        game.check_seats(len(seats))
        chosen = request.HasField("seed")
        seed = request.seed if chosen else secrets.randbits(64)
        salt = secrets.token_bytes(16)
        header = Header(
            match_id=match_id,
            game=game.name,
            rules_version=game.rules_version,
            options=options_dict(options),
            packs=packs,
            seed=seed,
            salt=salt,
            commitment=commitment_of(seed, salt),
            seed_chosen=chosen,
            seats=seats,
            policy=_check_policy(request),
            created_ms=int(time.time() * 1000),
            durability=self._node.store.durability,
            owner_token_sha256=request.owner_token_sha256,
        )
        return match_pb2.CreateMatchResponse(match=self._info(await self._create(header)))

    async def _create(self, header: Header) -> LiveMatch:
        """Create a match, with bots found for the seats that ask for them unless the match was created before."""
        if all(seat.wish is None for seat in header.seats):
            return await self._node.create(header)
        try:
            standing = (await self._node.session(header.match_id)).live.header.seats
        except ServiceError as error:
            if error.reason != "UNKNOWN_MATCH":
                raise
        else:
            same = [seat.asked for seat in standing] == [seat.asked for seat in header.seats]
            return await self._node.create(replace(header, seats=standing) if same else header)
        seats, taken = await self._seating.seat(header.match_id, header.game, header.seats)
        try:
            return await self._node.create(replace(header, seats=seats))
        finally:
            await self._give_back(header.match_id, taken)

    async def _give_back(self, match_id: str, taken: list[bytes]) -> None:
        """Give back the places that a match does not need, as when the same one was created by another call meanwhile.

        If it cannot be told, they stay: places in a match that never came to be are dropped when they are counted.
        """
        try:
            live = (await self._node.session(match_id)).live
            needed = {seat.token_sha256 for seat in live.seats}
            await self._seating.give_back(match_id, [token for token in taken if token not in needed])
        except ServiceError as error:
            log.info("places are kept for now", match=match_id, error=str(error))

    @guarded
    async def ListMatches(
        self, request: match_pb2.ListMatchesRequest, context: Any
    ) -> match_pb2.ListMatchesResponse:
        """Open matches."""
        found = []
        for match_id in await self._node.store.open_matches(page_size(request.limit)):
            try:
                live = (await self._node.session(match_id)).live
            except StoreUnavailable:
                raise
            except ServiceError:
                continue
            if not live.over:
                found.append(self._info(live))
        return match_pb2.ListMatchesResponse(matches=found)

    @guarded
    async def GetMatch(self, request: match_pb2.GetMatchRequest, context: Any) -> match_pb2.GetMatchResponse:
        """A match, and what the token's seat (or everybody) sees."""
        session, audience = await self._seen_by(request.match_id, request.token)
        live = session.live
        return match_pb2.GetMatchResponse(
            match=self._info(live),
            view=snapshot(live, audience),
            decision=self._decision(session, audience) if audience != PUBLIC else None,
            seat=audience,
        )

    async def _seen_by(self, match_id: str, token: bytes) -> tuple[Session, int]:
        """A match as it is now, and whose view of it a token opens."""
        audience = await self._audience((await self._session(match_id)).live, token)
        return await self._session(match_id), audience

    async def _audience(self, live: LiveMatch, token: bytes) -> int:
        """Whose view a token opens: its seat's, or with the owner's or none what everybody sees.

        What is on the table of an event tells of what comes at other tables of its deal: it is for the owner alone
        until they are over (SEALED).
        """
        header = live.header
        if token:
            given, owner = token_hash(token), header.owner_token_sha256
            if owner and hmac.compare_digest(given, owner) and live.seat_of(given) is None:
                return PUBLIC
            return seat_by_token(live, token)
        if header.event is not None and await self._is_dealt_again(header, header.event.event_id):
            raise ServiceError(
                "SEALED",
                "match_id",
                "other tables of the event play this deal: till they are over its owner's token is needed",
            )
        return PUBLIC

    async def _is_dealt_again(self, header: Header, event_id: str) -> bool:
        memory = (await self._events.find(event_id)).header.spec.memory
        deal = deal_of(header.game, header.seed)
        return memory != Memory.INDEPENDENT and await self._node.store.deal_is_open(deal, event_id)

    def _decision(self, session: Session, seat: int) -> play_pb2.Decision | None:
        decision = session.live.asked(seat)
        if decision is None:
            return None
        left = session.decision_sent(seat)
        return convert.decision_message(session.live.seats[seat].decision_id, decision, left)

    async def _session(self, match_id: str) -> Session:
        check_match_id(match_id)
        return await self._node.session(match_id)

    @guarded
    async def JoinMatch(
        self, request: match_pb2.JoinMatchRequest, context: Any
    ) -> match_pb2.JoinMatchResponse:
        """Take an open seat."""
        if len(request.token_sha256) != 32:
            raise ServiceError(
                "BAD_FIELD", "token_sha256", "the SHA-256 (32 bytes) of the seat's token is needed"
            )
        if not 0 < len(request.name) <= 64:
            raise ServiceError("BAD_FIELD", "name", "1 to 64 characters wanted")
        session = await self._session(request.match_id)
        held = session.live.seat_of(request.token_sha256)
        if held is not None and held != request.seat:
            raise ServiceError(
                "SEAT_TAKEN", "token_sha256", f"this token has seat {held}; a seat needs its own"
            )
        await self._node.join(session, request.seat, request.name, request.token_sha256, request.ready)
        return match_pb2.JoinMatchResponse(match=self._info(session.live))

    @guarded
    async def Act(self, request: match_pb2.ActRequest, context: Any) -> match_pb2.ActResponse:
        """Answer a decision."""
        session = await self._session(request.match_id)
        if self._node.stopping:
            raise ServiceError("STOPPING", "", "the server is stopping; connect again")
        seat = seat_by_token(session.live, request.token)
        answer = request.answer
        if len(answer.move_id) > 16:
            raise ServiceError("BAD_FIELD", "answer.move_id", "at most 16 bytes")
        if answer.plan:
            raise ServiceError("BAD_FIELD", "answer.plan", "plans are taken on a Play stream only")
        done: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()

        def reply(verdict: Verdict) -> None:
            if not done.done():
                done.set_result(verdict)

        choice = tuple(answer.choice)
        self._node.answers.take(session, seat, answer.decision_id, choice, answer.move_id, (), reply)
        try:
            async with asyncio.timeout(30.0):  # wait_for of Python 3.11 may swallow a cancellation
                verdict = await done
        except TimeoutError:
            raise ServiceError("STORE_UNAVAILABLE", "redis", "the move is not confirmed; repeat it") from None
        await asyncio.sleep(0)  # the verdict comes before the move is applied
        return match_pb2.ActResponse(verdict=verdict_message(verdict), decision=self._decision(session, seat))

    @guarded_stream
    async def Watch(self, request: match_pb2.WatchRequest, context: Any) -> AsyncGenerator[bytes, None]:
        """What an audience sees: a snapshot or the missing updates, then every update."""
        session, audience = await self._seen_by(request.match_id, request.token)
        live, watcher = session.live, Watcher(audience)
        first(live, watcher, request.version if request.HasField("version") else None, request.hash)
        if live.over:
            watcher.closed(live)
        else:
            session.attach(watcher)
        try:
            while watcher.items or not watcher.ended:
                await watcher.news.wait()
                watcher.news.clear()
                if watcher.stale:
                    watcher.start_again(session.live)
                items, watcher.items = watcher.items, []
                for start in range(0, len(items), 64):
                    yield b"".join(items[start : start + 64])
                if not watcher.ended:
                    await asyncio.sleep(WATCH_PAUSE_SECONDS)
        finally:
            session.detach(watcher)

    @guarded
    async def GetRecord(
        self, request: match_pb2.GetRecordRequest, context: Any
    ) -> match_pb2.GetRecordResponse:
        """The record of a match that is over, once all matches of its deal are."""
        live = (await self._session(request.match_id)).live
        if not live.over:
            raise ServiceError(
                "SEALED", "match_id", "the match is not over; its seed and record stay closed till then"
            )
        await self._node.settled(live)
        header = live.header
        event_id = header.event.event_id if header.event is not None else ""
        if await self._node.store.deal_is_open(deal_of(header.game, header.seed), event_id, besides=live.id):
            raise ServiceError("SEALED", "match_id", "another match of this deal is not over yet")
        tail = await self._node.store.read(live.id)
        if tail is None:
            raise ServiceError("UNKNOWN_MATCH", "match_id", f"no log of {live.id!r} any more")
        return match_pb2.GetRecordResponse(zgr=zgr.pack(tail.entries[0], tail.entries[1:]))

    @guarded
    async def AbortMatch(
        self, request: match_pb2.AbortMatchRequest, context: Any
    ) -> match_pb2.AbortMatchResponse:
        """End a match without a result."""
        reason = request.reason[:200]
        try:
            session = await self._session(request.match_id)
        except ServiceError as error:
            if error.reason != "ENGINE_FAULT":
                raise
            header, tokens = await owners_of(self._node.store, request.match_id)
            _check_may_abort(header, tokens, request.token)
            await self._node.void(request.match_id, Cause.ENGINE_FAULT, reason or error.message)
            session = await self._session(request.match_id)
        else:
            live = session.live
            _check_may_abort(live.header, {seat.token_sha256 for seat in live.seats}, request.token)
            await self._node.abort(session, reason)
        return match_pb2.AbortMatchResponse(match=self._info(session.live))


def _check_may_abort(header: Header, seats: set[bytes], token: bytes) -> None:
    owner, given = header.owner_token_sha256, token_hash(token)
    if owner and not hmac.compare_digest(given, owner):
        raise ServiceError("BAD_TOKEN", "token", f"only the owner of match {header.match_id!r} may abort it")
    if not owner and given not in seats:
        raise ServiceError("BAD_TOKEN", "token", f"this token opens no seat of match {header.match_id!r}")
