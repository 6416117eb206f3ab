"""Attacks by a visitor to a page, who has the page's public key and wants to read or block other shoppers' bundles."""
