"""Buying in the demo: turn a cart into a test order, with its proof and its refund quotes. The demo also works without it."""
