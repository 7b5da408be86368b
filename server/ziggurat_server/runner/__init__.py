"""Tournaments on the command line: event files, bots in processes of their own, progress, records, exports.

A run is a client of a server, like the bots that it starts. Of the server it imports values alone, and their folds.
"""
