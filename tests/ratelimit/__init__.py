"""Tests of `bundlesvc.ratelimit`."""
