"""Between the wire's messages about bots and the server's own values; apart from convert, which matches need."""

from __future__ import annotations

from ziggurat.v1 import bot_pb2
from ziggurat_server.bots.values import RatedEvent, Rating, RegisteredBot


def encode_bot(bot: RegisteredBot) -> bytes:
    """A bot as the store keeps it; equal bots give equal bytes."""
    return bot_pb2.BotEntry(
        name=bot.name,
        version=bot.version,
        games=bot.games,
        capacity=bot.capacity,
        token_sha256=bot.token_sha256,
        owner_token_sha256=bot.owner_sha256,
    ).SerializeToString(deterministic=True)


def decode_bot(data: bytes) -> RegisteredBot:
    """A bot of the store; DecodeError if it is damaged."""
    m = bot_pb2.BotEntry.FromString(data)
    return RegisteredBot(m.name, m.version, tuple(m.games), m.capacity, m.token_sha256, m.owner_token_sha256)


def rating_message(game: str, rating: Rating) -> bot_pb2.BotRating:
    """A rating in a game as a message."""
    return bot_pb2.BotRating(
        game=game, mu=rating.mu, sigma=rating.sigma, games=rating.games, events=rating.events
    )


def read_rating(m: bot_pb2.BotRating) -> Rating:
    """A rating from its message; ValueError if it is none."""
    return Rating(m.mu, m.sigma, m.games, m.events)


def encode_ratings_header(game: str) -> bytes:
    """The first entry of the log of a game's ratings."""
    return bot_pb2.RatingsHeader(game=game).SerializeToString(deterministic=True)


def encode_rated_event(event: RatedEvent) -> bytes:
    """An event that counted as the log keeps it; bots by name and version."""
    bots = [
        bot_pb2.RatedBot(name=name, version=version, rating=rating_message("", event.after[name, version]))
        for name, version in sorted(event.after)
    ]
    message = bot_pb2.RatedEvent(event_id=event.event_id, at_ms=event.at_ms, bots=bots)
    return message.SerializeToString(deterministic=True)


def decode_rated_event(data: bytes) -> RatedEvent:
    """An event of a log of ratings; DecodeError or ValueError if it is damaged."""
    m = bot_pb2.RatedEvent.FromString(data)
    after = {(bot.name, bot.version): read_rating(bot.rating) for bot in m.bots}
    return RatedEvent(m.event_id, m.at_ms, after)
