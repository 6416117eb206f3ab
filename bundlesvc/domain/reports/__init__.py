"""Sales reports: the figures of bundles and their sums (docs/reports.md)."""
