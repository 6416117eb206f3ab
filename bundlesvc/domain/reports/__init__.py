"""Sales reports: the figures for each bundle and their sums (docs/reports.md)."""
