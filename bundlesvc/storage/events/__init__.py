"""Storage for events, their deliveries, and the webhook endpoints that receive them."""
