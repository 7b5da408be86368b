"""The games. One folder each; the entry point group `ziggurat.games` lists them."""
