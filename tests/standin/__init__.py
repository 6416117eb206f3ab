"""A stand-in for the live platform, for tests and for developers without a shop. It executes any GraphQL document on a shop's
data with the platform's published schema, query costs and peculiarities."""
