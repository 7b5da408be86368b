"""A greedy strategy for The Flow of History: counts what a card adds to the score, takes the best deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ziggurat import Card, Decision, Term, View

TYPES = ("government", "construction", "knowledge", "military", "leader", "wonder")
ICONS = ("attack", "culture", "defense", "harvest", "industry", "science", "trade")
MARKET = ("market_1", "market_2", "market_3", "market_4", "market_5")
WHOLE_DECK = 56
UNSEEN_CARD = 2.5
"""Points that an unknown card is worth."""
USE_OF_ICON = 0.12
"""Points that an icon is worth in play, while the whole deck is still to come: bonus, income, strength."""
TURN_ACTION = 1.5
Facts = Mapping[str, Any]
"""What a card is, in the edition in play."""
RIVAL = 0.35
"""Own points that a point of an opponent is worth taking away, with many opponents; with one it is all."""


@dataclass(eq=False)
class Nation:
    """The cards and tokens of a seat, real or imagined."""

    stacks: Mapping[str, list[Facts]]
    tokens: int = 0

    def with_card(self, card: Facts) -> Nation:
        """The Nation after it gains a card."""
        kind = card.get("type")
        if kind is None:
            return self
        below = [] if kind == "leader" else self.stacks[kind]
        return Nation({**self.stacks, kind: [*below, card]}, self.tokens)

    def without(self, card: Facts) -> Nation:
        """The Nation after it loses a card."""
        kind = card["type"]
        return Nation({**self.stacks, kind: [one for one in self.stacks[kind] if one != card]}, self.tokens)

    @cached_property
    def shown(self) -> list[Facts]:
        """The cards whose effects show."""
        tops = [stack[-1] for kind, stack in self.stacks.items() if stack and kind != "wonder"]
        return tops + self.stacks["wonder"]

    def icons(self, at_end: bool = False) -> dict[str, int]:
        """Icons in play, or at scoring."""
        total = dict.fromkeys(ICONS, 0)
        for stack in self.stacks.values():
            for card in stack:
                _add(total, card["icons"])
        lasting = [card for card in self.shown if card["timing"] == "permanent"]
        if at_end:
            lasting = [card for card in lasting if not card.get("obsolete")]
        for card in lasting:
            _add(total, card["effect"].get("icons", {}))
        if at_end:
            for card in self.shown:
                if card["timing"] == "end_game":
                    _add(total, card["effect"].get("icons", {}))
        fixed = dict(total)
        for card in lasting:
            effect = card["effect"]
            if effect["kind"] == "provide_icons_per":
                total[effect["icon"]] += self.counted(effect, fixed)
        return total

    def counted(self, effect: Facts, icons: Mapping[str, int]) -> int:
        """What an effect that counts icons or cards comes to."""
        found = icons[effect["per_icon"]] if "per_icon" in effect else len(self.stacks[effect["per_card"]])
        return int(effect.get("amount", 1)) * (found // int(effect.get("step", 1)))

    @cached_property
    def points(self) -> float:
        """Victory points if the game ended now; half points count."""
        icons = self.icons(at_end=True)
        total = icons["culture"] + (sum(icons.values()) - icons["culture"]) / 2
        for card in self.shown:
            if card["timing"] == "end_game":
                effect = card["effect"]
                if effect["kind"] == "score_per":
                    total += self.counted(effect, icons)
                elif effect["kind"] == "score_sets":
                    total += effect["amount"] * min(len(self.stacks[kind]) for kind in effect["types"])
        return total

    def shows(self, kind: str) -> bool:
        """Whether an effect of this kind shows."""
        return any(card.get("effect", {}).get("kind") == kind for card in self.shown)


def _add(total: dict[str, int], more: Mapping[str, int]) -> None:
    for icon, amount in more.items():
        total[icon] += amount


class Judge:
    """What options are worth to the seat that decides, in points."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.me = view.seat
        self.korean = view.counter("korean")
        self.nations = [
            Nation({kind: self.cards(kind, seat) for kind in TYPES}, view.counter("tokens", seat))
            for seat in range(view.seats)
        ]
        self.mine = self.nations[self.me]
        self.left = sum(view.hidden("deck").values()) / WHOLE_DECK
        self.rival = 1.0 if view.seats == 2 else RIVAL

    @cached_property
    def token(self) -> float:
        """What one more token is worth: less the more there are, and little at the end."""
        return (0.5 if self.mine.tokens < 5 else 0.3) * min(1.0, 0.15 + 3 * self.left)

    @cached_property
    def free(self) -> list[Facts]:
        """The non-invested cards in the Market."""
        view = self.view
        spaces = [*MARKET, "market_6"] if view.seats == 5 else MARKET
        owners = range(view.seats + (view.seats == 2))
        marked = {view.counter("marker", owner) for owner in owners}
        return [card for n, space in enumerate(spaces, 1) if n not in marked for card in self.cards(space)]

    # Cards

    def facts(self, card: Card) -> Facts:
        """The facts of a card in the edition in play."""
        return card.facts | card.facts.get("korean", {}) if self.korean else card.facts

    def cards(self, zone: str, owner: int = -1) -> list[Facts]:
        """The cards of a zone."""
        return [self.facts(card) for card in self.view.cards(zone, owner)]

    def card(self, term: Term) -> Facts:
        """The card that a term is about."""
        card = term.card("card")
        assert card is not None
        return self.facts(card)

    def worth(self, card: Facts, depth: int = 0) -> float:
        """What gaining a card is worth."""
        after = self.mine.with_card(card)
        gain = after.points - self.mine.points
        icons = sum(after.icons().values()) - sum(self.mine.icons().values())
        gain += icons * USE_OF_ICON * self.left
        timing = card["timing"]
        if timing == "turn_action":
            return gain + TURN_ACTION * self.left
        if timing == "end_game":
            return gain * (1 + 0.6 * self.left)
        if timing in ("attack", "attack_all"):
            return gain + self.attack(card, after)
        if timing == "instant":
            return gain + self.effect(card["effect"], after, depth)
        return gain

    def effect(self, effect: Facts, after: Nation, depth: int = 0) -> float:
        """What an instant effect or a turn action is worth."""
        kind = effect["kind"]
        if kind == "gain_deck_top":
            return UNSEEN_CARD
        if kind == "gain_from_market":
            fits = [card for card in self.free if card.get("type") in effect["types"]]
            if depth or not fits:
                return 0.0
            price: int = effect.get("pay", 0)
            return max(self.worth(card, 1) for card in fits) - price * self.token
        if kind == "take_tokens_per":
            there = self.view.counter(effect["source"])
            return min(there, after.counted(effect, after.icons())) * self.token
        if kind == "redistribute_tokens":
            pool = sum(nation.tokens for nation in self.nations) + self.view.counter("supply")
            return (pool // self.view.seats - self.mine.tokens) * self.token
        return 0.0

    def attack(self, card: Facts, after: Nation) -> float:
        """What an attack is worth with the new card in place."""
        if after.shows("pacifism"):
            return 0.0
        strength = after.icons()["attack"]
        harms = [
            max(self.harms(card["effect"], nation), default=0.0)
            for seat, nation in enumerate(self.nations)
            if seat != self.me and not nation.shows("pacifism") and self._defence(seat) < strength
        ]
        bounty = 2 * self.token if after.shows("tokens_on_own_attack") else 0.0
        return bounty + (sum(harms) if card["timing"] == "attack_all" else max(harms, default=0.0))

    def _defence(self, seat: int) -> int:
        return self.view.counter("attack", seat) + self.view.counter("defense", seat)

    def harms(self, effect: Facts, victim: Nation) -> Iterable[float]:
        """What each thing that an attack may take from a victim is worth."""
        if effect["kind"] == "steal_tokens":
            return [min(effect["amount"], victim.tokens) * self.token * (1 + self.rival)]
        if effect["kind"] == "discard_card":
            return [self.loss(victim, card) for card in victim.stacks[effect["type"]]]
        tops = [victim.stacks[kind][-1] for kind in effect["types"] if victim.stacks[kind]]
        losses = [self.loss(victim, card) for card in tops]
        return [sum(losses)] if effect.get("all") else losses

    def loss(self, victim: Nation, card: Facts) -> float:
        """What it is worth that an opponent loses a card."""
        return (victim.points - victim.without(card).points) * self.rival

    # Options

    def option(self, term: Term) -> float:
        """What an option is worth."""
        return OPTIONS[term.verb](self, term) if term.verb in OPTIONS else 0.0

    def invest(self, term: Term) -> float:
        """A card for the turn after next, unless it is sniped: then the tokens come back with interest."""
        card = self.card(term)
        return 0.55 * self.worth(card) - 1.5 * self.token + 0.01

    def complete(self, term: Term) -> float:
        """The card and the bonus; the bid is gone already."""
        card = self.card(term)
        return self.worth(card) + term["bonus"] * self.token

    def snipe(self, term: Term) -> float:
        """The card at its price, which the investor gets back and more."""
        card = self.card(term)
        investor, price = term["investor"], term["tokens"]
        gift = 0.0
        if investor < self.view.seats:
            trade = self.view.counter("trade", investor)
            income = trade + max(0, self.view.counter("supply") + price - trade) // 2
            gift = (price + income) * self.token * self.rival
            rival = self.nations[investor]
            gift -= self.rival * 0.5 * max(0.0, rival.with_card(card).points - rival.points)
        return self.worth(card) - price * self.token - gift

    def activate(self, term: Term) -> float:
        """What the turn action brings; a card that leaves for it is lost."""
        card = self.card(term)
        effect = card["effect"]
        after = self.mine.without(card) if effect.get("remove_self") else self.mine
        return self.effect(effect, after) + after.points - self.mine.points

    def harvest(self, term: Term) -> float:
        """Tokens."""
        return term["gain"] * self.token

    def gain(self, term: Term) -> float:
        """A card of the Market, by an effect or as a start."""
        card = self.card(term)
        return self.worth(card, 1)

    def lose(self, term: Term) -> float:
        """An own card."""
        card = self.card(term)
        return self.mine.without(card).points - self.mine.points

    def destroy(self, term: Term) -> float:
        """A card of an opponent, better of the one who leads."""
        card = self.card(term)
        victim = self.nations[term["victim"]]
        return self.loss(victim, card) + victim.points / 100

    def steal(self, term: Term) -> float:
        """Tokens of an opponent."""
        return term["tokens"] + self.nations[term["victim"]].points / 100

    def bank(self, term: Term) -> float:
        """The card that helps the opponent most: it can only be sniped now."""
        card = self.card(term)
        other = self.nations[1 - self.me]
        return other.with_card(card).points - other.points

    def bid(self, card: Facts, most: int) -> int:
        """As many tokens as keep the others from sniping, if that is not too dear; else one."""
        rivals = max(nation.tokens for seat, nation in enumerate(self.nations) if seat != self.me)
        dear = self.worth(card) / (2 * self.token + 0.01)
        return rivals + 1 if rivals + 1 <= min(most, dear) else 1


OPTIONS: dict[str, Callable[[Judge, Any], float]] = {
    "invest": Judge.invest,
    "complete": Judge.complete,
    "snipe": Judge.snipe,
    "activate": Judge.activate,
    "harvest": Judge.harvest,
    "gain": Judge.gain,
    "keep": Judge.gain,
    "lose": Judge.lose,
    "destroy": Judge.destroy,
    "steal": Judge.steal,
    "bank": Judge.bank,
}


def decide(view: View, decision: Decision) -> int:
    """The option that is worth most."""
    judge = Judge(view)
    if decision.kind == "range":
        card = judge.card(decision.prompt)
        return judge.bid(card, decision.high)
    worths = [judge.option(term) for term in decision.options]
    return worths.index(max(worths))
