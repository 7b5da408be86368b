"""`ziggurat show`: what a seat saw and could do at one moment of a recorded match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from ziggurat.decision import Decision as AskedDecision
from ziggurat.game import GameInfo, Term
from ziggurat.view import STACK_KEY, TO_ACT_KEY, Board, View
from ziggurat_rules.errors import BadRecord
from ziggurat_rules.projection import PUBLIC
from ziggurat_server import convert
from ziggurat_server.matches.live import LiveMatch
from ziggurat_server.offline.inputs import fail
from ziggurat_server.records.verify import replay
from ziggurat_server.records.zgr import unpack


def show(
    file: Annotated[Path, typer.Argument(help="A record (.zgr).")],
    at: Annotated[int | None, typer.Option(help="After so many entries; none: at the end.")] = None,
    seat: Annotated[int | None, typer.Option(help="As this seat; none: what everybody may see.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show what a seat saw and could do in a record."""
    try:
        told = moment(file.read_bytes(), at, seat)
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    except BadRecord as error:
        fail(f"{file}: {error}")
    if as_json:
        typer.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        typer.echo("\n".join(tell(told)))


def moment(data: bytes, at: int | None, seat: int | None) -> dict[str, Any]:
    """A moment of a record as plain data, names in place of numbers; raises BadRecord, also for a bad place."""
    header, log = unpack(data)
    if at is not None and not 0 <= at <= len(log):
        raise BadRecord("--at", f"the record has 0 to {len(log)} entries, not {at}")
    if seat is not None and not 0 <= seat < len(header.seats):
        raise BadRecord("--seat", f"seats are 0 to {len(header.seats) - 1}, not {seat}")
    live = replay(data, at)
    audience = PUBLIC if seat is None else seat
    info = GameInfo(convert.game_info(live.game, len(live.seats), live.options))
    board = Board()
    board.cells = live.projector.view(audience)
    view = View(live.id, audience, info, board)
    return {
        "match": live.id,
        "game": live.game.name,
        "at": live.length - 1,
        "entries": len(log),
        "state": live.state,
        "seats": [one.name for one in live.seats],
        "seat": seat,
        "version": live.version(audience),
        "hash": f"{live.projector.hash(audience):08x}",
        "cells": list(_cells(view)),
        "stack": [
            {"step": frame.step, "seat": frame.seat, "card": frame.card.name if frame.card else None}
            for frame in view.stack
        ],
        "to_act": list(view.to_act),
        "decision": None if seat is None else _decision(live, seat, info),
    }


def _cells(view: View) -> Iterator[dict[str, Any]]:
    for key, cell in sorted(view.info.cells.items()):
        values = view.cell(key)
        if key in (STACK_KEY, TO_ACT_KEY) or not values or (cell.kind == "counter" and values == (0,)):
            continue
        told: dict[str, Any] = {"name": cell.name, "owner": None, "kind": cell.kind}
        if cell.owner >= 0:
            told["owner"] = view.info.owner_name(cell.owner)
        if cell.kind == "zone":
            told["cards"] = [card.name for card in view.cards(cell.name, cell.owner)]
            told["hidden"] = view.hidden(cell.name, cell.owner)
        elif cell.kind == "counter":
            told["value"] = values[0]
        else:
            told["values"] = [view.info.say(cell.holds, value) for value in values]
        yield told


def _decision(live: LiveMatch, seat: int, info: GameInfo) -> dict[str, Any] | None:
    decision = live.asked(seat)
    if decision is None:
        return None
    asked = AskedDecision(info, convert.decision_message(live.seats[seat].decision_id, decision, 0))
    return {
        "id": asked.id,
        "kind": asked.kind,
        "prompt": _term(asked.prompt),
        "options": [_term(option) for option in asked.options],
        "low": asked.low,
        "high": asked.high,
        "default": asked.default,
    }


def _term(term: Term) -> dict[str, Any]:
    return {"verb": term.verb, "arguments": {name: term[name] for name in term}, "text": str(term)}


def tell(told: dict[str, Any]) -> Iterator[str]:
    """The same in lines for people."""
    viewer = "everybody" if told["seat"] is None else f"seat {told['seat']} ({told['seats'][told['seat']]})"
    yield f"{told['match']} ({told['game']}), {told['state']}, after {told['at']} of {told['entries']} entries"
    yield f"seen by {viewer}: version {told['version']}, hash {told['hash']}"
    owners = dict.fromkeys(cell["owner"] for cell in told["cells"])
    for owner in owners:
        yield f"\n{owner or 'table'}:"
        for cell in told["cells"]:
            if cell["owner"] == owner:
                yield f"  {cell['name']}: {_content(cell)}"
    yield "\nin resolution: " + ("; ".join(map(_frame, told["stack"])) or "nothing")
    yield "must act: " + (", ".join(f"seat {seat}" for seat in told["to_act"]) or "nobody")
    if told["decision"]:
        yield from _asked(told["decision"])
    elif told["seat"] is not None:
        yield f"seat {told['seat']} is asked nothing"


def _content(cell: dict[str, Any]) -> str:
    if cell["kind"] == "counter":
        return str(cell["value"])
    if cell["kind"] == "list":
        return ", ".join(cell["values"])
    unknown = [f"{count} unknown ({back})" for back, count in cell["hidden"].items()]
    return ", ".join([*cell["cards"], *unknown])


def _frame(frame: dict[str, Any]) -> str:
    what = frame["card"] or frame["step"].replace("_", " ")
    return what if frame["seat"] < 0 else f"{what} (seat {frame['seat']})"


def _asked(decision: dict[str, Any]) -> Iterator[str]:
    takes = {
        "options": "the index of one option",
        "subset": f"{decision['low']} to {decision['high']} indexes",
        "range": f"a number, {decision['low']} to {decision['high']}",
    }
    yield f"\ndecision {decision['id']}: {decision['prompt']['text']}"
    yield f"  takes {takes[decision['kind']]}; default {decision['default']}"
    for index, option in enumerate(decision["options"]):
        yield f"  {index:3}  {option['text']}"
