"""Tests of the adapter for Vendure."""
