"""Aggressions and wars (rulebook, Play an Aggression, Declare a War, Resolve a War)."""

from __future__ import annotations

from collections.abc import Callable

from ziggurat_rules.decisions import Effect, choose
from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta import steps
from ziggurat_rules.games.tta import words as w
from ziggurat_rules.games.tta.colonies import lose_colony
from ziggurat_rules.games.tta.effects.leaders import remove_leader
from ziggurat_rules.games.tta.effects.losses import buildings, destroy_building, lose_population
from ziggurat_rules.games.tta.facts import BONUS, SPECIAL, WONDER, Face, Op, kinds_named
from ziggurat_rules.games.tta.ratings import pacts_of, refresh
from ziggurat_rules.games.tta.table import TtaTable
from ziggurat_rules.games.tta.turn import end_pact
from ziggurat_rules.terms import Term


def attack_cost(t: TtaTable, face: Face, rival: int) -> int:
    """Military actions that the card costs against this rival."""
    cost = int(face.facts["military_actions"])
    leader = t.leader(rival)
    for op in leader.ops.get("attack_cost_against_self", ()) if leader is not None else ():
        cost *= op["multiplier"]
    return cost


def _between(t: TtaTable, seat: int, rival: int) -> list[tuple[Face, Op]]:
    return [(face, own) for face, own, partner in pacts_of(t, seat) if partner == rival]


def forbids_attack(t: TtaTable, seat: int, rival: int) -> bool:
    """Whether a pact between the two forbids attacks."""
    return any(face.facts["no_attack_between"] for face, _ in _between(t, seat, rival))


def attack_strength(t: TtaTable, seat: int, rival: int) -> int:
    """Strength when attacking this rival, with what helps only then; pacts that end by it don't count."""
    strength = t.get(seat, c.STRENGTH)
    for face, own in _between(t, seat, rival):
        strength += int(own.get("attack_strength_against_partner", 0))
        if face.facts["ends_if_attack_between"]:
            strength -= int(own.get("strength", 0))
    return strength


def _attacked_strength(t: TtaTable, rival: int, seat: int) -> int:
    """Strength of the one attacked, without pacts that end by it."""
    ending = sum(
        int(own.get("strength", 0))
        for face, own in _between(t, rival, seat)
        if face.facts["ends_if_attack_between"]
    )
    return t.get(rival, c.STRENGTH) - ending


def attackable(t: TtaTable, seat: int, rival: int, face: Face) -> bool:
    """Whether the rival is weaker, not protected, and has what the card takes."""
    if forbids_attack(t, seat, rival) or attack_strength(t, seat, rival) <= _attacked_strength(
        t, rival, seat
    ):
        return False
    for effect in face.effects:
        if "steal_colony" in effect and not t.zone_of(rival, c.COLONIES):
            return False
        if "remove_rival_one_of" in effect and not (
            t.zone_of(rival, c.LEADER_ZONE) or t.zone_of(rival, c.UNFINISHED)
        ):
            return False
    return True


def war_allowed(t: TtaTable, seat: int, rival: int) -> bool:
    """Whether no pact forbids a war on this rival."""
    protected = any(own.get("nobody_may_declare_war_on") for _, own, _ in pacts_of(t, rival))
    return not protected and not forbids_attack(t, seat, rival)


def _end_pacts_by_attack(t: TtaTable, seat: int, rival: int) -> None:
    for owner, other in ((seat, rival), (rival, seat)):
        for card in t.zone_of(owner, c.PACT_ZONE)[:]:
            if t.list_of(owner, c.PACT_TERMS)[0] == other and t.face(card).facts["ends_if_attack_between"]:
                end_pact(t, owner)


# Aggressions


def play_aggression(t: TtaTable, seat: int, face: int, rival: int, military: int) -> None:
    """Reveal, pay, attack; the rival may defend."""
    card = t.find(t.zone_number(seat, c.MILITARY_HAND), face)
    t.change(seat, c.MA_SPENT, military)
    t.move(card, t.pile_number(c.IN_RESOLUTION))
    t.log(w.ATTACKED(seat, face, rival))
    _end_pacts_by_attack(t, seat, rival)
    t.push(steps.AGGRESSION_DONE, seat, card)
    t.push(steps.DEFENCE, rival, seat, card)


def aggression_done(t: TtaTable, seat: int, card: int) -> None:
    """Discard the aggression."""
    t.discard_military(card)


def defence(t: TtaTable, rival: int, seat: int, card: int) -> Effect[None]:
    """All or nothing: cards that make the rival's strength match, at most as many as the military action
    total."""
    missing = attack_strength(t, seat, rival) - t.get(rival, c.STRENGTH)
    cards = yield from _defending_cards(t, rival, seat, t.ident[card], missing)
    if not cards:
        t.push(steps.AGGRESSION_EFFECT, seat, rival, card)
        return
    unseen = []
    for one, played in cards:
        if played:
            t.reveal(one)
            t.discard_military(one)
        else:
            unseen.append(one)
    t.discard_unseen(rival, unseen)
    t.log(w.DEFENDED(rival, t.ident[card]))


def _defending_cards(
    t: TtaTable, rival: int, seat: int, face: int, missing: int
) -> Effect[tuple[tuple[int, int], ...]]:
    """The cards used, with 1 if played for the defence on it; empty without a defence.

    Whoever cannot see the hand may imagine one with which a defence that was begun falls short: then there is
    none.
    """
    limit = t.get(rival, c.MA_TOTAL)
    hand = t.zone_of(rival, c.MILITARY_HAND)
    if not hand or limit <= 0:
        return ()
    chosen: tuple[tuple[int, int], ...] = ()
    last: Term = ()
    while missing > 0:
        options = _defence_options(t, hand, chosen, last, limit - len(chosen), missing)
        if not chosen:
            options[w.PASS()] = (-1, 0, 0)
        elif not options:
            return ()
        prompt = w.DEFEND(face, seat, missing)
        default = w.PASS() if not chosen else None
        card, played, value = yield from choose(rival, prompt, options, default=default)
        if card < 0:
            return ()
        last = (w.BONUS_CARD if played else w.DISCARD_CARD)(t.ident[card])
        chosen += ((card, played),)
        missing -= value
    return chosen


def _defence_options(
    t: TtaTable, hand: list[int], chosen: tuple[tuple[int, int], ...], last: Term, left: int, missing: int
) -> dict[Term, tuple[int, int, int]]:
    """Cards that may come next in canonical order and leave a way to reach what is missing."""
    used = {card for card, _ in chosen}
    uses: list[tuple[Term, tuple[int, int, int]]] = []
    for card in hand:
        if card not in used:
            face = t.face(card)
            uses.append((w.DISCARD_CARD(face.index), (card, 0, 1)))
            if face.kind == BONUS:
                uses.append((w.BONUS_CARD(face.index), (card, 1, int(face.facts["defense"]))))
    options = {}
    for term, use in uses:
        if term < last:
            continue
        rest = [other for name, other in uses if name >= term and other[0] != use[0]]
        if use[2] + _most(rest, left - 1) >= missing:
            options[(*term, use[2])] = use
    return options


def _most(uses: list[tuple[int, int, int]], number: int) -> int:
    """The most that so many cards give, each used once."""
    best: dict[int, int] = {}
    for card, _, value in uses:
        best[card] = max(value, best.get(card, 0))
    return sum(sorted(best.values(), reverse=True)[:number])


def aggression_effect(t: TtaTable, seat: int, rival: int, card: int) -> Effect[None]:
    """What a successful aggression does, in the order of the card."""
    face = t.face(card)
    removed = 0
    for effect in face.effects:
        for name, value in effect.items():
            if name == "remove_rival_one_of":
                removed = yield from _remove_one_of(t, seat, rival, face)
            elif name == "gain_culture_per_level_removed":
                t.score_culture(seat, value * removed)
            elif name in _EFFECTS:
                yield from _EFFECTS[name](t, seat, rival, face, effect)


def _steal_mix(t: TtaTable, seat: int, rival: int, face: Face, effect: Op) -> Effect[None]:
    food, resources = t.get(rival, c.FOOD), t.get(rival, c.RESOURCES)
    total = min(effect["steal_mix"]["up_to"], food + resources)
    splits = range(max(0, total - resources), min(total, food) + 1)
    options = {w.FOOD_OR(some, total - some): some for some in splits}
    taken = yield from choose(seat, w.SPOILS(face.index, total), options, skip_if_forced=True)
    t.pay_food(rival, taken)
    t.pay_resources(rival, total - taken)
    t.gain_food(seat, taken)
    t.gain_resources(seat, total - taken)


def _destroy_rival(t: TtaTable, seat: int, rival: int, face: Face, effect: Op) -> Effect[None]:
    """Buildings up to these levels, one for each; half the sum of their printed costs, rounded up."""
    rule = effect["destroy_rival"]
    cost = 0
    for level in rule["max_levels"]:
        targets = [one for one in buildings(t, rival, kinds_named(rule["of"])) if one.level <= level]
        gone = yield from destroy_building(t, seat, rival, face.index, targets)
        if gone >= 0:
            cost += t.layout.faces[gone].resource_cost
    t.gain_resources(seat, (cost + 1) // 2)


def _rival_lose(t: TtaTable, seat: int, rival: int, face: Face, effect: Op) -> Effect[None]:
    for _ in range(effect["rival_lose"]["population"]):
        yield from lose_population(t, rival, face.index)


def _gain(t: TtaTable, seat: int, rival: int, face: Face, effect: Op) -> Effect[None]:
    t.gain_food(seat, effect["gain"].get("food", 0))
    t.gain_resources(seat, effect["gain"].get("resources", 0))
    yield from ()


def _steal_colony(t: TtaTable, seat: int, rival: int, face: Face, effect: Op) -> Effect[None]:
    options = {w.CARD(t.ident[card]): card for card in t.zone_of(rival, c.COLONIES)}
    if not options:
        return
    colony = yield from choose(seat, w.FOR_CARD(face.index), options, skip_if_forced=True)
    lose_colony(t, rival, colony)
    t.put_in_play(seat, colony, c.COLONIES)
    refresh(t, rival)
    refresh(t, seat)


def _remove_one_of(t: TtaTable, seat: int, rival: int, face: Face) -> Effect[int]:
    """Remove the leader or the unfinished wonder; returns its level."""
    cards = (*t.zone_of(rival, c.LEADER_ZONE), *t.zone_of(rival, c.UNFINISHED))
    if not cards:
        return 0
    options = {w.CARD(t.ident[card]): card for card in cards}
    card = yield from choose(seat, w.FOR_CARD(face.index), options, skip_if_forced=True)
    gone = t.face(card)
    if gone.kind == WONDER:
        t.clear_stages(rival)
        t.remove(card)
        t.log(w.LEFT_PLAY(rival, gone.index))
    else:
        remove_leader(t, rival)
        refresh(t, rival)
    return gone.level


def _steal(t: TtaTable, seat: int, rival: int, face: Face, effect: Op) -> Effect[None]:
    wanted = effect["steal"]
    t.score_science(seat, -t.score_science(rival, -wanted.get("science", 0)))
    t.score_culture(seat, -t.score_culture(rival, -wanted.get("culture", 0)))
    yield from ()


_EFFECTS: dict[str, Callable[[TtaTable, int, int, Face, Op], Effect[None]]] = {
    "steal_mix": _steal_mix,
    "destroy_rival": _destroy_rival,
    "rival_lose": _rival_lose,
    "gain": _gain,
    "steal_colony": _steal_colony,
    "steal": _steal,
}


# Wars


def declare_war(t: TtaTable, seat: int, face: int, rival: int, military: int) -> None:
    """The war lies in the play area until the next turn."""
    card = t.find(t.zone_number(seat, c.MILITARY_HAND), face)
    t.change(seat, c.MA_SPENT, military)
    t.log(w.ATTACKED(seat, face, rival))
    _end_pacts_by_attack(t, seat, rival)
    t.move(card, t.zone_number(seat, c.WARS))
    t.put_list(seat, c.WAR_RIVALS, (*t.list_of(seat, c.WAR_RIVALS), rival))


def resolve_war(t: TtaTable, seat: int) -> Effect[None]:
    """The stronger of the two takes the spoils; equal strength: nothing."""
    card = t.zone_of(seat, c.WARS)[0]
    rival = t.list_of(seat, c.WAR_RIVALS)[0]
    face = t.face(card)
    advantage = war_strength(t, seat, rival) - t.get(rival, c.STRENGTH)
    t.log(w.WAR_ENDS(seat, face.index, advantage))
    victor, loser = (seat, rival) if advantage > 0 else (rival, seat)
    if advantage:
        for effect in face.effects:
            yield from _spoils(t, victor, loser, face, effect, abs(advantage))
    t.discard_military(card)
    t.put_list(seat, c.WAR_RIVALS, t.list_of(seat, c.WAR_RIVALS)[1:])


def war_strength(t: TtaTable, seat: int, rival: int) -> int:
    """Strength with what helps when attacking this rival."""
    helps = sum(int(own.get("attack_strength_against_partner", 0)) for _, own in _between(t, seat, rival))
    return t.get(seat, c.STRENGTH) + helps


def _spoils(t: TtaTable, victor: int, loser: int, face: Face, effect: Op, advantage: int) -> Effect[None]:
    tokens = effect.get("victor_steals_yellow_tokens")
    if tokens is not None:
        wanted = tokens["base"] + advantage // 5 * tokens["per_5_advantage"]
        t.change_yellow(victor, -t.change_yellow(loser, -wanted))
        return
    steals = effect["victor_steals"]
    if "culture" in steals:
        t.score_culture(victor, -t.score_culture(loser, -5 - advantage))
        return
    left = advantage
    if "or_special_technologies_worth" in effect:
        left = yield from _steal_technologies(t, victor, loser, face, advantage)
    t.score_science(victor, -t.score_science(loser, -left))


def _steal_technologies(t: TtaTable, victor: int, loser: int, face: Face, left: int) -> Effect[int]:
    """Special technologies instead of science, at their printed costs; returns what is left of the
    advantage."""
    while True:
        own = {t.ident[card] for zone in (c.TECHNOLOGIES, c.CIVIL_HAND) for card in t.zone_of(victor, zone)}
        options = {w.DONE(): -1}
        for card in t.zone_of(loser, c.TECHNOLOGIES):
            tech = t.face(card)
            if tech.kind == SPECIAL and tech.science_cost <= left and tech.index not in own:
                options[w.STEAL_CARD(tech.index, tech.science_cost)] = card
        card = yield from choose(
            victor, w.SPOILS(face.index, left), options, default=w.DONE(), skip_if_forced=True
        )
        if card < 0:
            return left
        left -= t.face(card).science_cost
        t.take_out_of_play(loser, card)
        t.put_special(victor, card)
        refresh(t, loser)
        refresh(t, victor)
