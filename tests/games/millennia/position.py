"""Positions for tests: cards where they are wanted, a script of options, and what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.decisions import SUBSET
from ziggurat_rules.game import parse_options
from ziggurat_rules.games.millennia import GAME
from ziggurat_rules.games.millennia.game import MillenniaGame
from ziggurat_rules.games.millennia.steps import ACTION_PHASE, ONE_SEAT
from ziggurat_rules.games.millennia.table import MillenniaTable
from ziggurat_rules.games.millennia.words import BRANCHES, TRACKS
from ziggurat_rules.layout import NOBODY
from ziggurat_rules.match import Match
from ziggurat_rules.table import NOWHERE
from ziggurat_rules.terms import Term

OWN = {"tech": "techs", "wonder": "wonders", "diplomacy": "diplomacy_hand", "building": "buildings"}


class Position:
    """A table between phases, with empty hands and markers on 0; then a match played by a script."""

    def __init__(
        self, seats: int = 2, side: str = "A1", age: int = 1, pack: str = "", seed: int = 1, **options: str
    ) -> None:
        self.game: MillenniaGame = GAME.with_packs([Pack("test.toml", pack)]) if pack else GAME
        self.options = parse_options(GAME.options, {"side": side, **options})
        self.t: MillenniaTable = self.game.setup(seed, seats, self.options)
        self.t.agenda.clear()
        self.cells = {(cell.name, cell.owner): n for n, cell in enumerate(self.t.layout.counters)}
        self.zones = {(cell.name, cell.owner): n for n, cell in enumerate(self.t.layout.zones)}
        self.lists = {(cell.name, cell.owner): n for n, cell in enumerate(self.t.layout.lists)}
        self.set(age=age, owner=NOBODY)
        for player in range(self.t.layout.players):
            self.set(player, gold=0)
        self.match: Match[MillenniaTable] | None = None
        self.before: dict[str, int] = {}
        self.before_places: dict[int, int] = {}

    # Setting up

    def set(self, owner: int = 0, **values: int) -> Position:
        """Set counters by name; tracks and `branch` too."""
        for name, value in values.items():
            self.t.set(self.cells[name, owner], value)
        return self

    def branch(self, name: str, seat: int = 0) -> Position:
        return self.set(seat, branch=BRANCHES.index(name))

    def face(self, card_id: str) -> int:
        return self.game.catalogue.index(card_id)

    def card(self, card_id: str) -> int:
        """A handle of this face, in the box or in a pile if possible."""
        face = self.face(card_id)
        found = [card for card, f in enumerate(self.t.ident) if f == face]
        return min(found, key=lambda card: self.t.place[card] != NOWHERE)

    def give(self, *card_ids: str, seat: int = 0, zone: str = "") -> Position:
        """Put cards in the seat's zone of their kind, or the named one; research cards are claimed."""
        for card_id in card_ids:
            facts = self.game.facts.faces[self.face(card_id)]
            if facts.table == "research":
                claimed = self.lists["claimed", seat]
                self.t.put(claimed, [*self.t.lists[claimed], facts.index])
                continue
            name = zone or ("yellow_buildings" if facts.color == "yellow" else OWN[facts.table])
            self.t.move(self.card(card_id), self.zones[name, seat])
        return self

    def offer(self, *card_ids: str) -> Position:
        """Put wonders and buildings among those that can be constructed, in place of what lies there."""
        t, L = self.t, self.t.layout
        for zone, slots, table in (
            (L.wonders_current, L.wonder_slots, "wonder"),
            (L.buildings_available, L.building_slots, "building"),
        ):
            for card in t.zones[zone][:]:
                t.remove(card)
            wanted = [c for c in card_ids if self.game.facts.faces[self.face(c)].table == table]
            for card_id in wanted:
                t.move(self.card(card_id), zone)
            t.put(slots, [self.face(c) for c in wanted])
        return self

    def research(self, *card_ids: str) -> Position:
        """The research cards of this game."""
        zone = self.t.layout.research
        for card in self.t.zones[zone][:]:
            self.t.remove(card)
        for card_id in card_ids:
            self.t.move(self.card(card_id), zone)
        return self

    def prosperity(self, *types: str) -> Position:
        """The prosperity cards on show, pair after pair."""
        L = self.t.layout
        for card in self.t.zones[L.prosperity][:]:
            self.t.move(card, L.prosperity_discard)
        for type_ in types:
            self.t.move(self.card(f"prosperity-{type_.replace('_', '-')}"), L.prosperity)
        return self

    def book(self, slot: int, card_id: str) -> Position:
        """Put a book token on a spot."""
        t, zone = self.t, self.t.layout.books
        old = t.zones[zone][slot]
        face = self.face(card_id)
        if t.ident[old] != face:
            new = self.card(card_id)
            if new in t.zones[zone]:
                other = t.zones[zone].index(new)
                t.zones[zone][slot], t.zones[zone][other] = new, old
            else:
                t.remove(old)
                t.move(new, zone, slot)
        return self

    def deck(self, *card_ids: str) -> Position:
        """The top of the diplomacy deck, the first to be drawn first."""
        t, zone = self.t, self.t.layout.diplomacy_deck
        for card_id in reversed(card_ids):
            t.move(self.card(card_id), zone)
        return self

    # Playing

    def start(self, *steps: Sequence[int]) -> Position:
        """Put steps on the agenda, the first to run first; by default seat 0's action phase."""
        for step in reversed(steps or [(ONE_SEAT, 0, ACTION_PHASE)]):
            self.t.push(*step)
        self.before = self.counters()
        self.before_places = dict(enumerate(self.t.place))
        self.match = Match.of_table(self.game, self.t, self.options)
        self.t = self.match.table
        return self

    def words(self, term: Term) -> str:
        """A term as the script says it: verb, ids of cards, numbers."""
        vocabulary = self.game.vocabulary
        verb = vocabulary.verbs[term[0]]
        said = [verb.name]
        for argument, value in zip(verb.arguments, term[1:], strict=True):
            if argument.kind == "card":
                said.append(self.game.catalogue.cards[value].id if value >= 0 else "-")
            elif argument.kind == "word":
                said.append(vocabulary.words[value])
            else:
                said.append(str(value))
        return " ".join(said)

    def offered(self, seat: int = 0) -> list[str]:
        """What the seat can choose now."""
        assert self.match is not None
        return [self.words(term) for term in self.match.decision(seat).options]

    def do(self, *script: str, seat: int = 0) -> Position:
        """Choose options by the beginning of their words; options of a subset are joined by " + "."""
        assert self.match is not None
        for line in script:
            decision = self.match.decision(seat)
            offered = self.offered(seat)
            chosen: list[int] = []
            for wanted in line.split(" + "):
                fits = [
                    i
                    for i, words in enumerate(offered)
                    if (words == wanted or words.startswith(wanted + " ")) and i not in chosen
                ]
                assert fits, f"{wanted!r} is not among {offered}"
                assert len({offered[i] for i in fits}) == 1, (
                    f"{wanted!r} may be any of {[offered[i] for i in fits]}"
                )
                chosen.append(fits[0])
            self.match.apply(seat, tuple(sorted(chosen)) if decision.kind == SUBSET else chosen[0])
        return self

    # Reading

    def counters(self) -> dict[str, int]:
        """All counters, by name; with @owner for others than seat 0."""
        return {
            name if owner <= 0 else f"{name}@{owner}": self.t.counters[n]
            for (name, owner), n in self.cells.items()
        }

    def changed(self) -> dict[str, int]:
        """How much each counter changed since the start."""
        now = self.counters()
        return {name: now[name] - old for name, old in self.before.items() if now[name] != old}

    def moved(self) -> dict[str, str]:
        """Cards that are in another zone than at the start, and the zone."""
        moved = {}
        for card, place in enumerate(self.t.place):
            if place != self.before_places[card]:
                cell = self.t.layout.zones[place] if place != NOWHERE else None
                owner = f"@{cell.owner}" if cell and cell.owner > 0 else ""
                moved[self.game.catalogue.cards[self.t.ident[card]].id] = cell.name + owner if cell else "box"
        return moved

    def value(self, name: str, owner: int = 0) -> int:
        return self.t.counters[self.cells[name, owner]]

    def list(self, name: str, owner: int = 0) -> list[str]:
        cards = self.game.catalogue.cards
        return [cards[face].id if face >= 0 else "-" for face in self.t.lists[self.lists[name, owner]]]

    def check(self, changes: Mapping[str, int], moves: Mapping[str, str] | None = None) -> Position:
        """Exactly these counters changed, by so much, and exactly these cards moved."""
        assert self.changed() == dict(changes)
        assert self.moved() == dict(moves or {})
        return self


TRACK_NAMES = TRACKS
