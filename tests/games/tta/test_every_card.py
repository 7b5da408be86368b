"""No card without a test of its own, no card without behaviour."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from tests.games.tta.position import CARDS_TESTED

from ziggurat_rules.catalogue import Pack
from ziggurat_rules.errors import BadPack
from ziggurat_rules.games.tta import GAME, schema

HERE = Path(__file__).parent


def test_every_card_is_played_in_a_test() -> None:
    for path in sorted(HERE.glob("test_*.py")):
        if path != Path(__file__):
            import_module(f"tests.games.tta.{path.stem}")
    missing = sorted(card.id for card in GAME.catalogue.cards if card.id not in CARDS_TESTED)
    assert missing == []


def test_there_are_as_many_cards_as_in_the_box() -> None:
    by_file = {name: sum(face.facts["file"] == name for face in GAME.library.faces) for name in schema.FILES}
    assert by_file == {"initial.toml": 6, "civil.toml": 121, "military.toml": 109}
    decks = {back: [0, 0, 0] for back in schema.BACKS}
    for face in GAME.library.faces:
        for n in range(3):
            decks[schema.BACKS[face.back]][n] += face.copies[n]
    assert decks["civil A"] == [20, 20, 20]
    for age in ("I", "II", "III"):
        assert decks[f"civil {age}"] == [44, 50, 53]
    assert [decks[f"military {age}"] for age in ("A", "I", "II", "III")] == [
        [10, 10, 10],
        [43, 45, 45],
        [46, 50, 50],
        [41, 45, 45],
    ]


def test_every_effect_that_facts_may_name_is_carried_out_somewhere() -> None:
    code = "".join(
        path.read_text() for path in (Path(schema.__file__).parent).rglob("*.py") if path.name != "schema.py"
    )
    marker_only = {"air_force_doubles_army"}  # the kind of the technology says it
    for op in set(schema.OPS) - marker_only:
        assert f'"{op}"' in code, op


@pytest.mark.parametrize(
    ("text", "field", "reason"),
    [
        ('[[card]]\nid = "iron"\nkind = "castle"', "p.toml: iron: kind", "not one of"),
        (
            '[[card]]\nid = "moses"\neffects = [{ op = "fly" }]',
            "p.toml: moses: effects",
            "unknown effect 'fly'",
        ),
        (
            '[[card]]\nid = "moses"\neffects = [{ op = "gain", gold = 1 }]',
            "p.toml: moses: effects",
            "unknown key",
        ),
        (
            '[[card]]\nid = "rats"\neffects = [{ who = "all", bite = 1 }]',
            "p.toml: rats: effects",
            "unknown effect",
        ),
        ('[[card]]\nid = "iron"\ncopies = { p2 = 1, p3 = 1 }', "p.toml: iron: copies", "p4 missing"),
        ('[[card]]\nid = "pyramids"\nstages = []', "p.toml: pyramids: stages", "one stage or more"),
        ('[[card]]\nid = "iron"\nkind = "wonder"', "p.toml: iron: stages", "missing"),
        ('[[card]]\nid = "iron"\nresource_cost = "much"', "p.toml: iron: resource_cost", "int wanted"),
        ('[[card]]\nid = "drama"\nper_worker = { fame = 1 }', "p.toml: drama: per_worker", "unknown symbol"),
        ('[[card]]\nid = "atlantis"\nlevel = 1', "p.toml: atlantis", "unknown card"),
        ('[[card]]\nid = "iron"\ncolour = "red"', "p.toml: iron: colour", "unknown key"),
        ('[[cards]]\nid = "iron"', "p.toml: cards", "unknown table"),
        ("[[card]", "p.toml", "not valid TOML"),
        (
            '[[card]]\nid = "peace_treaty"\nboth = { gold = 1 }',
            "p.toml: peace_treaty: both",
            "unknown effect",
        ),
        ('[[card]]\nid = "legion"\nstages = [1]', "p.toml: legion: stages", "no such fact"),
    ],
)
def test_a_bad_pack_is_refused_with_file_card_and_key(text: str, field: str, reason: str) -> None:
    with pytest.raises(BadPack) as error:
        GAME.with_packs([Pack("p.toml", text)])
    assert error.value.field == field
    assert reason in error.value.reason


def test_a_pack_changes_numbers_and_says_so() -> None:
    game = GAME.with_packs([Pack("p.toml", '[[card]]\nid = "iron"\nresource_cost = 4')])
    card = game.catalogue.cards[game.catalogue.index("iron")]
    assert (card.facts["resource_cost"], card.sources["resource_cost"], card.sources["science_cost"]) == (
        4,
        "pack",
        "public",
    )
    assert game.library.by_id["iron"].resource_cost == 4
    assert GAME.library.by_id["iron"].resource_cost == 5
