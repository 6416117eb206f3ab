"""Pure rules: bundles, selections, prices. No I/O, no clock, no web, SQL or crypto library."""
