"""bundlesvc: the headless API for product bundles that shops host themselves."""
