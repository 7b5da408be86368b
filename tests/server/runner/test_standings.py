"""The arithmetic of standings."""

from __future__ import annotations

from fractions import Fraction

from ziggurat_server import convert
from ziggurat_server.log import Cause, Entry, Header, Kind, Policy, SeatSpec
from ziggurat_server.records import zgr
from ziggurat_server.runner.result import faults_of
from ziggurat_server.runner.standings import Faults, Seat, Standings


def test_a_shared_win_is_split_exactly() -> None:
    standings = Standings(["a", "b", "c"], 3)
    for number in range(3):
        standings.add(f"m{number}", [Seat("a", 10, 1), Seat("b", 10, 1), Seat("c", 10, 1)])
    rows = standings.ranking()
    assert [total.name for total in rows] == ["a", "b", "c"]
    assert [total.wins for total in rows] == [Fraction(1)] * 3
    assert [total.win_share for total in rows] == [Fraction(1, 3)] * 3
    assert [total.places for total in rows] == [[3, 0, 0]] * 3


def test_places_points_and_order() -> None:
    standings = Standings(["a", "b", "c"], 2)
    standings.add("m0", [Seat("c", 7, 1), Seat("a", 5, 2)])
    standings.add("m1", [Seat("a", -3, 2), Seat("b", 9, 1)])
    standings.add("m2", [Seat("b", 4, 1), Seat("c", 4, 1)])
    best, second, last = standings.ranking()
    assert [(total.name, total.wins) for total in (best, second, last)] == [
        ("b", Fraction(3, 2)),
        ("c", Fraction(3, 2)),
        ("a", Fraction(0)),
    ]
    assert best.points_mean == Fraction(13, 2)
    assert last.points_mean == 1
    assert last.place_mean == 2
    assert last.places == [0, 2]


def test_equals_are_in_the_order_of_their_names() -> None:
    standings = Standings(["z", "y", "x"], 2)
    standings.add("m0", [Seat("z", 5, 1), Seat("y", 5, 1)])
    assert [total.name for total in standings.ranking()] == ["y", "z", "x"]


def test_a_game_counts_once() -> None:
    standings = Standings(["a", "b"], 2)
    result = [Seat("a", 1, 1), Seat("b", 0, 2)]
    assert standings.add("m0", result)
    assert not standings.add("m0", result)
    standings.add_faults("m0", {"a": Faults(illegal=2)})
    standings.add_faults("m0", {"a": Faults(illegal=2)})
    best = standings.ranking()[0]
    assert (best.games, best.points, best.faults.illegal) == (1, 1, 2)


def test_without_games_means_are_absent() -> None:
    total = Standings(["a"], 2).ranking()[0]
    assert (total.win_share, total.points_mean, total.place_mean) == (None, None, None)


def test_faults_are_those_of_the_record() -> None:
    seats = (SeatSpec("a", b"1" * 32), SeatSpec("b", b"2" * 32))
    header = Header("m", "flow", 1, {}, (), 1, b"", b"", True, seats, Policy(), 0, "always")
    entries = [
        Entry(Kind.READY, 0),
        Entry(Kind.STRIKE, 0, 1, (99,), cause=Cause.ILLEGAL),
        Entry(Kind.STRIKE, 0, 1, (99,), cause=Cause.ILLEGAL),
        Entry(Kind.SUBSTITUTE, 0, 1, (0,), cause=Cause.ILLEGAL),
        Entry(Kind.ANSWER, 1, 1, (0,)),
        Entry(Kind.SUBSTITUTE, 1, 2, (0,), cause=Cause.SLOW),
        Entry(Kind.FORFEIT, 1, cause=Cause.GONE),
        Entry(Kind.SUBSTITUTE, 1, 3, (0,), cause=Cause.GONE),
        Entry(Kind.SUBSTITUTE, 1, 4, (0,), cause=Cause.FORFEITED),
    ]
    packed = zgr.pack(convert.encode_header(header), map(convert.encode_entry, entries))
    found = faults_of(packed, ("a", "b"))
    assert found["a"] == Faults(illegal=2, substitutes=1)
    assert found["b"] == Faults(late=1, gone=1, substitutes=3, forfeits=1)
    assert found["b"].total == 3
