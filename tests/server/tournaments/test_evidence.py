"""What results say of faults, and to whom; and the sequential test, which needs somebody who loses."""

from __future__ import annotations

from collections.abc import Sequence

from tests.support.fast_bot import FastBot, playing, token_of
from tests.support.tournaments import OWNER, check_log, create, entries_of, event_of, results_of, spec
from tests.support.wire import Wire, refused

from ziggurat.v1 import play_pb2, record_pb2
from ziggurat.v1 import tournament_pb2 as pb
from ziggurat_server.app import Application


class Illegal(FastBot):
    """A bot that answers what was never offered."""

    def _choice(self, decision: play_pb2.Decision) -> Sequence[int]:
        return [4242]


def policy(**more: int) -> record_pb2.Policy:
    """No clock; who answers illegally is answered for at once."""
    return record_pb2.Policy(**{"decision_ms": 60_000, "gone_ms": 60_000, "ready_ms": 60_000} | more)


async def test_evidence_is_for_its_owner(server: Application, calls: Wire) -> None:
    address = f"127.0.0.1:{server.port}"
    async with playing([FastBot(address, token_of("fair")), Illegal(address, token_of("bad"))]):
        await create(calls, "event", spec(["fair", "bad"], policy=policy(on_illegal=1)))
        entries = await entries_of(calls, "event")
    public = [entry.result for entry in entries if entry.kind == pb.EVENT_ENTRY_KIND_RESULT]
    seen = {
        "public": public,
        "anybody": await results_of(calls, "event"),
        "fair": await results_of(calls, "event", token_of("fair")),
        "bad": await results_of(calls, "event", token_of("bad")),
        "owner": await results_of(calls, "event", OWNER),
    }
    for who, results in seen.items():
        assert len(results) == 2
        for result in results:
            seat = [s.bot for s in result.seats].index("bad")
            assert result.seats[seat].illegal == result.seats[seat].substitutes > 5
            assert len(result.faults) == min(100, result.seats[seat].illegal)
            for fault in result.faults:
                assert (fault.seat, fault.cause) == (seat, record_pb2.CAUSE_ILLEGAL)
                assert fault.fallback == record_pb2.FALLBACK_DEFAULT
                assert 0 < fault.sent_ms <= fault.received_ms <= fault.applied_ms
                own = who in ("bad", "owner")
                assert list(fault.submission) == ([4242] if own else [])
                assert ("4242 is out of range" in fault.note, bool(fault.substitute)) == (own, own)
    request = pb.ListResultsRequest(event_id="event", token=b"somebody else's token")
    said = await refused(calls.events.ListResults(request))
    assert (said.reason, said.field) == ("BAD_TOKEN", "token")
    assert (await calls.events.ListResults(pb.ListResultsRequest(event_id="event"))).policy.on_illegal == 1


async def test_a_sequential_test_ends_the_event(server: Application, calls: Wire) -> None:
    address = f"127.0.0.1:{server.port}"
    names = ["new", "old"]
    stop = pb.StopRule(candidate="new", baseline="old", h0=0.0, h1=0.2, alpha=0.05, beta=0.05)
    what = spec(names, format=pb.Format(rounds=100), policy=policy(on_illegal=3), stop=stop)
    async with playing([FastBot(address, token_of("new")), Illegal(address, token_of("old"))]):
        await create(calls, "test", what)
        entries = await entries_of(calls, "test")
    check_log(entries, 4)
    event = await event_of(calls, "test")
    assert event.state == pb.EVENT_STATE_FINISHED
    assert event.reason == f"new is better than old, by {event.test.deals} deals"
    assert event.test.verdict == "better" and event.test.score == 1.0
    assert event.test.llr >= event.test.upper > 0
    assert event.games_finished < 100
    standings = await calls.events.GetStandings(pb.GetStandingsRequest(event_id="test"))
    assert standings.test == event.test
    forfeits = {bot.name: bot.forfeits for bot in standings.bots}
    assert forfeits == {"new": 0, "old": event.games_finished}
