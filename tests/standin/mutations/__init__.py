"""Mutations. One that breaks a business rule does nothing, and returns the reason in `userErrors`."""
