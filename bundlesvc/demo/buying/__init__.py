"""Buying in the demo: turns a cart into a test order, shows the verdict on each bundle in the order, and quotes refunds. The demo
also works without this package."""
