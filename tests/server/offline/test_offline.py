from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from tests.rules.toy import TOY, ToyGame
from typer.testing import CliRunner, Result

from ziggurat_rules.catalogue import Catalogue, Pack
from ziggurat_rules.errors import UnknownGame
from ziggurat_server.offline import inputs, players, register


class Packed(ToyGame):
    """The toy with sources of facts, a pack, and a cap that is soon reached."""

    max_decisions = 20

    def with_packs(self, packs: Any) -> Packed:
        made = Packed()
        made.packs = tuple(packs)
        card = dataclasses.replace(
            TOY.catalogue.cards[0], facts={"cost": 2, "age": 1}, sources={"cost": "pack", "age": "rulebook"}
        )
        made.catalogue = Catalogue((card,), ("card",))
        return made


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only installed games are the toy and its variant."""

    def load(name: str) -> Any:
        found = {"toy": TOY, "packed": Packed()}.get(name)
        if found is None:
            raise UnknownGame("game", f"no game {name!r}; there are: packed, toy")
        return found

    monkeypatch.setattr(inputs, "load_game", load)
    monkeypatch.setattr("ziggurat_server.offline.listing.game_names", lambda: ["toy"])


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes a function an installed bot."""

    def one(decide: Callable[..., Any]) -> None:
        monkeypatch.setattr(EntryPoint, "load", lambda self: SimpleNamespace(decide=decide))
        points = EntryPoints([EntryPoint("tested", "somewhere", "ziggurat.bots")])
        monkeypatch.setattr(players, "entry_points", lambda group: points)

    return one


def run(*arguments: str) -> Result:
    app = typer.Typer(pretty_exceptions_enable=False)
    register(app)
    return CliRunner().invoke(app, list(arguments))


def report(*arguments: str) -> dict[str, Any]:
    result = run("simulate", *arguments, "--json")
    assert result.exit_code == 0, result.stderr
    told: dict[str, Any] = json.loads(result.stdout)
    return told


def refused(*arguments: str) -> str:
    """What a command says on standard error as it ends: one line."""
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line.removeprefix("error: ")


def test_the_games_are_listed() -> None:
    assert run("games").stdout == "toy          Toy, 2 to 4 seats, rules version 1\n"
    assert json.loads(run("games", "--json").stdout)["games"][0]["max_seats"] == 4


def test_a_game_is_told_of() -> None:
    lines = run("games", "toy").stdout.splitlines()
    for line in (
        "Toy (toy), rules version 1",
        "  rounds = 3 (of 1, 3): How many rounds are played.",
        "  rich = false (of true, false): Everybody starts with ten points.",
        "  zone hand of each seat (hand): hand",
        "  counter secret of each seat (owner): seen by the owner only",
        "  keep(card:card): keep {card}",
        "  c0: C0, 3 with back card.",
    ):
        assert lines.count(line) == 1, line


def test_facts_that_are_not_the_rulebooks_are_marked(tmp_path: Path) -> None:
    pack = tmp_path / "mine.toml"
    pack.write_text("")
    lines = run("games", "packed", "--pack", str(pack)).stdout.splitlines()
    assert "    cost = 2  [pack]" in lines
    assert "    age = 1" in lines
    assert "Cards; facts by source: 1 pack, 1 rulebook" in lines
    told = json.loads(run("games", "packed", "--pack", str(pack), "--json").stdout)
    assert told["facts_by_source"] == {"pack": 1, "rulebook": 1}
    assert told["packs"] == {"mine.toml": Pack("", "").sha256}


def test_a_simulation_is_reported() -> None:
    told = report("--game", "toy", "--seats", "3", "--games", "5", "--seed", "7", "--option", "rounds=1")
    assert (told["seats"], told["games"], told["capped"], told["seed"]) == (3, 5, 0, 7)
    assert told["options"] == {"rounds": "1", "rich": "false"}
    assert told["length_min"] <= told["length_mean"] <= told["length_max"]
    assert told["decisions"] == pytest.approx(told["length_mean"] * 5, abs=1)
    assert 0 < told["journal_p99"] <= told["journal_max"]
    assert [one["seat"] for one in told["by_seat"]] == [0, 1, 2]
    assert sum(one["win_share"] for one in told["by_seat"]) == pytest.approx(1, abs=0.001)
    assert all(one["points_min"] <= one["points_mean"] <= one["points_max"] for one in told["by_seat"])


def test_the_same_seed_is_the_same_games() -> None:
    def told(seed: str) -> dict[str, Any]:
        everything = report("--game", "toy", "--games", "3", "--seed", seed)
        return {key: value for key, value in everything.items() if "second" not in key}

    first, second, other = told("5"), told("5"), told("9")
    assert first == second
    assert first["by_seat"] != other["by_seat"]
    assert first["seats"] == 2


def test_the_text_says_what_matters() -> None:
    text = run("simulate", "--game", "toy", "--games", "2").stdout
    assert text.startswith("toy, 2 seats, 2 games in ")
    assert "capped games: 0" in text
    assert "seat 1 (random): wins " in text


def test_a_game_that_reaches_its_cap_is_counted_and_left() -> None:
    told = report("--game", "packed", "--games", "2")
    assert (told["capped"], told["length_max"], told["by_seat"]) == (2, 20, [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["games", "chess"], "game: no game 'chess'; there are: packed, toy"),
        (["games", "--pack", "mine.toml"], "--pack goes with the name of a game"),
        (["simulate", "--game", "chess"], "game: no game 'chess'; there are: packed, toy"),
        (["simulate", "--game", "toy", "--seats", "9"], "seats: toy takes 2 to 4, not 9"),
        (["simulate", "--game", "toy", "--option", "rounds"], "--option rounds: NAME=VALUE wanted"),
        (["simulate", "--game", "toy", "--option", "rounds=2"], "options.rounds: '2' is not one of: 1, 3"),
        (
            ["simulate", "--game", "toy", "--option", "a=1"],
            "options.a: unknown option; this game has: rich, rounds",
        ),
        (
            ["simulate", "--game", "toy", "--option", "rich=true", "--option", "rich=true"],
            "--option rich=true: rich is given twice",
        ),
        (["simulate", "--game", "toy", "--pack", "no/such.toml"], "no/such.toml: No such file or directory"),
        (
            ["simulate", "--game", "toy", "--seats", "3", "--bot", "random", "--bot", "random"],
            "--bot: 2 given; one for each of 3 seats wanted, or one for all",
        ),
    ],
)
def test_a_bad_command_is_refused_in_a_line(arguments: list[str], message: str) -> None:
    assert refused(*arguments) == message


def test_a_pack_that_is_no_text_or_does_not_fit_is_refused(tmp_path: Path) -> None:
    pack = tmp_path / "mine.toml"
    pack.write_bytes(b"\xff\xfe")
    assert refused("simulate", "--game", "toy", "--pack", str(pack)).endswith("not a text in UTF-8")
    pack.write_text("")
    assert refused("games", "toy", "--pack", str(pack)) == "mine.toml: toy takes no card packs"


def test_an_unknown_bot_is_refused_with_those_there_are(install: Callable[..., None]) -> None:
    install(None)
    message = (
        "--bot: no bot 'clever'; there are: random, tested (for programs there is `ziggurat tournament run`)"
    )
    assert refused("simulate", "--game", "toy", "--bot", "clever") == message


def test_a_bot_plays_with_the_clients_view(install: Callable[..., None]) -> None:
    seen = []

    def decide(view: Any, decision: Any) -> Any:
        seen.append((view.game, view.seat, decision.kind))
        assert len(view.cards("hand", view.seat)) >= 0
        assert view.counter("left", 1 - view.seat) >= 0
        return next((n for n, term in enumerate(decision.options) if term.verb == "more"), decision.default)

    install(decide)
    told = report("--game", "toy", "--games", "4", "--bot", "tested", "--bot", "random")
    assert [one["bot"] for one in told["by_seat"]] == ["tested", "random"]
    assert {seat for _, seat, _ in seen} == {0}
    assert {kind for _, _, kind in seen} == {"range", "options"}


@pytest.mark.parametrize(
    ("choice", "message"),
    [(99, "choice: number 99 is out of range 0..3"), (None, "choice: this decision takes one number")],
)
def test_a_bot_that_chooses_what_is_not_offered_ends_it(
    install: Callable[..., None], choice: Any, message: str
) -> None:
    install(lambda view, decision: choice)
    line = refused("simulate", "--game", "toy", "--seed", "3", "--bot", "tested")
    assert line == f"bot tested: seed 3, decision act: {message}"


def test_a_bot_that_breaks_ends_it(install: Callable[..., None]) -> None:
    install(lambda view, decision: 1 // 0)
    line = refused("simulate", "--game", "toy", "--bot", "tested")
    assert line.startswith("bot tested: ZeroDivisionError at seat 0 acts")
