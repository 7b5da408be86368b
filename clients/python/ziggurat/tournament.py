"""Calls about events: tournaments that a server runs. Specs, events and results are the proto's messages."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from typing import NamedTuple

from ziggurat.address import Token, token_bytes, token_hash
from ziggurat.connection import Blocking, Connection
from ziggurat.v1 import tournament_pb2 as pb
from ziggurat.v1 import tournament_pb2_grpc

_RESULTS_AT_ONCE = 1000


class Entry(NamedTuple):
    """What happened in an event: the proto's EventEntry, and its number in the event's log."""

    number: int
    entry: pb.EventEntry


class AsyncEvents(Connection):
    """Calls about events in an asyncio program."""

    def __init__(self, address: str, timeout: float) -> None:
        super().__init__(address, timeout)
        self._tournaments = tournament_pb2_grpc.TournamentServiceStub(self._channel)

    async def plan_event(self, spec: pb.EventSpec) -> pb.PlanEventResponse:
        """What would be played, as far as it is known before results; nothing is created."""
        request = pb.PlanEventRequest(spec=spec)
        return await self._call(self._tournaments.PlanEvent(request, timeout=self.timeout))

    async def create_event(
        self, spec: pb.EventSpec, owner: Token, *, event_id: str = "", launch_key: bytes = b""
    ) -> pb.Event:
        """Create an event, which begins at once; with an `event_id` of one's own the call may be repeated.

        `owner`: the token that pauses, cancels and changes it. `launch_key`: see CreateEventRequest.
        """
        request = pb.CreateEventRequest(
            event_id=event_id, spec=spec, owner_token_sha256=token_hash(owner), launch_key=launch_key
        )
        return (await self._call(self._tournaments.CreateEvent(request, timeout=self.timeout))).event

    async def list_events(self, limit: int = 100) -> list[pb.Event]:
        """Events: open ones, then those that are over, the last one first; at most 1000."""
        request = pb.ListEventsRequest(limit=limit)
        return list((await self._call(self._tournaments.ListEvents(request, timeout=self.timeout))).events)

    async def get_event(self, event_id: str) -> pb.Event:
        """An event as it stands."""
        request = pb.GetEventRequest(event_id=event_id)
        return (await self._call(self._tournaments.GetEvent(request, timeout=self.timeout))).event

    async def watch_event(self, event_id: str, from_entry: int = 0) -> AsyncGenerator[Entry, None]:
        """The log of an event from an entry on, then what comes, until the event is over.

        A lost connection is taken up again where it broke.
        """
        position = from_entry

        async def stream() -> AsyncIterator[Entry]:
            request = pb.WatchEventRequest(event_id=event_id, from_entry=position)
            async for response in self._tournaments.WatchEvent(request):
                for number, entry in enumerate(response.entries, response.first_entry):
                    yield Entry(number, entry)

        async with aclosing(self._kept_up(stream)) as entries:
            async for item in entries:
                position = item.number + 1
                yield item
                if item.entry.kind == pb.EVENT_ENTRY_KIND_CLOSED:
                    return

    async def pause_event(self, event_id: str, owner: Token) -> pb.Event:
        """Start no new games; games in play go on."""
        request = pb.PauseEventRequest(event_id=event_id, token=token_bytes(owner))
        return (await self._call(self._tournaments.PauseEvent(request, timeout=self.timeout))).event

    async def resume_event(self, event_id: str, owner: Token) -> pb.Event:
        """Go on after a pause."""
        request = pb.ResumeEventRequest(event_id=event_id, token=token_bytes(owner))
        return (await self._call(self._tournaments.ResumeEvent(request, timeout=self.timeout))).event

    async def cancel_event(self, event_id: str, owner: Token, reason: str = "") -> pb.Event:
        """End an event; games in play end without a result."""
        request = pb.CancelEventRequest(event_id=event_id, token=token_bytes(owner), reason=reason)
        return (await self._call(self._tournaments.CancelEvent(request, timeout=self.timeout))).event

    async def add_bot(self, event_id: str, owner: Token, bot: pb.Entrant) -> pb.Event:
        """Enter a bot late; it plays from the next round that is drawn."""
        request = pb.AddBotRequest(event_id=event_id, token=token_bytes(owner), bot=bot)
        return (await self._call(self._tournaments.AddBot(request, timeout=self.timeout))).event

    async def withdraw_bot(self, event_id: str, token: Token, bot: str, reason: str = "") -> pb.Event:
        """Take a bot out. `token`: the owner's, or that of the bot if it was entered with one."""
        request = pb.WithdrawBotRequest(event_id=event_id, token=token_bytes(token), bot=bot, reason=reason)
        return (await self._call(self._tournaments.WithdrawBot(request, timeout=self.timeout))).event

    async def get_standings(self, event_id: str, *, ratings: bool = False) -> pb.GetStandingsResponse:
        """Standings and statistics of an event.

        `ratings`: whether batch ratings (Elo scale) are wanted; in a large event they take the server seconds.
        """
        request = pb.GetStandingsRequest(event_id=event_id, ratings=ratings)
        return await self._call(self._tournaments.GetStandings(request, timeout=self.timeout))

    async def list_results(
        self, event_id: str, token: Token | None = None
    ) -> AsyncGenerator[pb.GameResult, None]:
        """All results so far, in the order in which they came.

        With a bot's token its own raw submissions are told, with the owner's all of them.
        """
        request = pb.ListResultsRequest(
            event_id=event_id,
            limit=_RESULTS_AT_ONCE,
            token=token_bytes(token) if token is not None else b"",
        )
        while True:
            response = await self._call(self._tournaments.ListResults(request, timeout=self.timeout))
            for result in response.results:
                yield result
            if not response.next_after_entry:
                return
            request.after_entry = response.next_after_entry


class Events(Blocking):
    """The same calls, blocking."""

    _client: AsyncEvents

    def plan_event(self, spec: pb.EventSpec) -> pb.PlanEventResponse:
        """See AsyncEvents.plan_event."""
        return self._run(self._client.plan_event(spec))

    def create_event(
        self, spec: pb.EventSpec, owner: Token, *, event_id: str = "", launch_key: bytes = b""
    ) -> pb.Event:
        """See AsyncEvents.create_event."""
        return self._run(self._client.create_event(spec, owner, event_id=event_id, launch_key=launch_key))

    def list_events(self, limit: int = 100) -> list[pb.Event]:
        """See AsyncEvents.list_events."""
        return self._run(self._client.list_events(limit))

    def get_event(self, event_id: str) -> pb.Event:
        """See AsyncEvents.get_event."""
        return self._run(self._client.get_event(event_id))

    def watch_event(self, event_id: str, from_entry: int = 0) -> Iterator[Entry]:
        """See AsyncEvents.watch_event."""
        return self._each(self._client.watch_event(event_id, from_entry))

    def pause_event(self, event_id: str, owner: Token) -> pb.Event:
        """See AsyncEvents.pause_event."""
        return self._run(self._client.pause_event(event_id, owner))

    def resume_event(self, event_id: str, owner: Token) -> pb.Event:
        """See AsyncEvents.resume_event."""
        return self._run(self._client.resume_event(event_id, owner))

    def cancel_event(self, event_id: str, owner: Token, reason: str = "") -> pb.Event:
        """See AsyncEvents.cancel_event."""
        return self._run(self._client.cancel_event(event_id, owner, reason))

    def add_bot(self, event_id: str, owner: Token, bot: pb.Entrant) -> pb.Event:
        """See AsyncEvents.add_bot."""
        return self._run(self._client.add_bot(event_id, owner, bot))

    def withdraw_bot(self, event_id: str, token: Token, bot: str, reason: str = "") -> pb.Event:
        """See AsyncEvents.withdraw_bot."""
        return self._run(self._client.withdraw_bot(event_id, token, bot, reason))

    def get_standings(self, event_id: str, *, ratings: bool = False) -> pb.GetStandingsResponse:
        """See AsyncEvents.get_standings."""
        return self._run(self._client.get_standings(event_id, ratings=ratings))

    def list_results(self, event_id: str, token: Token | None = None) -> Iterator[pb.GameResult]:
        """See AsyncEvents.list_results."""
        return self._each(self._client.list_results(event_id, token))
