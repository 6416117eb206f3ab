"""The tables of stock reminders and of requests concerning shoppers' data."""

from sqlalchemy import BigInteger, Column, Index, String, Table, Text

from bundlesvc.storage.database.tables.columns import RowId, metadata, shop_id_column

stock_reminders = Table(
    "stock_reminders",
    metadata,
    shop_id_column(primary_key=True),
    Column("variant_id", BigInteger, primary_key=True, autoincrement=False),
    Column("email", String(254), primary_key=True),  # in lower case, because addresses are compared case-insensitively
    Column("bundle_name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index(None, "email"),
    Index(None, "created_at"),
)

shopper_requests = Table(  # requests from platforms concerning shoppers' data
    "shopper_requests",
    metadata,
    Column("id", RowId, primary_key=True),
    shop_id_column(),
    Column("kind", String(16), nullable=False),
    Column("subject", String(255), nullable=False),
    Column("reference", String(64)),
    Column("received_at", BigInteger, nullable=False),
    Column("completed_at", BigInteger),
    Index("uq_shopper_requests_reference", "shop_id", "kind", "reference", unique=True),
    sqlite_autoincrement=True,
)
