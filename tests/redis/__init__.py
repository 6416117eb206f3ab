"""Tests of `bundlesvc.redis`."""
