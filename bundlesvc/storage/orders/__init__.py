"""Storage for orders and their verdicts."""
