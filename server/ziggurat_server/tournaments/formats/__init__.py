"""Formats: who plays whom."""

from itertools import combinations

from ziggurat_server.tournaments.results import Round


class RR:
    waits = False
    late = True

    def check(self, field):
        pass

    def draw(self, field, rounds, played):
        if len(rounds) >= (field.spec.rounds or 1) or len(field.bots) < field.seats:
            return None
        return Round(len(rounds), tuple(combinations(field.bots, field.seats)))


FORMATS = {"round_robin": RR()}
