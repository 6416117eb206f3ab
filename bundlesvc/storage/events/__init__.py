"""Storage for events, their deliveries, and the endpoints of shops."""
