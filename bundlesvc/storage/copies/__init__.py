"""Copies of a whole database into another one, of either kind."""
