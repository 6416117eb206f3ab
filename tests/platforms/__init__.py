"""Tests of the live platforms."""
