"""Tests of `bundlesvc.storage`."""
