"""The tables of connections to live platforms, and of the changes that platforms report."""

from sqlalchemy import BigInteger, Column, Index, String, Table, Text

from bundlesvc.storage.database.tables.columns import RowId, metadata, shop_id_column

platform_connections = Table(
    "platform_connections",
    metadata,
    shop_id_column(primary_key=True),
    Column("sealed", Text, nullable=False),  # domain, token and secret, encrypted
    Column("connected_at", BigInteger, nullable=False),
)

webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    shop_id_column(primary_key=True),
    Column("delivery", String(255), primary_key=True),
    Column("received_at", BigInteger, nullable=False),
    Column("signature", String(64)),  # a digest of the signature; NULL when the delivery changed nothing
    Column("subject", String(255)),
    Index(None, "received_at"),
    Index("uq_webhook_deliveries_signature", "shop_id", "signature", unique=True),
)

platform_changes = Table(
    "platform_changes",
    metadata,
    Column("number", RowId, primary_key=True),
    shop_id_column(),
    Column("kind", String(32), nullable=False),
    Column("subject_id", BigInteger),
    Column("recorded_at", BigInteger, nullable=False),
    Index(None, "recorded_at"),
    Index(None, "shop_id"),
    sqlite_autoincrement=True,  # never reuse a number: processes remember the last one they have read
)

own_updates = Table(  # when this service itself last changed products
    "own_updates",
    metadata,
    shop_id_column(primary_key=True),
    Column("product_id", BigInteger, primary_key=True, autoincrement=False),
    Column("updated_at", BigInteger, primary_key=True, autoincrement=False),
    Column("recorded_at", BigInteger, nullable=False),
    Index(None, "recorded_at"),
)
