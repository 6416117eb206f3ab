"""Buying in the demo: a cart becomes a test order, with its proof and its refund quotes. The demo runs without it."""
