"""Storage of shop data: the database, one package of stores per subject, maintenance, and migrations."""
