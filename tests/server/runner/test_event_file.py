"""Event files: all keys are read, and what is wrong with them is told by file, key and remedy."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ziggurat_server.log import Fallback, Policy
from ziggurat_server.runner.directory import Place
from ziggurat_server.runner.errors import TournamentError
from ziggurat_server.runner.eventfile import BotSpec, EventFile, as_table, read_event
from ziggurat_server.runner.flags import FLAGS, Given
from ziggurat_server.runner.planning import prepare
from ziggurat_server.runner.tomltext import toml_text
from ziggurat_server.tournaments.event import Entrant, FormatSpec, Memory, StopRule

HASH = "ab" * 32
WHOLE = f"""
id = "spring-cup"
game = "flow"
seats = 3
seed = 18446744073709551615
memory = "independent"
concurrency = 8
tries = 2
packs = ["cheap.toml"]

[options]
edition = "ko"
age_never_falls = true
irrigation_tokens = 2

[format]
name = "gauntlet"
rounds = 2
candidates = ["new"]

[policy]
decision_ms = 1000
on_gone = "forfeit"

[stop]
candidate = "new"
baseline = "old"
h1 = 0.1
alpha = 0.02

[[bots]]
name = "new"
version = "2.1"
command = "random --seed 5"
memory_mb = 700
cpu_seconds = 60
restarts = 1

[[bots]]
name = "old"
command = "greedy"
capacity = 2

[[bots]]
name = "far"
token_sha256 = "{HASH}"
"""
PLAIN = 'game = "flow"\n[[bots]]\nname = "a"\ncommand = "random"\n[[bots]]\nname = "b"\ncommand = "random"\n'


def given(**arguments: object) -> Given:
    """Flags, by parameter."""
    return Given.of({flag.parameter: None for flag in FLAGS} | arguments)


def write(directory: Path, text: str) -> Path:
    """An event file."""
    file = directory / "event.toml"
    file.write_text(text)
    return file


def test_all_keys_are_read(tmp_path: Path) -> None:
    (tmp_path / "cheap.toml").write_text("x = 1")
    event, _ = read_event(write(tmp_path, WHOLE), Given())
    assert event == EventFile(
        game="flow",
        bots=(
            BotSpec("new", "random --seed 5", "2.1", memory_mb=700, cpu_seconds=60, restarts=1),
            BotSpec("old", "greedy", capacity=2),
            BotSpec("far", token_sha256=bytes.fromhex(HASH)),
        ),
        id="spring-cup",
        seats=3,
        seed=2**64 - 1,
        memory=Memory.INDEPENDENT,
        concurrency=8,
        tries=2,
        options={"edition": "ko", "age_never_falls": "true", "irrigation_tokens": "2"},
        packs=(str(tmp_path / "cheap.toml"),),
        format=FormatSpec("gauntlet", 2, ("new",)),
        policy=Policy(decision_ms=1000, on_gone=Fallback.FORFEIT),
        stop=StopRule("new", "old", h1=0.1, alpha=0.02),
    )
    assert event.spec.packs[0].text == "x = 1"
    assert event.spec.bots[1] == Entrant("old", capacity=2)


def test_a_bot_without_command_and_token_is_the_registered_one(tmp_path: Path) -> None:
    event, _ = read_event(write(tmp_path, PLAIN + "[[bots]]\nname = 'c'"), Given())
    assert event.spec.bots[2] == Entrant("c", registered=True)
    with pytest.raises(TournamentError, match=r"^--server: c has neither a command nor a token"):
        Place().check_registered(event)
    Place(server="h:1").check_registered(event)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "cheap.toml").write_text("")
    event, _ = read_event(write(tmp_path, WHOLE), Given())
    text = toml_text(as_table(event))
    assert read_event(write(tmp_path, text), Given())[0] == event
    assert tomllib.loads(toml_text({"a b": 'q"\\\n\x7f é', "n": {"x": [1.5, True]}})) == {
        "a b": 'q"\\\n\x7f é',
        "n": {"x": [1.5, True]},
    }


def test_flags_override_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, PLAIN + "[options]\nedition = 'en'\n[policy]\ngone_ms = 5\nbank_ms = 6\n")
    flags = given(
        bots=["b=greedy", "c=random"],
        options=["edition=ko"],
        policy_gone_ms=7,
        policy_on_gone="random",
        format_name="gauntlet",
        format_candidates=["a"],
        seed=3,
        stop_candidate="a:b",
        stop_beta=0.1,
    )
    event, _ = read_event(file, flags)
    assert [(bot.name, bot.command) for bot in event.bots] == [
        ("a", "random"),
        ("b", "greedy"),
        ("c", "random"),
    ]
    assert event.options == {"edition": "ko"}
    assert event.policy == Policy(gone_ms=7, bank_ms=6, on_gone=Fallback.RANDOM)
    assert event.format == FormatSpec("gauntlet", candidates=("a",))
    assert (event.seed, event.stop) == (3, StopRule("a", "b", beta=0.1))


def test_rounds_and_games_by_flag_stand_in_place_of_each_other(tmp_path: Path) -> None:
    more = PLAIN + "[[bots]]\nname = 'c'\ncommand = 'random'\n"
    file = write(tmp_path, "seats = 2\ngames = 12\n" + more)
    assert prepare(*read_event(file, given(format_rounds=5))).audit.games == 30
    file = write(tmp_path, "seats = 2\n" + more + "[format]\nrounds = 5")
    assert prepare(*read_event(file, given(games=12))).audit.games == 12
    with pytest.raises(TournamentError, match="--games: the number of rounds is given too"):
        prepare(*read_event(file, given(games=12, format_rounds=2)))


def test_games_come_to_whole_rounds(tmp_path: Path) -> None:
    more = PLAIN + '[[bots]]\nname = "c"\ncommand = "random"\n'
    prepared = prepare(*read_event(write(tmp_path, "seats = 2\ngames = 10\n" + more), Given()))
    assert (prepared.event.format.rounds, prepared.audit.games, prepared.event.games) == (2, 12, 0)
    assert prepared.note.startswith("12 games instead of 10: ")
    assert prepared.event.options["edition"] == "en"
    assert not prepare(*read_event(write(tmp_path, "games = 4\n" + PLAIN), Given())).note


BAD = [
    ("game = flow", "it is no TOML: "),
    ("[[bots]]\nname = 'a'", "game: name the game to be played"),
    ("concurency = 4\n" + PLAIN, "concurency: unknown key; did you mean 'concurrency'?"),
    (PLAIN + "[format]\nstyle = 1", "format.style: unknown key; there are name, rounds, candidates"),
    (PLAIN + "[policy]\ngon_ms = 1", "policy.gon_ms: unknown key; did you mean 'gone_ms'?"),
    (PLAIN + "comand = 'x'", "bots[1].comand: unknown key; did you mean 'command'?"),
    (PLAIN + "[stop]\ncandidate = 'a'", "stop.baseline: it is missing; a value is needed"),
    (PLAIN + "[[bots]]\ncommand = 'random'", "bots[2].name: it is missing"),
    ("seats = '2'\n" + PLAIN, "seats: a whole number from 1 to 4294967295 is wanted, not '2'"),
    ("seats = true\n" + PLAIN, "seats: a whole number from 1 to 4294967295 is wanted, not true"),
    ("concurrency = -1\n" + PLAIN, "concurrency: a whole number from 0 to 4294967295 is wanted, not -1"),
    (
        "seed = 18446744073709551616\n" + PLAIN,
        "seed: a whole number from 0 to 18446744073709551615 is wanted",
    ),
    ("id = 5\n" + PLAIN, "id: text in quotes is wanted, not 5"),
    ("memory = 'proces'\n" + PLAIN, "memory: 'proces': did you mean 'process'?"),
    ("memory = 'none'\n" + PLAIN, "memory: 'none': there are stateless, process, independent"),
    ("packs = 'x'\n" + PLAIN, "packs: a list is wanted, not 'x'"),
    ("packs = ['nowhere.toml']\n" + PLAIN, "nowhere.toml: No such file or directory; name another file"),
    ("format = 'swiss'\n" + PLAIN, "format: a table is wanted, not 'swiss'"),
    (PLAIN + "[policy]\non_gone = 'shrug'", "policy.on_gone: 'shrug': there are default, random, forfeit"),
    (
        PLAIN + "[policy]\ngone_ms = 0",
        "policy.gone_ms: 0: a bot that is gone would be waited for without end",
    ),
    (PLAIN + "[options]\nedition = [1]", "options.edition: text, a whole number, true or false is wanted"),
    (PLAIN + "[options]\nnothing = 1", "options.nothing: unknown option; this game has: "),
    (PLAIN + "[stop]\ncandidate='a'\nbaseline='b'\nh1=nan", "stop.h1: a number is wanted, not nan"),
    (
        PLAIN + "[stop]\ncandidate='a'\nbaseline='z'",
        "stop.baseline: 'z' is not in the event; name one of its bots",
    ),
    (PLAIN + "[stop]\ncandidate='a'\nbaseline='b'", "there can be no verdict"),
    (PLAIN + "token_sha256 = 'abc'", "bots[1].token_sha256: a SHA-256 (64 hex digits in quotes) is wanted"),
    (PLAIN + f"token_sha256 = '{HASH}'", "bots[1].command: b has a token of its own, so it is not launched"),
    (
        PLAIN + "[[bots]]\nname = 'c'\ncommand = 'rondom'",
        "bots[2].command: 'rondom' is no command and no built-in",
    ),
    (PLAIN + "[[bots]]\nname = 'c'\ncommand = \"'x\"", 'bots[2].command: "\'x" cannot be split: No closing'),
    (PLAIN + "[[bots]]\nname = 'c'\nmemory_mb = 5", "bots[2].command: c has limits or blanks and no command"),
    (PLAIN + "[[bots]]\nname = 'a'\ncommand = 'random'", "bots[2].name: another bot is called 'a'"),
    (PLAIN + "[[bots]]\nname = 'a b'\ncommand = 'random'", "bots[2].name: 'a b': 1 to 32 of a-z"),
    (
        PLAIN + '[[bots]]\nname = "c"\ncommand = "random \\u0000"',
        "bots[2].command: 'random \\x00' holds a null",
    ),
    (
        PLAIN + '[[bots]]\nname = "c"\ncommand = "random"\nversion = "\\u001b[2J"',
        "bots[2].version: at most 64",
    ),
    ("x = " + "[" * 5000, "it is nested too deeply"),
    ("id = 'a/b'\n" + PLAIN, "id: 'a/b': 1 to 40 of a-z"),
    (
        "game = 'flow'\n[[bots]]\nname='a'\ncommand='random'",
        "bots: 2 seats need 2 bots and there is 1: enter more",
    ),
    ("seats = 3\n" + PLAIN, "bots: 3 seats need 3 bots and there are 2: enter more or lower the seats"),
    ("seats = 9\n" + PLAIN, "seats: 9: flow takes 2 to 5"),
    ("concurrency = 501\n" + PLAIN, "concurrency: 501: 1 to 500 are possible"),
    (
        PLAIN + "[format]\nname = 'chess'",
        "format.name: no format 'chess'; there are double_elimination, gauntlet",
    ),
    (PLAIN + "[format]\nrotations = 3", "format.rotations: 3"),
    (
        "games = 0\n" + PLAIN,
        "games: a whole number from 1 to 4294967295 is wanted, not 0; left out it is as --rounds says",
    ),
    (
        "seats = 0\n" + PLAIN,
        "seats: a whole number from 1 to 4294967295 is wanted, not 0; left out it is as many as bots and game allow",
    ),
    (
        PLAIN + "[format]\nrounds = 0",
        "format.rounds: a whole number from 1 to 4294967295 is wanted, not 0; left out it is as many as the format",
    ),
    (
        PLAIN + "[format]\nadvance = 0",
        "format.advance: a whole number from 1 to 4294967295 is wanted, not 0; left out it is half of its seats",
    ),
    (
        PLAIN + "[format]\nrotations = 0",
        "format.rotations: a whole number from 1 to 4294967295 is wanted, not 0; left out it is one for each",
    ),
    (
        "games = 4\n" + PLAIN + "[format]\nrounds = 2",
        "games: the number of rounds is given too: leave one of them out",
    ),
    ("games = 4\n" + PLAIN + "[format]\nname = 'knockout'", "games: knockout does not use it; leave it out"),
    (
        f"memory = 'process'\n{PLAIN}[[bots]]\nname='c'\ntoken_sha256='{HASH}'",
        "bots[2].token_sha256: with memory 'process'",
    ),
    (f"memory = 'process'\n{PLAIN}[[bots]]\nname='c'", "bots[2]: with memory 'process' each bot is launched"),
    (PLAIN + "[[bots]]\nname='c'\nversion='2'", "bots[2].command: c has neither a command nor a token, so"),
    ("rounds = 2\n" + PLAIN, "rounds: unknown key; it belongs in [format]"),
    (PLAIN + "seats = 2", "bots[1].seats: unknown key; it belongs at the top of the file, before all tables"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_what_is_wrong_is_named_with_file_key_and_remedy(tmp_path: Path, text: str, says: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(TournamentError) as error:
        prepare(*read_event(file, Given()))
    found = str(error.value)
    assert says in found
    assert len(found.splitlines()) == 1
    assert found.startswith((f"{file}: ", "pack "))


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(TournamentError, match=r"none\.toml: No such file or directory; name a file"):
        read_event(tmp_path / "none.toml", Given())
    file = tmp_path / "event.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(TournamentError, match="it is no UTF-8 text"):
        read_event(file, Given())


def test_what_a_flag_did_is_named_by_the_flag(tmp_path: Path) -> None:
    file = write(tmp_path, PLAIN)
    cases = [
        ({"policy_gone_ms": 0}, "--gone-ms: 0: "),
        ({"format_name": "chess"}, "--format: no format"),
        ({"stop_candidate": "a:z"}, "--stop-better: 'z' is not in the event"),
        ({"bots": ["b=rondom"]}, "--bot: 'rondom' is no command"),
        ({"bots": ["c d=random"]}, "--bot: 'c d': 1 to 32"),
        ({"concurrency": 900}, "--concurrency: 900: "),
    ]
    for arguments, says in cases:
        with pytest.raises(TournamentError) as error:
            prepare(*read_event(file, given(**arguments)))
        assert str(error.value).startswith(says)
