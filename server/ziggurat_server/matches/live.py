"""A live match: the fold of one log. No I/O: the node appends, and folds here only what the store confirmed."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ziggurat_rules.decisions import Decision
from ziggurat_rules.errors import IllegalChoice, RulesError
from ziggurat_rules.game import Game, parse_options
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match
from ziggurat_rules.projection import ARBITER, PUBLIC, Cells, Changes, Projector
from ziggurat_rules.registry import load_game
from ziggurat_rules.table import Table
from ziggurat_rules.terms import Term
from ziggurat_server.errors import EngineFault, ServiceError
from ziggurat_server.log import MOVES, Cause, Entry, Fallback, Header, Kind, Standing, standings_of
from ziggurat_server.matches.clock import bank_after
from ziggurat_server.matches.faults import Evidence

HISTORY = 64
"""Moves kept for clients that resume; who missed more gets a snapshot."""

ACCEPTED, ILLEGAL, ANSWERED, NOT_PENDING, LATE, OVER = 1, 2, 3, 4, 5, 6
"""Verdicts; the numbers are those of play.proto."""

WAITING, PLAYING, FINISHED, VOID = "waiting", "playing", "finished", "void"


@dataclass(slots=True)
class Seat:
    """What the log says of a seat."""

    name: str
    token_sha256: bytes
    ready: bool = False
    decision_id: int = 0
    """Id of the last decision put to it."""
    decision: Decision | None = None
    answers: dict[int, Entry] = field(default_factory=dict)
    """The entry that answered each decision."""
    strikes: int = 0
    struck: set[tuple[int, bytes, tuple[int, ...]]] = field(default_factory=set)
    """Illegal answers with a move id, by decision, move id and choice: a repeat of one is no second strike."""
    bank_ms: int = 0
    taken: int = 0
    """Decisions that it took in time."""
    absent_ms: int = 0
    """Grace that it used up on its decisions so far."""
    late: set[int] = field(default_factory=set)
    """Decisions of which a late answer was noted."""
    forfeited: bool = False


@dataclass(slots=True)
class Verdict:
    """What became of an answer."""

    decision_id: int
    status: int
    message: str = ""
    plan_taken: int = 0
    move_id: bytes = b""


class Listener(Protocol):
    """Who follows a match as one audience: a bot's channel or a watcher."""

    audience: int

    @property
    def round_trip_ms(self) -> int:
        """Last measured round trip to the client, in milliseconds; 0 if none was."""

    def update(self, live: LiveMatch, item: bytes) -> None:
        """The view changed."""

    def decision(self, live: LiveMatch, seat: int) -> None:
        """The seat has a decision to take."""

    def closed(self, live: LiveMatch) -> None:
        """The match is over; or, if it is not (`live.over`), it is not served on this node any more."""

    def resync(self, live: LiveMatch) -> None:
        """The view was rolled back: start again from a snapshot."""


@dataclass(slots=True)
class Move:
    """One step of the views, kept for resuming: versions, hashes and changes after it."""

    versions: dict[int, int]
    hashes: dict[int, int]
    changes: Changes


def game_of(header: Header) -> Game[Table]:
    """The game with the header's facts; raises ServiceError if this node has another rules version."""
    game = load_game(header.game)
    if game.rules_version != header.rules_version:
        raise ServiceError(
            "RULES_VERSION",
            "rules_version",
            f"{header.game} is played here by version {game.rules_version}, this match needs {header.rules_version}",
        )
    return game.with_packs(header.packs) if header.packs else game


Encode = Callable[[int, int, Cells, Sequence[Term]], bytes]


class LiveMatch:
    """State of a match as its log tells it, and who listens."""

    def __init__(self, header: Header, tip: bytes, encode: Encode) -> None:
        """`encode` turns (version, hash, cells, events) into an encoded item."""
        self.header = header
        self.id = header.match_id
        self.game = game_of(header)
        self.options = parse_options(self.game.options, header.options)
        self.rules: Match[Any] = Match(self.game, header.seed, len(header.seats), self.options)
        self.rules.rest_after = 16  # the server never clones
        self.projector: Projector = self.rules.projector()
        self.seats = [Seat(s.name, s.token_sha256, bank_ms=header.policy.bank_ms) for s in header.seats]
        self.tip = tip
        self.length = 1
        self.state = WAITING
        self.standings: tuple[Standing, ...] = ()
        self.void_reason = ""
        self.void_cause = Cause.NONE
        self.evidence = Evidence(len(header.seats))
        self.listeners: list[Listener] = []
        self.history: deque[Move] = deque(maxlen=HISTORY)
        self._known: list[int] = self.rules.table.known
        self._encode = encode
        self._keep(Changes({}, {}, []))

    # Reading

    @property
    def over(self) -> bool:
        """Whether it ended, with or without a result."""
        return self.state in (FINISHED, VOID)

    def seat_of(self, token_hash: bytes) -> int | None:
        """The seat that a token opens."""
        for number, seat in enumerate(self.seats):
            if seat.token_sha256 and seat.token_sha256 == token_hash:
                return number
        return None

    def seats_of(self, token_hash: bytes) -> list[int]:
        """All seats that a token opens."""
        return [
            n for n, seat in enumerate(self.seats) if seat.token_sha256 and seat.token_sha256 == token_hash
        ]

    @property
    def asks_nobody(self) -> bool:
        """Whether no seat has a decision to take now."""
        return self.state == WAITING or all(seat.decision is None for seat in self.seats)

    def revealed(self, seat: int) -> bool:
        """Whether the last move showed the seat a card that it did not know before."""
        bit = 1 << seat
        return any(
            (was ^ known) & known & bit
            for was, known in zip(self._known, self.rules.table.known, strict=True)
        )

    def state_hash(self) -> int:
        """Hash of the full state."""
        return self.projector.hash(ARBITER)

    def asked(self, seat: int) -> Decision | None:
        """The decision that a seat may answer now."""
        return self.seats[seat].decision if self.state == PLAYING else None

    def asks(self, seat: int, decision_id: int) -> bool:
        """Whether this decision waits for the seat's answer."""
        return self.asked(seat) is not None and self.seats[seat].decision_id == decision_id

    def fits(self, entry: Entry) -> bool:
        """Whether an entry that is no answer of a seat is (still) to be appended."""
        seat = self.seats[entry.seat]
        if entry.kind == Kind.SUBSTITUTE:
            return self.asks(entry.seat, entry.decision_id)
        if entry.kind == Kind.FORFEIT:
            return not seat.forfeited and self.asks(entry.seat, entry.decision_id)
        if entry.kind == Kind.LATE:
            old = seat.answers.get(entry.decision_id)
            return old is not None and _was_late(old) and entry.decision_id not in seat.late
        if entry.kind == Kind.STRIKE:
            new = (entry.decision_id, entry.move_id, entry.choice) not in seat.struck
            return new and self.asks(entry.seat, entry.decision_id)
        if entry.kind == Kind.READY:
            return not seat.ready
        return entry.kind != Kind.JOINED or not seat.token_sha256

    def judge(self, seat: int, decision_id: int, choice: tuple[int, ...], move_id: bytes) -> Verdict | None:
        """The verdict on an answer that is not to be appended; None for one that is."""
        state = self.seats[seat]
        old = state.answers.get(decision_id)
        if old is not None:
            return _verdict_on_answered(old, decision_id, choice, move_id)
        if self.over:
            return Verdict(decision_id, OVER, "match: it is over")
        decision = self.asked(seat)
        if decision is None or decision_id != state.decision_id:
            return Verdict(
                decision_id, NOT_PENDING, f"decision_id: seat {seat} has no decision {decision_id} to take"
            )
        try:
            decision.value(as_choice(decision, choice))
        except IllegalChoice as error:
            return Verdict(decision_id, ILLEGAL, str(error))
        return None

    def fallback(self, seat: int, how: Fallback) -> tuple[int, ...]:
        """The choice that the server takes for a seat."""
        state = self.seats[seat]
        assert state.decision is not None
        choice = state.decision.default
        if how == Fallback.RANDOM:
            choice = state.decision.sample(keyed(self.header.seed, int.from_bytes(self.header.salt[:8], "little"),
                                                 seat, state.decision_id))  # fmt: skip
        return (choice,) if isinstance(choice, int) else choice

    # Folding

    def fold(self, entry: Entry) -> None:
        """Take in one confirmed entry; raises EngineFault if the rules do not agree with it."""
        self.length += 1
        if entry.kind != Kind.ANSWER:
            self.evidence.take(entry)
        if entry.kind in MOVES:
            self._answer(entry)
        elif entry.kind == Kind.JOINED:
            self.seats[entry.seat].name = entry.name
            self.seats[entry.seat].token_sha256 = entry.token_sha256
        elif entry.kind == Kind.READY:
            self.seats[entry.seat].ready = True
            if self.state == WAITING and all(seat.ready for seat in self.seats):
                self.state = PLAYING
                self._put_decisions()
        elif entry.kind == Kind.STRIKE:
            self.seats[entry.seat].strikes += 1
            if entry.move_id:
                self.seats[entry.seat].struck.add((entry.decision_id, entry.move_id, entry.choice))
        elif entry.kind == Kind.FORFEIT:
            self.seats[entry.seat].forfeited = True
        elif entry.kind == Kind.LATE:
            self.seats[entry.seat].late.add(entry.decision_id)
        elif entry.kind == Kind.CLOSE:
            self._close(FINISHED, entry.standings, "")
        elif entry.kind == Kind.VOID:
            self.void_cause = entry.cause
            self._close(VOID, (), entry.note)

    def _answer(self, entry: Entry) -> None:
        seat = self.seats[entry.seat]
        if entry.state_hash and entry.state_hash != self.state_hash():
            raise EngineFault(
                f"match {self.id}: state hash {self.state_hash():08x}, the log has {entry.state_hash:08x}"
            )
        if seat.decision is None or seat.decision_id != entry.decision_id:
            raise EngineFault(
                f"match {self.id}: the log answers decision {entry.decision_id} of seat {entry.seat}"
            )
        self._known = self.rules.table.known[:]
        try:
            self.rules.apply(entry.seat, as_choice(seat.decision, entry.choice))
        except RulesError as error:
            raise EngineFault(f"match {self.id}: the log holds a refused choice: {error}") from None
        seat.decision = None
        seat.answers[entry.decision_id] = entry
        self._charge(seat, entry)
        changes = self.projector.advance(self.rules.table, self.rules.to_act)
        self._keep(changes)
        self._publish(changes)
        self._put_decisions()

    def _charge(self, seat: Seat, entry: Entry) -> None:
        in_time = entry.kind == Kind.ANSWER
        seat.taken += in_time
        seat.absent_ms += entry.absent_ms
        seat.bank_ms = bank_after(
            self.header.policy, seat.bank_ms, entry.charged_ms, seat.taken if in_time else None
        )

    def _put_decisions(self) -> None:
        if self.state != PLAYING:
            return
        for number, decision in self.rules.pending.items():
            seat = self.seats[number]
            if seat.decision is not decision:
                seat.decision = decision
                seat.decision_id += 1
                for listener in self.listeners:
                    if listener.audience == number:
                        listener.decision(self, number)

    def _close(self, state: str, standings: tuple[Standing, ...], reason: str) -> None:
        self.state = state
        self.standings = standings
        self.void_reason = reason
        for seat in self.seats:
            seat.decision = None
        for listener in self.listeners:
            listener.closed(self)

    def result(self) -> tuple[Standing, ...]:
        """Standings of a match whose rules are over."""
        return standings_of(self.rules.scores(), {n for n, seat in enumerate(self.seats) if seat.forfeited})

    # Views

    def _keep(self, changes: Changes) -> None:
        self.history.append(Move(self.projector.version, self.projector.hashes(), changes))

    def _publish(self, changes: Changes) -> None:
        if not self.listeners:
            return
        before, after = self.history[-2], self.history[-1]
        everyone = self.rules.table.layout.everyone
        public = all(bits == everyone for bits, _ in changes.events)
        events: Sequence[Term] = [event for _, event in changes.events] if public else ()
        encoded: dict[object, bytes] = {}
        for listener in self.listeners:
            audience = listener.audience
            version, state_hash = after.versions[audience], after.hashes[audience]
            if version == before.versions[audience]:
                continue
            if not public:
                events = self.projector.events_for(audience, changes)
            own = changes.own.get(audience)
            # Audiences share the bytes only where nothing in them is for one of them alone.
            key = audience if own or not public else (version, state_hash)
            payload = encoded.get(key)
            if payload is None:
                cells = changes.shared | own if own else changes.shared
                payload = encoded[key] = self._encode(version, state_hash, cells, events)
            listener.update(self, payload)

    def version(self, audience: int) -> int:
        """Version of an audience's view."""
        return self.projector.version[audience]

    def updates_since(self, audience: int, version: int, state_hash: int) -> list[bytes] | None:
        """The updates after a version that a client holds; None if only a snapshot will do."""
        held = [n for n, move in enumerate(self.history) if move.versions[audience] == version]
        if not held or self.history[held[0]].hashes[audience] != state_hash:
            return None
        updates = []
        for number in range(held[0] + 1, len(self.history)):
            before, move = self.history[number - 1], self.history[number]
            if move.versions[audience] != before.versions[audience]:
                cells = move.changes.shared | move.changes.own.get(audience, {})
                events = self.projector.events_for(audience, move.changes)
                updates.append(self._encode(move.versions[audience], move.hashes[audience], cells, events))
        return updates

    def was_rolled_back(self, audience: int, version: int, state_hash: int) -> bool:
        """Whether a client holds what never came to be in this log."""
        if version > self.version(audience):
            return True
        return any(
            move.versions[audience] == version and move.hashes[audience] != state_hash
            for move in self.history
        )


def _was_late(old: Entry) -> bool:
    return old.kind == Kind.SUBSTITUTE and old.cause in (Cause.SLOW, Cause.GONE)


def _verdict_on_answered(old: Entry, decision_id: int, choice: tuple[int, ...], move_id: bytes) -> Verdict:
    if old.kind == Kind.SUBSTITUTE:
        late = _was_late(old)
        words = "its time was over" if late else "the server has answered it"
        return Verdict(decision_id, LATE if late else ANSWERED, f"decision_id: {words}", 0, old.move_id)
    if old.move_id == move_id and old.choice == choice:
        return Verdict(decision_id, ACCEPTED, "", 0, old.move_id)
    return Verdict(decision_id, ANSWERED, "decision_id: it was answered before, otherwise", 0, old.move_id)


def as_choice(decision: Decision, values: tuple[int, ...]) -> Any:
    """The rules' choice for numbers as the wire has them; raises IllegalChoice if they cannot be one."""
    if decision.kind == 1:
        return values
    if len(values) != 1:
        raise IllegalChoice("choice", f"{len(values)} numbers given, this decision takes one")
    return values[0]


def commitment_of(seed: int, salt: bytes) -> bytes:
    """What is published about a seed at creation."""
    return hashlib.sha256(seed.to_bytes(8, "little") + salt).digest()


def deal_of(game: str, seed: int) -> bytes:
    """Name of a deal: matches of one game and seed share it; it tells nothing of the seed to who can't try all."""
    return hashlib.sha256(b"deal" + game.encode() + seed.to_bytes(8, "little")).digest()[:16]


__all__ = ["PUBLIC", "LiveMatch", "Verdict"]
