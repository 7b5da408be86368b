"""Sessions: the append-only log of each match in Redis. Alone in importing redis."""
