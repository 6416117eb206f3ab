"""From a GraphQL document to its response: checked, paid for in points, and executed."""
