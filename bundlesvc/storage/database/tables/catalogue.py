"""The tables of a shop's markets, products, bundles and A/B tests."""

from sqlalchemy import BigInteger, Boolean, Column, Index, String, Table, Text, text

from bundlesvc.storage.database.tables.columns import generation_column, metadata, shop_id_column

markets = Table(
    "markets",
    metadata,
    shop_id_column(primary_key=True),
    generation_column(),
    Column("country_code", String(2), primary_key=True),
    Column("document", Text, nullable=False),
)

products = Table(
    "products",
    metadata,
    shop_id_column(primary_key=True),
    generation_column(),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("handle", String(255), nullable=False),
    Column("document", Text, nullable=False),
    Index(None, "shop_id", "handle"),
)

variants = Table(
    "variants",
    metadata,
    shop_id_column(primary_key=True),
    generation_column(),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("product_id", BigInteger, nullable=False),
)

HAS_TIMES = text("(begins_at IS NOT NULL OR ends_at IS NOT NULL)")
"""The condition for bundles that are published or withdrawn at a set time."""

bundles = Table(
    "bundles",
    metadata,
    shop_id_column(primary_key=True),
    generation_column(),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("published", Boolean, nullable=False),
    Column("product_id", BigInteger),
    Column("document", Text, nullable=False),
    Column("begins_at", BigInteger),  # when a bundle becomes available; NULL: always
    Column("ends_at", BigInteger),
    Index(None, "shop_id", "product_id"),
    Index("ix_bundles_times", "shop_id", sqlite_where=HAS_TIMES),
)

experiments = Table(
    "experiments",
    metadata,
    shop_id_column(primary_key=True),
    generation_column(),
    Column("id", String(255), primary_key=True),
    Column("bundle_id", BigInteger, nullable=False),
    Column("document", Text, nullable=False),
)
