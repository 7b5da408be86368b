"""Who plays in a simulation: the kernel at random, or a bot with the client's View and Decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any

from ziggurat_rules.decisions import Choice
from ziggurat_rules.errors import RulesError
from ziggurat_rules.game import Game, Options
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match

Player = Callable[[Match[Any], int], Choice]
"""Chooses for a seat that is asked."""

RANDOM = "random"


class BotFault(RulesError):
    """A bot is unknown, raised an error, or chose what is not offered."""


def at_random(match: Match[Any], seat: int) -> Choice:
    """Any choice; the same in the same match."""
    return match.decision(seat).sample(keyed(match.seed, match.answers, seat))


def players(game: Game[Any], seats: int, options: Options, names: Sequence[str]) -> list[tuple[str, Player]]:
    """One player per seat; one name is for all seats, none is random. Raises BotFault."""
    if len(names) not in (0, 1, seats):
        raise BotFault("--bot", f"{len(names)} given; one for each of {seats} seats wanted, or one for all")
    by_name: dict[str, Player] = {RANDOM: at_random}
    for name in names:
        if name not in by_name:
            by_name[name] = _bot(name, game, seats, options)
    seated = list(names) if len(names) == seats else (list(names) or [RANDOM]) * seats
    return [(name, by_name[name]) for name in seated]


def _bot(name: str, game: Game[Any], seats: int, options: Options) -> Player:
    points = entry_points(group="ziggurat.bots")
    if name not in points.names:
        there = ", ".join(sorted({RANDOM, *points.names}))
        raise BotFault(
            "--bot", f"no bot {name!r}; there are: {there} (for programs there is `ziggurat tournament run`)"
        )
    try:
        module = points[name].load()
    except ImportError as error:
        raise BotFault(f"--bot {name}", f"can't be loaded: {error}") from None
    return _through_client(name, module.decide, game, seats, options)


def _through_client(
    name: str, decide: Callable[[Any, Any], Any], game: Game[Any], seats: int, options: Options
) -> Player:
    # Here, so that random play needs neither client nor stubs.
    from ziggurat.decision import Decision, Plan  # noqa: PLC0415
    from ziggurat.game import GameInfo  # noqa: PLC0415
    from ziggurat.view import Board, View  # noqa: PLC0415
    from ziggurat_server.convert import decision_message, game_info  # noqa: PLC0415

    info = GameInfo(game_info(game, seats, options))

    def play(match: Match[Any], seat: int) -> Choice:
        board = Board()
        board.cells = match.view(seat)
        view = View(str(match.seed), seat, info, board)
        decision = Decision(info, decision_message(match.answers + 1, match.decision(seat), 0))
        try:
            choice = decide(view, decision)
        except Exception as error:
            raise BotFault(f"bot {name}", f"{type(error).__name__} at {decision.prompt}: {error}") from error
        if isinstance(choice, Plan):
            choice = choice.choice
        return tuple(choice) if isinstance(choice, list) else choice

    return play
