"""Buying in the demo: turns a cart into a test order, and shows the verdicts on the order and its refund quotes. The demo also
works without this package."""
