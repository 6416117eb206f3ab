"""What shop files and catalogue files describe, and the products that bundles refer to."""
