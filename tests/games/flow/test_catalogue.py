"""The catalogue, its provenance, card packs, and whether every card has a test."""

from __future__ import annotations

import importlib
import json
from collections import Counter

import pytest
from tests.games.flow import cards_played

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.errors import BadOption, BadPack
from ziggurat_rules.game import parse_options
from ziggurat_rules.games.flow import GAME
from ziggurat_rules.games.flow.facts import variants_of
from ziggurat_rules.games.flow.game import FlowOptions
from ziggurat_rules.games.flow.symbols import AGES, TYPES

CARDS = {card.id: card for card in GAME.catalogue.cards}


def test_every_card_is_played_by_a_test_in_each_edition_it_differs_in() -> None:
    for module in ("attack", "gain", "lasting"):
        importlib.import_module(f"tests.games.flow.test_{module}_cards")
    wanted = {(card, "en") for card in CARDS if card != "the_future"}
    wanted |= {(card.id, "ko") for card in CARDS.values() if "korean" in card.facts}
    assert wanted - set(cards_played.PLAYED) == set(), "cards without a test"
    assert set(cards_played.PLAYED) - wanted == set(), "tests of cards there are not"


def test_the_67_cards_by_age_and_type() -> None:
    assert len(CARDS) == 67
    ages = Counter(AGES[card.back] for card in CARDS.values())
    assert ages == {"S": 6, "A": 5, "I": 12, "II": 12, "III": 12, "IV": 12, "V": 7, "future": 1}
    for age in ("I", "II", "III", "IV"):
        types = Counter(card.facts["type"] for card in CARDS.values() if card.facts["age"] == age)
        assert types == dict.fromkeys(TYPES, 2)


def test_reconstructed_facts_are_marked() -> None:
    assert CARDS["barracks"].sources["icons"] == "rulebook"
    house = [card.id for card in CARDS.values() if card.sources["icons"] == "house"]
    assert len(house) == 66
    assert CARDS["temple"].sources["bonus"] == "rulebook"
    assert CARDS["warriors"].sources["bonus"] == "house"
    assert CARDS["crossbowmen"].sources["type"] == "house"
    assert all(set(card.sources) == set(card.facts) for card in CARDS.values())


def test_facts_are_plain_json() -> None:
    assert json.loads(json.dumps(CARDS["theocracy"].facts))["korean"]["obsolete"] is True


def test_the_korean_edition_changes_six_cards() -> None:
    changed = {card.id for card in CARDS.values() if "korean" in card.facts}
    assert changed == {
        "working_animal", "theocracy", "printing_press", "mercantilism", "fighter_jet", "john_lennon"
    }  # fmt: skip
    assert len(variants_of(CARDS["irrigation"].facts)) == 2  # type: ignore[arg-type]


# Packs

PACK = """
[[card]]
id = "temple"
icons = { culture = 3, trade = 1 }

[[card]]
id = "warriors"
effect = { kind = "steal_tokens", amount = 3 }

[[type]]
id = "wonder"
bonus = "culture"
"""


def test_a_pack_may_take_the_last_card_with_an_effect() -> None:
    text = '[[card]]\nid = "mahatma_gandhi"\neffect = { kind = "provide_icons", icons = { culture = 1 } }'
    faces = GAME.with_packs([Pack("mine.toml", text)]).edition(FlowOptions()).faces
    assert faces[GAME.catalogue.index("mahatma_gandhi")].effect.icons[1] == 1


def test_a_pack_replaces_facts() -> None:
    game = GAME.with_packs([Pack("mine.toml", PACK)])
    faces = game.edition(FlowOptions()).faces
    temple = faces[game.catalogue.index("temple")]
    assert (temple.stripe[1], temple.stripe[6]) == (3, 1)
    card = game.catalogue.cards[game.catalogue.index("temple")]
    assert card.facts["icons"] == {"culture": 3, "trade": 1}
    assert card.sources["icons"] == "pack"
    assert game.catalogue.cards[game.catalogue.index("the_pyramids")].sources["bonus"] == "pack"
    assert game.packs[0].name == "mine.toml"
    assert GAME.catalogue.cards[GAME.catalogue.index("temple")].facts["icons"] == {"culture": 1}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('[[card]]\nid = "atlantis"\nicons = {}', "bad.toml: atlantis"),
        ('[[card]]\nid = "temple"\nicon = {}', "bad.toml: temple: icon"),
        ('[[card]]\nid = "temple"\nicons = { gold = 1 }', "bad.toml: temple: icons.gold"),
        ('[[card]]\nid = "temple"\nicons = { culture = -1 }', "bad.toml: temple: icons.culture"),
        ('[[card]]\nid = "temple"\nicons = 3', "bad.toml: temple: icons"),
        ('[[card]]\nid = "temple"\nage = "IX"', "bad.toml: temple: age"),
        ('[[card]]\nid = "temple"\neffect = { kind = "fly" }', "bad.toml: temple: effect.kind"),
        (
            '[[card]]\nid = "warriors"\neffect = { kind = "steal_tokens" }',
            "bad.toml: warriors: effect.amount",
        ),
        (
            '[[card]]\nid = "warriors"\neffect = { kind = "steal_tokens", amount = 0 }',
            "bad.toml: warriors: effect.amount",
        ),
        ('[[card]]\nid = "warriors"\neffect = { kind = "pacifism", x = 1 }', "bad.toml: warriors: effect.x"),
        ('[[card]]\nid = "warriors"\neffect = { kind = "pacifism" }', "bad.toml: warriors: timing"),
        ('[[card]]\nid = "warriors"\ntiming = "instant"', "bad.toml: warriors: timing"),
        ('[[card]]\nid = "castle"\neffect = { kind = "score_per" }', "bad.toml: castle: effect"),
        ('[[type]]\nid = "gods"\nbonus = "culture"', "bad.toml: gods"),
        ('[[rule]]\nid = "x"', "bad.toml: rule"),
        ("[[card]\n", "bad.toml"),
        ('[[card]]\nid = "barracks"\nage = "I"', "bad.toml"),
        (
            '[[card]]\nid = "warriors"\nbanker_starts = false\n[[card]]\nid = "temple"\nbanker_starts = true',
            "bad.toml: temple: banker_starts",
        ),
        ('[[card]]\nid = "the_future"\ntiming = "none"', "bad.toml: the_future: timing"),
        ('[[card]]\nid = "the_internet"\nage = "S"', "bad.toml: the_internet: deck_place"),
        (
            '[[card]]\nid = "the_internet"\nage = "A"\n[[card]]\nid = "barracks"\nage = "I"',
            "bad.toml: the_internet: deck_place",
        ),
        ('[[card]]\nid = "temple"\nage = "future"', "bad.toml: temple: age"),
        (
            '[[card]]\nid = "fighter_jet"\n'
            'effect = { kind = "discard_top", types = ["knowledge", "knowledge"], all = true }',
            "bad.toml: fighter_jet: effect.types",
        ),
        (
            '[[card]]\nid = "ramesses_ii"\neffect = { kind = "gain_from_market", types = ["wonder"], '
            'remove_self = true, discard_own_top = "leader" }',
            "bad.toml: ramesses_ii: effect",
        ),
    ],
)
def test_a_bad_pack_is_refused_with_file_card_and_key(text: str, field: str) -> None:
    with pytest.raises(BadPack) as refused:
        GAME.with_packs([Pack("bad.toml", text)])
    assert refused.value.field.startswith(field), refused.value


def test_a_refusal_names_the_pack_as_it_is_called() -> None:
    text = '[[card]]\nid = "warriors"\neffect = { kind = "pacifism" }'
    with pytest.raises(BadPack) as refused:
        GAME.with_packs([Pack("effects.toml", text)])
    assert refused.value.field == "effects.toml: warriors: timing"


# Options


def test_options_are_checked() -> None:
    assert parse_options(FlowOptions, {"edition": "ko", "irrigation_tokens": "2"}) == FlowOptions(
        "ko", irrigation_tokens=2
    )
    with pytest.raises(BadOption):
        parse_options(FlowOptions, {"edition": "fr"})
