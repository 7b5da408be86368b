"""A greedy strategy for ERA: progress first, attacks where the odds are good."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import erf, sqrt

from ziggurat import Card, Choice, Decision, Term, View

KINDS = ("progress", "harvest", "money", "build", "military", "ruin", "vision")
BONUSES = (
    "bonus.glory",
    "bonus.search",
    "bonus.extra_effort",
    "bonus.plot",
    "bonus.reorganize",
    "bonus.defense",
)
STARS_MEAN, STARS_SPREAD = 2.2, 1.1
"""Conflict stars of an unseen card."""

Symbol = dict[str, object]


def decide(view: View, decision: Decision) -> Choice:
    """A choice by the kind of question; what is not known here gets the default."""
    prompt = decision.prompt.verb
    if prompt == "to_build":
        return to_build(view, decision)
    if prompt == "to_conflict":
        return to_conflict(view, decision)
    if prompt == "add_money":
        return decision.high if decision.high == decision.prompt["amount"] else 0
    if decision.kind == "subset":
        cheap = sorted(range(len(decision.options)), key=lambda index: _loss(decision.options[index]))
        return tuple(sorted(cheap[: decision.low]))
    if decision.kind == "range":
        return decision.default
    worth = Position(view, decision).worth
    values = [worth(term) for term in decision.options]
    return values.index(max(values))


def _loss(term: Term) -> tuple[float, int]:
    """How much a symbol of this card is missed if blocked; low stacks first."""
    card = term.card("card")
    return (sum(1 for _ in _symbols(card, 1)) if card else 0.0, term.get("position", 0))


# Committing


def purse(view: View, seat: int) -> int:
    """All that a seat can pay."""
    stars = sum(_number(card, "stars") for card in view.cards("build_up", seat))
    return sum(view.hidden("build_down", seat).values()) + stars + view.counter("money", seat)


def to_build(view: View, decision: Decision) -> int:
    """Half of the cards, fewer the more there is to pay with."""
    wanted = round((11 - purse(view, view.seat)) * decision.prompt["amount"] / 20)
    return max(decision.low, min(decision.high, 6, max(1, wanted)))


def to_conflict(view: View, decision: Decision) -> int:
    """Some cards while there is somebody to attack with."""
    pile = len(view.cards("conflict", view.seat)) + sum(view.hidden("conflict", view.seat).values())
    wanted = (8 if _can_attack(view) else 3) - pile
    return max(0, min(decision.high, wanted, 2))


def _can_attack(view: View) -> bool:
    """Whether a card in play could attack one of another seat's cards."""
    return any(
        row[kind]
        for era in _others(view)
        for row in Front(view, era).rows[1]
        for kind in ("military", "ruin")
    )


def _others(view: View) -> list[int]:
    return [seat for seat in range(view.seats) if seat != view.seat and not view.counter("out", seat)]


# What is in play


def _number(card: Card, key: str, missing: int = 0) -> int:
    value = card.facts.get(key, missing)
    return value if isinstance(value, int) else missing


def _symbols(card: Card, height: int) -> Iterator[tuple[Symbol, int]]:
    """The symbols of a stack, each with how often it counts."""
    for key in ("symbols", "dash_left", "dash_right"):
        times = height - 1 if key == "dash_right" else 1
        for symbol in card.facts.get(key, ()):
            if times:
                yield symbol, int(symbol.get("n", 1)) * times


class Front:
    """The two sides of an Era: its owner's stacks, and the conflict cards against him."""

    def __init__(self, view: View, era: int) -> None:
        stacks = view.list("stacks", era)
        self.heights = (stacks[::5], (1,) * len(view.cards("threats", era)))
        self.used = (stacks[4::5], view.list("threat_used", era))
        cards = iter(view.cards("play", era))
        self.cards = ([list(islice(cards, height))[-1] for height in stacks[::5]], view.cards("threats", era))
        self.keys: tuple[set[object], set[object]] = (set(), set())
        for side in (0, 1):
            for card, height in zip(self.cards[side], self.heights[side], strict=True):
                for symbol, _ in _symbols(card, height):
                    if symbol["sym"] == "key":
                        self.keys[side ^ (symbol.get("to") == "opponent")].add(symbol["letter"])
        self.rows = tuple(
            [self._row(side, place) for place in range(len(self.cards[side]))] for side in (0, 1)
        )
        for side, name in enumerate(("blocked", "threats_blocked")):
            for entry in view.list(name, era):
                self.rows[side][entry // 8][KINDS[entry % 8]] -= 1

    def _row(self, side: int, place: int) -> dict[str, int]:
        row = dict.fromkeys(KINDS, 0)
        for symbol, n in _symbols(self.cards[side][place], self.heights[side][place]):
            if (
                symbol["sym"] in row
                and symbol.get("to") != "opponent"
                and not self.locked(side, symbol.get("lock"))
            ):
                row[str(symbol["sym"])] += n
        return row

    def locked(self, side: int, lock: object) -> bool:
        """Whether a lock (None: none) is closed."""
        return lock is not None and lock not in self.keys[side]

    def total(self, side: int, kind: str) -> int:
        """All active symbols of a kind."""
        return sum(row[kind] for row in self.rows[side])

    def flips(self, side: int, kind: str, pile: int) -> int:
        """The most cards a combined attack can flip with so many in the pile."""
        rows = zip(self.rows[side], self.used[side], strict=True)
        best = flips = used = 0
        for number, symbols in enumerate(sorted((row[kind] for row, done in rows if not done), reverse=True)):
            if not symbols:
                break
            used += bool(number)
            flips += min(symbols, max(0, pile - used - flips))
            best = max(best, flips)
        return best


class Position:
    """One decision, with what it takes to put values on its options."""

    def __init__(self, view: View, decision: Decision) -> None:
        self.view = view
        self.decision = decision
        self.me = view.seat
        self._fronts: dict[int, Front] = {}

    def front(self, era: int) -> Front:
        """The two sides of an Era."""
        if era not in self._fronts:
            self._fronts[era] = Front(self.view, era)
        return self._fronts[era]

    def worth(self, term: Term) -> float:
        """The value of an option; 0 is doing nothing."""
        rate = getattr(self, f"_{term.verb}", None)
        return float(rate(term)) if rate else 0.0

    # Resource gathering

    def _special_build(self, term: Term) -> float:
        return 5

    def _spend_harvest(self, term: Term) -> float:
        late = self.view.counter("progress", self.me) >= 8
        return 3 if term["tokens"] >= (2 if late else 3) else -1

    # Card play

    def _play(self, term: Term) -> float:
        card = term.card("card")
        assert card is not None
        if card.facts["kind"] == "resource":
            return 50
        return self._after_cost(self.value(card), term["cost"])

    def _flourish(self, term: Term) -> float:
        card = term.card("card")
        assert card is not None
        gain = sum(self._symbol(symbol, 0, self.me) for symbol in card.facts.get("dash_right", ()))
        armour = 0.3 * sum(card.facts.get("flourish_defense", {}).values())
        return self._after_cost(gain + armour, term["cost"])

    @staticmethod
    def _after_cost(value: float, cost: int) -> float:
        return value * 4 / (2 + cost) - 0.5 * cost + (0.5 if not cost else 0)

    def _play_community(self, term: Term) -> float:
        card = term.card("card")
        assert card is not None
        spare = purse(self.view, self.me) - term["cost"]
        value = self.threat(card, term["owner"]) * 0.8 + 0.5
        return self._after_cost(value, term["cost"]) if spare >= 2 or not term["cost"] else -1

    def _vision_store(self, term: Term) -> float:
        card = term.card("card")
        assert card is not None
        return 0.2 if card.facts["kind"] == "normal" and self.value(card) >= 10 else -1

    def _vision_draw(self, term: Term) -> float:
        card = term.card("card")
        assert card is not None
        if card.facts["kind"] == "resource":
            return 30
        locked = self.front(self.me).locked(0, card.facts.get("title_lock"))
        return 30 if not locked and _number(card, "cost") <= purse(self.view, self.me) else -1

    def _tactics(self, term: Term) -> float:
        return -1

    def value(self, card: Card) -> float:
        """What a card of the hand is worth in play, before its cost."""
        if card.facts["kind"] == "conflict":
            return self.threat(card, _others(self.view)[0])
        worth = sum(self._symbol(symbol, 0, self.me) for symbol, _ in _symbols(card, 1))
        return worth + sum(
            0.3 * self._symbol(symbol, 0, self.me) for symbol in card.facts.get("dash_right", ())
        )

    def threat(self, card: Card, era: int) -> float:
        """What a conflict card against an Era is worth."""
        return sum(self._symbol(symbol, 1, era) for symbol, _ in _symbols(card, 1))

    def _symbol(self, symbol: Symbol, side: int, era: int) -> float:
        n = float(str(symbol.get("n", 1)))
        kind = symbol["sym"]
        front = self.front(era)
        if front.locked(side, symbol.get("lock")):
            return 0.2 * n
        if kind == "key":
            return (
                -0.5 if symbol.get("to") == "opponent" else 0.5 if symbol["letter"] in front.keys[side] else 4
            )
        if kind == "block":
            return self._block(symbol, side, era) * n
        if symbol.get("to") == "opponent":
            return -1 * n
        if kind in ("military", "ruin"):
            return (4 if side else 1.5) * n
        return {"progress": 10, "harvest": 1.5, "money": 2, "build": 2.5, "vision": 0.5}[str(kind)] * n

    def _block(self, symbol: Symbol, side: int, era: int) -> float:
        blocks = str(symbol["blocks"])
        if blocks == "unique":
            return 0.5
        hit = side if symbol.get("to") == "self" else 1 - side
        there = self.front(era).total(hit, blocks)
        worth = {"progress": 10, "money": 1.5, "build": 1.5, "harvest": 1.0}.get(blocks, 1.0)
        ours = (hit == 0) == (era == self.me)
        return (worth if there else 0.3) * (-1 if ours else 1)

    # Paying: nothing wasted, then face-down cards, which come back sooner, then money

    def _pay_up(self, term: Term) -> float:
        missing = self.decision.prompt["amount"]
        return 3 if term["amount"] <= missing else 0.5 - (term["amount"] - missing)

    def _pay_down(self, term: Term) -> float:
        return 2

    def _pay_money(self, term: Term) -> float:
        return 1

    # Conflict

    def _attack(self, term: Term) -> float:
        era, place, kind = term["era"], term["position"], str(term.word("kind"))
        target_side = 1 if era == self.me else 0
        front = self.front(era)
        flips = front.flips(1 - target_side, kind, self._pile())
        money = self.view.counter("money", self.me) if target_side else 0
        chance = _chance(flips, term["defense"] - money)
        return chance * self._prize(front, era, target_side, place) if chance >= 0.3 else -1

    def _prize(self, front: Front, era: int, side: int, place: int) -> float:
        row = front.rows[side][place]
        if side:
            return 2 + 2 * (row["military"] + row["ruin"])
        prize = 1 + 10 * row["progress"] + row["money"] + row["build"] + row["harvest"]
        if row["progress"]:
            prize += 8 * (1 + self.view.counter("destruction", era))
        return prize + 0.5 * self.view.counter("progress", era)

    def _pile(self) -> int:
        view = self.view
        pile = len(view.cards("conflict", self.me)) + sum(view.hidden("conflict", self.me).values())
        tired = view.counter("exhaustion", self.me)
        return min(pile, 6) if tired else pile

    def _add_attacker(self, term: Term) -> float:
        missing = self._missing()
        return (
            -1
            if missing <= 0
            else 10 + (term["symbols"] if term["symbols"] <= missing + 1 else -term["symbols"])
        )

    def _add_gift(self, term: Term) -> float:
        return 9 + term["symbols"] if self._missing() > 0 else -1

    def _missing(self) -> float:
        """Flips that should be added to an attack being announced."""
        prompt = self.decision.prompt
        return (self._defense(prompt.card("card")) + 1) / STARS_MEAN - prompt["amount"]

    def _defense(self, card: Card | None) -> float:
        """A defense of the target; an announcement does not say of which kind, so the higher one."""
        return max(card.facts.get("defense", {}).values(), default=3) if card else 3

    def _plot(self, term: Term) -> float:
        return 1

    def _cycle(self, term: Term) -> float:
        return -1

    # Rounds of three and four

    def _take_bonus(self, term: Term) -> float:
        card = term.card("card")
        return -BONUSES.index(card.id) if card and card.id in BONUSES else -9

    def _find(self, term: Term) -> float:
        card = term.card("card")
        if card is None:
            return 0
        affordable = _number(card, "cost") <= purse(self.view, self.me) + 3
        return self.value(card) * (1 if affordable else 0.3)

    def _shield(self, term: Term) -> float:
        card = term.card("card")
        return self.value(card) if card and card.facts["kind"] == "normal" else -1


def _chance(flips: int, defense: float) -> float:
    """About how likely so many unseen cards have enough stars."""
    if defense <= 0:
        return 1.0
    if not flips:
        return 0.0
    return 0.5 * (1 - erf((defense - 0.5 - flips * STARS_MEAN) / (STARS_SPREAD * sqrt(2 * flips))))
