"""A greedy strategy for Through the Ages: prices every option in points of culture and takes the best one.

What an option is worth is what it adds by the end of the game, by the rounds that are probably left, less
what it
costs. Nothing is searched; the options and the views say all that is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ziggurat import Card, Decision, Term, View

Facts = Mapping[str, Any]

AGES = ("A", "I", "II", "III")
URBAN = ("lab", "temple", "library", "theater", "arena")
UNITS = ("infantry", "cavalry", "artillery", "air_force")
DISCARDS = {2: 3, 3: 2, 4: 1}
TAKEN_A_TURN = 1.6
"""Cards that a player takes from the row in a turn, about."""

CIVIL, MILITARY = 1.3, 0.6
"""Points that an action is worth."""
FOOD, RESOURCE, SCIENCE = 0.75, 0.8, 0.65
"""Points that one of them is worth in mid-game."""
LEADERS = {
    **{"aristotle": 7, "moses": 6, "hammurabi": 9, "homer": 4, "julius_caesar": 7, "alexander_the_great": 5},
    **{
        "leonardo_da_vinci": 14,
        "michelangelo": 15,
        "joan_of_arc": 12,
        "genghis_khan": 9,
        "christopher_columbus": 4,
    },
    **{
        "frederick_barbarossa": 6,
        "isaac_newton": 15,
        "j_s_bach": 14,
        "william_shakespeare": 14,
        "james_cook": 8,
    },
    **{"napoleon_bonaparte": 13, "maximilien_robespierre": 7, "charlie_chaplin": 15, "sid_meier": 15},
    **{"winston_churchill": 16, "mahatma_gandhi": 12, "bill_gates": 12, "albert_einstein": 13},
}
GOVERNMENTS = {
    **{"monarchy": 11, "theocracy": 8, "constitutional_monarchy": 14, "republic": 14, "communism": 12},
    **{"fundamentalism": 12, "democracy": 15},
}
WONDERS = {
    **{"colossus": 5, "hanging_gardens": 13, "library_of_alexandria": 13, "pyramids": 15, "great_wall": 11},
    **{
        "st_peters_basilica": 16,
        "taj_mahal": 17,
        "universitas_carolina": 15,
        "eiffel_tower": 18,
        "kremlin": 14,
    },
    **{"ocean_liner_service": 12, "transcontinental_railroad": 13, "fast_food_chains": 20},
    **{"first_space_flight": 24, "hollywood": 20, "internet": 20},
}


class Player:
    """What the strategy knows of the position: own numbers, and estimates from them."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.seat = view.seat

    def get(self, name: str) -> int:
        """An own counter."""
        return self.view.counter(name, self.seat)

    @cached_property
    def rounds(self) -> float:
        """Rounds that are left, about."""
        age, seats = self.view.counter("age"), self.view.seats
        if age == 4:
            return float(max(0, self.view.counter("last_round") - self.view.counter("round")))
        cards = sum(sum(self.view.hidden(f"civil_deck_{name}").values()) for name in AGES)
        return 1 + cards / (seats * (DISCARDS[seats] + TAKEN_A_TURN))

    @cached_property
    def late(self) -> float:
        """From 0 in the first half of the game to 1 at its end: when investments stop to pay."""
        return max(0.0, min(1.0, (7 - self.rounds) / 6))

    @cached_property
    def technologies(self) -> list[Card]:
        """Technologies in play."""
        return self.view.cards("technologies", self.seat)

    def workers(self, card: Card) -> int:
        """Own workers on a technology."""
        return self.get(f"workers_{card.id}") if "per_worker" in card.facts else 0

    def best(self, kind: str) -> int:
        """Level of the best technology of a kind in play, -1 without any."""
        return max(
            (card.facts["level"] for card in self.technologies if card.facts["kind"] == kind), default=-1
        )

    def built(self, *kinds: str) -> int:
        """Workers on technologies of these kinds."""
        return sum(self.workers(card) for card in self.technologies if card.facts["kind"] in kinds)

    @cached_property
    def threat(self) -> int:
        """Strength by which the strongest rival is ahead."""
        rivals = [
            self.view.counter("strength", other) for other in range(self.view.seats) if other != self.seat
        ]
        return max(rivals, default=0) - self.get("strength")

    @cached_property
    def content(self) -> int:
        """Happy faces to spare: below 0 there are discontent workers."""
        needs = [8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 1, 1, 0, 0]
        bank = self.get("yellow_bank")
        return self.get("happiness") - needs[min(bank, 18)]

    @cached_property
    def hungry(self) -> float:
        """Food that is missing each turn, with the next growth in mind."""
        eaten = [6, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0][min(self.get("yellow_bank"), 18)]
        stored = min(2.0, self.get("food") / 4)
        return eaten + 1.6 - self.get("food_production") - stored

    def per_turn(self, what: str, amount: float) -> float:
        """Points that something is worth which is produced each turn from now on."""
        turns = max(0.0, self.rounds)
        if what == "culture":
            return amount * turns
        if what == "science":
            wanted = 1.0 if self.get("science_rating") < 4 + 2 * self.view.counter("age") else 0.6
            return amount * SCIENCE * wanted * max(0.0, turns - 2)
        if what == "food":
            return amount * FOOD * (1.4 if self.hungry > 0 else 0.25) * max(0.0, turns - 1.5)
        wanted = 1.0 if self.get("resource_production") < 5 + 3 * self.view.counter("age") else 0.6
        return amount * RESOURCE * wanted * max(0.0, turns - 1.5)

    def strength(self, amount: float) -> float:
        """Points that strength is worth: much to the one who is behind."""
        behind = max(0.0, min(amount, self.threat + 2.0))
        war = 1.7 if self.view.counter("age") >= 2 else 1.1
        return behind * war + (amount - behind) * 0.35

    def happiness(self, amount: float) -> float:
        """Points of happy faces: dear while workers are discontent."""
        needed = max(0.0, min(amount, 1.5 - self.content))
        return needed * min(5.0, 1.0 + self.rounds) + (amount - needed) * 0.3

    def output(self, card: Card) -> float:
        """Points that a worker on this technology is worth by the end of the game."""
        given = card.facts["per_worker"]
        points = sum(
            self.per_turn(what, given.get(what, 0)) for what in ("culture", "science", "food", "resources")
        )
        return points + self.strength(given.get("strength", 0)) + self.happiness(given.get("happiness", 0))

    def cost(self, term: Term) -> float:
        """Points that the price of an option is worth."""
        money = 1 - 0.75 * self.late
        prices = (
            ("civil", CIVIL),
            ("military", MILITARY),
            ("resources", RESOURCE * money),
            ("food", FOOD * money),
            ("science", SCIENCE * money),
        )
        return sum(term.get(name, 0) * worth for name, worth in prices)


def _facts(term: Term, name: str = "card") -> Facts:
    card = term.card(name)
    return card.facts if card is not None else {}


def technology_worth(me: Player, card: Card) -> float:
    """Points of having a technology in play, the price of developing it not counted."""
    facts = card.facts
    kind, level = facts["kind"], facts["level"]
    if kind == "government":
        now = next(one for one in me.technologies if one.facts["kind"] == "government")
        gain = GOVERNMENTS.get(card.id, 8) - GOVERNMENTS.get(now.id, 0)
        return gain * min(1.0, me.rounds / 7) * 1.3
    if kind == "special":
        gives = facts.get("gives", {})
        actions = gives.get("civil_actions", 0) * CIVIL + gives.get("military_actions", 0) * MILITARY
        worth: float = actions * me.rounds
        worth += (
            me.strength(gives.get("strength", 0)) + gives.get("colonization", 0) + gives.get("blue_tokens", 0)
        )
        return worth + (4 * (1 - me.late) if facts["special_type"] == "construction" else 0)
    if level <= me.best(kind):
        return 0
    if kind in UNITS:
        same = (one.facts["per_worker"] for one in me.technologies if one.facts["kind"] == kind)
        old = max((given["strength"] for given in same), default=0)
        more = facts["per_worker"]["strength"] - old
        return me.strength(more * (1 + me.built(kind))) * 0.8
    rivals = [one for one in me.technologies if one.facts["kind"] == kind]
    old_worth = max((me.output(one) for one in rivals), default=0.0)
    number = max(2, me.built(kind)) if kind in ("mine", "farm", "lab") else max(1, me.built(kind))
    better: float = me.output(card) - old_worth - facts["resource_cost"] * RESOURCE * (0.7 - 0.4 * me.late)
    return max(0.0, better) * number * 0.75


def _take(me: Player, term: Term) -> float:
    card = term.card("card")
    assert card is not None
    facts = card.facts
    kind = facts["kind"]
    hand = me.view.cards("civil_hand", me.seat)
    worth: float
    if kind == "wonder":
        worth = wonder_worth(me, card) - sum(facts["stages"]) * RESOURCE * 0.55 - 2
        cost = sum(facts["stages"])
        if me.rounds * max(2, me.get("resource_production")) + me.get("resources") < 1.3 * cost:
            return -1
    elif kind == "leader":
        worth = LEADERS.get(card.id, 8) * min(1.0, me.rounds / 7)
        if any(one.facts["kind"] == "leader" for one in hand):
            return -1
        worth -= 3 * len(me.view.cards("leader", me.seat)) if me.rounds > 3 else 8
    elif kind == "action":
        worth = 2.6 if me.rounds > 1 else -1
    else:
        science = facts.get("science_cost", facts.get("science_cost_revolution", 0))
        reach = me.get("science") + me.get("science_rating") * max(0.0, me.rounds - 2)
        if science > reach:
            return -1
        worth = technology_worth(me, card) - science * SCIENCE * 0.5
        planned = sum(one.facts["kind"] == kind for one in hand)
        if kind != "special" and planned:
            worth *= 0.2
    worth -= 0.6 * max(0, len(hand) - 2)
    return worth * 0.8 - me.cost(term)


def wonder_worth(me: Player, card: Card) -> float:
    """Points of a completed wonder."""
    base = WONDERS.get(card.id, 12)
    return base * (1.0 if card.facts["level"] == 3 else min(1.1, me.rounds / 9)) * 1.1


def _grow(me: Player, term: Term) -> float:
    if me.get("unused_workers") >= 2 or me.rounds < 1.5:
        return -1
    if me.content <= 0 and me.get("unused_workers"):
        return -1
    need = 5.0 if not me.get("unused_workers") else 2.0
    return need * (1 - 0.5 * me.late) + min(2.0, me.get("resources") / 4) - me.cost(term)


def _build(me: Player, term: Term) -> float:
    card = term.card("card")
    assert card is not None
    worth = me.output(card) * 0.8
    if card.facts["kind"] in UNITS and me.threat < -3:
        worth = 0.3
    return worth - me.cost(term)


def _upgrade(me: Player, term: Term) -> float:
    old, new = term.card("from"), term.card("to")
    assert old is not None and new is not None
    return me.output(new) - me.output(old) - me.cost(term)


def _stage(me: Player, term: Term) -> float:
    card = term.card("card")
    assert card is not None
    left = len(card.facts["stages"]) - me.get("stages_built")
    return 1.5 + wonder_worth(me, card) * term["stages"] / left - me.cost(term)


def _develop(me: Player, term: Term) -> float:
    card = term.card("card")
    assert card is not None
    return technology_worth(me, card) + 0.5 - me.cost(term)


def _revolution(me: Player, term: Term) -> float:
    card = term.card("card")
    assert card is not None
    return technology_worth(me, card) - term["science"] * SCIENCE - 0.5 * (term["civil"] * CIVIL)


def _leader(me: Player, term: Term) -> float:
    now = me.view.cards("leader", me.seat)
    old = LEADERS.get(now[0].id, 8) if now else 0
    card = term.card("card")
    assert card is not None
    return LEADERS.get(card.id, 8) - old - CIVIL


def _action_card(me: Player, term: Term) -> float:
    text = str(_facts(term).get("effects", ""))
    worth: float = 3.0 + 0.5 * _facts(term)["level"]
    if "'build_or_upgrade'" in text and me.get("unused_workers") == 0:
        worth -= 1.5
    if "turn_pool" in text:
        worth = 2.5 if me.threat > 0 and me.get("unused_workers") else 0.2
    return worth - CIVIL


def _tactic(me: Player, term: Term) -> float:
    facts = _facts(term)
    now = me.view.list("current_tactic", me.seat)
    gain = _army(me, facts) - (_army(me, me.view.info.cards[now[0]].facts) if now else 0)
    return me.strength(gain) * 1.5 - me.cost(term) if gain > 0 else -1


def _army(me: Player, tactic: Facts) -> int:
    """Strength that a tactic gives to the units at hand."""
    have = {kind: me.built(kind) for kind in UNITS}
    armies: int = min(have[kind] // number for kind, number in tactic["needs"].items() if number)
    old = any(
        me.workers(card) and card.facts["kind"] in UNITS and card.facts["level"] < tactic["level"] - 1
        for card in me.technologies
    )
    return armies * int(tactic["outdated_strength" if old else "strength"])


ACTIONS: Mapping[str, Callable[[Player, Term], float]] = {
    "take": _take,
    "grow": _grow,
    "grow_free": lambda me, term: 3.0 if me.content > 0 or not me.get("unused_workers") else -1,
    "build": _build,
    "build_unit": _build,
    "upgrade": _upgrade,
    "upgrade_unit": _upgrade,
    "cross_upgrade": _upgrade,
    "levy": lambda me, term: _build(me, term) + 2.5 if me.content > 0 else -1,
    "stage": _stage,
    "develop": _develop,
    "revolution": _revolution,
    "play_leader": _leader,
    "play_action": _action_card,
    "play_tactic": _tactic,
    "copy_tactic": _tactic,
    "convert": lambda me, term: 0.4 if me.get("civil_actions") <= me.get("civil_actions_spent") else -1,
    "turn_gain": lambda me, term: 3.0,
    "turn_pool": lambda me, term: 3.4 if me.threat > 3 and me.get("unused_workers") else 0.1,
    "end": lambda me, term: 0.0,
}


# Politics


def _prepare(me: Player, term: Term) -> float:
    return 1.0 + term["culture"] + (0.5 if me.threat <= 0 else -0.5)


def _aggression(me: Player, term: Term) -> float:
    lead = me.get("strength") - me.view.counter("strength", term["rival"])
    guard = sum(me.view.hidden("military_hand", term["rival"]).values())
    return 2.0 + 0.8 * lead - 0.5 * guard


def _war(me: Player, term: Term) -> float:
    lead = me.get("strength") - me.view.counter("strength", term["rival"])
    return 2.0 * lead - 9.0


POLITICS: Mapping[str, Callable[[Player, Term], float]] = {
    "prepare": _prepare,
    "aggression": _aggression,
    "declare_war": _war,
    "settle": lambda me, term: 6.0,
    "offer_pact": lambda me, term: 1.5 if term.word("side") != "B" else 0.5,
    "pass": lambda me, term: 0.0,
}


def _political(me: Player, term: Term) -> float:
    return POLITICS[term.verb](me, term) if term.verb in POLITICS else -5.0


def _acting(me: Player, term: Term) -> float:
    return ACTIONS[term.verb](me, term) if term.verb in ACTIONS else -5.0


# Other questions


def _for_card(me: Player, term: Term) -> float:
    """Choices that a card or an event gives: the action worth most, else what hurts least or others most."""
    if term.verb == "own_card":
        card = term.card("card")
        assert card is not None
        worth = me.output(card)
        return worth if term["seat"] != me.seat else -worth
    if term.verb == "split":
        food = 1.3 if me.hungry > 0 else 0.8
        return term["food"] * food + term["resources"]
    if term.verb in ("build", "build_unit", "grow", "develop", "revolution", "upgrade", "stage"):
        return 0.5 + _acting(me, term)
    if term.verb == "card":
        return -float(_facts(term).get("level", 0))
    return 0.0


def _loses(me: Player, term: Term) -> float:
    card = term.card("card")
    assert card is not None
    return -me.output(card)


def _bid(me: Player, term: Term) -> float:
    if term.verb == "pass":
        return 0.0
    return 4.5 - 1.3 * term["amount"] + me.view.counter("age") * 1.5 - max(0, me.threat) * 0.3


def _force(me: Player, term: Term) -> float:
    if term.verb == "done":
        return 1.0
    return -float(term["amount"]) if term.verb == "send_unit" else -0.5


def _defends(me: Player, term: Term) -> float:
    return 0.0 if term.verb == "pass" else 1.0 - 0.1 * term["amount"]


def _spoil(me: Player, term: Term) -> float:
    if term.verb == "take":
        return _take(me, term) + me.cost(term) - 0.5
    if term.verb == "steal_card":
        return 2.0
    return _for_card(me, term)


def _pact(me: Player, term: Term) -> float:
    return 1.0 if term.verb == "accept" else 0.0


PROMPTS: Mapping[str, Callable[[Player, Term], float]] = {
    "action_phase": _acting,
    "politics_phase": _political,
    "for_card": _for_card,
    "lose_population": _loses,
    "bidding": _bid,
    "force": _force,
    "defend": _defends,
    "spoils": _spoil,
    "answer_pact": _pact,
}


def keeping(me: Player, card: Card) -> float:
    """Points that a military card in hand is worth."""
    facts = card.facts
    kind, level = facts["kind"], float(facts["level"])
    if kind == "tactic":
        return 1.0 + 0.6 * _army(me, facts)
    if kind in ("event", "territory"):
        return 2.0 + level
    if kind == "bonus":
        return 2.5 + level if me.threat > -3 else 2.0
    return 1.5 + level if me.threat < 0 else 1.0


def decide(view: View, decision: Decision) -> int | tuple[int, ...]:
    """The option worth most; of a hand, the cards worth least are given away."""
    me = Player(view)
    if decision.kind == "subset":
        options = decision.options
        order = sorted(range(len(options)), key=lambda n: (_kept(me, options[n]), n))
        return tuple(sorted(order[: decision.low]))
    if decision.kind == "range":
        return decision.low
    worth = PROMPTS.get(decision.prompt.verb)
    if worth is None:
        default = decision.default
        return default if isinstance(default, int) else 0
    values = [worth(me, term) for term in decision.options]
    return max(range(len(values)), key=lambda n: (values[n], -n))


def _kept(me: Player, term: Term) -> float:
    card = term.card("card")
    assert card is not None
    return keeping(me, card)
