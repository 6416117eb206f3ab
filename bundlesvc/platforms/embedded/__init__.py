"""The embedded platform, which is the default: products, stock and markets in our own database."""
