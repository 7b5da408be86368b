"""What a bot author imports.

The smallest bot::

    from ziggurat import run

    def decide(view, decision):
        return decision.default

    run(decide)
"""

from ziggurat.address import new_token
from ziggurat.bot import Bot
from ziggurat.client import AsyncClient, Client, Position, Verdict
from ziggurat.decision import BadChoice, Choice, Decision, Plan
from ziggurat.errors import BadAddress, OutOfStep, Refused, Unreachable, ZigguratError
from ziggurat.game import Card, GameInfo, Term, UnknownName
from ziggurat.main import arguments, run
from ziggurat.seats import AnyBot, SeatFor
from ziggurat.session import Result, Standing
from ziggurat.v1.record_pb2 import Policy
from ziggurat.view import Frame, View

__all__ = [
    "AnyBot",
    "AsyncClient",
    "BadAddress",
    "BadChoice",
    "Bot",
    "Card",
    "Choice",
    "Client",
    "Decision",
    "Frame",
    "GameInfo",
    "OutOfStep",
    "Plan",
    "Policy",
    "Position",
    "Refused",
    "Result",
    "SeatFor",
    "Standing",
    "Term",
    "UnknownName",
    "Unreachable",
    "Verdict",
    "View",
    "ZigguratError",
    "arguments",
    "new_token",
    "run",
]
