"""bundlesvc: the self-hosted headless API for product bundles."""

__version__ = "0.1.0"
