"""What the client costs, in microseconds of one core: python tests/bench/client_fold.py.

fold: an update of 6 cells with its hash checked. decision: one whole random decision (update, decision,
view, choice, answer, verdict), 16 matches in a message, no socket.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from tests.clients.fake import INFO, Mirror, decision

from ziggurat.game import GameInfo
from ziggurat.session import Session
from ziggurat.v1 import play_pb2
from ziggurat.view import Board
from ziggurat_bots.random import seeded

CELLS, MATCHES, ROUNDS = 250, 16, 400
CHANCE = random.Random(1)


def some_cells(count: int) -> dict[int, tuple[int, ...]]:
    """Mostly counters, some zones."""
    cells: dict[int, tuple[int, ...]] = {4: (0,)}
    for _ in range(count - 1):
        counter = CHANCE.random() < 0.6
        key = CHANCE.randrange(1, CELLS) * 4 + (2 if counter else 1)
        cells[key] = tuple(CHANCE.randrange(150) for _ in range(1 if counter else CHANCE.randrange(1, 12)))
    return cells


def best(work: Callable[[], int]) -> float:
    """Least microseconds per item over five runs of CPU time; `work` says how many items it did."""
    times = []
    for _ in range(5):
        started = time.process_time()
        items = work()
        times.append((time.process_time() - started) / items)
    return min(times) * 1e6


def bench_fold() -> float:
    mirror = Mirror()
    first = mirror.update({key * 4 + 1: (key,) for key in range(1, CELLS)}, snapshot=True)
    updates = [mirror.update(some_cells(6)).SerializeToString() for _ in range(3000)]

    def work() -> int:
        board = Board()
        board.fold(first)
        for update in updates:
            assert board.fold(play_pb2.Update.FromString(update))
        return len(updates)

    return best(work)


def script() -> list[bytes]:
    """Messages for 16 matches, all asked in each."""
    mirrors = [Mirror() for _ in range(MATCHES)]
    welcome = play_pb2.PlayResponse(welcome=play_pb2.Welcome(max_answers=64))
    for channel, mirror in enumerate(mirrors):
        opened = play_pb2.Opened(match_id=f"m{channel}", seat=0, game_info_id=INFO.id, game="toy")
        welcome.items.add(channel=channel, opened=opened)
        snapshot = mirror.update({key * 4 + 1: (key,) for key in range(1, CELLS)}, snapshot=True)
        welcome.items.add(channel=channel, update=snapshot)
    messages = [welcome.SerializeToString()]
    for number in range(1, ROUNDS + 1):
        message = play_pb2.PlayResponse()
        for channel, mirror in enumerate(mirrors):
            if number > 1:
                message.items.add(channel=channel, verdict=play_pb2.Verdict(decision_id=number - 1, status=1))
            message.items.add(channel=channel, update=mirror.update(some_cells(6), (0, 0), (1, 1)))
            message.items.add(channel=channel, decision=decision(number, 12))
        messages.append(message.SerializeToString())
    return messages


def bench_decision(verify: bool) -> float:
    messages = script()
    info = GameInfo(INFO)
    decide = seeded("1").decide

    def work() -> int:
        session = Session("b", b"0" * 16, verify)
        session.hello()
        for message in messages:
            session.receive(play_pb2.PlayResponse.FromString(message))
            for info_id in list(session.wanted):
                session.learn(info_id, info)
            for seat, view, asked in session.tasks:
                session.decided(seat, asked, decide(view, asked))
            session.tasks = []
            while (request := session.next_request()) is not None:
                request.SerializeToString()
        return MATCHES * ROUNDS

    return best(work)


if __name__ == "__main__":
    print(f"fold       {bench_fold():6.1f} us an update of 6 cells, decoded and checked  (<= 12)")
    print(f"decision   {bench_decision(True):6.1f} us, random, hash checked                    (<= 30)")
    print(f"decision   {bench_decision(False):6.1f} us, random, hash taken on trust")
