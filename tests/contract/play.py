"""Random play, and the positions and messages that the checks look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tests.contract.subjects import SCALE, Subject

from ziggurat_rules.decisions import OPTIONS, RANGE, Choice, Decision
from ziggurat_rules.keyed import below, keyed, shuffled
from ziggurat_rules.match import Match
from ziggurat_rules.projection import ARBITER, PUBLIC, Cells, hidden_from_all, is_empty
from ziggurat_rules.table import Table
from ziggurat_rules.terms import Term


def audiences(match: Match[Any]) -> tuple[int, ...]:
    """All there are."""
    return (*range(match.seats), PUBLIC, ARBITER)


def pick(match: Match[Any], *key: int) -> tuple[int, Choice]:
    """A random answer to one of the pending decisions."""
    to_act = match.to_act
    seat = to_act[below(len(to_act), *key, 0)]
    return seat, match.decision(seat).sample(keyed(*key, 1))


def shown(match: Match[Any]) -> dict[int, tuple[object, ...]]:
    """The pending decisions as their seats see them."""
    return {seat: decision.shown() for seat, decision in match.pending.items()}


def snapshot(match: Match[Any]) -> tuple[object, ...]:
    """Everything that anybody can see of a match."""
    return ([match.view(audience) for audience in audiences(match)], shown(match))


@dataclass
class Trace:
    """One random game: `positions[i]` is a clone before `answers[i]`; the last position is the end."""

    subject: Subject
    positions: list[Match[Any]]
    answers: list[tuple[int, Choice]]
    hashes: list[int]

    def sample(self, number: int) -> list[int]:
        """About so many numbers of decisions (times SCALE), all of them if there are not more, in order."""
        whole = range(len(self.answers))
        return sorted(shuffled(whole, self.subject.seed, 77)[: max(1, int(number * SCALE))])


@lru_cache(maxsize=2)
def trace(subject: Subject) -> Trace:
    """Play a game at random to its end or cap."""
    match = subject.match()
    projector = match.projector()
    made = Trace(subject, [match.clone()], [], [projector.hash(ARBITER)])
    while not match.over and len(made.answers) < subject.game.max_decisions:
        seat, choice = pick(match, subject.seed, len(made.answers))
        match.apply(seat, choice)
        projector.advance(match.table, match.to_act)
        made.answers.append((seat, choice))
        made.hashes.append(projector.hash(ARBITER))
        made.positions.append(match.clone())
    return made


def play_on(match: Match[Any], *key: int) -> Iterator[Match[Any]]:
    """The match at each further decision of random play, up to the game's cap."""
    while not match.over and match.answers < match.game.max_decisions:
        yield match
        match.apply(*pick(match, *key, match.answers))


def choice_of(decision: Decision, value: object) -> Choice | None:
    """The choice that gives the effect this value, if it is offered."""
    if not decision.offers(value):
        return None
    if decision.kind == RANGE:
        return value  # type: ignore[return-value]
    if decision.kind == OPTIONS:
        return decision.values.index(value)
    left = list(enumerate(decision.values))
    chosen = []
    for one in value:  # type: ignore[attr-defined]
        found = next(pair for pair in left if pair[1] == one)
        left.remove(found)
        chosen.append(found[0])
    return tuple(sorted(chosen))


@dataclass(frozen=True)
class Message:
    """What one audience gets to see of one answer."""

    shared: Cells
    own: Cells
    events: list[Term]
    version: int
    hash: int
    to_act: tuple[int, ...]
    decision: tuple[object, ...] | None


@dataclass(frozen=True)
class Knowledge:
    """What was uncovered so far: for each audience the faces it knows, and how often there was chance."""

    known: list[int]
    ident: list[int]
    epochs: dict[int, int]

    @classmethod
    def of(cls, table: Table) -> Knowledge:
        """As of now."""
        return cls(table.known[:], table.ident, table.epochs.copy())

    def since(self, before: Knowledge, bit: int) -> tuple[list[tuple[int, int]], bool]:
        """The cards this audience came to know since, and whether anything was shuffled or drawn by lot."""
        cards = [
            (card, self.ident[card])
            for card, (now, old) in enumerate(zip(self.known, before.known, strict=True))
            if now & ~old & bit
        ]
        return cards, self.epochs != before.epochs


class Teller:
    """A match with a projector, telling what each audience gets to see answer by answer."""

    def __init__(self, match: Match[Any]) -> None:
        self.match = match
        self.projector = match.projector()

    def apply(self, seat: int, choice: Choice) -> dict[int, Message]:
        """Take an answer; the messages by audience."""
        self.match.apply(seat, choice)
        match, projector = self.match, self.projector
        changes = projector.advance(match.table, match.to_act)
        asked = shown(match)
        return {
            audience: Message(
                changes.shared,
                changes.own.get(audience, {}),
                projector.events_for(audience, changes),
                projector.version[audience],
                projector.hash(audience),
                match.to_act,
                asked.get(audience),
            )
            for audience in projector.audiences
        }


def fold(cells: Cells, message: Message, audience: int, match: Match[Any]) -> Cells:
    """A view after a message, put together as a client does."""
    hidden = hidden_from_all(match.table.layout) if audience == ARBITER else frozenset()
    shared = {key: values for key, values in message.shared.items() if key not in hidden}
    return {k: v for k, v in (cells | shared | message.own).items() if not is_empty(k, v)}
