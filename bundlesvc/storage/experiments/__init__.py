"""Storage for the arms of A/B tests that visitors saw, and for the orders that they placed."""
