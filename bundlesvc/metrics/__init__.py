"""The metrics page, which covers all processes, and the metrics that every process collects. Adapters and use cases collect
metrics of their own."""
