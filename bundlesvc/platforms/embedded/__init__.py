"""The embedded platform, which is the default: products, stock and markets are stored in our own database."""
