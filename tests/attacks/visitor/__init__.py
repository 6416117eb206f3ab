"""A visitor of a page, who has its public key, and wants to read or block the bundles of others."""
