"""Builds the release files (`scripts/release`), and tests the results."""
