"""A stand-in for the live platform, for tests and for developers without a shop. It executes any GraphQL document against a
shop's data and the platform's published schema, with the platform's query costs and peculiarities."""
