"""Attacks on the running service, one per file: each test does what an attacker would do, and checks that it fails."""
