"""The cells of a table: zones, counters and lists, with the facts of the game they belong to."""

from __future__ import annotations

from ziggurat_rules.games.millennia.effects import SPECIALS
from ziggurat_rules.games.millennia.facts import GameFacts, Side
from ziggurat_rules.games.millennia.schema import AGES
from ziggurat_rules.games.millennia.words import TRACKS
from ziggurat_rules.layout import Layout, ZoneKind

OPEN, HAND, PILE, SECRET = ZoneKind.OPEN, ZoneKind.HAND, ZoneKind.PILE, ZoneKind.SECRET


class Board(Layout):
    """Layout of one game object, number of seats and board side; numbers of cells are its attributes."""

    def __init__(self, facts: GameFacts, seats: int, side: str, simultaneous: bool, hard: bool) -> None:
        super().__init__(seats, ("Automa",) if seats == 1 else ())
        self.facts = facts
        self.side: Side = facts.sides[side]
        self.simultaneous = simultaneous
        self.hard = hard
        self.players = seats + len(self.owners)
        """Seats and the Automa."""
        self.automa = seats if seats == 1 else -1
        self._zones()
        self._counters()
        self._lists()

    def _zones(self) -> None:
        self.tech_deck, self.wonder_deck, self.building_deck = map(
            self._decks, ("tech", "wonder", "building")
        )
        self.shuffling = self.zone("shuffling", PILE, "cards being shuffled; empty between steps")
        self.draft_area = self.zone("draft_area", OPEN, "the 4x4 grid of techs; see the list grid")
        self.wonders_current = self.zone("wonders_current", OPEN, "wonders that may be constructed")
        self.wonders_future = self.zone("wonders_future", OPEN, "wonders of the next age")
        self.buildings_available = self.zone("buildings_available", OPEN, "buildings that may be constructed")
        self.prosperity_deck = self.zone("prosperity_deck", PILE, "prosperity cards, face down")
        self.prosperity = self.zone("prosperity", OPEN, "prosperity cards, pair after pair")
        self.prosperity_discard = self.zone("prosperity_discard", OPEN, "discarded prosperity cards")
        self.diplomacy_deck = self.zone("diplomacy_deck", PILE, "diplomacy cards, face down")
        self.diplomacy_discard = self.zone("diplomacy_discard", OPEN, "discarded diplomacy cards")
        self.research = self.zone("research_cards", OPEN, "the research cards of this game")
        self.books = self.zone("book_tokens", OPEN, "book tokens, in the order of the spots of the fact file")
        if self.automa >= 0:
            names = ("row", "priority", "construction", "war")
            self.automa_deck = [self.zone(f"automa_{n}_deck", PILE, f"Automa {n} cards", 1) for n in names]
            self.automa_discard = [
                self.zone(f"automa_{n}_discard", OPEN, f"used Automa {n} cards", 1) for n in names
            ]
        own = self.zone_per_seat
        self.techs = own("techs", OPEN, "tech cards, not exhausted")
        self.spent = own("techs_exhausted", OPEN, "tech cards, exhausted")
        self.buildings = own("buildings", OPEN, "green and brown buildings in force, not exhausted")
        self.used = own("buildings_exhausted", OPEN, "green and brown buildings in force, exhausted")
        self.asleep = own("asleep", OPEN, "green and brown buildings on sleep cards")
        self.yellow = own("yellow_buildings", OPEN, "yellow buildings")
        self.wonders = own("wonders", OPEN, "wonders")
        self.hand = own("diplomacy_hand", HAND, "diplomacy cards in hand")
        self.drawn = own("drawn", SECRET, "diplomacy cards just drawn, before one is kept")

    def _decks(self, kind: str) -> int:
        """A deck for each age; that of an age has the returned number + the age."""
        decks = [self.zone(f"{kind}_deck_{n}", PILE, f"{kind} cards of age {n}") for n in range(1, AGES + 1)]
        return decks[0] - 1

    def _per_player(self, name: str, doc: str) -> int:
        """A counter for each seat and the Automa; player p has the returned number + p."""
        counters = [self.counter(name, doc, player) for player in range(self.players)]
        return counters[0]

    def _counters(self) -> None:
        self.age = self.counter("age", "the current age")
        self.leader = self.counter("leader", "who holds the leader token")
        self.architect = self.counter("architect", "who holds the architect token")
        self.architect_used = self.counter("architect_used", "1: the architect's discount was used this age")
        each = self._per_player
        self.vp = each("vp", "position on the VP track")
        self.gold = each("gold", "gold")
        self.starter = each("starter", "number of the starter card")
        self.markers = each("markers", "draft markers left to place")
        self.row = [each(f"row_{n}", f"draft markers in row {n}") for n in range(1, 5)]
        self.track = [each(track, f"spot reached on the {track} track") for track in TRACKS]
        self.passed = each("passed", "1: passed in this construction phase")
        own = self.counter_per_seat
        self.branch = own("branch", "politics section: 0 common, 1 democracy, 2 tyranny")
        self.jokers = own("jokers", "joker techs")
        self.rp = own("rp", "research points on point cards and from spent techs")
        self.special = [own(f"special_{name}", f"markers on the {name} special action") for name in SPECIALS]
        self.unlocks = {
            what: own(f"{what}_unlock", f"1: the {what} track is unlocked") for what in ("trade", "war")
        }
        self.unlocks["income"] = own("income_unlock", "1: a card unlocks the locked income in this phase")
        self.bought = own("bought", "1: bought a research effect in this age")
        self.once = own("once_used", "1: used the research card that works once per action phase")
        self.finished = own("finished", "1: finished this phase")
        self.activated = own("books_activated", "book tokens activated")
        self.activated_at = own("books_activated_at", "the same as bits: token n of the zone is bit n")
        self.challenge = self.counter(
            "challenge", "solo: how many values of the challenge table were reached"
        )

    def _lists(self) -> None:
        self.grid = self.list("grid", "draft grid, row by row from the lowest income, 4 a row", holds="card")
        self.wonder_slots = self.list("wonder_slots", "current wonders by position", holds="card")
        self.building_slots = self.list("building_slots", "available buildings by position", holds="card")
        self.claimed = self.list_per_seat("claimed", "claimed research cards", holds="card")
        self.copied = self.list_per_seat("copied", "wonders copied at the end of the game", holds="card")
        self.extended = self.list_per_seat(
            "extended", "techs that last one age longer, once per entry", holds="card"
        )
