"""Attacks on the running service, one a file: each test does what the attacker did, and holds what must happen instead."""
