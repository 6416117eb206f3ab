"""How the tests are run: the fast ones, those that share an engine, and random examples."""
