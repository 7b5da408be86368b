"""Commands to a run from another shell: at the server that is live for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from rich.console import Console

from ziggurat import AsyncClient, BadAddress, Event, Refused, Unreachable, ZigguratError
from ziggurat_server.convert import events as convert_events
from ziggurat_server.runner.directory import RunDirectory
from ziggurat_server.runner.errors import TournamentError, words_of
from ziggurat_server.runner.eventfile import BotSpec
from ziggurat_server.runner.exports import files, summarize
from ziggurat_server.runner.outcome import empty_state, show_standings
from ziggurat_server.runner.progress import rounds_words, say
from ziggurat_server.tournaments.log import State
from ziggurat_server.tournaments.state import EventState

T = TypeVar("T")

ASK_SECONDS = 5.0


async def ask(run: RunDirectory, call: Callable[[AsyncClient], Awaitable[T]]) -> T | None:
    """The answer of the run's live server; None if there is none. Raises TournamentError if it refuses."""
    address = run.address()
    if not address:
        return None
    try:
        async with AsyncClient(address, ASK_SECONDS) as client:
            return await call(client)
    except Unreachable:
        return None
    except BadAddress as error:
        raise TournamentError(f"{run.address_file}: {error}") from None
    except ZigguratError as error:
        unknown = isinstance(error, Refused) and error.reason == "UNKNOWN_EVENT"
        if unknown and not run.place.server:
            return None  # the port has gone to another server
        raise TournamentError(words_of(error)) from None


async def live(run: RunDirectory, call: Callable[[AsyncClient], Awaitable[T]]) -> T:
    """The same, where a live server is needed."""
    answer = await ask(run, call)
    if answer is None and run.ended:
        raise over(run)
    if answer is None:
        raise TournamentError(
            f"{run.path}: no server of this event is live, so nothing is played; {run.resume_command} goes on with it"
        )
    return answer


def over(run: RunDirectory) -> TournamentError:
    """The error about an event that has ended."""
    return TournamentError(f"{run.path}: the event is over ({run.ended}); begin another one to play on")


async def status(run: RunDirectory, screen: Console) -> None:
    """Print how far an event is."""
    event_id = run.read_event().id
    found = await ask(run, lambda client: _state(client, event_id))
    if found is None:
        records = len(list(run.records.glob("*.zgr")))
        how = run.ended or f"no server of it is live; {run.resume_command} goes on with it"
        say(screen, f"{event_id}: {how}; {records} records are in {run.records}")
        written = files.read_written(run.path)
        if written is not None and written.games:
            show_standings(screen, written)
        return
    event, state = found
    for line in event_lines(event, state, run):
        say(screen, line)
    show_standings(screen, summarize(state))


async def _state(client: AsyncClient, event_id: str) -> tuple[Event, EventState]:
    """An event and what its log comes to."""
    event = await client.get_event(event_id)
    state = empty_state(event)
    if event.entries:
        async for number, message in client.watch_event(event_id):
            state.fold(convert_events.decode_event_entry(message.SerializeToString()))
            if number + 1 >= event.entries:
                break
    return event, state


def event_lines(event: Event, now: EventState, run: RunDirectory) -> list[str]:
    """The state of an event in words, where its server is, and what is waited for."""
    state = State(event.state).name.lower()
    planned = event.games_planned - event.games_dropped
    parts = [f"{state}, {event.games_finished} of {planned} games{rounds_words(now)}"]
    parts += [f"{event.games_open} open"]
    parts += [f"{event.games_dropped} not played"] if event.games_dropped else []
    parts += [f"{event.voids} without a result"] if event.voids else []
    lines = [f"{event.event_id}: {', '.join(parts)}"]
    if event.reason:
        ends = "ends" if int(event.state) == State.ENDING else "ended"
        lines.append(f"{ends}: {event.reason}")
    if int(event.state) == State.PAUSED:
        lines.append(f"{run.resume_command} goes on with it")
    launched = {bot.name for bot in (*run.read_event().bots, *run.late_bots()) if bot.command}
    for name in event.waiting_for:
        how = f"its output is in {run.bot_log(name)}" if name in launched else "it connects from elsewhere"
        lines.append(f"waiting for {name}: {how}")
    return [*lines, f"server: {run.address()}"]


async def pause(run: RunDirectory, screen: Console) -> None:
    """Start no new games."""
    event_id = run.read_event().id
    event: Event = await live(run, lambda client: client.pause_event(event_id, run.owner))
    say(
        screen,
        f"{event_id} is paused; {event.games_open} games in play go on; {run.resume_command} goes on with it",
    )


async def unpause(run: RunDirectory, screen: Console) -> bool:
    """Go on with a paused event whose run is live; False if none is."""
    event_id = run.read_event().id
    event = await ask(run, lambda client: client.resume_event(event_id, run.owner))
    if event is not None:
        say(screen, f"{event_id} goes on where it is being run")
    return event is not None


async def cancel(run: RunDirectory, reason: str, screen: Console) -> bool:
    """End an event whose run is live; False if none is."""
    event_id = run.read_event().id
    event = await ask(run, lambda client: client.cancel_event(event_id, run.owner, reason))
    if event is not None:
        say(screen, f"{event_id} is cancelled; {event.games_finished} results stand")
    return event is not None


async def add_bot(run: RunDirectory, bot: BotSpec, screen: Console) -> None:
    """Enter a bot late; the live run launches it if it has a command."""
    event = run.read_event()
    if bot.name in (known.name for known in event.bots):
        raise TournamentError(f"{bot.name}: a bot of the event has this name; choose another name")
    before = run.late_bot(bot.name)
    if before is not None and before != bot:
        raise TournamentError(f"{bot.name}: another bot was entered by this name; choose another name")
    entrant = convert_events.entrant_message(bot.entrant)
    run.keep_late_bot(bot)
    try:
        await live(run, lambda client: client.add_bot(event.id, run.owner, entrant))
    except TournamentError:
        if before is None:
            run.forget_late_bot(bot.name)
        raise
    where = "" if bot.command else f", and connects to {run.address()}"
    say(screen, f"{bot.name} is in; it plays from the next round that is drawn{where}")


async def withdraw(run: RunDirectory, name: str, reason: str, screen: Console) -> None:
    """Take a bot out."""
    event_id = run.read_event().id
    await live(run, lambda client: client.withdraw_bot(event_id, run.owner, name, reason))
    say(screen, f"{name} is out; its games in play go on, its games to come are not played")
