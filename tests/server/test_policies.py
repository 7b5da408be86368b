"""Clocks, grace and verdicts by the policy: who is charged, what is refused as what, and the evidence kept of it."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from typing import Any

import pytest
from tests.support.wire import Wire, token_of, usual

from ziggurat.v1 import match_pb2, play_pb2, record_pb2
from ziggurat_rules.registry import load_game
from ziggurat_server import convert
from ziggurat_server.app import Application
from ziggurat_server.log import Cause, Entry, Fallback, Fault, Faults, Kind, Policy
from ziggurat_server.matches.clock import Absence, bank_after, limit_ms
from ziggurat_server.matches.faults import Evidence, evidence_of
from ziggurat_server.matches.node import Node
from ziggurat_server.matches.session import Session
from ziggurat_server.records.verify import verify
from ziggurat_server.records.zgr import unpack

Status = play_pb2.VerdictStatus
BANKED = record_pb2.Policy(decision_ms=2_000, bank_ms=10_000, bank_every=10, illegal_retries=9, on_timeout=1)


def freeze(session: Session, seat: int, used_ms: int) -> None:
    """Stop the clock of a seat's decision at a time used."""
    clock = session.clocks[seat]
    clock.used_ms, clock.since = used_ms, math.inf


async def taken(calls: Wire, node: Node, seat: int, used_ms: Sequence[int]) -> play_pb2.Decision:
    """Plays on until the seat has taken so many decisions, each in so many milliseconds; gives its next one."""
    session, waiting = node.memory.sessions["m"], list(used_ms)
    while True:
        asked, decision = await calls.asked("m")
        assert 0 < decision.left_ms <= 12_000
        if asked == seat and not waiting:
            return decision
        freeze(session, asked, waiting.pop(0) if asked == seat else 0)
        verdict = await calls.act("m", asked, decision.id, usual("m", asked, decision))
        assert verdict.status == Status.VERDICT_STATUS_ACCEPTED


async def until(condition: Any) -> None:
    """Waits until something holds."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


class Bot:
    """A bare stream of one seat, which answers pings; decisions are kept."""

    def __init__(self, calls: Wire, match_id: str, seat: int) -> None:
        self.call = calls.bots.Play()
        self.token = token_of(match_id, seat)
        self.decisions: list[play_pb2.Decision] = []
        self.verdicts: list[int] = []

    async def __aenter__(self) -> Bot:
        await self.say(hello=play_pb2.Hello(token=self.token))
        self.reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.reader.cancel()
        self.call.cancel()
        await asyncio.wait({self.reader})

    async def say(self, **what: Any) -> None:
        await self.call.write(play_pb2.PlayRequest(**what))

    async def _read(self) -> None:
        while response := await self.call.read():
            if response.ping:
                await self.say(pong=response.ping)
            for item in response.items:
                if item.HasField("decision"):
                    self.decisions.append(item.decision)
                elif item.HasField("verdict"):
                    self.verdicts.append(item.verdict.status)


# OPS-02


@pytest.mark.parametrize("legal", [True, False])
@pytest.mark.parametrize("boundary", [True, False])
async def test_a_late_answer_is_late_at_the_end_of_the_bank_and_before_its_refill(
    legal: bool, boundary: bool, calls: Wire, node: Node
) -> None:
    await calls.create("m", policy=BANKED)
    before = [0] * 8 if boundary else [0]
    decision = await taken(calls, node, 0, [*before, 12_000])  # in time to the millisecond
    session = node.memory.sessions["m"]
    assert session.live.seats[0].bank_ms == 0 and decision.left_ms <= 2_000
    freeze(session, 0, 2_020)
    choice = usual("m", 0, decision) if legal else [9_999]
    assert (await calls.act("m", 0, decision.id, choice)).status == Status.VERDICT_STATUS_LATE
    assert (await calls.act("m", 0, decision.id, choice)).status == Status.VERDICT_STATUS_LATE
    seat = session.live.seats[0]
    assert (seat.bank_ms, seat.taken, seat.strikes) == (0, len(before) + 1, 0)
    if boundary:  # the tenth that is taken in time, and charged for by what was there, fills the bank
        decision = await taken(calls, node, 0, [])
        assert decision.left_ms <= 2_000
        await taken(calls, node, 0, [1_980])
        assert seat.bank_ms == 10_000
    await calls.abort("m")
    header, log = unpack(await calls.record("m"))
    (fault,) = evidence_of(log, header).faults
    (substitute,) = (entry for entry in log if entry.kind == Kind.SUBSTITUTE)
    assert fault.cause == Cause.SLOW and fault.charged_ms == 2_000 and fault.bank_ms == 0
    assert fault.submission == tuple(choice) and fault.substitute == substitute.choice
    assert 0 < fault.sent_ms <= fault.received_ms <= fault.applied_ms
    assert [entry.kind for entry in log].count(Kind.LATE) == 1
    assert Kind.STRIKE not in [entry.kind for entry in log]


async def test_an_answer_just_in_time_at_the_boundary_is_charged_and_then_the_bank_is_filled(
    calls: Wire, node: Node
) -> None:
    await calls.create("m", policy=BANKED)
    await taken(calls, node, 0, [*[0] * 8, 12_000, 1_980])
    assert node.memory.sessions["m"].live.seats[0].bank_ms == 10_000
    assert node.memory.sessions["m"].live.evidence.faults == []


def test_limits_and_banks_to_the_millisecond() -> None:
    assert limit_ms(Policy(decision_ms=0, bank_ms=0), 0) is None
    assert limit_ms(Policy(decision_ms=0, bank_ms=0, hard_cap_ms=9), 0) == 9
    assert limit_ms(Policy(decision_ms=5, bank_ms=7), 7) == 12
    assert limit_ms(Policy(decision_ms=5, bank_ms=7, hard_cap_ms=9), 7) == 9
    alone = Policy(decision_ms=0, bank_ms=7, increment_ms=2)
    assert limit_ms(alone, 0) == 0  # not "no limit"
    assert bank_after(alone, 7, 3, 1) == 6
    assert bank_after(alone, 7, 7, None) == 0  # not in time: no increment
    every = Policy(decision_ms=5, bank_ms=7, bank_every=2, increment_ms=10)
    assert [bank_after(every, 3, 6, n) for n in (1, 2)] == [12, 12]  # it holds more than would be filled in
    assert bank_after(Policy(decision_ms=5, bank_ms=7, bank_every=2), 3, 6, 2) == 7
    most = 2**32 - 1
    assert bank_after(Policy(decision_ms=5, bank_ms=most, increment_ms=most), most, 0, 1) == most


async def test_a_seat_that_has_resigned_is_asked_nothing_and_answered_for_in_nothing(
    calls: Wire, node: Node
) -> None:
    policy = record_pb2.Policy(decision_ms=60_000, on_timeout=1)
    await calls.create("m", 4, policy=policy, game="tta", options={"resignation": "true"})
    session = node.memory.sessions["m"]
    live = session.live
    (resign,) = (verb.number for verb in load_game("tta").vocabulary.verbs if verb.name == "resign")
    resigned, answers = -1, 0
    while resigned < 0 or answers < live.seats[resigned].decision_id + 60:
        seat, decision = await calls.asked("m", 4)
        assert seat != resigned
        options = live.seats[seat].decision.options if live.seats[seat].decision else ()
        offered = [number for number, option in enumerate(options) if option[:1] == (resign,)]
        choice = usual("m", seat, decision)
        if offered and resigned < 0:
            resigned, choice = seat, offered
        elif choice == offered:
            choice = list(decision.default_choice)
        late = resigned >= 0 and seat != resigned and answers % 4 == 0
        freeze(session, seat, 60_001 if late else 10)
        verdict = await calls.act("m", seat, decision.id, choice)
        wanted = Status.VERDICT_STATUS_LATE if late else Status.VERDICT_STATUS_ACCEPTED
        assert verdict.status == wanted
        answers += 1
    last = live.seats[resigned].decision_id
    await calls.abort("m")
    zgr = await calls.record("m")
    assert verify(zgr).void_reason  # every substitute was legal
    header, log = unpack(zgr)
    moves = [entry for entry in log if entry.kind in (Kind.ANSWER, Kind.SUBSTITUTE)]
    assert max(entry.decision_id for entry in moves if entry.seat == resigned) == last
    substitutes = [entry for entry in moves if entry.kind == Kind.SUBSTITUTE]
    assert len(substitutes) > 5 and {entry.seat for entry in substitutes} <= set(range(4)) - {resigned}
    assert {entry.fallback for entry in substitutes} == {Fallback.DEFAULT}
    counts = evidence_of(log, header).counts
    assert sum(count.late for count in counts) == sum(count.substitutes for count in counts)
    assert counts[resigned] == Faults()


async def test_a_second_thought_after_an_answer_in_time_costs_nothing(calls: Wire, node: Node) -> None:
    await calls.create("m", policy=record_pb2.Policy(on_illegal=3, on_timeout=3, decision_ms=60_000))
    seat, decision = await calls.asked("m")
    async with Bot(calls, "m", seat) as bot:
        await until(lambda: bot.decisions)
        good = play_pb2.Answer(channel=1, decision_id=decision.id, choice=usual("m", seat, decision))
        wrong = play_pb2.Answer(channel=1, decision_id=decision.id, choice=[9_999])
        await bot.say(answers=[good, wrong, wrong])
        await until(lambda: len(bot.verdicts) == 3)
    assert bot.verdicts == [Status.VERDICT_STATUS_ACCEPTED, *[Status.VERDICT_STATUS_ANSWERED] * 2]
    live = node.memory.sessions["m"].live
    assert live.evidence.faults == [] and not live.seats[seat].forfeited


async def test_an_answer_in_flight_beats_a_late_second_thought(
    calls: Wire, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    await calls.create("m", policy=record_pb2.Policy(on_timeout=3, decision_ms=60_000))
    seat, decision = await calls.asked("m")
    session, choice = node.memory.sessions["m"], usual("m", seat, decision)
    held: list[tuple[Any, ...]] = []
    append = node.store.append
    monkeypatch.setattr(node.store, "append", lambda *arguments: held.append(arguments))
    first = asyncio.create_task(calls.act("m", seat, decision.id, choice))
    await until(lambda: held)
    freeze(session, seat, 60_001)
    second = asyncio.create_task(calls.act("m", seat, decision.id, choice, b"other"))
    await until(lambda: session.queue)
    monkeypatch.undo()
    append(*held[0])
    assert (await first).status == Status.VERDICT_STATUS_ACCEPTED
    assert (await second).status == Status.VERDICT_STATUS_ANSWERED
    await until(lambda: not session.queue and session.in_flight is None)
    assert session.live.evidence.faults == [] and session.live.evidence.counts[seat] == Faults()


async def test_an_illegal_answer_that_is_repeated_is_one_strike(calls: Wire, node: Node) -> None:
    await calls.create("m", policy=record_pb2.Policy(illegal_retries=1, on_illegal=3))
    seat, decision = await calls.asked("m")
    seen = node.memory.sessions["m"].live.seats[seat]
    async with Bot(calls, "m", seat) as bot:
        await until(lambda: bot.decisions)
        wrong = play_pb2.Answer(channel=1, decision_id=decision.id, choice=[9_999], move_id=b"m")
        await bot.say(answers=[wrong, wrong, wrong])  # before the first is in the log
        await until(lambda: len(bot.verdicts) == 3)
    for _ in range(3):  # as after a lost connection
        verdict = await calls.act("m", seat, decision.id, [9_999], b"m")
        bot.verdicts.append(verdict.status)
    assert bot.verdicts == [Status.VERDICT_STATUS_ILLEGAL] * 6
    assert (seen.strikes, seen.forfeited) == (1, False)
    await calls.act("m", seat, decision.id, [9_999], b"n")
    await until(lambda: seen.forfeited)
    assert seen.strikes == 2
    assert node.memory.sessions["m"].live.evidence.counts[seat].illegal == 2


# OPS-08


def away(absence: Absence, decision_id: int, start: float, seconds: float) -> float:
    """The seat owes a decision and is away for so long, looked at each half second."""
    steps = int(seconds * 2)
    for step in range(steps + 1):
        absence.owes(decision_id, start + step / 2)
    return start + steps / 2


@pytest.mark.parametrize("bank", [0, 90_000])
@pytest.mark.parametrize("own_first", [True, False])
def test_grace_is_used_only_while_the_seat_owes_a_decision_whichever_comes_first(
    bank: int, own_first: bool
) -> None:
    """Away for 50 s on another's turn and twice for 50 s on its own, in both orders; then once more."""
    policy, absence, now = Policy(gone_ms=60_000, gone_bank_ms=bank), Absence(), 0.0
    for own in (own_first, not own_first):
        if own:
            now = away(absence, 1, now, 50)
        else:
            absence.owes_nothing()
            now += 50
        assert not absence.over(policy, 0)
        absence.back(now)
        now += 5
    assert absence.spent_ms(1) == 50_000
    now = away(absence, 1, now, 50)
    assert absence.spent_ms(1) == 100_000
    assert absence.over(policy, 0) == bool(bank)
    absence.back(now)
    away(absence, 2, now, 50)
    assert absence.spent_ms(1) == 0 and absence.spent_ms(2) == 50_000
    assert absence.over(policy, 100_000) == bool(bank)
    away(absence, 2, now + 50, 10.5)
    assert absence.over(policy, 0)  # 60 s in one absence


def test_a_stall_uses_up_no_grace() -> None:
    absence = Absence()
    absence.owes(1, 0.0)
    absence.owes(1, 500.0)
    assert absence.spent_ms(1) <= 1_000


async def test_absence_on_the_turn_of_another_costs_nothing_and_return_is_noticed(
    calls: Wire, node: Node
) -> None:
    await calls.create("m", policy=record_pb2.Policy(gone_ms=400, on_gone=3))
    session = node.memory.sessions["m"]
    owing, decision = await calls.asked("m")
    other = 1 - owing
    async with Bot(calls, "m", owing):
        async with Bot(calls, "m", other):
            await until(lambda: session.present.get(other))
        await until(lambda: not session.present[other])
        started = time.monotonic()
        await until(
            lambda: time.monotonic() - started > 1.2
        )  # ticks, in which the other is away and owes nothing
        assert session.live.rules.answers == 0
        async with Bot(calls, "m", other) as back:
            await until(lambda: session.present[other])
            assert other not in session.absences and other not in session.clocks
            while session.live.asked(other) is None:
                decision = (await calls.get("m", owing)).decision
                await calls.act("m", owing, decision.id, usual("m", owing, decision))
            await until(lambda: back.decisions)
            started = time.monotonic()
            await until(lambda: time.monotonic() - started > 1.2)  # longer than its grace
            assert session.live.evidence.counts == [Faults(), Faults()]
        await until(lambda: session.live.evidence.counts[other].gone)  # now it owes, and is gone
        assert session.live.seats[other].forfeited
    (fault,) = (fault for fault in session.live.evidence.faults if fault.cause == Cause.GONE)
    assert fault.seat == other and fault.sent_ms > 0 and fault.round_trip_ms > 0
    assert session.live.evidence.counts[owing] == Faults()
    assert session.live.seats[other].absent_ms >= 400


async def both_asked(calls: Wire, node: Node, policy: record_pb2.Policy) -> Session:
    """A game of Millennia in which both seats have a decision to take."""
    await calls.create("m", policy=policy, game="millennia")
    session = node.memory.sessions["m"]
    while any(session.live.asked(seat) is None for seat in (0, 1)):
        assert await calls.step("m")
    return session


async def test_who_has_answered_and_waits_is_not_charged_while_the_other_thinks(
    calls: Wire, node: Node
) -> None:
    policy = record_pb2.Policy(decision_ms=1_000, bank_ms=120_000, on_timeout=3)
    session = await both_asked(calls, node, policy)
    live = session.live
    for seat in (0, 1):
        await calls.get("m", seat)  # sent to both
        freeze(session, seat, 0)
    bank = live.seats[0].bank_ms
    thinking = live.seats[1].decision_id
    while live.asked(0) is not None and live.asks(1, thinking):
        decision = (await calls.get("m", 0)).decision
        freeze(session, 0, 900)
        await calls.act("m", 0, decision.id, usual("m", 0, decision))
    assert live.asks(1, thinking) and live.asked(0) is None
    seats = live.seats
    before = seats[1].bank_ms
    session.clocks[0].used_ms, session.clocks[0].since = 0, time.monotonic() - 40  # as if it ran on
    freeze(session, 1, 40_000)
    decision = (await calls.get("m", 1)).decision
    assert decision.id == thinking and decision.left_ms == before + 1_000 - 40_000
    await calls.act("m", 1, decision.id, usual("m", 1, decision))
    assert seats[0].bank_ms == bank and seats[1].bank_ms == before - 39_000
    assert live.evidence.faults == []


async def test_one_seats_absence_changes_no_clock_of_another(calls: Wire, node: Node) -> None:
    policy = record_pb2.Policy(decision_ms=50_000, bank_ms=7_000, gone_ms=300, on_gone=1)
    session = await both_asked(calls, node, policy)
    live = session.live
    async with Bot(calls, "m", 1) as stays:
        await until(lambda: stays.decisions)
        decision_id, clock = live.seats[1].decision_id, session.clocks[1]
        freeze(session, 1, 20_000)
        async with Bot(calls, "m", 0) as leaves:
            await until(lambda: leaves.decisions)
        await until(lambda: live.evidence.counts[0].gone >= 1)
        assert live.asks(1, decision_id) and session.clocks[1] is clock and clock.used_ms == 20_000
        assert (await calls.get("m", 1)).decision.left_ms == 37_000
        assert live.seats[1].bank_ms == live.seats[1].absent_ms + 7_000 and 1 not in session.absences
    assert live.evidence.counts[1] == Faults()
    assert {fault.fallback for fault in live.evidence.faults} == {Fallback.DEFAULT}


# Evidence


async def test_a_strike_keeps_all_that_was_known_of_it(calls: Wire, node: Node) -> None:
    await calls.create(
        "m", policy=record_pb2.Policy(decision_ms=60_000, bank_ms=5, illegal_retries=1, on_illegal=3)
    )
    seat, decision = await calls.asked("m")
    session = node.memory.sessions["m"]
    async with Bot(calls, "m", seat) as bot:
        await until(lambda: bot.decisions and session.round_trip_ms(seat))
        freeze(session, seat, 1_234)
        wrong = [play_pb2.Answer(channel=1, decision_id=decision.id, choice=[n]) for n in (9_998, 9_999)]
        await bot.say(answers=wrong)
        await until(lambda: session.live.seats[seat].forfeited and session.live.asked(seat) is None)
    await calls.abort("m")
    header, log = unpack(await calls.record("m"))
    faults = evidence_of(log, header).faults
    assert faults == session.live.evidence.faults
    first, second, forfeit = faults[:3]
    assert [fault.cause for fault in faults] == [Cause.ILLEGAL, Cause.ILLEGAL, Cause.FORFEITED]
    for number, fault in enumerate((first, second)):
        assert fault.submission == (9_998 + number,) and "out of range" in fault.note
        assert (fault.charged_ms, fault.bank_ms) == (1_234, 5) and 0 < fault.round_trip_ms < 5_000
        assert 0 < fault.sent_ms <= fault.received_ms <= fault.applied_ms
    assert first.substitute == () and second.substitute == tuple(decision.default_choice)
    assert second.fallback == forfeit.fallback == Fallback.FORFEIT
    (count,) = (counts for counts in session.live.evidence.counts if counts.total)
    assert (count.illegal, count.forfeits, count.total) == (2, 1, len(faults))
    told = convert.fault_message(second)
    assert list(told.submission) == list(told.substitute) == [] and not told.note
    assert told.cause == Cause.ILLEGAL
    own = convert.fault_message(second, choices=True)
    assert list(own.submission) == [9_999] and own.note == second.note
    assert tuple(own.substitute) == second.substitute


def test_each_fault_is_told_once() -> None:
    evidence = Evidence(2)
    for entry in (
        Entry(Kind.SUBSTITUTE, 1, 4, (2,), cause=Cause.SLOW, applied_ms=10, fallback=1),
        Entry(Kind.LATE, 1, 4, (9,), received_ms=12),
        Entry(Kind.LATE, 1, 4, (8,), received_ms=13),
        Entry(Kind.LATE, 0, 4, (8,), received_ms=13),
        Entry(Kind.SUBSTITUTE, 1, 5, (1,), cause=Cause.GONE, applied_ms=20, fallback=3),
        Entry(Kind.FORFEIT, 1, 5, cause=Cause.GONE),
        Entry(Kind.SUBSTITUTE, 1, 6, (1,), cause=Cause.FORFEITED),
        Entry(Kind.ANSWER, 0, 1, (0,)),
        Entry(Kind.VOID, cause=Cause.SERVER, note="not a seat's"),
    ):
        evidence.take(entry)
    slow = Fault(1, 4, Cause.SLOW, 0, 12, 10, submission=(9,), substitute=(2,), fallback=1)
    gone = Fault(1, 5, Cause.GONE, 0, 0, 20, substitute=(1,), fallback=3)
    assert evidence.faults == [slow, gone, Fault(1, 5, Cause.FORFEITED)]
    assert evidence.counts == [Faults(), Faults(late=1, gone=1, substitutes=3, forfeits=1)]


async def test_the_policy_is_shown_and_kept_as_it_was_given(calls: Wire, server: Application) -> None:
    policy = record_pb2.Policy(
        decision_ms=1_000, bank_ms=2_000, increment_ms=3, hard_cap_ms=4_000, illegal_retries=5, on_illegal=1,
        on_timeout=2, gone_ms=6_000, on_gone=3, ready_ms=7_000, bank_every=8, gone_bank_ms=9_000,
    )  # fmt: skip
    assert len(policy.ListFields()) == len(record_pb2.Policy.DESCRIPTOR.fields)
    info = await calls.create("m", policy=policy, ready=False)
    assert info.policy == policy
    await calls.abort("m")
    header, log = unpack(await calls.record("m"))
    assert convert.policy_message(header.policy) == policy
    assert log[-1].cause == Cause.ABORTED and log[-1].applied_ms >= header.created_ms
    again = await calls.matches.CreateMatch(calls.creation("m", policy=policy))
    assert again.match.state == match_pb2.MATCH_STATE_VOID
