"""The TypeScript client against the rules' own projection, and its bot in matches on a real server."""

from __future__ import annotations

import fcntl
import json
import random
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from tests.rules.toy import TOY

from ziggurat_rules.match import Match
from ziggurat_rules.projection import PUBLIC, Cells, Projector, state_hash

ROOT = Path(__file__).parents[2]
BOT = ROOT / "bots" / "typescript"

FOLD = """
import { readFileSync } from "node:fs";
const { View } = await import(process.argv[1]);
const folded = JSON.parse(readFileSync(0, "utf8")).map((updates) => {
  const view = new View();
  const valid = updates.map((update) => view.fold(update));
  return { valid, hash: view.hash, version: view.version, cells: [...view.cells] };
});
process.stdout.write(JSON.stringify(folded));
"""


@pytest.fixture(scope="session")
def node() -> Path:
    """The node that the bot runs on; set up under a lock, as tests run side by side."""
    with open(Path(tempfile.gettempdir()) / "ziggurat-typescript.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            ["bash", BOT / "setup.sh"], capture_output=True, text=True, timeout=240, check=False
        )
    assert done.returncode == 0, done.stderr
    return BOT / "node_modules" / ".bin" / "node"


def fold(node: Path, streams: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """What the TypeScript view makes of some streams of updates."""
    command = [node, "--input-type=module", "--eval", FOLD, (BOT / "dist" / "view.js").as_uri()]
    done = subprocess.run(
        command, input=json.dumps(streams), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    folded: list[dict[str, Any]] = json.loads(done.stdout)
    return folded


def update(version: int, state: int, cells: Cells, snapshot: bool = False) -> dict[str, Any]:
    return {
        "version": version,
        "hash": state,
        "keys": list(cells),
        "sizes": [len(values) for values in cells.values()],
        "values": [value for values in cells.values() for value in values],
        "snapshot": snapshot,
        "rolledBack": False,
    }


def play(seed: int, seats: int) -> tuple[list[list[dict[str, Any]]], dict[int, Cells]]:
    """The updates of a random match for each audience, and the last views."""
    match = Match(TOY, seed, seats)
    rng = random.Random(seed)
    projector: Projector = match.projector()
    streams = [[update(1, projector.hash(a), projector.view(a), True)] for a in projector.audiences[:-1]]
    while not match.over:
        seat = rng.choice(match.to_act)
        match.apply(seat, match.decision(seat).sample(rng.getrandbits(64)))
        changes = projector.advance(match.table, match.to_act)
        for audience, stream in zip(projector.audiences, streams, strict=False):
            cells = changes.shared | changes.own[audience]
            stream.append(update(projector.version[audience], projector.hash(audience), cells))
    return streams, {audience: match.view(audience) for audience in (*range(seats), PUBLIC)}


def shown(folded: dict[str, Any]) -> Cells:
    """The cells of a folded view that are not empty."""
    cells = {key: tuple(values) for key, values in folded["cells"]}
    return {key: values for key, values in cells.items() if key % 4 != 2 or values != (0,)}


@pytest.mark.parametrize("seats", [2, 4])
def test_folded_updates_make_the_view_and_hash_of_the_rules(node: Path, seats: int) -> None:
    streams, views = play(seats, seats)
    for stream, view, folded in zip(streams, views.values(), fold(node, streams), strict=True):
        assert folded["valid"] == [True] * len(stream)
        assert folded["version"] == stream[-1]["version"]
        assert shown(folded) == view
        assert folded["hash"] == state_hash(view)


def test_values_of_32_bits_are_hashed(node: Path) -> None:
    cells = {5: (0, 7, -2, 3), 2: (-1,), 6: (2**31 - 1,), 10: (-(2**31),), 2**20 + 3: tuple(range(-50, 50))}
    [folded] = fold(node, [[update(1, state_hash(cells), cells, True)]])
    assert folded["valid"] == [True]


def test_a_counter_of_zero_is_an_empty_cell(node: Path) -> None:
    before: Cells = {2: (0,), 6: (4,)}
    after: Cells = {6: (0,)}
    [folded] = fold(node, [[update(1, state_hash(before), before, True), update(2, 0, after)]])
    assert folded["valid"] == [True, True]
    assert state_hash({}) == folded["hash"] == 0


def test_a_zone_of_card_zero_is_no_empty_cell(node: Path) -> None:
    cells: Cells = {4: (0,), 5: (0,)}
    [folded] = fold(node, [[update(1, state_hash(cells), cells, True)]])
    assert folded["valid"] == [True] and folded["hash"] != 0


def test_a_mismatch_lasts_until_the_next_snapshot(node: Path) -> None:
    cells: Cells = {2: (1,), 5: (3, 4)}
    right = update(3, state_hash(cells | {2: (2,)}), {2: (2,)})
    stream = [
        update(1, state_hash(cells), cells, True),
        update(2, 1, {2: (5,)}),
        right,
        update(4, state_hash(cells), cells, True),
    ]
    [folded] = fold(node, [stream])
    assert folded["valid"] == [True, False, False, True]


def test_values_that_no_key_claims_are_a_mismatch(node: Path) -> None:
    long = update(1, state_hash({2: (1,)}), {2: (1,)}, True)
    long["values"].append(9)
    [folded] = fold(node, [[long]])
    assert folded["valid"] == [False]


def test_the_lock_file_names_no_host() -> None:
    text = (BOT / "package-lock.json").read_text()
    assert "://" not in text and '"resolved"' not in text
