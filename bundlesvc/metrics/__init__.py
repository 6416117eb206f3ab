"""The page of metrics of all processes, and the metrics that every process has. Adapters and use cases collect their own."""
