"""Decks are data: provenance, and a user's decks and numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

import ziggurat_rules.games.era
from ziggurat_rules.catalogue import SOURCES, Pack
from ziggurat_rules.errors import BadPack
from ziggurat_rules.games.era import GAME
from ziggurat_rules.keyed import keyed
from ziggurat_rules.match import Match

EGYPT = (Path(ziggurat_rules.games.era.__file__).parent / "decks" / "egypt.toml").read_text()
MINE = EGYPT.replace("egypt", "mine").replace("Ancient Egypt", "Mine")


def pack(text: str) -> Pack:
    return Pack("mine.toml", text)


def test_five_decks_of_sixty_cards_with_ten_conflict_cards() -> None:
    assert len(GAME.facts.decks) == 5
    for deck in GAME.facts.decks:
        assert len(deck.cards) == 60
        assert sum(GAME.facts.faces[face].kind == 2 for face in deck.cards) == 10


def test_every_fact_has_its_source_and_house_values_show() -> None:
    for card in GAME.catalogue.cards:
        assert set(card.facts) <= set(card.sources)
        assert set(card.sources.values()) <= set(SOURCES)
    temple = GAME.catalogue.cards[GAME.catalogue.index("egypt.temple")]
    assert temple.sources["symbols"] == "rulebook"
    assert temple.sources["cost"] == "house"


def test_what_the_examples_show_of_a_card_is_no_reconstruction() -> None:
    named = [card for card in GAME.catalogue.cards if card.sources.get("name") == "rulebook" and card.copies]
    kinds = {card.id: card.facts["kind"] for card in named if card.sources.get("kind") == "rulebook"}
    assert sorted(name for name, kind in kinds.items() if kind == "resource") == [
        "egypt.kingdom_produce",
        "medieval.village_goods",
    ]
    assert sum(kind == "normal" for kind in kinds.values()) == 14
    costs = [card.id for card in named if card.sources.get("cost") == "rulebook"]
    assert "egypt.kingdom_produce" in costs
    assert "medieval.village_goods" in costs
    assert "egypt.pharaoh" in costs  # 4, in the example of paying with money
    assert "egypt.temple" not in costs


def test_texts_are_made_from_the_facts() -> None:
    inquisitor = GAME.catalogue.cards[GAME.catalogue.index("medieval.inquisitor")]
    assert inquisitor.text == "Normal card; 2 ruin, 1 block progress to self; defends ruin +4."


def test_a_users_deck_is_added_and_played() -> None:
    game = GAME.with_packs([pack(MINE)])
    assert len(game.facts.decks) == 6
    for seats in (2, 3):
        match = Match(game, 4, seats)
        for seat in range(seats):
            match.apply(seat, len(match.decision(seat).options) - 1)
        assert match.table.lists[match.table.layout.era] == [game.catalogue.index("mine")]
        for number in range(4000):
            if match.over:
                break
            seat = match.to_act[0]
            match.apply(seat, match.decision(seat).sample(keyed(4, number)))
        assert match.over


def test_the_handles_of_the_five_decks_do_not_depend_on_packs() -> None:
    assert GAME.with_packs([pack(MINE)]).facts.dealt[:300] == GAME.facts.dealt[:300]


def test_a_pack_without_a_deck_replaces_numbers() -> None:
    game = GAME.with_packs([pack('[[card]]\nid = "egypt.temple"\ncost = 5\n')])
    temple = game.catalogue.index("egypt.temple")
    assert game.facts.faces[temple].cost == 5
    assert game.catalogue.cards[temple].sources["cost"] == "pack"
    assert GAME.facts.faces[temple].cost == 3
    glory = GAME.with_packs([pack('[[bonus]]\nid = "bonus.glory"\nprogress = 2\n')])
    assert glory.facts.faces[glory.catalogue.index("bonus.glory")].bonus == {"progress": 2}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("copies = 5", "copies = 6", "60 cards"),
        ("size = 60", "size = 61", "size"),
        ('sym = "harvest"', 'sym = "bread"', "unknown symbol"),
        ('letter = "A"', 'letter = "C"', "letters"),
        ('lock = "A"', 'lock = "D"', "letters"),
        ("stars = 3", "star = 3", "unknown key"),
        ('id = "mine.temple"', 'id = "other.temple"', "must begin"),
        ('sym = "vision", n = 2', 'sym = "vision", n = 0', "from 1"),
        ("defense = { ruin = 2 }", "defense = { ruins = 2 }", "military and ruin"),
        ("might = true", 'might = "yes"', "bool"),
        ("dash_left =", "symbols =", "dash"),
        ('kind = "resource"', 'kind = "treasure"', "not one of"),
        ('blocks = "harvest"', 'blocks = "hope"', "blocks"),
        ("flourish_cost = 2\n", "", "flourish_cost"),
        ('name = "Mine"', "name = 3", "str"),
    ],
)
def test_a_faulty_deck_is_refused_with_file_card_and_key(old: str, new: str, told: str) -> None:
    assert old in MINE
    with pytest.raises(BadPack, match=told) as caught:
        GAME.with_packs([pack(MINE.replace(old, new, 1))])
    assert "mine.toml" in caught.value.field


def test_a_conflict_card_for_a_normal_one_is_refused() -> None:
    text = MINE.replace('kind = "conflict"', 'kind = "normal"', 1)
    with pytest.raises(BadPack, match="10 conflict cards"):
        GAME.with_packs([pack(text)])


def test_a_deck_that_is_there_already_and_unknown_tables_are_refused() -> None:
    with pytest.raises(BadPack, match="already"):
        GAME.with_packs([pack(EGYPT)])
    with pytest.raises(BadPack, match="unknown table"):
        GAME.with_packs([pack("[rules]\ndeal = 9\n")])
    with pytest.raises(BadPack, match="unknown card"):
        GAME.with_packs([pack('[[card]]\nid = "egypt.sphinx"\ncost = 5\n')])


def test_a_changed_number_must_leave_a_whole_deck() -> None:
    with pytest.raises(BadPack, match="60 cards"):
        GAME.with_packs([pack('[[card]]\nid = "egypt.temple"\ncopies = 5\n')])
