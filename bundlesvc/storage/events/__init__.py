"""Events, their deliveries, and the endpoints of shops in the database."""
