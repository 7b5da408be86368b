"""What a bot holds of its matches, and what it says next: the whole protocol of BotService.Play without a
socket.

All methods but `decided` belong to the stream's thread.
"""

from __future__ import annotations

import logging
import os
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from ziggurat.decision import Decision, Plan
from ziggurat.errors import OutOfStep
from ziggurat.game import GameInfo
from ziggurat.v1 import play_pb2
from ziggurat.view import Board, View

log = logging.getLogger("ziggurat")

_ACCEPTED = play_pb2.VERDICT_STATUS_ACCEPTED
_ILLEGAL = play_pb2.VERDICT_STATUS_ILLEGAL
_ANSWERED = play_pb2.VERDICT_STATUS_ANSWERED
_SNAPSHOTS = 3
"""Snapshots in a row that may have a wrong hash before the client gives up."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a seat ended: `place` counts from 1, shared places stay shared."""

    seat: int
    points: int
    tie_break: tuple[int, ...]
    place: int
    forfeited: bool


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended for one seat of the bot. No standings if it is void; `void_reason` says why."""

    match_id: str
    seat: int
    game: str
    standings: tuple[Standing, ...]
    void_reason: str


def result(match_id: str, seat: int, game: str, closed: play_pb2.Closed) -> Result:
    """The result that a closing message tells."""
    standings = tuple(
        Standing(s.seat, s.points, tuple(s.tie_break), s.place, s.forfeited) for s in closed.standings
    )
    return Result(match_id, seat, game, standings, closed.void_reason)


class Seat:
    """One seat of one match: the view, the open decision and the answer that has no verdict yet."""

    __slots__ = (
        "answer",
        "asked",
        "awaits_ready",
        "board",
        "channel",
        "decision",
        "game",
        "info",
        "match_id",
        "misses",
        "number",
    )

    def __init__(self, match_id: str, number: int) -> None:
        self.match_id = match_id
        self.number = number
        self.game = ""
        self.board = Board()
        self.info: GameInfo | None = None
        self.channel: int | None = None
        self.awaits_ready = False
        self.misses = 0  # updates in a row whose hash was wrong; 0: in step with the server
        self.decision: play_pb2.Decision | None = None
        self.asked: Decision | None = None
        self.answer: play_pb2.Answer | None = None

    def forget_decision(self) -> None:
        """The open decision is no more."""
        if self.asked is not None and self.answer is None:
            self.asked.cancel()
        self.decision = self.asked = self.answer = None


Task = tuple[Seat, View, Decision]


class Session:
    """All seats of a bot. Feed `receive`, take tasks from `tasks`, give choices to `decided`, send
    `next_request`.

    `wanted` maps ids of games that are not known yet to a match of each: fetch them and call `learn`.
    `results` holds matches that have ended, until somebody takes them; `stopping`: the server asked to attach
    anew.
    """

    def __init__(self, name: str, token: bytes, verify: bool = True) -> None:
        self._name = name
        self._token = token
        self._verify = verify
        self._seats: dict[tuple[str, int], Seat] = {}
        self._channels: dict[int, Seat] = {}
        self._infos: dict[str, GameInfo] = {}
        self._waiting: dict[str, list[Seat]] = {}
        self._ready: list[int] = []
        self._resync: list[int] = []
        self._again: list[Seat] = []
        self._decided: deque[tuple[Seat, Decision, Sequence[int], Sequence[Sequence[int]]]] = deque()
        self._moves = int.from_bytes(os.urandom(8), "big") >> 1
        self.wanted: dict[str, str] = {}
        self.tasks: list[Task] = []
        self.results: list[Result] = []
        self.max_answers = 64
        self.keepalive = 10.0
        self.stopping = False
        self._ping = 0

    def hello(self) -> play_pb2.PlayRequest:
        """The first message of a stream; channels of an earlier stream are void from here on."""
        self._channels.clear()
        self._ready.clear()
        self._resync.clear()
        self._again.clear()
        self._ping = 0
        self.stopping = False
        held = []
        for seat in self._seats.values():
            seat.channel = None
            if seat.board.version and not seat.misses:
                held.append(
                    play_pb2.Held(
                        match_id=seat.match_id,
                        seat=seat.number,
                        version=seat.board.version,
                        hash=seat.board.hash,
                    )
                )
        return play_pb2.PlayRequest(hello=play_pb2.Hello(name=self._name, token=self._token, held=held))

    def receive(self, response: play_pb2.PlayResponse) -> None:
        """Take in a message of the server; raises OutOfStep."""
        if response.HasField("welcome"):
            self.max_answers = response.welcome.max_answers or 64
            self.keepalive = (response.welcome.keepalive_ms or 10_000) / 1000
        self.stopping = self.stopping or response.stopping
        self._ping = response.ping or self._ping
        for item in response.items:
            kind = item.WhichOneof("item")
            if kind == "opened":
                self._opened(item.channel, item.opened)
                continue
            seat = self._channels.get(item.channel)
            if seat is None:
                continue
            if kind == "update":
                self._update(seat, item.update)
            elif kind == "decision":
                self._decision(seat, item.decision)
            elif kind == "verdict":
                self._verdict(seat, item.verdict)
            elif kind == "closed":
                self._closed(seat, item.closed)

    def learn(self, info_id: str, info: GameInfo) -> None:
        """A wanted game is here: its seats may be ready and be asked."""
        self._infos[info_id] = info
        self.wanted.pop(info_id, None)
        for seat in self._waiting.pop(info_id, ()):
            seat.info = info
            self._begin(seat)

    def decided(self, seat: Seat, decision: Decision, choice: object) -> None:
        """What `decide` returned, from any thread; raises BadChoice if it is not offered."""
        plan: Sequence[Sequence[int]] = ()
        if isinstance(choice, Plan):
            plan = [(then,) if isinstance(then, int) else then for then in choice.then]
            choice = choice.choice
        self._decided.append((seat, decision, decision.wire(choice), plan))

    def next_request(self) -> play_pb2.PlayRequest | None:
        """What to send next, if anything."""
        decided = self._decided
        answers: list[play_pb2.Answer] = []
        while self._again and len(answers) < self.max_answers:
            self._put(self._again.pop(), answers)
        while decided and len(answers) < self.max_answers:
            seat, decision, choice, plan = decided.popleft()
            if seat.asked is decision and seat.answer is None:
                self._moves += 1
                seat.answer = play_pb2.Answer(
                    decision_id=decision.id, choice=choice, move_id=self._moves.to_bytes(8, "big")
                )
                for then in plan:
                    seat.answer.plan.add(values=then)
                self._put(seat, answers)
        if not (answers or self._ready or self._resync or self._ping):
            return None
        request = play_pb2.PlayRequest(
            answers=answers, ready=self._ready, resync=self._resync, pong=self._ping
        )
        self._ping = 0
        self._ready.clear()
        self._resync.clear()
        return request

    @property
    def has_news(self) -> bool:
        """Whether `next_request` has something to send."""
        return bool(self._ready or self._resync or self._again or self._decided or self._ping)

    def cancel(self) -> None:
        """The bot stops: nobody waits for answers any more."""
        for seat in self._seats.values():
            seat.forget_decision()

    @staticmethod
    def _put(seat: Seat, answers: list[play_pb2.Answer]) -> None:
        """Put the seat's answer into a message; without a channel it waits for the decision to come again."""
        if seat.answer is not None and seat.channel is not None:
            seat.answer.channel = seat.channel
            answers.append(seat.answer)

    def _opened(self, channel: int, opened: play_pb2.Opened) -> None:
        key = (opened.match_id, opened.seat)
        seat = self._seats.get(key)
        if seat is None:
            seat = self._seats[key] = Seat(*key)
        seat.game = opened.game
        seat.channel = channel
        seat.awaits_ready = opened.awaits_ready
        self._channels[channel] = seat
        seat.info = self._infos.get(opened.game_info_id)
        if seat.info is not None:
            self._begin(seat)
        else:
            self._waiting.setdefault(opened.game_info_id, []).append(seat)
            self.wanted[opened.game_info_id] = opened.match_id

    def _begin(self, seat: Seat) -> None:
        if seat.awaits_ready and seat.channel is not None:
            seat.awaits_ready = False
            self._ready.append(seat.channel)
        self._ask(seat)

    def _update(self, seat: Seat, update: play_pb2.Update) -> None:
        if update.rolled_back:
            seat.forget_decision()
        if seat.misses and not update.snapshot:
            return
        if seat.board.fold(update, self._verify):
            if seat.misses:
                seat.misses = 0
                self._ask(seat)
            if (
                seat.asked is not None
                and seat.answer is None
                and seat.number not in seat.board.cells.get(4, ())
            ):
                seat.asked.cancel()
            return
        seat.misses += 1
        log.error(
            "match %s seat %d: wrong state hash at version %d", seat.match_id, seat.number, update.version
        )
        if seat.misses > _SNAPSHOTS:
            raise OutOfStep(f"match {seat.match_id}: even snapshots have the wrong state hash")
        assert seat.channel is not None
        self._resync.append(seat.channel)

    def _decision(self, seat: Seat, raw: play_pb2.Decision) -> None:
        if seat.decision is not None and seat.decision.id == raw.id:  # put again, after attaching or a resync
            if seat.asked is not None:
                seat.asked.deadline = _deadline(raw)
            if seat.answer is not None:
                self._again.append(seat)
            return
        seat.forget_decision()
        seat.decision = raw
        self._ask(seat)

    def _ask(self, seat: Seat) -> None:
        raw = seat.decision
        if raw is None or seat.asked is not None or seat.info is None or seat.misses:
            return
        seat.asked = Decision(seat.info, raw, _deadline(raw))
        self.tasks.append((seat, View(seat.match_id, seat.number, seat.info, seat.board), seat.asked))

    def _verdict(self, seat: Seat, verdict: play_pb2.Verdict) -> None:
        answer = seat.answer
        if answer is None or answer.decision_id != verdict.decision_id:
            return
        status = verdict.status
        if status == _ILLEGAL and seat.asked is not None:
            self._refused(seat, seat.asked, answer, verdict.message)
            return
        if status != _ACCEPTED and not (status == _ANSWERED and verdict.move_id == answer.move_id):
            name = play_pb2.VerdictStatus.Name(status).removeprefix("VERDICT_STATUS_").lower()
            where = (seat.match_id, seat.number, answer.decision_id)
            log.warning("match %s seat %d decision %d: %s %s", *where, name, verdict.message)
        seat.forget_decision()

    def _refused(self, seat: Seat, asked: Decision, answer: play_pb2.Answer, message: str) -> None:
        """An answer was illegal: give the default, once."""
        log.error("match %s seat %d decision %d: refused: %s", seat.match_id, seat.number, asked.id, message)
        default = asked.wire(asked.default)
        seat.answer = None
        if list(answer.choice) != list(default):
            self._decided.append((seat, asked, default, ()))

    def _closed(self, seat: Seat, closed: play_pb2.Closed) -> None:
        seat.forget_decision()
        if seat.channel is not None:
            self._channels.pop(seat.channel, None)
        self._seats.pop((seat.match_id, seat.number), None)
        self.results.append(result(seat.match_id, seat.number, seat.game, closed))


def _deadline(raw: play_pb2.Decision) -> float | None:
    return time.monotonic() + raw.left_ms / 1000 if raw.left_ms else None
