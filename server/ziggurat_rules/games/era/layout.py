"""What lies on the table of ERA, and who may see it."""

from __future__ import annotations

from enum import IntEnum
from functools import cache

from ziggurat_rules.layout import Audience, Layout, ZoneKind

STRIDE = 5
"""Numbers kept for each stack."""

HEIGHT, TOKENS, STORED, FRESH, USED = range(STRIDE)
"""Copies in the stack; harvest tokens (-1: spent for good); cards stored under it, and how many of them this
turn; whether it attacked this turn."""

POSITIONS = 8
"""A blocked symbol is kept as position * POSITIONS + kind."""


class Step(IntEnum):
    """Steps of the agenda, in the order of Game.steps."""

    CHOOSE_ERA = 0
    BEGIN = 1
    ROUND = 2
    DRAFT = 3
    REVEAL_BONUS = 4
    BONUS = 5
    END_ROUND = 6
    TURN = 7
    ASSIGN = 8
    EARN = 9
    PAIRS = 10
    RESOURCES = 11
    RESOURCE_MENU = 12
    COMMIT = 13
    ACT = 14
    CONFLICT = 15
    FIGHT = 16


class EraLayout(Layout):
    """The cells of one game; seat s has zone `deck + s` and so on. An Era's cells are those of its seat."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self._zones()
        self._counters()
        self._lists()

    def _zones(self) -> None:
        per = self.zone_per_seat
        self.deck = per("deck", ZoneKind.PILE, "draw pile")
        self.discard = per("discard", ZoneKind.OPEN, "discard pile, face up")
        self.hand = per("hand", ZoneKind.HAND, "hand")
        self.dealt = per("dealt", ZoneKind.PILE, "cards just dealt, unseen by all")
        self.build_down = per(
            "build_down", ZoneKind.PILE, "build pile, face-down cards: unseen by all, worth 1 each"
        )
        self.build_up = per(
            "build_up", ZoneKind.OPEN, "build pile, cards of special builds: worth their stars"
        )
        self.conflict = per(
            "conflict", ZoneKind.STACK, "conflict pile, top last; unseen but for tactics cards"
        )
        self.play = per("play", ZoneKind.OPEN, "normal and resource cards in play, stack after stack")
        self.stored = per("stored", ZoneKind.HAND, "vision cards, stack after stack")
        self.threats = per(
            "threats", ZoneKind.OPEN, "conflict cards of this Era in play: they attack its owner"
        )
        self.destroyed = per("destroyed", ZoneKind.OPEN, "cards of this Era that were destroyed")
        self.flipped = self.zone("flipped", ZoneKind.OPEN, "cards flipped in the attack going on")
        if self.seats > 2:
            self.community = per("community", ZoneKind.STACK, "community conflict pile, top last")
            self.passed = per("passed", ZoneKind.HAND, "bonus cards to choose from")
            self.pick = per("pick", ZoneKind.HAND, "bonus card of this round, not yet revealed")
            self.bonus = per("bonus", ZoneKind.OPEN, "bonus card of this round")
            self.bonus_deck = self.zone("bonus_deck", ZoneKind.PILE, "bonus cards not in the draft")
        else:
            self.community = self.passed = self.pick = self.bonus = self.bonus_deck = -1

    def _counters(self) -> None:
        per = self.counter_per_seat
        self.progress = per("progress", "progress tokens")
        self.money = per("money", "money tokens")
        self.destruction = per("destruction", "destruction tokens")
        self.exhaustion = per("exhaustion", "exhaustion token: 0 or 1")
        self.tired = per("tired", "1: the exhaustion token is of this turn")
        self.initiative = per("initiative", "initiative tokens of this round")
        self.out = per("out", "1: removed from the game")
        self.credit = self.counter("credit", "surplus of the last payment, for a play that follows at once")
        self.extra = self.counter("extra", "cards to deal besides the usual number")
        self.builds = self.counter("builds", "special builds left")
        self.acted = self.counter("acted", "1: something was done in this card play")
        self.calm = self.counter("calm", "1: no attack this turn (tactics)")
        self.flips = self.counter("flips", "cards flipped or discarded by conflict-card attacks this turn")
        self.gifts_used = self.counter(
            "gifts_used", "bits 2 * era + (0 military, 1 ruin): gift used this turn"
        )
        self.free_played = self.counter(
            "free_played", "bits of piles: a card of cost 0 was played from it this turn"
        )
        self.plot = self.counter("plot", "stars that Plot may still add this turn")
        self.shield = per("shield", "1 + position of the card that Defense protects; 0: none")
        self.active = self.counter("active", "seat whose turn it is")
        self.first = self.counter("first", "first seat of the round")
        self.round = self.counter("round", "round, from 1")
        self.idle = self.counter("idle", "turns since somebody was asked or earned progress")
        self.winner = self.counter("winner", "1 + seat that won; 0: none")
        self.ending = self.counter("ending", "1 progress, 2 destruction, 3 cap, 4 last one left")

    def _lists(self) -> None:
        per = self.list_per_seat
        self.era = per("era", "the Era played", holds="card")
        self.stacks = per(
            "stacks",
            "5 numbers for each stack in `play`: copies, harvest tokens (-1: harvest spent), stored cards, "
            "stored this turn, 1 if it attacked this turn",
        )
        self.threat_used = per("threat_used", "for each card in `threats`: 1 if it attacked this turn")
        blocked = (
            "blocked symbols: position * 8 + kind (progress, harvest, money, build, military, ruin, vision)"
        )
        self.blocked = (
            per("blocked", f"{blocked} in `play`"),
            per("threats_blocked", f"{blocked} in `threats`"),
        )
        self.lost = (
            per("lost", "unique cards of the owner that were destroyed", holds="card"),
            per("threats_lost", "unique conflict cards of this Era that were destroyed", holds="card"),
        )
        self.searched = per("searched", "the whole deck as Search showed it", Audience.OWNER, "card")
        self.order = self.list("order", "order of play this round", holds="seat")


@cache
def era_layout(seats: int) -> EraLayout:
    """The layout for a number of seats."""
    return EraLayout(seats)
