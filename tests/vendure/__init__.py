"""Tests against the real commerce engine."""
