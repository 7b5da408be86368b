"""Every card of the five decks is played, works and is attacked; its exact numbers are in expected.py."""

from __future__ import annotations

import pytest
from tests.games.era.expected import EXPECTED, Expect
from tests.games.era.position import Play, Position, Step

from ziggurat_rules.games.era import GAME
from ziggurat_rules.games.era.symbols import KINDS, NORMAL, THREAT

KEYS = {
    ("medieval", "A"): "medieval.church_of_rome",
    ("medieval", "B"): "medieval.port",
    ("egypt", "A"): "egypt.pharaoh",
    ("great_war", "A"): "great_war.general_staff",
    ("great_war", "B"): "great_war.merchant_convoy",
    ("cold_war", "A"): "cold_war.space_agency",
    ("cold_war", "B"): "cold_war.trade_pact",
    ("frontier", "A"): "frontier.sheriff",
    ("frontier", "B"): "frontier.boomtown",
}
"""A card of each Era that opens a letter for the side whose locks bear it."""

RESOURCES = {
    "egypt": ("egypt.kingdom_produce", "egypt.nile_trade_goods", "egypt.quarry_stone"),
    "medieval": ("medieval.manor_harvest", "medieval.village_goods", "medieval.masons_lodge"),
    "great_war": ("great_war.ration_depot", "great_war.war_bonds", "great_war.munitions_works"),
    "cold_war": ("cold_war.collective_grain", "cold_war.consumer_goods", "cold_war.steel_complex"),
    "frontier": ("frontier.homestead_crops", "frontier.gold_claims", "frontier.lumber_camp"),
}

FIGHTERS = {
    "egypt": (("egypt.charioteer", "egypt.priesthood"), ("egypt.persian_army", "egypt.tomb_robbers")),
    "medieval": (
        ("medieval.longbowmen", "medieval.inquisitor"),
        ("medieval.arab_empire", "medieval.bubonic_plague"),
    ),
    "great_war": (
        ("great_war.infantry", "great_war.diplomat"),
        ("great_war.central_powers", "great_war.gas_attack"),
    ),
    "cold_war": (
        ("cold_war.interceptor_wing", "cold_war.counterspy"),
        ("cold_war.proxy_war", "cold_war.u2_spy_plane"),
    ),
    "frontier": (
        ("frontier.sheriff", "frontier.frontier_doctor"),
        ("frontier.outlaw_gang", "frontier.prairie_fire"),
    ),
}
"""A military and a ruin attacker of each side."""

NAMES = sorted(EXPECTED)
FIGHT_BACK = ["military", "ruin"]


def deck_of(name: str) -> str:
    return name.partition(".")[0]


def other_deck(deck: str) -> str:
    return "egypt" if deck != "egypt" else "medieval"


def position_for(name: str) -> tuple[Position, int]:
    """A position whose seat 0 holds the card in its deck, and the seat that owns its Era."""
    deck = deck_of(name)
    if EXPECTED[name].kind == "conflict":
        return Position(other_deck(deck), deck), 1
    return Position(deck, other_deck(deck)), 0


def letter(card: Expect, name: str) -> str:
    """The lock of the card or of one of its symbols."""
    return card.lock or ("A" if card.opened is not None else "")


def with_key(position: Position, era: int, name: str) -> Position:
    """Open the locks of the card."""
    wanted = letter(EXPECTED[name], name)
    return position.play(era, KEYS[deck_of(name), wanted]) if wanted else position


def side_of(name: str) -> int:
    return THREAT if EXPECTED[name].kind == "conflict" else NORMAL


def test_every_card_has_its_expectation() -> None:
    real = {card.id for card in GAME.catalogue.cards if card.facts.get("kind")}
    assert real == set(EXPECTED)
    for card in GAME.catalogue.cards:
        if card.id in EXPECTED:
            assert card.copies == EXPECTED[card.id].copies
            assert GAME.facts.faces[card.index].stars == EXPECTED[card.id].stars


@pytest.mark.parametrize("name", NAMES)
def test_a_card_is_played_for_its_cost(name: str) -> None:
    card = EXPECTED[name]
    position, era = position_for(name)
    if card.lock:
        locked = position_for(name)[0].hand(0, name).build(0, 9).at(Step.ACT)
        assert not locked.offers("play", card=name)
        with_key(position, era, name)
    if card.cost:
        poor, _ = position_for(name)
        if card.lock:
            with_key(poor, era, name)
        assert not poor.hand(0, name).build(0, card.cost - 1).at(Step.ACT).offers("play", card=name)
    play = position.hand(0, name).build(0, card.cost).at(Step.ACT)
    zone = "threats" if card.kind == "conflict" else "play"
    before = play.size(zone, era)
    play.take("play", card=name, cost=card.cost)
    assert play.size("build_down") == 0
    assert play.size("discard") == card.cost
    assert play.size("hand") == 0
    assert play.size(zone, era) == before + 1
    assert play.zone(zone, era)[-1] == name
    assert play.counter("exhaustion") == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_card_in_play_contributes_its_symbols(name: str) -> None:
    card = EXPECTED[name]
    position, era = position_for(name)
    in_play(position, era, name)
    front = position.t.front(era)
    side = side_of(name)
    if card.kind == "resource":
        assert dict(zip(KINDS, front.resources, strict=True)) == dict.fromkeys(KINDS, 0) | card.row
        assert not any(front.totals[NORMAL])
    else:
        own_block = {kind: n for kind, (where, n) in card.blocks.items() if where == "own"}
        shown = {kind: n - own_block.get(kind, 0) for kind, n in card.row.items()}
        assert {kind: n for kind, n in zip(KINDS, front.active[side][-1], strict=True) if n} == shown
    for where, target in (("own", side), ("other", 1 - side)):
        wanted = {kind: n for kind, (to, n) in card.blocks.items() if to == where and kind != "unique"}
        assert {kind: n for kind, n in zip(KINDS, front.blocks[target], strict=True) if n} == wanted
        opened = {letter for letter, to in card.keys.items() if to == where}
        assert front.keys[target] == sum(1 << ord(one) - ord("A") for one in opened)
    assert front.free[side] == ("unique" in card.blocks)
    assert front.gifts[1 - side] == [card.gives.get("military", 0), card.gives.get("ruin", 0)]
    assert front.gifts[side] == [0, 0]


def in_play(position: Position, era: int, name: str, copies: int = 1) -> Position:
    if EXPECTED[name].kind == "conflict":
        return position.threat(era, name)
    return position.play(era, name, copies)


@pytest.mark.parametrize("name", [name for name in NAMES if EXPECTED[name].opened is not None])
def test_a_key_opens_the_locked_symbols(name: str) -> None:
    position, era = position_for(name)
    with_key(position, era, name)
    in_play(position, era, name)
    play = position.at(Step.ACT)
    assert play.row(era, side_of(name), 1) == EXPECTED[name].opened


@pytest.mark.parametrize("name", [name for name in NAMES if EXPECTED[name].flourish >= 0])
def test_a_card_is_flourished_for_its_cost(name: str) -> None:
    card = EXPECTED[name]
    position, _ = position_for(name)
    play = position.play(0, name, copies=2).hand(0, name).build(0, card.flourish).at(Step.ACT)
    play.take("flourish", card=name, position=0, cost=card.flourish)
    assert play.stack(0, 0) == {"copies": 3, "tokens": 0, "stored": 0}
    assert play.size("build_down") == 0
    assert play.size("play") == 3
    assert play.row(0, NORMAL, 0) == (card.row if card.tall is None else card.tall)
    for kind, printed in card.defense.items():
        number = KINDS.index(kind)
        assert play.front(0).defense(NORMAL, 0, number) == printed + 2 * card.armour.get(kind, 0)


@pytest.mark.parametrize("name", [name for name in NAMES if EXPECTED[name].kind == "normal"])
def test_a_normal_card_earns_at_the_start_of_a_turn(name: str) -> None:
    card = EXPECTED[name]
    position, _ = position_for(name)
    if card.opened is not None:
        with_key(position, 0, name)
    bare = dict(zip(KINDS, position.t.front(0).totals[NORMAL], strict=True))
    gains = card.row if card.opened is None else card.opened
    lost = {kind: n for kind, (where, n) in card.blocks.items() if where == "own"}
    for resource in RESOURCES[deck_of(name)]:
        for _ in range(2):
            position.play(0, resource)
    play = position.play(0, name).turn()
    for kind in ("progress", "money"):
        wanted = max(0, gains.get(kind, 0) + bare[kind] - lost.get(kind, 0))
        assert play.counter(kind) == wanted
    last = len(play.t.lists[play.t.layout.stacks]) // 5 - 1
    assert play.stack(0, last)["tokens"] == gains.get("harvest", 0)
    assert play.counter("builds") == (gains.get("build", 0) + bare["build"])


@pytest.mark.parametrize("name", [name for name in NAMES if EXPECTED[name].kind == "resource"])
def test_a_resource_card_makes_a_pair(name: str) -> None:
    (kind,) = EXPECTED[name].row
    position, _ = position_for(name)
    partner = {
        "harvest": (
            "egypt.nile_farm",
            "medieval.peasants",
            "great_war.farm_cooperative",
            "cold_war.collective_farm",
            "frontier.settler",
        ),
        "money": (
            "egypt.scribe",
            "medieval.merchant",
            "great_war.war_office",
            "cold_war.suburb",
            "frontier.prospector",
        ),
        "build": (
            "egypt.slaves",
            "medieval.mason",
            "great_war.industrial_city",
            "cold_war.engineer_corps",
            "frontier.carpenter",
        ),
    }[kind]
    mine = next(one for one in partner if deck_of(one) == deck_of(name))
    play = position.play(0, mine).play(0, mine).play(0, name).turn()
    if kind == "harvest":
        assert play.asked == "which_pairs"
        play.pick({"position": 1})
        assert [play.stack(0, place)["tokens"] for place in range(3)] == [0, 1, 0]
    assert play.counter("money") == (kind == "money")
    assert play.counter("builds") == (kind == "build")
    assert play.offers("special_build") == (kind == "build") if play.asked == "gathering" else kind == "money"


def attack_on(name: str, kind: str, *pile: str) -> Play:
    """The card is attacked by everyone who may, with this conflict pile."""
    card = EXPECTED[name]
    deck = deck_of(name)
    number = FIGHT_BACK.index(kind)
    if card.kind == "conflict":
        position = Position(deck, other_deck(deck)).threat(0, name).play(0, FIGHTERS[deck][0][number])
        return position.conflict(0, *pile).at(Step.CONFLICT)
    position = Position(deck, other_deck(deck)).play(0, name)
    return position.threat(0, FIGHTERS[deck][1][number]).conflict(1, *pile).at(Step.CONFLICT, 1)


FIVE = {"egypt": "medieval.cathedral", "medieval": "egypt.pharaoh"}


@pytest.mark.parametrize("name", [name for name in NAMES if EXPECTED[name].kind != "resource"])
@pytest.mark.parametrize("kind", FIGHT_BACK)
def test_a_card_is_attacked_by_what_it_defends_against(name: str, kind: str) -> None:
    card = EXPECTED[name]
    deck = deck_of(name)
    mine = card.kind == "conflict"
    attacker_deck = deck if mine else other_deck(deck)
    pile = {
        "egypt": "egypt.pharaoh",
        "medieval": "medieval.cathedral",
        "great_war": "great_war.armistice_conference",
        "cold_war": "cold_war.lunar_landing",
        "frontier": "frontier.railroad",
    }[attacker_deck]
    stars = EXPECTED[pile].stars
    play = attack_on(name, kind, pile)
    defense = card.defense.get(kind, -1)
    if defense < 0:
        assert play.asked != "conflict_phase" or not play.offers("attack", card=name)
        return
    play.take("attack", card=name, kind=kind, defense=defense, era=0, position=0)
    play.take("add_attacker", position=play.options("add_attacker")[0]["position"], symbols=1)
    if play.asked == "attackers":
        play.take("done")
    zone = "threats" if mine else "play"
    if stars >= defense:
        assert name not in play.zone(zone)
        assert name in play.zone("destroyed")
    else:
        assert play.zone(zone)[0] == name
    token = stars >= defense and not mine and card.row.get("progress", 0) > 0
    assert play.counter("destruction") == int(token)


@pytest.mark.parametrize("name", [name for name in NAMES if EXPECTED[name].kind != "resource"])
@pytest.mark.parametrize("kind", FIGHT_BACK)
def test_a_card_attacks_with_its_symbols(name: str, kind: str) -> None:
    """As many cards may be flipped as there are unlocked symbols."""
    card = EXPECTED[name]
    deck = deck_of(name)
    symbols = (card.row if card.opened is None else card.opened).get(kind, 0)
    pile = ["egypt.scribe"] * 3 if deck != "egypt" else ["medieval.merchant"] * 3
    if card.kind == "conflict":
        targets = {
            "military": (
                "egypt.pyramid",
                "medieval.stone_keep",
                "great_war.armistice_conference",
                "cold_war.lunar_landing",
                "frontier.railroad",
            ),
            "ruin": (
                "egypt.pyramid",
                "medieval.cathedral",
                "great_war.armistice_conference",
                "cold_war.lunar_landing",
                "frontier.railroad",
            ),
        }
        target = next(one for one in targets[kind] if deck_of(one) == deck)
        position = Position(deck, other_deck(deck)).play(0, target).threat(0, name).conflict(1, *pile)
        play = position.at(Step.CONFLICT, 1)
    else:
        target = next(
            one
            for one in NAMES
            if deck_of(one) == deck
            and EXPECTED[one].kind == "conflict"
            and kind in EXPECTED[one].defense
            and kind not in EXPECTED[one].blocks
        )
        mine = RESOURCES[deck][0]
        position = (
            with_key(Position(deck, other_deck(deck)), 0, name)
            if card.opened
            else Position(deck, other_deck(deck))
        )
        play = position.play(0, name).threat(0, target).conflict(0, mine, mine, mine).at(Step.CONFLICT)
    if not symbols:
        if play.asked == "conflict_phase" and play.offers("attack", kind=kind, card=target):
            play.take("attack", kind=kind, card=target)  # by the card with the key
            assert not play.offers("add_attacker", card=name)
        return
    play.take("attack", kind=kind, card=target)
    offered = {one["symbols"] for one in play.options("add_attacker", card=name)}
    assert offered == set(range(1, symbols + 1))


@pytest.mark.parametrize("name", [name for name in NAMES if EXPECTED[name].row.get("vision")])
def test_a_vision_card_stores_as_many_cards_as_it_has_symbols(name: str) -> None:
    card = EXPECTED[name]
    position, _ = position_for(name)
    deck = deck_of(name)
    spare = RESOURCES[deck][0]
    play = position.play(0, name).hand(0, spare, spare, spare).at(Step.ACT)
    for _ in range(card.row["vision"]):
        play.take("vision_store", card=spare, position=0)
    assert not play.offers("vision_store")
    assert play.stack(0, 0)["stored"] == card.row["vision"]
    assert play.size("stored") == card.row["vision"]


@pytest.mark.parametrize(
    "name", [name for name in NAMES if EXPECTED[name].blocks and EXPECTED[name].kind == "conflict"]
)
def test_a_conflict_card_blocks_what_its_owner_has(name: str) -> None:
    """One symbol for each block: of three such symbols in play, that many fewer are active."""
    card = EXPECTED[name]
    deck = deck_of(name)
    position = Position(deck, other_deck(deck))
    for kind, (_, n) in card.blocks.items():
        owner = (
            next(
                one
                for one in NAMES
                if deck_of(one) == deck
                and EXPECTED[one].row.get(kind) == 1
                and EXPECTED[one].kind == "normal"
                and EXPECTED[one].copies >= 3
                and not EXPECTED[one].unique
            )
            if kind != "vision"
            else "egypt.architect"
        )
        for _ in range(3 if kind != "vision" else 1):
            position.play(0, owner)
        had = position.t.front(0).totals[NORMAL][KINDS.index(kind)]
        if card.lock:
            position.play(0, KEYS[deck, card.lock])
        play = position.hand(1, name).build(1, card.cost).at(Step.ACT, 1)
        play.take("play", card=name)
        if play.asked == "which_blocked":
            assert play.seat == 0
            play.pick(*[{"position": place} for place in range(n)])
        assert play.front(0).totals[NORMAL][KINDS.index(kind)] == had - n


def test_summit_talks_blocks_a_ruin_and_a_military_symbol_of_the_conflict_cards() -> None:
    position = (
        Position("cold_war", "egypt").threat(0, "cold_war.double_agent").threat(0, "cold_war.proxy_war")
    )
    play = position.hand(0, "cold_war.summit_talks").build(0, 1).at(Step.ACT)
    play.take("play", card="cold_war.summit_talks")
    assert play.row(0, THREAT, 0) == {}
    assert play.row(0, THREAT, 1) == {}


def test_inquisitor_blocks_one_own_progress_symbol() -> None:
    position = Position("medieval", "egypt").play(0, "medieval.stone_keep")
    play = position.hand(0, "medieval.inquisitor").build(0, 2).at(Step.ACT)
    play.take("play", card="medieval.inquisitor")
    assert play.row(0, NORMAL, 0) == {"progress": 1}


def test_research_campus_frees_unique_cards() -> None:
    position = Position("cold_war", "egypt").play(0, "cold_war.space_agency").hand(0, "cold_war.space_agency")
    play = position.hand(0, "cold_war.research_campus").build(0, 7).at(Step.ACT)
    assert not play.offers("play", card="cold_war.space_agency")
    play.take("play", card="cold_war.research_campus").take("play", card="cold_war.space_agency")
    assert play.zone("play").count("cold_war.space_agency") == 2


def test_a_unique_card_is_played_once() -> None:
    for name, card in EXPECTED.items():
        if card.unique and card.copies > 1:
            position, era = position_for(name)
            if card.lock:
                with_key(position, era, name)
            in_play(position, era, name)
            assert not position.hand(0, name).build(0, 9).at(Step.ACT).offers("play", card=name), name
