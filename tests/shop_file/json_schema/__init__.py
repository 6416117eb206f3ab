"""Tests of the JSON Schema of shop files."""
