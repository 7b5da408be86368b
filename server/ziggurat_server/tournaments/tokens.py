"""Which token opens a bot's seats in an event."""

from __future__ import annotations

import hashlib
import hmac

from ziggurat_server.tournaments.event import Memory
from ziggurat_server.tournaments.log import EventHeader


def launched_token(launch_key: bytes, bot: str, match_id: str = "") -> bytes:
    """The token of a bot that the event's runner launches, or of its process for one match."""
    name = f"{match_id}/{bot}" if match_id else bot
    return hmac.digest(launch_key, name.encode(), "sha256")


def token_hash(header: EventHeader, bot: str, token_sha256: bytes, match_id: str) -> bytes:
    """The hash of the token with which a bot comes to a match. `token_sha256`: its own, if it was not launched."""
    if token_sha256:
        return token_sha256
    fresh = header.spec.memory == Memory.PROCESS
    token = launched_token(header.launch_key, bot, match_id if fresh else "")
    return hashlib.sha256(token).digest()
