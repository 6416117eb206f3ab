"""Tests of what runs in a shopper's browser; Node stands in for it."""
