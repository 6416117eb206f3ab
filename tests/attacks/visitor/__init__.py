"""A visitor of a page, who has its public key: everybody else's bundles."""
