"""Tests of orders in the engine: the charges for bundles, and the effects of changes to orders."""
