"""Refuses what cannot be played before anything starts, and fills in what was left out."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Any

from ziggurat_rules.game import Game, options_dict, parse_options
from ziggurat_rules.registry import load_game
from ziggurat_server.bots.values import NAME
from ziggurat_server.errors import ServiceError
from ziggurat_server.log import Policy
from ziggurat_server.matches.clock import check_clocks, limit_ms
from ziggurat_server.tournaments.errors import BadEvent
from ziggurat_server.tournaments.event import Entrant, EventSpec, Memory, StopRule
from ziggurat_server.tournaments.formats import FORMATS, Audit, plan
from ziggurat_server.tournaments.formats.format import Field
from ziggurat_server.tournaments.results import Round, deal_at
from ziggurat_server.tournaments.statistics.sprt import check_stop

MOST_CONCURRENT = 500
MOST_TRIES = 100
MOST_BOTS = 1000
"""Formats compare all bots with each other: with ten times as many a draw takes minutes and all memory."""
_EVENT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
NAME_WORDS = "of a-z, A-Z, 0-9, '.', '_', '-' are wanted, beginning with a letter or digit"


def check_event_id(event_id: str) -> None:
    """Refuse what cannot be an id."""
    if not _EVENT_ID.fullmatch(event_id):
        raise BadEvent("event_id", f"{event_id!r}: 1 to 40 {NAME_WORDS}")


def load_rules(spec: EventSpec) -> Game[Any]:
    """The game of an event with its packs; raises RulesError."""
    game = load_game(spec.game)
    return game.with_packs(spec.packs) if spec.packs else game


def resolve(spec: EventSpec) -> EventSpec:
    """The event with everything filled in but the seed. Raises BadEvent or RulesError, naming key and remedy."""
    if not spec.game:
        raise BadEvent("game", "name a game")
    game = load_rules(spec)
    options = options_dict(parse_options(game.options, spec.options))
    check_bots(spec)
    _check_numbers(spec)
    check_policy(spec.policy)
    seats = _seats(spec, game.seats.start, game.seats.stop - 1)
    game.check_seats(seats)
    filled = replace(spec, seats=seats, options=options)
    _check_format(filled)
    return filled


def field_of(spec: EventSpec) -> Field:
    """Who takes part in the first round of a resolved event."""
    return Field(tuple(bot.name for bot in spec.bots), spec.seats, spec.format, spec.seed or 0, {})


def plan_of(spec: EventSpec) -> tuple[Sequence[Round], Audit]:
    """The rounds of a resolved event as far as they are known before results, and how balanced they are."""
    rounds, audit = plan(field_of(spec))
    independent = spec.memory == Memory.INDEPENDENT
    return rounds, replace(audit, deals=audit.games) if independent else audit


def check_bots(spec: EventSpec) -> None:
    """Refuse bots that cannot be told apart or launched."""
    if not spec.bots:
        raise BadEvent("bots", "there are none; enter some")
    check_count(len(spec.bots))
    names: set[str] = set()
    tokens: set[bytes] = set()
    for number, bot in enumerate(spec.bots):
        check_bot(spec, bot, f"bots[{number}]", names, tokens)
        names.add(bot.name)
        tokens.add(bot.token_sha256)


def check_count(bots: int) -> None:
    """Refuse more bots than a round can be drawn for in reasonable time."""
    if bots > MOST_BOTS:
        raise BadEvent("bots", f"{bots} are more than the {MOST_BOTS} that are possible; enter fewer")


def check_bot(spec: EventSpec, bot: Entrant, key: str, names: Set[str], tokens: Set[bytes]) -> None:
    """Refuse a bot that cannot be told apart from those with these names and tokens, or launched."""
    if not NAME.fullmatch(bot.name):
        raise BadEvent(f"{key}.name", f"{bot.name!r}: 1 to 32 {NAME_WORDS}")
    if bot.name in names:
        raise BadEvent(f"{key}.name", f"another bot is called {bot.name!r}; give each its own name")
    if len(bot.version) > 64 or not bot.version.isprintable():
        raise BadEvent(f"{key}.version", "at most 64 characters, all of them printable, are wanted")
    if len(bot.token_sha256) not in (0, 32):
        raise BadEvent(f"{key}.token_sha256", "a SHA-256 has 32 bytes")
    if bot.token_sha256 and bot.token_sha256 in tokens:
        raise BadEvent(f"{key}.token_sha256", "another bot has this token; give each its own")
    if bot.token_sha256 and spec.memory == Memory.PROCESS:
        raise BadEvent(
            f"{key}.token_sha256",
            "with memory 'process' each bot must be launched for each game; choose 'independent' instead",
        )


def _check_numbers(spec: EventSpec) -> None:
    if not 1 <= spec.concurrency <= MOST_CONCURRENT:
        raise BadEvent("concurrency", f"{spec.concurrency}: 1 to {MOST_CONCURRENT} are possible")
    if not 1 <= spec.tries <= MOST_TRIES:
        raise BadEvent("tries", f"{spec.tries}: 1 to {MOST_TRIES} are possible")
    if spec.seed is not None and not 0 <= spec.seed < 2**64:
        raise BadEvent("seed", f"{spec.seed}: 0 to 2**64 - 1 is wanted")


def check_policy(policy: Policy) -> None:
    """Refuse a policy by which an event might never end, or that contradicts itself."""
    for name in ("gone_ms", "ready_ms"):
        if not getattr(policy, name):
            raise BadEvent(
                f"policy.{name}", "0: a bot that is gone would be waited for without end; give it a time"
            )
    if limit_ms(policy, 0) is None:
        raise BadEvent(
            "policy.decision_ms",
            "0, and there is no bank and no hard cap: a bot that does not answer would hold up its game without end;"
            " give it a time",
        )
    try:
        check_clocks(policy)
    except ServiceError as error:
        raise BadEvent(error.field, error.message) from None


def _seats(spec: EventSpec, fewest: int, most: int) -> int:
    bots = len(spec.bots)
    seats = spec.seats or min(bots, most)
    if spec.seats and not fewest <= spec.seats <= most:
        raise BadEvent("seats", f"{spec.seats}: {spec.game} takes {fewest} to {most}")
    if bots < max(seats, fewest):
        there = "there is 1" if bots == 1 else f"there are {bots}"
        lower = " or lower the seats" if spec.seats > fewest else ""
        needed = max(seats, fewest)
        raise BadEvent("bots", f"{needed} seats need {needed} bots and {there}: enter more{lower}")
    return seats


def _check_format(spec: EventSpec) -> None:
    fmt = FORMATS.get(spec.format.name)
    if fmt is None:
        known = ", ".join(sorted(FORMATS))
        raise BadEvent("format.name", f"no format {spec.format.name!r}; there are {known}")
    fmt.check(field_of(spec))
    if spec.stop is not None:
        check_stop(spec.stop, [bot.name for bot in spec.bots], _test_deals(spec, spec.stop))


def _test_deals(spec: EventSpec, rule: StopRule) -> int | None:
    """Deals in which both bots of a test meet; None where that depends on results."""
    rounds, audit = plan_of(spec)
    both, independent = {rule.candidate, rule.baseline}, spec.memory == Memory.INDEPENDENT
    deals = {
        deal_at(drawn.number, table, independent)
        for drawn in rounds
        for table, bots in enumerate(drawn.tables)
        if both <= set(bots)
    }
    return None if audit.open_ended else len(deals)
