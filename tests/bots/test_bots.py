"""The bots that come with Ziggurat, as modules and as processes."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from tests.clients.fake import INFO, Mirror, decision

from ziggurat import Decision, GameInfo, View, ZigguratError
from ziggurat.v1 import play_pb2
from ziggurat.view import Board
from ziggurat_bots import find, greedy, names
from ziggurat_bots.random import seeded

GAME = GameInfo(INFO)
TOKEN = "00112233445566778899aabbccddeeff"


def view(match_id: str = "m", seat: int = 0, cells: dict[int, tuple[int, ...]] | None = None) -> View:
    board = Board()
    board.fold(Mirror().update({4: (0,)} | (cells or {}), snapshot=True))
    return View(match_id, seat, GAME, board)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ziggurat_bots", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_random_depends_on_seed_seat_own_cells_and_decision_alone() -> None:
    asked = [Decision(GAME, decision(number, 30)) for number in range(1, 20)]
    mine, theirs = (next(key for key, cell in GAME.cells.items() if cell.owner == seat) for seat in (0, 1))

    def line(seed: str, seen: View) -> tuple[object, ...]:
        return tuple(seeded(seed).decide(seen, one) for one in asked)

    first = line("a", view())
    assert len(set(first)) > 5
    assert first == line("a", view("another match"))
    assert first == line("a", view(cells={theirs: (3,)}))
    others = [("b", view()), ("a", view(seat=1)), ("a", view(cells={mine: (3,)}))]
    assert len({first, *(line(*case) for case in others)}) == 4


def test_random_takes_every_legal_choice_and_no_other() -> None:
    player = seeded("s")
    subset = [
        Decision(
            GAME,
            play_pb2.Decision(
                id=n, kind=2, options=[2] * 4, option_size=1, low=1, high=3, default_choice=[0]
            ),
        )
        for n in range(1, 400)
    ]
    chosen = Counter(player.decide(view(), one) for one in subset)
    assert len(chosen) == 4 + 6 + 4
    for one in subset:
        one.wire(player.decide(view(), one))
    numbers = {
        player.decide(view(), Decision(GAME, play_pb2.Decision(id=n, kind=3, low=-2, high=2)))
        for n in range(99)
    }
    assert numbers == {-2, -1, 0, 1, 2}


def test_greedy_refuses_a_game_it_does_not_know() -> None:
    with pytest.raises(ZigguratError, match="no strategy for the game 'toy'"):
        greedy.decide(view(), Decision(GAME, decision(1)))


def test_bots_are_found_by_name() -> None:
    assert {"greedy", "random"} <= set(names())
    for name in ("greedy", "random"):
        assert callable(find(name).decide)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["random", "--address", "localhost", "--token", TOKEN], "HOST:PORT is wanted"),
        (["random", "--token", "xyz"], "the token is no hex text"),
        (["random", "--token", "0011"], "16 bytes"),
        (["random"], "no token"),
        (["rndom", "--token", TOKEN], "no bot is named 'rndom'"),
        (["greedy", "--token", TOKEN, "--seed", "1"], "takes no --seed"),
    ],
)
def test_a_bad_command_line_is_one_line_on_standard_error(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZIGGURAT_TOKEN", raising=False)
    ended = run(*arguments)
    assert ended.returncode != 0 and said in ended.stderr
    assert len(ended.stderr.splitlines()) == 1 and not ended.stdout
