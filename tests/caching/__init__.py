"""Tests of `bundlesvc.caching`."""
