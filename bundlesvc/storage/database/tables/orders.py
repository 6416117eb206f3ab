"""The tables of orders with bundles, and of the verdicts on these bundles."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, String, Table, Text

from bundlesvc.storage.database.tables.columns import metadata, shop_id_column

bundle_orders = Table(  # the newest version of each order with bundles
    "bundle_orders",
    metadata,
    shop_id_column(primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("digest", String(64), nullable=False),  # SHA-256 of the content: a repeated version must be identical
    Column("placed_at", BigInteger, nullable=False),
    Column("test", Boolean, nullable=False),
    Column("visitor_id", String(36)),
    Column("document", Text, nullable=False),
    Index(None, "placed_at"),
    Index(None, "shop_id", "placed_at", "id"),
)

order_verdicts = Table(  # the verdict on each bundle in an order; amounts in minor units of the order's currency
    "order_verdicts",
    metadata,
    shop_id_column(primary_key=True),
    Column("order_id", String(64), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("configured_bundle_id", BigInteger, nullable=False),
    Column("bundle_id", BigInteger),
    Column("outcome", String(16), nullable=False),
    Column("cause", String(32)),
    Column("reason", String(32)),
    Column("charged", BigInteger, nullable=False),
    Column("promised", BigInteger),
    Column("line_ids", Text, nullable=False),
    Column("placed_at", BigInteger, nullable=False),
    Column("delivery", String(8)),  # for a subscription: the first delivery or a renewal
    Index(None, "placed_at"),
    Index(None, "configured_bundle_id"),
)

order_notices = Table(  # orders and contracts of live platforms that are yet to be read
    "order_notices",
    metadata,
    shop_id_column(primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("subject", String(64), primary_key=True),
    Column("number", BigInteger, nullable=False),  # incremented by each notice, so that a newer one is recognised
    Column("attempts", Integer, nullable=False),
    Column("received_at", BigInteger, nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Index(None, "due_at"),
)

order_imports = Table(  # the progress of importing a shop's orders
    "order_imports",
    metadata,
    shop_id_column(primary_key=True),
    Column("since", BigInteger, nullable=False),
    Column("cursor", Text),
    Column("read", BigInteger, nullable=False),
    Column("stored", BigInteger, nullable=False),
    Column("done", Boolean, nullable=False),
)
