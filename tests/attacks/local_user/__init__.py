"""Attacks on secrets at rest, for instance by a local user of the host."""
