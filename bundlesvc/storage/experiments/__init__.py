"""Storage for which visitors saw which arm of an A/B test, and what they bought."""
