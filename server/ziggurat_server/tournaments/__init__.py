"""Tournaments, at the server: events, their formats and statistics, and the director that lets them be played.

`event` says what is asked for, `formats` who plays whom, `results` what came of it, `statistics` what that shows.
All of these are pure. The log of an event (`log`) is the only truth; `director` does what follows from it.
"""
