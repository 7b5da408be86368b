"""Positions for tests: put things where a test wants them, play, compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ziggurat_rules.decisions import Decision
from ziggurat_rules.game import parse_options
from ziggurat_rules.games.tta import GAME, steps
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta.facts import FARM, GOVERNMENT
from ziggurat_rules.games.tta.ratings import refresh
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.match import Match

CARDS_TESTED: set[str] = set()


def card(*ids: str) -> Callable[[Any], Any]:
    """Say which cards a test plays."""
    for one in ids:
        assert one in GAME.library.by_id, one
    CARDS_TESTED.update(ids)
    return lambda test: test


def face(card_id: str) -> int:
    return GAME.library.by_id[card_id].index


class Position:
    """A table in the making, then a match."""

    def __init__(self, seats: int = 2, age: int = 1, round_: int = 5, **options: str) -> None:
        self.t: TtaTable = GAME.setup(7, seats, parse_options(GAME.options, options))
        self.t.agenda.clear()
        self.options = parse_options(GAME.options, options)
        t = self.t
        t.put_common(c.AGE, age)
        t.put_common(c.ROUND, round_)
        for seat in range(seats):
            t.put_counter(seat, c.CA_SPENT, 0)
            t.put_counter(seat, c.MA_SPENT, 0)
        self.row()
        self.match: Match[TtaTable] | None = None

    # building

    def take(self, card_id: str) -> int:
        """A card of this id that lies in no player's area."""
        t = self.t
        index = face(card_id)
        busy = (t.pile_number(c.ROW), t.pile_number(c.CURRENT_EVENTS), t.pile_number(c.COMMON_TACTICS))
        free = (h for h, one in enumerate(t.ident) if one == index and t.place[h] not in busy)
        return next(h for h in free if t.place[h] < 0 or t.place[h] >= t.layout.zones_common)

    def to(self, seat: int, zone: int, *ids: str) -> Position:
        for one in ids:
            self.t.move(self.take(one), self.t.zone_number(seat, zone))
        return self

    def hand(self, seat: int, *ids: str) -> Position:
        return self.to(seat, c.CIVIL_HAND, *ids)

    def military(self, seat: int, *ids: str) -> Position:
        return self.to(seat, c.MILITARY_HAND, *ids)

    def leader(self, seat: int, card_id: str) -> Position:
        self.t.put_in_play(seat, self.take(card_id), c.LEADER_ZONE)
        return self.fresh(seat)

    def wonder(self, seat: int, *ids: str) -> Position:
        for one in ids:
            self.t.put_in_play(seat, self.take(one), c.WONDERS)
        return self.fresh(seat)

    def unfinished(self, seat: int, card_id: str, built: int = 0) -> Position:
        self.to(seat, c.UNFINISHED, card_id)
        self.t.cover_stages(seat, built)
        return self

    def colony(self, seat: int, *ids: str) -> Position:
        for one in ids:
            self.t.put_in_play(seat, self.take(one), c.COLONIES)
        return self.fresh(seat)

    def tech(self, seat: int, card_id: str, workers: int = 0) -> Position:
        t = self.t
        made = GAME.library.by_id[card_id]
        if made.level and not t.has_technology(seat, made):
            if made.kind == GOVERNMENT:
                old = t.government(seat).index
                t.take_out_of_play(seat, t.find(t.zone_number(seat, c.TECHNOLOGIES), old))
            t.put_in_play(seat, self.take(card_id), c.TECHNOLOGIES)
        if made.slot >= 0:
            self.workers(seat, card_id, workers)
        return self.fresh(seat)

    def workers(self, seat: int, card_id: str, number: int) -> Position:
        """Set the workers on a technology, the tokens from or to the box."""
        slot = GAME.library.by_id[card_id].slot
        delta = number - self.t.workers(seat, slot)
        self.t.change(seat, c.WORKERS + slot, delta)
        self.t.change(seat, c.YELLOW_BOX, -delta)
        return self.fresh(seat)

    def unused(self, seat: int, number: int) -> Position:
        self.t.change(seat, c.YELLOW_BOX, self.t.get(seat, c.UNUSED) - number)
        self.t.put_counter(seat, c.UNUSED, number)
        return self

    def yellow(self, seat: int, number: int) -> Position:
        self.t.change(seat, c.YELLOW_BOX, self.t.get(seat, c.YELLOW_BANK) - number)
        self.t.put_counter(seat, c.YELLOW_BANK, number)
        return self.fresh(seat)

    def blue(self, seat: int, number: int) -> Position:
        self.t.change(seat, c.BLUE_BOX, self.t.get(seat, c.BLUE_BANK) - number)
        self.t.put_counter(seat, c.BLUE_BANK, number)
        return self

    def tokens(self, seat: int, card_id: str, number: int) -> Position:
        """Blue tokens on a farm or mine, from the box."""
        made = GAME.library.by_id[card_id]
        counter = self.t.layout.token_of[made.slot]
        delta = number - self.t.get(seat, counter)
        self.t.put_counter(seat, counter, number)
        self.t.change(seat, c.BLUE_BOX, -delta)
        self.t.change(seat, c.FOOD if made.kind == FARM else c.RESOURCES, delta * made.value)
        return self

    def stock(self, seat: int, food: int = 0, resources: int = 0) -> Position:
        return self.tokens(seat, "agriculture", food).tokens(seat, "bronze", resources)

    def points(self, seat: int, culture: int = 0, science: int = 0) -> Position:
        self.t.put_counter(seat, c.CULTURE, culture)
        self.t.put_counter(seat, c.SCIENCE, science)
        return self

    def set(self, seat: int, counter: int, value: int) -> Position:
        self.t.put_counter(seat, counter, value)
        return self

    def tactic(self, seat: int, card_id: str) -> Position:
        self.t.put_list(seat, c.TACTIC_LIST, (face(card_id),))
        return self.fresh(seat)

    def pact(self, seat: int, card_id: str, partner: int, side: int = 0) -> Position:
        self.t.put_list(seat, c.PACT_TERMS, (partner, side))
        self.t.put_in_play(seat, self.take(card_id), c.PACT_ZONE)
        return self.fresh(seat).fresh(partner)

    def war(self, seat: int, card_id: str, rival: int) -> Position:
        self.to(seat, c.WARS, card_id)
        self.t.put_list(seat, c.WAR_RIVALS, (rival,))
        return self

    def row(self, *ids: str, spaces: Iterable[int] = ()) -> Position:
        """The card row; the cards that were there go to their deck."""
        t = self.t
        for one in t.pile(c.ROW)[:]:
            t.move(one, t.pile_number(c.CIVIL_DECK))
        for one in ids:
            t.move(self.take(one), t.pile_number(c.ROW))
        t.put(t.layout.lists_common, list(spaces) or range(1, len(ids) + 1))
        return self

    def events(self, *ids: str) -> Position:
        """The current events, the next one first."""
        t = self.t
        for one in t.pile(c.CURRENT_EVENTS)[:]:
            t.remove(one)
        for one in reversed(ids):
            t.move(self.take(one), t.pile_number(c.CURRENT_EVENTS))
        return self

    def fresh(self, seat: int) -> Position:
        refresh(self.t, seat)
        return self

    def strength(self, seat: int, wanted: int) -> Position:
        """Strength by Warriors."""
        now = self.t.get(seat, c.STRENGTH)
        return self.workers(
            seat, "warriors", self.t.workers(seat, GAME.library.by_id["warriors"].slot) + wanted - now
        )

    # playing

    def start(self, *agenda: tuple[int, ...], current: int = 0) -> Position:
        """Begin with these steps, the first one first."""
        self.t.put_common(c.CURRENT, current)
        for entry in reversed(agenda):
            self.t.push(*entry)
        self.match = Match.of_table(GAME, self.t, self.options)
        return self

    def action_phase(self, seat: int = 0) -> Position:
        return self.start((steps.ACTIONS, seat), current=seat)

    def politics_phase(self, seat: int = 0) -> Position:
        return self.start((steps.POLITICS, seat), current=seat)

    def event(self, card_id: str, current: int = 0) -> Position:
        return self.events(card_id, "development_of_science").start(
            (steps.REVEAL_EVENT, current), current=current
        )

    @property
    def now(self) -> TtaTable:
        assert self.match is not None
        return self.match.table

    @property
    def to_act(self) -> int | None:
        assert self.match is not None
        return self.match.to_act[0] if self.match.to_act else None

    def decision(self) -> Decision:
        assert self.match is not None
        return self.match.decision(self.match.to_act[0])

    def offers(self, verb: str, *args: Any) -> list[int]:
        """Indexes of the options of this verb whose first arguments are these (cards by id)."""
        known = {v.name: v for v in GAME.vocabulary.verbs}
        wanted = (known[verb].number, *(face(arg) if isinstance(arg, str) else arg for arg in args))
        return [n for n, term in enumerate(self.decision().options) if term[: len(wanted)] == wanted]

    def offered(self, verb: str, *args: Any) -> bool:
        return self.to_act is not None and bool(self.offers(verb, *args))

    def price(self, verb: str, *args: Any) -> tuple[int, ...]:
        """All arguments of the one option of this verb that begins so."""
        (index,) = self.offers(verb, *args)
        return self.decision().options[index][1:]

    def play(self, verb: str, *args: Any) -> Position:
        """Take the option of this verb whose first arguments are these."""
        found = self.offers(verb, *args)
        assert len(found) == 1, (verb, args, [self.say(term) for term in self.decision().options])
        assert self.match is not None
        self.match.apply(self.match.to_act[0], found[0])
        return self

    def choose(self, *ids: str) -> Position:
        """Take a subset."""
        options = list(self.decision().options)
        left = [face(one) for one in ids]
        indexes = []
        for index, term in enumerate(options):
            if term[1] in left:
                left.remove(term[1])
                indexes.append(index)
        assert not left
        assert self.match is not None
        self.match.apply(self.match.to_act[0], tuple(indexes))
        return self

    def say(self, term: tuple[int, ...]) -> str:
        verb = GAME.vocabulary.verbs[term[0]]
        values = [
            GAME.library.faces[value].id if argument.kind == "card" and value >= 0 else value
            for argument, value in zip(verb.arguments, term[1:], strict=True)
        ]
        return f"{verb.name}{tuple(values)}"

    # reading

    def get(self, seat: int, counter: int) -> int:
        return self.now.get(seat, counter)

    def many(self, seat: int, *counters: int) -> tuple[int, ...]:
        return tuple(self.get(seat, counter) for counter in counters)

    def on(self, seat: int, card_id: str) -> int:
        return self.now.workers(seat, GAME.library.by_id[card_id].slot)

    def ids(self, seat: int, zone: int) -> list[str]:
        return [one.id for one in self.now.faces_in(seat, zone)]

    def pile_ids(self, zone: int) -> list[str]:
        return [self.now.face(one).id for one in self.now.pile(zone)]
