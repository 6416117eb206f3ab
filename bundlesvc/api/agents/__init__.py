"""The bundles of a shop for shopping assistants: tools over the Model Context Protocol (docs/agents.md).

The tools call the use cases that the API calls, with its keys, limits and refusals. Nothing else imports this package, which
`app.py` mounts.
"""
