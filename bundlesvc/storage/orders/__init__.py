"""Orders and their verdicts in the database."""
