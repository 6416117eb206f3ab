"""The metadata of all tables, and the columns that many tables share."""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, MetaData

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite assigns row numbers only if the type of the key is INTEGER; PostgreSQL's sequences can be 64 bits wide.
RowId = BigInteger().with_variant(Integer, "sqlite")


def shop_id_column(*, primary_key: bool = False) -> Column[int]:
    """Define the column that names the shop to which a row belongs."""
    return Column("shop_id", RowId, ForeignKey("shops.id"), primary_key=primary_key, nullable=False)


def generation_column() -> Column[int]:
    """Define the column that identifies the load that wrote a row. Only the rows of the shop's current generation are in use
    (`generations.py`)."""
    return Column("generation", BigInteger, primary_key=True, autoincrement=False, nullable=False, server_default="0")
