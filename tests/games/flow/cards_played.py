"""Marks what card a test plays, so that the suite can tell which card has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., None])

PLAYED: dict[tuple[str, str], str] = {}
"""Test by (card id, edition)."""


def plays(*names: str, edition: str = "en") -> Callable[[F], F]:
    """This test plays these cards in this edition and checks what they change."""

    def mark(test: F) -> F:
        for name in names:
            PLAYED[name, edition] = test.__name__
        return test

    return mark
