"""Tests of orders in the engine: what they charge, and what changes them."""
