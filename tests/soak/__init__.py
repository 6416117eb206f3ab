"""A soak test (`scripts/soak`): runs the service for minutes under every kind of load and failure, and reports which of the
service's promises hold."""
