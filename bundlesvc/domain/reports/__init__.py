"""Sales reports: the figures for each bundle and their totals (docs/reports.md)."""
