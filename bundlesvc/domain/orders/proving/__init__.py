"""The verdicts on an order: the amount promised and the amount charged for each bundle, and why the two amounts differ."""
