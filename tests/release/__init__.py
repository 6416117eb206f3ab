"""Builds what is released (`scripts/release`), and the tests of the results."""
