"""Tests of `bundlesvc.services`."""
