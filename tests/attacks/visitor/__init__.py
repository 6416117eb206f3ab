"""Attacks by a visitor of a page, who has its public key and wants to read or block other shoppers' bundles."""
