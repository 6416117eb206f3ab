"""The metrics page of all processes, and the metrics that every process has. Adapters and use cases collect their own."""
