"""The benchmark: `python -m tests.bench`, also `make bench`."""
