"""Attacks on the running service, by attacker (docs/threat-model.md) and one per file: each test does what an attacker would do,
and checks that it fails."""
