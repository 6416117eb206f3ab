"""Buying in the demo: turns a cart into a test order, and shows its proof and its refund quotes. The demo also works without this
package."""
