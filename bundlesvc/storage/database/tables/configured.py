"""The tables of configured bundles, their subscriptions, and the responses stored under idempotency keys."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text, text

from bundlesvc.storage.database.tables.columns import RowId, metadata, shop_id_column

HAS_ANSWERS = text("""items LIKE '%"properties":{"%'""")
"""The condition for configured bundles with personalisation answers. A shopper's text cannot match by accident, because quotation
marks inside a JSON string are escaped with a backslash."""

configured_bundles = Table(
    "configured_bundles",
    metadata,
    Column("number", RowId, primary_key=True),  # internal; ascending in the order of configuration
    Column("id", BigInteger, nullable=False, unique=True),
    shop_id_column(),
    Column("bundle_id", BigInteger, nullable=False),
    Column("bundle_type", String(32), nullable=False),
    Column("title", Text, nullable=False),
    Column("product_id", BigInteger, nullable=False),
    Column("variant_id", BigInteger, nullable=False),
    Column("country", String(2)),
    Column("test", Boolean, nullable=False),
    Column("unique_id", String(32), nullable=False),
    Column("original", String(32), nullable=False),
    Column("discounted", String(32), nullable=False),
    Column("discount_type", String(32), nullable=False),
    Column("discount_value", String(32), nullable=False),
    Column("currency", String(3), nullable=False),
    Column("items", Text, nullable=False),
    Column("visitor_id", String(36)),
    Column("experiment_id", String(255)),
    Column("arm", Integer),
    Column("configured_at", BigInteger, nullable=False),
    Index(None, "shop_id", "variant_id", "number"),
    Index(None, "configured_at"),
    # For finding texts that shoppers wrote: contains only the few configured bundles with answers to personalisation fields,
    # oldest first.
    Index(
        "ix_configured_bundles_answers",
        "configured_at",
        "number",
        sqlite_where=HAS_ANSWERS,
    ),
)

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("id", RowId, primary_key=True),
    shop_id_column(),
    Column("configured_bundle_id", BigInteger, ForeignKey("configured_bundles.id"), nullable=False, unique=True),
    Column("group_id", BigInteger, nullable=False),
    Column("frequency", BigInteger, nullable=False),
    Column("unit", String(8), nullable=False),
    Column("email", String(254), nullable=False),
    Column("status", String(16), nullable=False),
    Column("next_date", String(10)),
    Column("created_at", BigInteger, nullable=False),
    Column("order_id", String(64)),  # the first order
    Column("contract", String(64)),  # on a live platform
    Column("ended", String(16)),  # the status with which the contract ended
    Index(None, "shop_id", "status"),
    Index(None, "shop_id", "contract"),
    Index(None, "created_at"),
    sqlite_autoincrement=True,
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    shop_id_column(primary_key=True),
    Column("test", Boolean, primary_key=True),
    Column("method", String(8), primary_key=True),
    Column("path", String(255), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("body_digest", String(64), nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("encoding", String(16), nullable=False, server_default="identity"),  # see response_encoding.py
    Column("configured_bundle_id", BigInteger, ForeignKey("configured_bundles.id"), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index(None, "created_at"),
    Index(None, "configured_bundle_id"),
)
