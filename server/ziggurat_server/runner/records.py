"""Records: fetched as the deals of their games open, each once."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator

from ziggurat import AsyncClient
from ziggurat_rules.errors import BadRecord
from ziggurat_server.records.zgr import unpack
from ziggurat_server.runner.calls import patiently, refused_as
from ziggurat_server.runner.directory import RunDirectory
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.files import write_whole
from ziggurat_server.tournaments.log import EventEntry, Kind, match_id
from ziggurat_server.tournaments.state import EventState

SEALED_SECONDS = 20.0
"""How long a record is asked for that should be open."""
PAUSE_SECONDS = 0.2


class Records:
    """The records of a run."""

    def __init__(self, client: AsyncClient, run: RunDirectory, state: EventState) -> None:
        self._client = client
        self._run = run
        self._state = state
        self._sealed: dict[int, list[str]] = {}
        """By deal: matches that are over."""
        self._open: list[str] = []
        self.commitments = dict(_kept(run))
        """By match id: the commitment (hex) to the seed, of each record that is there."""
        self.missing: list[str] = []

    @property
    def count(self) -> int:
        """Records that are there."""
        return len(self.commitments)

    def note(self, entry: EventEntry) -> None:
        """A try of a game is over, or the event is."""
        if entry.kind in (Kind.RESULT, Kind.VOID):
            match = match_id(self._state.header.event_id, entry.game, entry.attempt)
            deal = self._state.deal(self._state.games[entry.game])
            self._sealed.setdefault(deal, []).append(match)
        if entry.kind in (Kind.RESULT, Kind.VOID, Kind.DROPPED):
            deal = self._state.deal(self._state.games[entry.game])
            if self._state.deal_is_over(deal):
                self._open += self._sealed.pop(deal, ())
        if entry.kind == Kind.CLOSED:
            self._open += [match for matches in self._sealed.values() for match in matches]
            self._sealed.clear()

    async def fetch(self) -> None:
        """Fetch what is open, without end."""
        while True:
            await self._fetch_open()
            await asyncio.sleep(PAUSE_SECONDS)

    async def finish(self) -> None:
        """Fetch all that is left; what cannot be had is `missing`."""
        deadline = time.monotonic() + SEALED_SECONDS
        while self._open and time.monotonic() < deadline:
            if await self._fetch_open():
                deadline = time.monotonic() + SEALED_SECONDS
            elif self._open:
                await asyncio.sleep(PAUSE_SECONDS)
        self.missing += self._open

    async def _fetch_open(self) -> int:
        """How many were fetched, or found not to be there."""
        done = 0
        for match in self._open.copy():
            if match in self.commitments or await self._fetch(match):
                self._open.remove(match)
                done += 1
        return done

    async def _fetch(self, match: str) -> bool:
        """Fetch a record; False if it is sealed."""
        try:
            zgr = await patiently(lambda: self._client.get_record(match))
        except TournamentError as error:
            if refused_as(error, "ENGINE_FAULT", "UNKNOWN_MATCH", "RULES_VERSION"):
                self.missing.append(match)
                return True
            if refused_as(error, "SEALED"):
                return False
            raise
        write_whole(self._run.records / f"{match}.zgr", zgr)
        self.commitments[match] = unpack(zgr)[0].commitment.hex()
        return True


def _kept(run: RunDirectory) -> Iterator[tuple[str, str]]:
    """Records that were kept before; what is damaged is fetched again."""
    for path in run.records.glob("*.zgr"):
        with contextlib.suppress(BadRecord):
            yield path.stem, unpack(path.read_bytes())[0].commitment.hex()
