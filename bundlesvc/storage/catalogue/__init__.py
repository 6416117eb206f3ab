"""Storage for the contents of shop files (shops, bundles, products), and the code that writes a shop file to the database."""
