"""The shop data: the database, a package of stores per subject, maintenance, and migrations."""
