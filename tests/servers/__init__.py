"""Real servers that tests start, stop and fill: PostgreSQL, PgBouncer, Redis."""
