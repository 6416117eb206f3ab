"""A stand-in for the live platform, for tests and for developers without a shop of their own: it executes any document
against the platform's published schema over a shop's data, at the platform's costs and with its quirks."""
