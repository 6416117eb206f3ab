"""The shop data: tables, engine, repositories, the group-commit writer, migrations, the embedded platform."""
