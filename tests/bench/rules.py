"""What the rules cost in this process: random play, clones, the bots' own functions, sizes on the wire."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from tests.bench.machine import percentile

from ziggurat.decision import Decision
from ziggurat.game import GameInfo
from ziggurat.view import Board, View
from ziggurat_bots.random import seeded
from ziggurat_rules.game import Game
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match
from ziggurat_rules.projection import ARBITER
from ziggurat_rules.registry import game_names, load_game
from ziggurat_server import convert

EVERY = 5
"""One decision in so many is also applied to a clone."""

Figures = dict[str, Any]


def seats_for(game: Game[Any], seats: int) -> int:
    """So many seats, or as many as the game takes."""
    return max(game.seats.start, min(seats, game.seats.stop - 1))


def engines(seats: int, seconds: float) -> dict[str, Figures]:
    """Random play of every installed game."""
    figures = {}
    for name in game_names():
        game = load_game(name)
        number = seats_for(game, seats)
        random_play(game, number, seconds / 5)  # warm-up
        figures[name] = random_play(game, number, seconds) | clones(game, number, seconds / 2)
    return figures


def _until(seconds: float) -> Iterator[int]:
    """Seeds, until so much processor time has passed; at least one."""
    end = time.process_time() + seconds
    seed = 1
    while True:
        yield seed
        seed += 1
        if time.process_time() >= end:
            return


def random_play(game: Game[Any], seats: int, seconds: float) -> Figures:
    """Decisions in a second of one core, all options listed at each."""
    decisions = options = games = 0
    began = time.process_time()
    for seed in _until(seconds):
        match = Match(game, seed, seats)
        while match.pending and match.answers < game.max_decisions:
            seat = min(match.pending)
            decision = match.decision(seat)
            options += len(list(decision.options))
            match.apply(seat, decision.sample(keyed(seed, match.answers, seat)))
        decisions += match.answers
        games += 1
    spent = time.process_time() - began
    return {
        "seats": seats,
        "games": games,
        "decisions": decisions,
        "decisions_a_game": decisions / games,
        "options_a_decision": options / decisions,
        "decisions_per_cpu_second": decisions / spent,
        "us_a_decision": spent / decisions * 1e6,
    }


def clones(game: Game[Any], seats: int, seconds: float) -> Figures:
    """Apply to the match, and to a clone made for it, at the same decisions."""
    clock = time.perf_counter_ns
    applied: list[float] = []
    cloned: list[float] = []
    for seed in _until(seconds):
        match = Match(game, seed, seats)
        while match.pending and match.answers < game.max_decisions:
            seat = min(match.pending)
            choice = match.decision(seat).sample(keyed(seed, match.answers, seat))
            if match.answers % EVERY:
                match.apply(seat, choice)
                continue
            began = clock()
            match.clone().apply(seat, choice)
            between = clock()
            match.apply(seat, choice)
            cloned.append((between - began) / 1000)
            applied.append((clock() - between) / 1000)
    apply_us, clone_us = percentile(applied, 50), percentile(cloned, 50)
    return {
        "apply_us_p50": apply_us,
        "clone_and_apply_us_p50": clone_us,
        "clone_and_apply_us_p99": percentile(cloned, 99),
        "clone_ratio": _trimmed(cloned) / _trimmed(applied),
    }


def _trimmed(values: list[float]) -> float:
    """Sum without the slowest hundredth, which the machine's other work makes."""
    return sum(sorted(values)[: max(1, len(values) * 99 // 100)])


def bots_in_process(game: Game[Any], seats: int, seconds: float) -> Figures:
    """The random bot's own `decide` with the client's views and decisions, no server between."""
    options = game.options()
    info = GameInfo(convert.game_info(game, seats, options))
    bots = [seeded(str(seat)).decide for seat in range(seats)]
    decisions = 0
    began, wall = time.process_time(), time.perf_counter()
    for seed in _until(seconds):
        match = Match(game, seed, seats, options)
        while match.pending and match.answers < game.max_decisions:
            seat = min(match.pending)
            board = Board()
            board.cells = match.view(seat)
            decision = Decision(info, convert.decision_message(match.answers + 1, match.decision(seat), 0))
            match.apply(seat, bots[seat](View(str(seed), seat, info, board), decision))
        decisions += match.answers
    return {
        "decisions": decisions,
        "decisions_per_cpu_second": decisions / (time.process_time() - began),
        "decisions_per_second": decisions / (time.perf_counter() - wall),
    }


def wire(game: Game[Any], seats: int, games: int) -> Figures:
    """Encoded sizes of what every seat and the public get, as updates and if each were a snapshot."""
    diffs: list[float] = []
    snapshots: list[float] = []
    asked: list[float] = []
    message = convert.update_message
    for seed in range(1, games + 1):
        match = Match(game, seed, seats)
        projector = match.projector()
        versions = projector.version.copy()
        while match.pending and match.answers < game.max_decisions:
            seat = min(match.pending)
            decision = match.decision(seat)
            asked.append(len(convert.decision_message(100, decision, 30_000).SerializeToString()))
            match.apply(seat, decision.sample(keyed(seed, match.answers, seat)))
            changes = projector.advance(match.table, match.to_act)
            for audience in projector.audiences:
                if audience == ARBITER or projector.version[audience] == versions[audience]:
                    continue
                version, state = projector.version[audience], projector.hash(audience)
                cells = changes.shared | changes.own.get(audience, {})
                diffs.append(
                    message(version, state, cells, projector.events_for(audience, changes)).ByteSize()
                )
                snapshots.append(message(version, state, projector.view(audience), (), True).ByteSize())
            versions = projector.version.copy()
    return {
        "games": games,
        "updates": len(diffs),
        "update_bytes_p50": percentile(diffs, 50),
        "update_bytes_p99": percentile(diffs, 99),
        "update_bytes_max": max(diffs),
        "snapshot_bytes_p50": percentile(snapshots, 50),
        "snapshots_to_updates": sum(snapshots) / sum(diffs),
        "decision_bytes_p50": percentile(asked, 50),
        "decision_bytes_p99": percentile(asked, 99),
    }
