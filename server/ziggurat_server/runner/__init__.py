"""Tournaments: bots in processes of their own, a seat-balanced round robin, standings and records.

A tournament is a client of a server, like the bots it starts. Of the server it imports values alone.
"""
