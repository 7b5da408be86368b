"""`python -m tests.contract.digest LABEL`: all hashes of a random game in one, to compare processes."""

from __future__ import annotations

import sys

from tests.contract.play import trace
from tests.contract.subjects import subjects

from ziggurat_rules.keyed import keyed


def digest(label: str) -> int:
    """One number for every state of the game."""
    return keyed(*trace(next(subject for subject in subjects() if subject.label == label)).hashes)


if __name__ == "__main__":
    print(digest(sys.argv[1]))
