"""Turns a GraphQL document into a response: checks it, charges its cost in points, and executes it."""
