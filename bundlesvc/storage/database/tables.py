"""The database tables. Each object of a shop file is stored as one JSON document, next to the columns used in queries; data
created by shoppers is stored in columns. Times are whole seconds since 1970, UTC; amounts are decimal strings.

The conditions of partial indexes are defined here for SQLite only. The conditions for PostgreSQL are in the migrations, which
create the tables; defining them here would load the PostgreSQL dialect in every process and slow down startup.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
    text,
)

from bundlesvc.domain.access.usage import KINDS

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite assigns row numbers only if the type of the key is INTEGER; PostgreSQL's sequences can be 64 bits wide.
_RowId = BigInteger().with_variant(Integer, "sqlite")


def _shop_id(*, primary_key: bool = False) -> Column[int]:
    return Column("shop_id", _RowId, ForeignKey("shops.id"), primary_key=primary_key, nullable=False)


def _generation() -> Column[int]:
    """Define the column that identifies the load that wrote a row. Only the rows of the shop's current generation are in use
    (`generations.py`)."""
    return Column("generation", BigInteger, primary_key=True, autoincrement=False, nullable=False, server_default="0")


shops = Table(
    "shops",
    metadata,
    Column("id", _RowId, primary_key=True),
    Column("handle", String(255), nullable=False, unique=True),
    Column("headless_enabled", Boolean, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("document", Text, nullable=False),
    Column("generation", BigInteger, nullable=False, server_default="0"),  # generation of the shop file's current rows
    # The position of the last revision whose events are stored.
    Column("followed_position", BigInteger, nullable=False, server_default="0"),
    Column(
        "times_passed", BigInteger, nullable=False, server_default="0"
    ),  # the starts and ends of bundles up to this time have been processed
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", _RowId, primary_key=True),
    _shop_id(),
    Column("digest", String(64), nullable=False, unique=True),
    Column("prefix", String(16), nullable=False, unique=True),
    Column("label", String(255), nullable=False),
    Column("test", Boolean, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("origins", Text, nullable=False),
    Column("rate_limit", Integer, nullable=False),
    Column("active", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("last_used_at", BigInteger),
    Column("visitor_limit", Integer),
    Column("demo", Boolean, nullable=False, server_default=false()),  # valid in demo mode only
    Index(None, "shop_id"),
)

markets = Table(
    "markets",
    metadata,
    _shop_id(primary_key=True),
    _generation(),
    Column("country_code", String(2), primary_key=True),
    Column("document", Text, nullable=False),
)

products = Table(
    "products",
    metadata,
    _shop_id(primary_key=True),
    _generation(),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("handle", String(255), nullable=False),
    Column("document", Text, nullable=False),
    Index(None, "shop_id", "handle"),
)

variants = Table(
    "variants",
    metadata,
    _shop_id(primary_key=True),
    _generation(),
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("product_id", BigInteger, nullable=False),
)

HAS_TIMES = text("(begins_at IS NOT NULL OR ends_at IS NOT NULL)")
"""The condition for bundles that are published or withdrawn at a set time."""

bundles = Table(
    "bundles",
    metadata,
    _shop_id(primary_key=True),
    _generation(),
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
    _shop_id(primary_key=True),
    _generation(),
    Column("id", String(255), primary_key=True),
    Column("bundle_id", BigInteger, nullable=False),
    Column("document", Text, nullable=False),
)

HAS_ANSWERS = text("""items LIKE '%"properties":{"%'""")
"""The condition for configured bundles with personalisation answers. A shopper's text cannot match by accident, because quotation
marks inside a JSON string are escaped with a backslash."""

configured_bundles = Table(
    "configured_bundles",
    metadata,
    Column("number", _RowId, primary_key=True),  # internal; ascending in the order of configuration
    Column("id", BigInteger, nullable=False, unique=True),
    _shop_id(),
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
    Column("id", _RowId, primary_key=True),
    _shop_id(),
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

ghost_variants = Table(
    "ghost_variants",
    metadata,
    Column("id", _RowId, primary_key=True),
    _shop_id(),
    Column("identity", String(64), nullable=False),
    Column("product_id", BigInteger, nullable=False),
    Column("variant_id", BigInteger, nullable=False),
    Column("last_used_at", BigInteger, nullable=False),
    Column("retired_at", BigInteger),
    Column("confirmed_at", BigInteger, nullable=False, server_default="0"),  # last confirmation by the platform
    Column(
        "marked", Boolean, nullable=False, server_default=text("false")
    ),  # whether anything that its promise depends on has changed
    Column("checked_at", BigInteger, nullable=False, server_default="0"),  # when its promise was last found valid
    Column("check_at", BigInteger, server_default="0"),  # when the next check is due; NULL: never
    Column("claim", String(32)),  # upkeep run holding the row until `check_at`
    Column("broken_at", BigInteger),  # when its promise was first found broken in a market
    Column("bought_at", BigInteger),
    Column("gone_at", BigInteger),  # when its removal from the platform was recorded
    # Only one ghost variant per identity is in use. Retired variants are kept, so that their configured bundles can be looked up.
    Index(
        "uq_ghost_variants_in_use",
        "shop_id",
        "identity",
        unique=True,
        sqlite_where=text("retired_at IS NULL"),
    ),
    Index(None, "shop_id", "product_id", "last_used_at"),
    Index(None, "shop_id", "variant_id"),
    Index(None, "check_at"),
)

ghost_subjects = Table(  # what a ghost variant depends on: its bundle, products and inventory items
    "ghost_subjects",
    metadata,
    _shop_id(primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("subject_id", BigInteger, primary_key=True, autoincrement=False),
    Column("ghost_id", _RowId, ForeignKey("ghost_variants.id"), primary_key=True),
    Index(None, "ghost_id"),
)

catalogue_ghosts = Table(
    "catalogue_ghosts",
    metadata,
    _shop_id(primary_key=True),
    Column("variant_id", BigInteger, primary_key=True, autoincrement=False),
    Column("product_id", BigInteger, nullable=False),
    Column("option_value", String(64), nullable=False),
    Column("price", String(32), nullable=False),
    Column("retired", Boolean, nullable=False),
    Index(
        "uq_catalogue_ghosts_option_value",
        "shop_id",
        "product_id",
        "option_value",
        unique=True,
        sqlite_where=text("NOT retired"),
    ),
)

catalogue_ghost_prices = Table(  # in the currency of the country's market
    "catalogue_ghost_prices",
    metadata,
    _shop_id(primary_key=True),
    Column("variant_id", BigInteger, primary_key=True, autoincrement=False),
    Column("country_code", String(2), primary_key=True),
    Column("price", String(32), nullable=False),
)

ghost_promises = Table(
    "ghost_promises",
    metadata,
    _shop_id(primary_key=True),
    Column("variant_id", BigInteger, primary_key=True, autoincrement=False),
    Column("price_list", String(255), primary_key=True),  # the platform's name for it
    Column("country_code", String(2), nullable=False),
    Column("promise", String(32), nullable=False),  # in shop currency
    Column("price", String(32)),  # in the price list's currency; NULL if the variant has no price of its own there
    Column("priced_at", BigInteger),  # when the platform last accepted the price
)

stock_reminders = Table(
    "stock_reminders",
    metadata,
    _shop_id(primary_key=True),
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
    Column("id", _RowId, primary_key=True),
    _shop_id(),
    Column("kind", String(16), nullable=False),
    Column("subject", String(255), nullable=False),
    Column("reference", String(64)),
    Column("received_at", BigInteger, nullable=False),
    Column("completed_at", BigInteger),
    Index("uq_shopper_requests_reference", "shop_id", "kind", "reference", unique=True),
    sqlite_autoincrement=True,
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    _shop_id(primary_key=True),
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

platform_connections = Table(
    "platform_connections",
    metadata,
    _shop_id(primary_key=True),
    Column("sealed", Text, nullable=False),  # domain, token and secret, encrypted
    Column("connected_at", BigInteger, nullable=False),
)

webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    _shop_id(primary_key=True),
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
    Column("number", _RowId, primary_key=True),
    _shop_id(),
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
    _shop_id(primary_key=True),
    Column("product_id", BigInteger, primary_key=True, autoincrement=False),
    Column("updated_at", BigInteger, primary_key=True, autoincrement=False),
    Column("recorded_at", BigInteger, nullable=False),
    Index(None, "recorded_at"),
)


usage_days = Table(  # no reference to the shop or the key, which may be deleted before their usage is reported
    "usage_days",
    metadata,
    Column("day", BigInteger, primary_key=True, autoincrement=False),  # start of the day, seconds since 1970 (UTC)
    Column("shop", String(255), primary_key=True),
    Column("key_prefix", String(16), primary_key=True),
    *(Column(kind, BigInteger, nullable=False) for kind in KINDS),
)

usage_writers = Table(  # the last batch of each process that counts usage
    "usage_writers",
    metadata,
    Column("writer", String(32), primary_key=True),
    Column("batch", BigInteger, nullable=False),
    Column("written_at", BigInteger, nullable=False),
)

bundle_orders = Table(  # the newest version of each order with bundles
    "bundle_orders",
    metadata,
    _shop_id(primary_key=True),
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
    _shop_id(primary_key=True),
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
    _shop_id(primary_key=True),
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
    _shop_id(primary_key=True),
    Column("since", BigInteger, nullable=False),
    Column("cursor", Text),
    Column("read", BigInteger, nullable=False),
    Column("stored", BigInteger, nullable=False),
    Column("done", Boolean, nullable=False),
)

shop_revisions = Table(  # a shop's revisions; `position` numbers published revisions in publication order
    "shop_revisions",
    metadata,
    _shop_id(primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("state", String(16), nullable=False),
    Column("position", BigInteger),
    Column("base", BigInteger),
    Column("author", String(255), nullable=False),
    Column("source", String(255), nullable=False),
    Column("message", Text, nullable=False),
    Column("version", BigInteger, nullable=False),  # the number of changes to the row and its draft
    Column("created_at", BigInteger, nullable=False),
    Column("published_at", BigInteger),
    Column("publish_at", BigInteger),
    Column("problem", Text),
    Column("tried_at", BigInteger),  # when publishing a scheduled revision last failed
    Index(None, "shop_id", "position", unique=True),
    Index(None, "state", "publish_at"),
)

draft_items = Table(  # changes in drafts, packed, in the format of the shop file; NULL for a deleted item
    "draft_items",
    metadata,
    _shop_id(primary_key=True),
    Column("revision", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(16), primary_key=True),
    Column("name", String(255), primary_key=True),
    Column("base", LargeBinary),
    Column("document", LargeBinary),
)

past_items = Table(  # the packed items that the next revision changed or deleted; NULL for added items
    "past_items",
    metadata,
    _shop_id(primary_key=True),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(16), primary_key=True),
    Column("name", String(255), primary_key=True),
    Column("document", LargeBinary),
)

loaded_files = Table(  # the last load of each shop file: the `items` that differed from the live revision
    "loaded_files",
    metadata,
    _shop_id(primary_key=True),
    Column("name", String(255), primary_key=True),
    Column("revision", BigInteger, nullable=False),
    Column("items", LargeBinary, nullable=False),  # packed JSON
)

audit_entries = Table(
    "audit_entries",
    metadata,
    Column("id", _RowId, primary_key=True),
    _shop_id(),
    Column("at", BigInteger, nullable=False),
    Column("actor", String(255), nullable=False),
    Column("origin", String(255), nullable=False),
    Column("action", String(16), nullable=False),
    Column("revision", BigInteger),
    Column("changes", LargeBinary, nullable=False),  # packed JSON
    Column("complete", Boolean, nullable=False),
    Index(None, "shop_id", "id"),
    Index(None, "at"),
    sqlite_autoincrement=True,  # never reuse the number of a deleted entry
)

open_pages = Table(  # studio pages: who has which bundle open, until the page stops reporting it
    "open_pages",
    metadata,
    _shop_id(primary_key=True),
    Column("page", String(32), primary_key=True),
    Column("label", String(255), nullable=False),
    Column("bundle_id", BigInteger),
    Column("seen_at", BigInteger, nullable=False),
    Index(None, "seen_at"),
)

preview_links = Table(  # links to a bundle in a revision, for people without a key; a revoked link has no row
    "preview_links",
    metadata,
    Column("id", _RowId, primary_key=True),
    _shop_id(),
    Column("revision", BigInteger, nullable=False),
    Column("bundle_id", BigInteger, nullable=False),
    Column("time", String(32), nullable=False),
    Column("key_id", BigInteger, nullable=False),  # the link's creator: the link expires with this key
    Column("actor", String(255), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "shop_id", "expires_at"),
    Index(None, "expires_at"),
    sqlite_autoincrement=True,  # never reuse the number of a deleted link
)

webhook_endpoints = Table(
    "webhook_endpoints",
    metadata,
    Column("id", String(32), primary_key=True),
    _shop_id(),
    Column("url", Text, nullable=False),
    Column("types", String(255), nullable=False),  # event types, separated by spaces
    Column("sealed", Text, nullable=False),  # the secret, encrypted
    Column("created_at", BigInteger, nullable=False),
    Column("disabled", Boolean, nullable=False),
    Index(None, "shop_id"),
)

outgoing_events = Table(
    "outgoing_events",
    metadata,
    Column("number", _RowId, primary_key=True),
    Column("id", String(40), nullable=False, unique=True),
    _shop_id(),
    Column("type", String(32), nullable=False),
    Column("subject", String(80), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("test", Boolean, nullable=False),
    Column("data", Text, nullable=False),
    Column("addressed", Boolean, nullable=False),  # whether its deliveries have been created
    Index("ix_outgoing_events_new", "number", sqlite_where=text("NOT addressed")),
    Index(None, "shop_id", "at"),
    Index(None, "at"),
    sqlite_autoincrement=True,
)

outgoing_deliveries = Table(
    "outgoing_deliveries",
    metadata,
    Column("number", _RowId, primary_key=True),
    Column("event_number", _RowId, ForeignKey("outgoing_events.number"), nullable=False),
    Column("endpoint_id", String(32), ForeignKey("webhook_endpoints.id"), nullable=False),
    _shop_id(),
    Column("subject", String(80), nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("settled_at", BigInteger),
    Column("response", String(255)),  # the status of the last attempt, or the reason for its failure
    Index(None, "event_number", "endpoint_id", unique=True),
    Index("ix_outgoing_deliveries_due", "due_at", "number", sqlite_where=text("state = 'waiting'")),
    Index("ix_outgoing_deliveries_order", "endpoint_id", "subject", "number", sqlite_where=text("state = 'waiting'")),
    Index(None, "shop_id"),
    Index(None, "created_at"),
    sqlite_autoincrement=True,
)

manage_responses = Table(  # responses to management API requests with an idempotency key
    "manage_responses",
    metadata,
    _shop_id(primary_key=True),
    Column("api_key", String(16), primary_key=True),
    Column("method", String(8), primary_key=True),
    Column("path", String(255), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("body_digest", String(64), nullable=False),
    Column("status", Integer, nullable=False),
    Column("etag", String(64)),
    Column("answer", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index(None, "created_at"),
)


bundle_sales = Table(  # each bundle in an order, for reports; amounts in minor units of the order's currency
    "bundle_sales",
    metadata,
    _shop_id(primary_key=True),
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
    _shop_id(primary_key=True),
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
    _shop_id(primary_key=True),
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
    _shop_id(primary_key=True),
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
    _shop_id(primary_key=True),
    Column("secret", String(64), nullable=False),
)

counted_days = Table(  # the days that `configured_days` covers
    "counted_days",
    metadata,
    Column("day", BigInteger, primary_key=True, autoincrement=False),
)
