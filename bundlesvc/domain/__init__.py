"""The pure rules: bundles, selections, prices. No I/O, no clock, and no web, SQL or crypto library."""
