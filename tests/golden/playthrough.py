"""Golden playthroughs: a random game of each registered game as text, compared line by line.

A playthrough tells each decision, what was chosen, and what changed on the table for all to see. After LINES
lines it only keeps a hash now and then. Its head counts the ways to answer once, twice, ... (perft).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any
from zlib import crc32

from tests.contract.subjects import games
from tests.golden.words import Words
from tests.rules.toy import TOY

from ziggurat_rules.decisions import OPTIONS, RANGE, Choice, Decision
from ziggurat_rules.game import Game, options_dict, parse_options
from ziggurat_rules.keyed import below, keyed
from ziggurat_rules.match import Match
from ziggurat_rules.projection import ARBITER, PUBLIC

FOLDER = Path(__file__).parent
LINES = 320
EVERY = 25
"""Decisions to one hash, once the playthrough is long."""
WIDTH = 160
LEAVES = 400
"""A perft goes on while there are at most so many positions."""


@dataclass(frozen=True)
class Golden:
    """One playthrough to be kept."""

    game: Game[Any]
    seats: int
    options: Mapping[str, object]

    @property
    def path(self) -> Path:
        """Its file."""
        parts = [f"{self.seats}", *(f"{name}-{value}" for name, value in self.options.items())]
        return FOLDER / self.game.name / f"{'-'.join(parts)}.txt"

    def __str__(self) -> str:
        return f"{self.game.name}/{self.path.stem}"


def goldens() -> list[Golden]:
    """Those of every registered game: what its `golden` lists, else each seat count and each edition."""
    return [Golden(game, *variant) for game in games()[0] if game is not TOY for variant in variants(game)]


def variants(game: Game[Any]) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Seats and options of a game's playthroughs."""
    if game.golden:
        yield from game.golden
        return
    for seats in game.seats:
        yield seats, {}
    for field in dataclasses.fields(game.options):
        if field.name == "edition":
            for value in field.metadata["choices"]:
                if value != field.default:
                    yield game.seats[-1], {"edition": value}


def render(golden: Golden) -> list[str]:
    """The lines of a playthrough."""
    seed = crc32(str(golden).encode())
    match = Match(golden.game, seed, golden.seats, parse_options(golden.game.options, golden.options))
    lines = [
        f"game {golden.game.name}",
        f"rules_version {golden.game.rules_version}",
        f"seats {golden.seats}",
        *(f"option {name} {value}" for name, value in options_dict(match.options).items()),
        f"seed {seed}",
        f"perft {perft(match)}",
        "",
    ]
    words = Words(golden.game, match.table.layout)
    projector = match.projector()
    while not match.over and match.answers < golden.game.max_decisions:
        told = list(tell(match, projector, words, seed))
        number = match.answers
        if len(lines) < LINES:
            lines += [line if len(line) <= WIDTH else line[: WIDTH - 3] + "..." for line in told]
        if len(lines) >= LINES and number % EVERY == 0:
            lines.append(f"{number}: {projector.hash(ARBITER):08x}")
    lines += ["", f"{match.answers} decisions, {projector.hash(ARBITER):08x}"]
    lines += [
        f"seat {score.seat}: place {score.place}, {score.points} points, tie-break {list(score.tie_break)}"
        for score in match.scores()
    ]
    return lines


def tell(match: Match[Any], projector: Any, words: Words, seed: int) -> Iterator[str]:
    """Answer one decision at random and tell of it."""
    seat = match.to_act[below(len(match.to_act), seed, match.answers, 0)]
    decision = match.decision(seat)
    choice = decision.sample(keyed(seed, match.answers, 1))
    yield f"{match.answers}: seat {seat}: {words.term(decision.prompt)}: {chosen(decision, choice, words)}"
    match.apply(seat, choice)
    changes = projector.advance(match.table, match.to_act)
    for event in projector.events_for(PUBLIC, changes):
        yield f"  * {words.term(event)}"
    for key, values in sorted((changes.shared | changes.own.get(PUBLIC, {})).items()):
        line = words.cell(key, values)
        if line:
            yield f"  {line}"
    yield f"  {projector.hash(ARBITER):08x}"


def chosen(decision: Decision, choice: Choice, words: Words) -> str:
    """A choice in words, and out of how many."""
    if isinstance(choice, int):
        if decision.kind == RANGE:
            return f"{choice} of {decision.low}..{decision.high}"
        return f"{words.term(decision.options[choice])} ({choice + 1} of {len(decision.options)})"
    said = "; ".join(words.term(decision.options[index]) for index in choice) or "none"
    return f"{said} ({decision.low}..{decision.high} of {len(decision.options)})"


def perft(match: Match[Any]) -> str:
    """How many ways there are to give the next one, two, three ... answers."""
    counts = []
    positions = [match]
    while positions and len(counts) < 6:
        answers = [(one, seat, choice) for one in positions for seat, choice in all_answers(one)]
        counts.append(str(len(answers)))
        if len(answers) > LEAVES:
            break
        positions = []
        for one, seat, choice in answers:
            positions.append(one.clone())
            positions[-1].apply(seat, choice)
    return " ".join(counts)


def all_answers(match: Match[Any]) -> Iterator[tuple[int, Choice]]:
    """Every answer to every pending decision."""
    for seat in match.to_act:
        decision = match.decision(seat)
        if decision.kind == OPTIONS:
            yield from ((seat, index) for index in range(len(decision.options)))
        elif decision.kind == RANGE:
            yield from ((seat, number) for number in range(decision.low, decision.high + 1))
        else:
            for size in range(decision.low, decision.high + 1):
                yield from ((seat, some) for some in combinations(range(len(decision.options)), size))


def version_in(lines: list[str]) -> int:
    """The rules version that a kept playthrough is of."""
    return next(int(line.split()[1]) for line in lines if line.startswith("rules_version "))
