"""Storage for ghost variants: their records, promised prices, checks and retirement."""
