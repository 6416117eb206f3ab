"""Load: not part of the tests, run by scripts/bench."""
