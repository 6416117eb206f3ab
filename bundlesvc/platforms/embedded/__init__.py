"""The embedded platform, which is the default: products, stock and markets are stored in the service's own database."""
