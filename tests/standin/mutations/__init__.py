"""Mutations. A mutation that breaks a business rule changes nothing, and returns the reason in `userErrors`."""
