"""Bots that come with Ziggurat: one module each, with `decide(view, decision)`."""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points
from types import ModuleType

from ziggurat import ZigguratError

OWN = ("greedy", "random")


def names() -> list[str]:
    """Names of the installed bots."""
    return sorted({*OWN, *(entry.name for entry in entry_points(group="ziggurat.bots"))})


def find(name: str) -> ModuleType:
    """The module of a bot; raises ZigguratError if there is none."""
    for entry in entry_points(group="ziggurat.bots", name=name):
        module: ModuleType = entry.load()
        return module
    if name in OWN:
        return importlib.import_module(f"ziggurat_bots.{name}")
    raise ZigguratError(f"no bot is named {name!r}, only {', '.join(names())}")
