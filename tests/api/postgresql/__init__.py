"""Tests of the API on PostgreSQL."""
