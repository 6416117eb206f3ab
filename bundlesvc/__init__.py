"""bundlesvc: the headless API for product bundles that shops host themselves."""

__version__ = "0.1.0"
