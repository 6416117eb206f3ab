"""The shop data: tables, databases, stores, the group-commit writer, migrations."""
