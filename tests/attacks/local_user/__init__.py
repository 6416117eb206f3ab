"""A local user of the host, and secrets at rest."""
