"""What clients are told of a match: views, ends and verdicts, as messages and as encoded items."""

from __future__ import annotations

from ziggurat.v1 import play_pb2
from ziggurat_server import convert
from ziggurat_server.matches.live import Listener, LiveMatch, Verdict


def snapshot(live: LiveMatch, audience: int, rolled_back: bool = False) -> play_pb2.Update:
    """The whole view of an audience."""
    projector = live.projector
    return convert.update_message(
        projector.version[audience], projector.hash(audience), projector.view(audience), (), True, rolled_back
    )


def snapshot_item(live: LiveMatch, audience: int, rolled_back: bool = False) -> bytes:
    """The whole view of an audience as an encoded item."""
    return convert.item(convert.UPDATE, snapshot(live, audience, rolled_back).SerializeToString())


def closed_item(live: LiveMatch) -> bytes:
    """How a match ended, as an encoded item."""
    closed = play_pb2.Closed(
        standings=map(convert.standing_message, live.standings), void_reason=live.void_reason
    )
    return convert.item(convert.CLOSED, closed.SerializeToString())


def verdict_message(verdict: Verdict) -> play_pb2.Verdict:
    """A verdict as a message."""
    return play_pb2.Verdict(
        decision_id=verdict.decision_id,
        status=verdict.status,  # type: ignore[arg-type]
        message=verdict.message,
        plan_taken=verdict.plan_taken,
        move_id=verdict.move_id,
    )


def first(live: LiveMatch, listener: Listener, version: int | None, state_hash: int) -> None:
    """Give a listener what it lacks: the updates after the version it holds, or a snapshot."""
    audience = listener.audience
    if version is not None:
        updates = live.updates_since(audience, version, state_hash)
        if updates is not None:
            for item in updates:
                listener.update(live, item)
            return
    rolled_back = version is not None and live.was_rolled_back(audience, version, state_hash)
    listener.update(live, snapshot_item(live, audience, rolled_back))
