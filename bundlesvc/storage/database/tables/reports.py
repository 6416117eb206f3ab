"""The tables from which reports are computed."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Table

from bundlesvc.storage.database.tables.columns import metadata, shop_id_column

bundle_sales = Table(  # each bundle in an order, for reports; amounts in minor units of the order's currency
    "bundle_sales",
    metadata,
    shop_id_column(primary_key=True),
    Column("order_id", String(64), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("placed_at", BigInteger, nullable=False),
    Column("test", Boolean, nullable=False),
    Column("country", String(2)),
    Column("bundle_id", BigInteger),
    Column("configured_bundle_id", BigInteger, nullable=False),
    # This column and the next five describe the configured bundle. They are NULL when that bundle is not stored.
    Column("configured_at", BigInteger),
    Column("configured_country", String(2)),
    Column("experiment_id", String(255)),
    Column("arm", Integer),
    Column("discount_type", String(32)),
    Column("discount_value", String(32)),
    Column("units", BigInteger, nullable=False),
    Column("currency", String(3), nullable=False),
    Column("revenue", BigInteger, nullable=False),
    Column("discount", BigInteger, nullable=False),
    Column("refunded", BigInteger, nullable=False),
    Index(None, "placed_at"),
    Index(None, "shop_id", "placed_at"),
    Index(None, "shop_id", "configured_at"),
    Index(None, "configured_bundle_id"),
)

order_totals = Table(  # the newest version of every order, with or without a bundle
    "order_totals",
    metadata,
    shop_id_column(primary_key=True),
    Column("order_id", String(64), primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("placed_at", BigInteger, nullable=False),
    Column("test", Boolean, nullable=False),
    Column("cancelled", Boolean, nullable=False),
    Column("with_bundle", Boolean, nullable=False),
    Column("currency", String(3), nullable=False),
    Column("total", BigInteger, nullable=False),  # in minor units
    Column("rate", String(32), nullable=False, server_default="1"),  # order's currency per shop's currency
    Column("visitor", String(32)),  # a hash, as in `experiment_visitors`
    Index(None, "placed_at"),
    Index(None, "shop_id", "visitor"),
    Index("ix_order_totals_sums", "shop_id", "placed_at", "test", "cancelled", "with_bundle", "currency", "total"),
)

configured_days = Table(  # the number of bundles configured on each past day
    "configured_days",
    metadata,
    shop_id_column(primary_key=True),
    Column("test", Boolean, primary_key=True),
    Column("dimension", String(16), primary_key=True),
    Column("day", BigInteger, primary_key=True, autoincrement=False),  # start of the day, seconds since 1970 (UTC)
    Column("bundle_id", BigInteger, primary_key=True, autoincrement=False),
    Column("value", String(300), primary_key=True),  # e.g. a country
    Column("configured", BigInteger, nullable=False),
    Index(None, "day"),
)

experiment_visitors = Table(  # the first arm of an A/B test that a visitor saw
    "experiment_visitors",
    metadata,
    shop_id_column(primary_key=True),
    Column("experiment_id", String(255), primary_key=True),
    Column("test", Boolean, primary_key=True),
    Column("visitor", String(32), primary_key=True),  # a hash of the visitor's id, keyed with the shop's secret
    Column("arm", Integer, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Index(None, "seen_at"),
    Index(None, "shop_id", "visitor"),
)

visitor_secrets = Table(
    "visitor_secrets",
    metadata,
    shop_id_column(primary_key=True),
    Column("secret", String(64), nullable=False),
)

counted_days = Table(  # the days that `configured_days` covers
    "counted_days",
    metadata,
    Column("day", BigInteger, primary_key=True, autoincrement=False),
)
