"""A bot that times its answers: `python -m tests.bench.probe`, told by ZIGGURAT_ADDRESS and ZIGGURAT_TOKEN.

It plays at random over one stream, and writes the milliseconds from sending an answer to its verdict, one
line each, with the monotonic time of the verdict.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time

import grpc.aio

from ziggurat.v1 import play_pb2, play_pb2_grpc


class Probe:
    """The stream's state: when each open answer left."""

    def __init__(self) -> None:
        self.sent: dict[tuple[int, int], float] = {}

    def take(self, response: play_pb2.PlayResponse) -> play_pb2.PlayRequest:
        """What to say to a message."""
        request = play_pb2.PlayRequest()
        now = time.perf_counter()
        for item in response.items:
            kind = item.WhichOneof("item")
            if kind == "opened" and item.opened.awaits_ready:
                request.ready.append(item.channel)
            elif kind == "decision":
                request.answers.append(self.answer(item.channel, item.decision))
            elif kind == "verdict":
                began = self.sent.pop((item.channel, item.verdict.decision_id), None)
                if began is not None and item.verdict.status == play_pb2.VERDICT_STATUS_ACCEPTED:
                    sys.stdout.write(f"{time.monotonic():.4f} {(now - began) * 1000:.3f}\n")
        return request

    @staticmethod
    def answer(channel: int, decision: play_pb2.Decision) -> play_pb2.Answer:
        """Any choice."""
        if decision.kind == play_pb2.DECISION_KIND_OPTIONS:
            size = decision.option_size
            count = len(decision.options) // size if size else len(decision.option_sizes)
            choice = [random.randrange(count)]
        elif decision.kind == play_pb2.DECISION_KIND_RANGE:
            choice = [random.randint(decision.low, decision.high)]
        else:
            choice = list(decision.default_choice)
        return play_pb2.Answer(channel=channel, decision_id=decision.id, choice=choice)

    async def play(self, address: str, token: bytes) -> None:
        """Play until the server ends the stream."""
        async with grpc.aio.insecure_channel(address) as channel:
            call = play_pb2_grpc.BotServiceStub(channel).Play()
            await call.write(play_pb2.PlayRequest(hello=play_pb2.Hello(name="probe", token=token)))
            while isinstance(response := await call.read(), play_pb2.PlayResponse):
                request = self.take(response)
                if request.ready or request.answers:
                    now = time.perf_counter()
                    self.sent |= {(a.channel, a.decision_id): now for a in request.answers}
                    await call.write(request)
                sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(Probe().play(os.environ["ZIGGURAT_ADDRESS"], bytes.fromhex(os.environ["ZIGGURAT_TOKEN"])))
