"""Turns a GraphQL document into a response: validates it, charges its cost in points, and executes it."""
