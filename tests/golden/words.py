"""Terms and cells of a game in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ziggurat_rules.game import Game
from ziggurat_rules.layout import STACK_KEY, Cell, Layout
from ziggurat_rules.terms import Term


class Words:
    """Says what happens in one game with so many seats."""

    def __init__(self, game: Game[Any], layout: Layout) -> None:
        self.game = game
        self.layout = layout
        self.cells = {cell.key: cell for cell in layout.cells()}

    def owner(self, owner: int) -> str:
        """A seat, or another owner by its name."""
        if owner < 0:
            return "nobody"
        return f"seat {owner}" if owner < self.layout.seats else self.layout.owners[owner - self.layout.seats]

    def card(self, face: int) -> str:
        """A card's name."""
        return "no card" if face < 0 else self.game.catalogue.cards[face].name

    def value(self, kind: str, value: int) -> str:
        """An argument or a number in a list."""
        if kind == "card":
            return self.card(value)
        if kind == "seat":
            return self.owner(value)
        if kind == "zone":
            return self.name(self.cells[value]) if value >= 0 else "no zone"
        if kind == "word":
            return self.game.vocabulary.words[value] if value >= 0 else "nothing"
        return str(value)

    def term(self, term: Term) -> str:
        """An option, prompt or event."""
        verb = self.game.vocabulary.verbs[term[0]]
        arguments = {
            argument.name: self.value(argument.kind, value)
            for argument, value in zip(verb.arguments, term[1:], strict=True)
        }
        said = verb.text.format(**arguments)
        unsaid = [f"{name} {value}" for name, value in arguments.items() if "{" + name + "}" not in verb.text]
        return f"{said} [{', '.join(unsaid)}]" if unsaid else said

    def name(self, cell: Cell) -> str:
        """A cell, with its owner."""
        return cell.name if cell.owner < 0 else f"{cell.name} of {self.owner(cell.owner)}"

    def cell(self, key: int, values: Iterable[int]) -> str | None:
        """A cell and what it holds now; nothing for the stack and for who must act."""
        if key <= STACK_KEY or key not in self.cells:
            return None
        cell = self.cells[key]
        if cell.kind == "zone":
            return f"{self.name(cell)}: {self.zone(list(values))}"
        return f"{self.name(cell)} = {', '.join(self.value(cell.holds, value) for value in values) or '-'}"

    def zone(self, values: list[int]) -> str:
        """The cards of a zone, those face down as a number of each back."""
        said = []
        at = 0
        while at < len(values):
            if values[at] >= 0:
                said.append(self.card(values[at]))
                at += 1
            else:
                said.append(f"{values[at + 1]} {self.game.catalogue.backs[-1 - values[at]]}")
                at += 2
        return ", ".join(said) or "-"
