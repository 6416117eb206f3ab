"""Work that looks first, and acts on what it saw.

SQLite has one writer at a time. PostgreSQL has many, and what one of them read may have changed by its next statement
(READ COMMITTED). So work relies on a unique index (who comes second is done again, see `Conflict`), on a condition that
the changing statement itself repeats, or on one of these, called before the first look.
"""

from sqlalchemy import Connection, Table, select, text

from bundlesvc.storage.tables import shops


def take_turns(connection: Connection, shop_id: int) -> None:
    """From here on, only one such work at a time goes on for a shop. Others that write for the shop are not held up, except
    those that change its row."""
    connection.execute(select(shops.c.id).where(shops.c.id == shop_id).with_for_update(key_share=True))


def append_in_order(connection: Connection, table: Table) -> None:
    """From here on, only one work at a time adds rows to a table, so that who has seen a number has seen all below it."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"LOCK TABLE {table.name} IN SHARE ROW EXCLUSIVE MODE"))
