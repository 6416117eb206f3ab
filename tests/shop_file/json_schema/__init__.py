"""Tests of the JSON Schema for shop files."""
