"""Tests of orders in the engine: the charges for them, and the effects of changes."""
