"""Logs by their bytes: matches that the rules cannot replay are read, and made void, all the same.

A node that finds an engine fault appends nothing: other nodes may be right. Who is responsible for the match (its
owner, or the event that it belongs to) may then end it without a result.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import structlog
from google.protobuf.message import DecodeError

from ziggurat_server import convert
from ziggurat_server.errors import ServiceError
from ziggurat_server.log import ENDS, Cause, Entry, Header, Kind
from ziggurat_server.matches.live import LiveMatch, deal_of
from ziggurat_server.sessions.store import Store, chain, unknown_match
from ziggurat_server.sessions.writer import APPENDED, UNKNOWN

log = structlog.get_logger()

_DAMAGED = (DecodeError, ValueError, ServiceError)


def replayed(raw: Sequence[bytes]) -> LiveMatch:
    """The match that a log tells, without its tip. A void one is replayed as far as the rules go along.

    Raises ServiceError for what this node does not play, and anything for damaged bytes or a fault of the rules.
    """
    good = 1
    try:
        live = _begun(raw)
        for entry in raw[1:]:
            live.fold(convert.decode_entry(entry))
            good += 1
    except ServiceError:
        raise
    except Exception as error:
        void = entry_of(raw[-1])
        if void is None or void.kind != Kind.VOID:
            raise
        live = _begun(raw)
        log.warning("void match replayed in part", match=live.id, entries=good, error=repr(error))
        for entry in raw[1:good]:
            live.fold(convert.decode_entry(entry))
        live.fold(void)
        live.length = len(raw)
    return live


def _begun(raw: Sequence[bytes]) -> LiveMatch:
    return LiveMatch(convert.decode_header(raw[0]), chain(b"", raw[:1]), convert.update_item)


def entry_of(raw: bytes) -> Entry | None:
    """An entry of a log; None if it is damaged."""
    try:
        return convert.decode_entry(raw)
    except _DAMAGED:
        return None


async def is_void(store: Store, match_id: str) -> bool:
    """Whether a log ends without a result."""
    tail = await store.read(match_id, -1)
    last = entry_of(tail.entries[-1]) if tail is not None and tail.entries else None
    return last is not None and last.kind == Kind.VOID


async def owners_of(store: Store, match_id: str) -> tuple[Header, set[bytes]]:
    """Header of a log and the token hashes of its seats; UNKNOWN_MATCH, or ENGINE_FAULT if the header is damaged."""
    tail = await store.read(match_id)
    if tail is None:
        raise unknown_match(match_id)
    try:
        header = convert.decode_header(tail.entries[0])
    except _DAMAGED as error:
        raise ServiceError("ENGINE_FAULT", "match_id", f"the header of {match_id!r} is damaged") from error
    return header, _tokens_of(header, tail.entries[1:])


def _tokens_of(header: Header, raw: Sequence[bytes]) -> set[bytes]:
    joined = {e.token_sha256 for e in map(entry_of, raw) if e is not None and e.kind == Kind.JOINED}
    return (joined | {seat.token_sha256 for seat in header.seats}) - {b""}


async def make_void(store: Store, match_id: str, cause: Cause, note: str) -> None:
    """End a match without a result, unless it is over. It is not replayed: only its log's last entry is read.

    Raises UNKNOWN_MATCH or STORE_UNAVAILABLE.
    """
    while True:
        tail = await store.read(match_id)
        if tail is None:
            raise unknown_match(match_id)
        last = entry_of(tail.entries[-1]) if tail.length > 1 else None
        if last is not None and last.kind in ENDS:
            break
        void = Entry(Kind.VOID, cause=cause, note=note, applied_ms=int(time.time() * 1000))
        outcome = await store.append_and_wait(match_id, tail.tip, [convert.encode_entry(void)])
        if outcome == APPENDED:
            break
        if outcome == UNKNOWN:
            await asyncio.sleep(0.1)
    await _drop_hints(store, match_id, tail.entries)


async def _drop_hints(store: Store, match_id: str, raw: Sequence[bytes]) -> None:
    try:
        header = convert.decode_header(raw[0])
    except _DAMAGED:
        await store.forget_due(match_id)  # the deal is then no longer held open by it
        return
    await store.closed(match_id, sorted(_tokens_of(header, raw[1:])), deal_of(header.game, header.seed))
