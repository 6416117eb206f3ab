"""How the tests run: the quick ones, those that share an engine, random examples."""
