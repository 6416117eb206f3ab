"""The contents of shop files and catalogue files, and the products that bundles refer to."""
