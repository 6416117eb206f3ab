"""The shop data: the database, a room of stores for each subject, maintenance, and migrations."""
