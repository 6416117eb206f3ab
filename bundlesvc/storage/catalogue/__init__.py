"""Storage for the contents of shop files (shops, bundles, products), and the writing of a shop file to the database."""
