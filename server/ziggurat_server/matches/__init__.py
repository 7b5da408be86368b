"""Matches in play: the fold of a log (live), its clocks, and the node that serves them."""
