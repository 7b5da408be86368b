"""`ziggurat games`: what is installed, and all about one game."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from ziggurat_rules.catalogue import Card
from ziggurat_rules.game import Game, options_dict
from ziggurat_rules.layout import Audience, Cell, ZoneKind
from ziggurat_rules.registry import game_names
from ziggurat_server.offline.inputs import fail, read_game, refusals


def games(
    name: Annotated[str, typer.Argument(help="All about this game; none: a list.")] = "",
    pack: Annotated[list[Path] | None, typer.Option(help="A card pack to be applied first.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List the installed games, or tell all about one.

    That is: options, cells, verbs, cards, sources of facts.
    """
    with refusals():
        if name:
            told = describe(read_game(name, pack or []))
            lines = tell(told)
        elif pack:
            fail("--pack goes with the name of a game")
        else:
            summaries = [summary(read_game(one, [])) for one in game_names()]
            told = {"games": summaries}
            lines = (
                f"{one['name']:12} {one['title']}, {one['min_seats']} to {one['max_seats']} seats, "
                f"rules version {one['rules_version']}"
                for one in summaries
            )
    if as_json:
        typer.echo(json.dumps(told, indent=2, ensure_ascii=False, default=list))
    else:
        typer.echo("\n".join(lines))


def summary(game: Game[Any]) -> dict[str, Any]:
    """A game in one line."""
    return {
        "name": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "min_seats": game.seats[0],
        "max_seats": game.seats[-1],
        "max_decisions": game.max_decisions,
    }


def describe(game: Game[Any]) -> dict[str, Any]:
    """All that is the same in every match of a game; cells as for the most seats."""
    layout = game.layout(game.seats[-1], game.options())
    return summary(game) | {
        "options": list(options(game)),
        "owners": list(layout.owners),
        "cells": list(cells((*layout.zones, *layout.counters, *layout.lists), layout.seats, layout.owners)),
        "verbs": [
            {
                "name": verb.name,
                "arguments": [f"{argument.name}:{argument.kind}" for argument in verb.arguments],
                "text": verb.text,
            }
            for verb in game.vocabulary.verbs
        ],
        "backs": list(game.catalogue.backs),
        "cards": [card_facts(card, game.catalogue.backs) for card in game.catalogue.cards],
        "facts_by_source": dict(sorted(sources(game.catalogue.cards).items())),
        "packs": {pack.name: pack.sha256 for pack in game.packs},
    }


def options(game: Game[Any]) -> Iterator[dict[str, Any]]:
    """What may be varied, with defaults and choices as texts."""
    defaults = options_dict(game.options())
    for field in dataclasses.fields(game.options):
        choices = (
            ["true", "false"] if isinstance(field.default, bool) else map(str, field.metadata["choices"])
        )
        yield {
            "name": field.name,
            "doc": field.metadata["doc"],
            "default": defaults[field.name],
            "choices": list(choices),
        }


def cells(all_cells: Iterable[Cell], seats: int, owners: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Zones, counters and lists, one entry for those that each seat has."""
    seen = set()
    for cell in all_cells:
        per_seat = 0 <= cell.owner < seats
        owner = "each seat" if per_seat else "" if cell.owner < 0 else owners[cell.owner - seats]
        if (cell.kind, cell.name, owner) in seen:
            continue
        seen.add((cell.kind, cell.name, owner))
        shown = ZoneKind(cell.shown) if cell.kind == "zone" else Audience(cell.shown)
        yield {
            "kind": cell.kind,
            "name": cell.name,
            "owner": owner,
            "shown": shown.name.lower(),
            "holds": cell.holds,
            "doc": cell.doc,
        }


def card_facts(card: Card, backs: tuple[str, ...]) -> dict[str, Any]:
    """A card with its facts and the source of each."""
    return {
        "id": card.id,
        "name": card.name,
        "back": backs[card.back],
        "copies": card.copies,
        "text": card.text,
        "facts": dict(card.facts),
        "sources": dict(card.sources),
    }


def sources(cards: Iterable[Card]) -> Counter[str]:
    """How many facts come from where."""
    return Counter(source for card in cards for source in card.sources.values())


def tell(told: dict[str, Any]) -> Iterator[str]:
    """A description as text. A fact that is not from the rulebook has its source behind it."""
    yield f"{told['title']} ({told['name']}), rules version {told['rules_version']}"
    yield f"{told['min_seats']} to {told['max_seats']} seats, at most {told['max_decisions']} decisions"
    yield "\nOptions"
    for one in told["options"]:
        choices = f" (of {', '.join(one['choices'])})" if one["choices"] else ""
        yield f"  {one['name']} = {one['default']}{choices}: {one['doc']}"
    yield "\nCells"
    for one in told["cells"]:
        owner = f" of {one['owner']}" if one["owner"] else ""
        yield f"  {one['kind']} {one['name']}{owner} ({one['shown']}): {one['doc']}"
    yield "\nVerbs"
    for one in told["verbs"]:
        yield f"  {one['name']}({', '.join(one['arguments'])}): {one['text']}"
    counted = ", ".join(f"{count} {source}" for source, count in told["facts_by_source"].items())
    yield f"\nCards; facts by source: {counted or 'none'}"
    for one in told["cards"]:
        yield f"  {one['id']}: {one['name']}, {one['copies']} with back {one['back']}. {one['text']}".rstrip()
        for key, value in one["facts"].items():
            source = one["sources"].get(key, "rulebook")
            yield f"    {key} = {value}{'' if source == 'rulebook' else f'  [{source}]'}"
