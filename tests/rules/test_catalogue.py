from __future__ import annotations

import hashlib

import pytest

from ziggurat_rules.catalogue import (
    Card,
    Catalogue,
    Facts,
    Key,
    Pack,
    apply_packs,
    check_pack_tables,
    check_record,
    parse,
    read_records,
    source_of,
)
from ziggurat_rules.errors import BadPack

SCHEMA = {
    "id": Key((str,), required=True),
    "name": Key((str,), required=True),
    "age": Key((int,), required=True, choices=(1, 2)),
    "cost": Key((int, list)),
    "source": Key((str,), choices=("rulebook", "house")),
}
TEXT = """
[[card]]
id = "granary"
name = "Granary"
age = 1
cost = 2
cost_source = "house"
source = "rulebook"

[[card]]
id = "oxcart"
name = "Oxcart"
age = 2
"""


def records() -> list[Facts]:
    return read_records("cards.toml", parse("cards.toml", TEXT), "card", SCHEMA)


def refused(text: str) -> BadPack:
    with pytest.raises(BadPack) as caught:
        apply_packs(records(), [Pack("mine.toml", text)], "card", SCHEMA)
    return caught.value


def test_records_are_read_with_the_source_of_each_fact() -> None:
    granary, oxcart = records()
    assert granary["cost"] == 2
    assert [source_of(granary, key) for key in ("cost", "age")] == ["house", "rulebook"]
    assert source_of(oxcart, "age") == "rulebook"


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        ("colour = 1", "cards.toml: mill: colour", "unknown key"),
        ("age = '1'", "cards.toml: mill: age", "int wanted, not str"),
        ("age = true", "cards.toml: mill: age", "int wanted, not bool"),
        ("cost = 1.5", "cards.toml: mill: cost", "int or list wanted, not float"),
        ("age = 3", "cards.toml: mill: age", "3 is not one of 1, 2"),
        ("cost_source = 'hearsay'", "cards.toml: mill: cost_source", "unknown source 'hearsay'"),
        ("colour_source = 'house'", "cards.toml: mill: colour_source", "unknown key"),
        ("", "cards.toml: mill: age", "missing"),
    ],
)
def test_a_bad_fact_is_named_with_file_card_and_key(line: str, field: str, reason: str) -> None:
    text = f"[[card]]\nid = 'mill'\nname = 'Mill'\n{line}\n"
    with pytest.raises(BadPack) as caught:
        read_records("cards.toml", parse("cards.toml", text), "card", SCHEMA)
    assert caught.value.field == field
    assert caught.value.reason.startswith(reason)


def test_a_record_without_id_is_refused() -> None:
    with pytest.raises(BadPack, match=r"cards.toml: \?: id: missing"):
        read_records("cards.toml", {"card": [{"name": "Mill", "age": 1}]}, "card", SCHEMA)


@pytest.mark.parametrize("document", [{"card": 3}, {"card": "mill"}, {"card": {"id": "mill"}}, {"card": [3]}])
def test_a_table_that_is_no_list_of_records_is_refused(document: Facts) -> None:
    with pytest.raises(BadPack, match=r"cards.toml: card: a list of records wanted"):
        read_records("cards.toml", document, "card", SCHEMA)


def test_an_id_stands_once() -> None:
    with pytest.raises(BadPack, match="granary: this id stands twice"):
        read_records("cards.toml", parse("cards.toml", TEXT + TEXT), "card", SCHEMA)


def test_what_is_no_toml_is_refused_with_its_line() -> None:
    with pytest.raises(BadPack, match=r"mine.toml: not valid TOML: .*line 2"):
        parse("mine.toml", "[[card]]\nid = \n")


def test_a_pack_replaces_facts_and_is_their_source() -> None:
    pack = Pack("mine.toml", "[[card]]\nid = 'granary'\ncost = 5\nage = 2\n")
    granary, oxcart = apply_packs(records(), [pack], "card", SCHEMA)
    assert (granary["cost"], granary["age"], granary["name"]) == (5, 2, "Granary")
    assert [source_of(granary, key) for key in ("cost", "age", "name")] == ["pack", "pack", "rulebook"]
    assert oxcart == records()[1]


def test_a_pack_cannot_say_that_its_facts_are_the_rulebooks() -> None:
    claims = "age_source = 'rulebook'\nsource = 'rulebook'\ncost_source = 'rulebook'\n"
    text = f"[[card]]\nid = 'granary'\nage = 2\n{claims}"
    granary = apply_packs(records(), [Pack("mine.toml", text)], "card", SCHEMA)[0]
    assert [source_of(granary, key) for key in ("age", "cost")] == ["pack", "house"]


def test_the_last_pack_wins() -> None:
    packs = [Pack(f"{cost}.toml", f"[[card]]\nid = 'granary'\ncost = {cost}\n") for cost in (7, 8)]
    assert apply_packs(records(), packs, "card", SCHEMA)[0]["cost"] == 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[card]]\nid = 'mill'\n", "mine.toml: mill: unknown card"),
        ("[[card]]\ncost = 1\n", "mine.toml: ?: unknown card"),
        ("[[card]]\nid = ['granary']\n", "mine.toml: ['granary']: unknown card"),
        ("[[card]]\nid = 'granary'\ncolour = 1\n", "mine.toml: granary: colour: unknown key"),
        ("[[card]]\nid = 'granary'\nage = 9\n", "mine.toml: granary: age: 9 is not one of 1, 2"),
        ("card = 3\n", "mine.toml: card: a list of records wanted, as [[card]] makes"),
        ("[card]\nid = 'granary'\n", "mine.toml: card: a list of records wanted, as [[card]] makes"),
        ("card = [3]\n", "mine.toml: card: a list of records wanted, as [[card]] makes"),
    ],
)
def test_a_pack_that_does_not_fit_is_refused(text: str, message: str) -> None:
    assert str(refused(text)) == message


def test_a_pack_may_only_hold_tables_that_the_game_reads() -> None:
    check_pack_tables([Pack("mine.toml", TEXT)], ["card"])
    with pytest.raises(BadPack, match=r"mine.toml: rule: unknown table; this game reads card"):
        check_pack_tables([Pack("mine.toml", "[rule]\nx = 1\n")], ["card"])


def test_a_pack_is_named_by_the_hash_of_its_text() -> None:
    assert Pack("mine.toml", TEXT).sha256 == hashlib.sha256(TEXT.encode()).hexdigest()
    assert Pack("a", TEXT).sha256 == Pack("b", TEXT).sha256 != Pack("a", TEXT + " ").sha256


def test_a_catalogue_finds_cards_by_id() -> None:
    cards = tuple(Card(n, name, name.title(), 0, 1, "", {}, {}) for n, name in enumerate(["mill", "granary"]))
    catalogue = Catalogue(cards, ("back",))
    assert catalogue.index("granary") == 1
    with pytest.raises(KeyError):
        catalogue.index("oxcart")
    with pytest.raises(ValueError, match="'mill'"):
        Catalogue((*cards, cards[0]), ("back",))


def test_a_source_of_no_known_fact_is_an_unknown_key() -> None:
    with pytest.raises(BadPack, match="_source"):
        check_record("cards.toml", {"_source": "nonsense"}, SCHEMA, complete=False)
