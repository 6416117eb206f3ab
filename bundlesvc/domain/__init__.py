"""The business rules for bundles, selections and prices, as pure code: no I/O, no clock, and no web, SQL or crypto library."""
