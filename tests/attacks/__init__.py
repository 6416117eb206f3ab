"""Attacks on the running service, by attacker (docs/threat-model.md), one per file. Each test acts as the attacker and checks
that the attack fails."""
