"""Terms: how options, prompts and log events are said.

A term is a tuple of integers: the number of a verb, then its arguments. A game's vocabulary gives each verb
its name, the kind of each argument and a sentence, so that a client renders any term of any game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Self

Term = tuple[int, ...]

KINDS = ("card", "seat", "zone", "amount", "word")
"""card: index in the catalogue; seat: a seat or another owner; zone: cell key; word: index in the
vocabulary's words; amount: any integer. -1 stands for none in all but amount."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a verb."""

    name: str
    kind: str


def _term(*numbers: int) -> Term:
    return numbers


class Verb(partial[Term]):
    """Calling a verb with its arguments, in order, gives the term.

    A partial, since terms are made at every decision and calling one costs a third of calling a method.
    """

    number: int
    name: str
    arguments: tuple[Argument, ...]
    text: str

    def __new__(cls, number: int, name: str, arguments: tuple[Argument, ...], text: str) -> Self:
        """The verb of this number in its vocabulary."""
        verb = super().__new__(cls, _term, number)
        verb.number, verb.name, verb.arguments, verb.text = number, name, arguments, text
        return verb


class Vocabulary:
    """All verbs and words of one game, numbered in the order of their definition."""

    def __init__(self) -> None:
        self.verbs: list[Verb] = []
        self.words: list[str] = []

    def verb(self, name: str, *arguments: str, text: str) -> Verb:
        """Define a verb; an argument is `kind` or `name:kind`; `text` names the arguments in braces."""
        parsed = []
        for argument in arguments:
            label, _, kind = argument.rpartition(":")
            if kind not in KINDS:
                raise ValueError(f"verb {name}: unknown kind of argument {argument!r}")
            parsed.append(Argument(label or kind, kind))
        if any(verb.name == name for verb in self.verbs):
            raise ValueError(f"verb {name} is defined twice")
        verb = Verb(len(self.verbs), name, tuple(parsed), text)
        text.format(**{argument.name: "" for argument in parsed})
        self.verbs.append(verb)
        return verb

    def word(self, word: str) -> int:
        """The number of a word (a resource, an icon, a kind of attack), defined at first use."""
        if word not in self.words:
            self.words.append(word)
        return self.words.index(word)
