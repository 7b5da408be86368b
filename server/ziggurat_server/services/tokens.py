"""Tokens as calls give them."""

from __future__ import annotations

import hashlib

from ziggurat_server.errors import ServiceError
from ziggurat_server.matches.live import LiveMatch


def token_hash(token: bytes) -> bytes:
    """The hash under which a token is kept; raises NO_TOKEN if there is none."""
    if not token:
        raise ServiceError("NO_TOKEN", "token", "a seat's token is needed")
    return hashlib.sha256(token).digest()


def seat_by_token(live: LiveMatch, token: bytes) -> int:
    """The seat that a token opens; raises NO_TOKEN or BAD_TOKEN."""
    seat = live.seat_of(token_hash(token))
    if seat is None:
        raise ServiceError("BAD_TOKEN", "token", f"this token opens no seat of match {live.id!r}")
    return seat
