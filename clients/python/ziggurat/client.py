"""Single calls: create, join, look, act, watch. Bots that play whole matches use Bot or run."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self, TypeVar

import grpc.aio

from ziggurat.address import OPTIONS, check_address, token_bytes
from ziggurat.decision import Choice, Decision
from ziggurat.errors import OutOfStep, Unreachable, refusal
from ziggurat.game import GameInfo
from ziggurat.seats import SeatFor, Token, token_hash
from ziggurat.session import Result, result
from ziggurat.v1 import (
    bot_pb2,
    game_pb2,
    game_pb2_grpc,
    match_pb2,
    match_pb2_grpc,
    play_pb2,
    play_pb2_grpc,
    record_pb2,
)
from ziggurat.view import Board, View

T = TypeVar("T")
_WATCH_AGAIN = 10


class Verdict(NamedTuple):
    """What became of an answer: "accepted", "illegal", "answered", "not_pending", "late" or "over"; why, if
    refused.
    """

    status: str
    message: str


class Position(NamedTuple):
    """A match as it stands. `match` is the proto's MatchInfo; `decision` is None unless the seat is asked."""

    match: match_pb2.MatchInfo
    view: View
    decision: Decision | None


class AsyncClient:
    """Calls in an asyncio program; also an async context manager. `timeout`: seconds for each call.

    All methods raise Refused or Unreachable.
    """

    def __init__(self, address: str, timeout: float = 30.0) -> None:
        self.address = check_address(address)
        self.timeout = timeout
        self._channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        self._games = game_pb2_grpc.GameServiceStub(self._channel)
        self._matches = match_pb2_grpc.MatchServiceStub(self._channel)
        self._bots = play_pb2_grpc.BotServiceStub(self._channel)
        self._infos: dict[str, GameInfo] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()

    async def _call(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except grpc.aio.AioRpcError as error:
            raise self._problem(error) from None

    def _problem(self, error: grpc.aio.AioRpcError) -> Exception:
        problem = refusal(error)
        if problem.code == grpc.StatusCode.UNAVAILABLE and not problem.reason:
            return Unreachable(f"no server at {self.address}: {problem}")
        return problem

    async def list_games(self) -> list[game_pb2.GameSummary]:
        """The installed games: name, title, rules_version, min_seats, max_seats."""
        request = game_pb2.ListGamesRequest()
        return list((await self._call(self._games.ListGames(request, timeout=self.timeout))).games)

    async def get_game(
        self, game: str = "", seats: int = 0, options: Mapping[str, str] | None = None, *, match_id: str = ""
    ) -> GameInfo:
        """A game as played by so many seats (0: the most) with these options, or as played in a match."""
        request = game_pb2.GetGameRequest(game=game, seats=seats, options=options, match_id=match_id)
        return GameInfo((await self._call(self._games.GetGame(request, timeout=self.timeout))).info)

    async def create_match(
        self,
        game: str,
        seats: Sequence[SeatFor],
        *,
        match_id: str = "",
        options: Mapping[str, str] | None = None,
        packs: Mapping[str, str] | None = None,
        seed: int | None = None,
        policy: record_pb2.Policy | None = None,
        owner: Token | None = None,
    ) -> match_pb2.MatchInfo:
        """Create a match; with a `match_id` of one's own the call may be repeated. `packs`: TOML by name.

        For seats that ask for registered bots the server finds bots that are free, or refuses (BOT_UNAVAILABLE).
        `owner`: the token that alone may abort it; without one any seat's token may.
        """
        request = match_pb2.CreateMatchRequest(
            match_id=match_id,
            game=game,
            seats=[seat.message() for seat in seats],
            options=options,
            packs=[game_pb2.CardPack(name=name, text=text) for name, text in (packs or {}).items()],
            seed=seed,
            policy=policy,
            owner_token_sha256=token_hash(owner),
        )
        return (await self._call(self._matches.CreateMatch(request, timeout=self.timeout))).match

    async def list_matches(self, limit: int = 100) -> list[match_pb2.MatchInfo]:
        """Matches that are not over, oldest first; at most 1000."""
        request = match_pb2.ListMatchesRequest(limit=limit)
        return list((await self._call(self._matches.ListMatches(request, timeout=self.timeout))).matches)

    async def join(
        self, match_id: str, seat: int, token: Token, name: str, *, ready: bool = False
    ) -> match_pb2.MatchInfo:
        """Take an open seat. `ready` for one who answers with `act`: a Bot says ready by itself."""
        request = match_pb2.JoinMatchRequest(
            match_id=match_id, seat=seat, name=name, token_sha256=token_hash(token), ready=ready
        )
        return (await self._call(self._matches.JoinMatch(request, timeout=self.timeout))).match

    async def get_match(self, match_id: str, token: Token | None = None) -> Position:
        """A match as the public sees it, or as the token's seat does."""
        key = token_bytes(token) if token is not None else b""
        request = match_pb2.GetMatchRequest(match_id=match_id, token=key)
        response = await self._call(self._matches.GetMatch(request, timeout=self.timeout))
        info = await self._info(match_id, response.match.game_info_id)
        board = Board()
        if not board.fold(response.view):
            raise OutOfStep(f"match {match_id}: the snapshot has the wrong state hash")
        decision = Decision(info, response.decision) if response.HasField("decision") else None
        return Position(response.match, View(match_id, response.seat, info, board), decision)

    async def act(
        self, match_id: str, token: Token, decision_id: int, choice: Choice, move_id: bytes | None = None
    ) -> Verdict:
        """Answer a decision. Repeating it with the same `move_id` (1 to 16 bytes) gives the first verdict
        again.
        """
        values = (choice,) if isinstance(choice, int) else choice
        answer = play_pb2.Answer(decision_id=decision_id, choice=values, move_id=move_id or os.urandom(8))
        request = match_pb2.ActRequest(match_id=match_id, token=token_bytes(token), answer=answer)
        verdict = (await self._call(self._matches.Act(request, timeout=self.timeout))).verdict
        name = play_pb2.VerdictStatus.Name(verdict.status)
        return Verdict(name.removeprefix("VERDICT_STATUS_").lower(), verdict.message)

    async def watch(self, match_id: str, token: Token | None = None) -> AsyncGenerator[View | Result, None]:
        """Every view of the public or of the token's seat, with its events; the Result comes last.

        A lost connection is taken up again where it broke.
        """
        board = Board()
        info = await self._info(match_id)
        failures = 0
        while True:
            try:
                async for item in self._watched(match_id, token, board):
                    failures = 0
                    if item is None:
                        yield View(match_id, -1, info, board)
                    else:
                        yield result(match_id, -1, info.name, item)
                        return
                problem: Exception = Unreachable(f"{self.address}: the server ended the stream")
            except grpc.aio.AioRpcError as error:
                problem = self._problem(error)
                if not refusal(error).passing:
                    raise problem from None
            failures += 1
            if failures > _WATCH_AGAIN:
                raise problem
            await asyncio.sleep(min(0.1 * 2**failures, 5.0))

    async def _watched(
        self, match_id: str, token: Token | None, board: Board
    ) -> AsyncIterator[play_pb2.Closed | None]:
        """None after each update that was folded, the closing message at the end."""
        request = match_pb2.WatchRequest(
            match_id=match_id, token=token_bytes(token) if token is not None else b""
        )
        if board.version:
            request.version, request.hash = board.version, board.hash
        async for response in self._matches.Watch(request):
            for item in response.items:
                if item.HasField("closed"):
                    yield item.closed
                elif item.HasField("update"):
                    if not board.fold(item.update):
                        board.version = 0  # the next try asks for a snapshot
                        return
                    yield None

    async def get_record(self, match_id: str) -> bytes:
        """The record (the content of a .zgr file) of a match that is over; Refused as SEALED until the deal
        is.
        """
        request = match_pb2.GetRecordRequest(match_id=match_id)
        return (await self._call(self._matches.GetRecord(request, timeout=self.timeout))).zgr

    async def abort(self, match_id: str, token: Token, reason: str = "") -> match_pb2.MatchInfo:
        """End a match without a result."""
        request = match_pb2.AbortMatchRequest(match_id=match_id, token=token_bytes(token), reason=reason)
        return (await self._call(self._matches.AbortMatch(request, timeout=self.timeout))).match

    async def register_bot(
        self,
        name: str,
        token: Token,
        owner: Token,
        *,
        version: str = "",
        games: Sequence[str] = (),
        capacity: int = 0,
    ) -> bot_pb2.BotInfo:
        """Register the bot that connects with `token`; with the same `owner` token, change what is registered.

        `games`: what it plays (none: all); `capacity`: most matches at once (0: no limit).
        """
        request = bot_pb2.RegisterBotRequest(
            name=name,
            version=version,
            games=games,
            capacity=capacity,
            token_sha256=token_hash(token),
            owner_token=token_bytes(owner),
        )
        return (await self._call(self._bots.RegisterBot(request, timeout=self.timeout))).bot

    async def unregister_bot(self, name: str, owner: Token) -> None:
        """Remove a bot from the register; its open matches and its ratings stay."""
        request = bot_pb2.UnregisterBotRequest(name=name, owner_token=token_bytes(owner))
        await self._call(self._bots.UnregisterBot(request, timeout=self.timeout))

    async def list_bots(self, game: str = "") -> list[bot_pb2.BotInfo]:
        """Registered bots by name, of one game or all: version, games, capacity, connected, open_matches, ratings."""
        found: list[bot_pb2.BotInfo] = []
        request = bot_pb2.ListBotsRequest(game=game, limit=1000)
        while True:
            page = await self._call(self._bots.ListBots(request, timeout=self.timeout))
            found += page.bots
            if not page.next_after_name:
                return found
            request.after_name = page.next_after_name

    async def _info(self, match_id: str, info_id: str = "") -> GameInfo:
        info = self._infos.get(info_id)
        if info is None:
            info = await self.get_game(match_id=match_id)
            self._infos[info.id] = info
        return info


class Client:
    """The same calls, blocking; also a context manager. May be used from several threads."""

    def __init__(self, address: str, timeout: float = 30.0) -> None:
        check_address(address)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="ziggurat-client", daemon=True)
        self._thread.start()

        async def connect() -> AsyncClient:
            return AsyncClient(address, timeout)

        self._client = self._run(connect())

    def _run(self, call: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(call, self._loop).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._run(self._client.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def list_games(self) -> list[game_pb2.GameSummary]:
        """See AsyncClient.list_games."""
        return self._run(self._client.list_games())

    def get_game(
        self, game: str = "", seats: int = 0, options: Mapping[str, str] | None = None, *, match_id: str = ""
    ) -> GameInfo:
        """See AsyncClient.get_game."""
        return self._run(self._client.get_game(game, seats, options, match_id=match_id))

    def create_match(
        self,
        game: str,
        seats: Sequence[SeatFor],
        *,
        match_id: str = "",
        options: Mapping[str, str] | None = None,
        packs: Mapping[str, str] | None = None,
        seed: int | None = None,
        policy: record_pb2.Policy | None = None,
        owner: Token | None = None,
    ) -> match_pb2.MatchInfo:
        """See AsyncClient.create_match."""
        call = self._client.create_match(
            game,
            seats,
            match_id=match_id,
            options=options,
            packs=packs,
            seed=seed,
            policy=policy,
            owner=owner,
        )
        return self._run(call)

    def list_matches(self, limit: int = 100) -> list[match_pb2.MatchInfo]:
        """See AsyncClient.list_matches."""
        return self._run(self._client.list_matches(limit))

    def join(
        self, match_id: str, seat: int, token: Token, name: str, *, ready: bool = False
    ) -> match_pb2.MatchInfo:
        """See AsyncClient.join."""
        return self._run(self._client.join(match_id, seat, token, name, ready=ready))

    def get_match(self, match_id: str, token: Token | None = None) -> Position:
        """See AsyncClient.get_match."""
        return self._run(self._client.get_match(match_id, token))

    def act(
        self, match_id: str, token: Token, decision_id: int, choice: Choice, move_id: bytes | None = None
    ) -> Verdict:
        """See AsyncClient.act."""
        return self._run(self._client.act(match_id, token, decision_id, choice, move_id))

    def watch(self, match_id: str, token: Token | None = None) -> Iterator[View | Result]:
        """See AsyncClient.watch."""
        views = self._client.watch(match_id, token)

        async def following() -> View | Result | None:
            return await anext(views, None)

        async def close() -> None:
            await views.aclose()

        try:
            while (item := self._run(following())) is not None:
                yield item
        finally:
            self._run(close())

    def get_record(self, match_id: str) -> bytes:
        """See AsyncClient.get_record."""
        return self._run(self._client.get_record(match_id))

    def abort(self, match_id: str, token: Token, reason: str = "") -> match_pb2.MatchInfo:
        """See AsyncClient.abort."""
        return self._run(self._client.abort(match_id, token, reason))

    def register_bot(
        self,
        name: str,
        token: Token,
        owner: Token,
        *,
        version: str = "",
        games: Sequence[str] = (),
        capacity: int = 0,
    ) -> bot_pb2.BotInfo:
        """See AsyncClient.register_bot."""
        call = self._client.register_bot(name, token, owner, version=version, games=games, capacity=capacity)
        return self._run(call)

    def unregister_bot(self, name: str, owner: Token) -> None:
        """See AsyncClient.unregister_bot."""
        self._run(self._client.unregister_bot(name, owner))

    def list_bots(self, game: str = "") -> list[bot_pb2.BotInfo]:
        """See AsyncClient.list_bots."""
        return self._run(self._client.list_bots(game))
