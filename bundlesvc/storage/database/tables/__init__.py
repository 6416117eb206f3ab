"""The database tables. Each object of a shop file is stored as one JSON document, next to the columns used in queries; data
created by shoppers is stored in columns. Times are whole seconds since 1970, UTC; amounts are decimal strings.

The conditions of partial indexes are defined here for SQLite only. The conditions for PostgreSQL are in the migrations, which
create the tables; defining them here would load the PostgreSQL dialect in every process and slow down startup.
"""

from bundlesvc.storage.database.tables.catalogue import HAS_TIMES, bundles, experiments, markets, products, variants
from bundlesvc.storage.database.tables.columns import metadata
from bundlesvc.storage.database.tables.configured import (
    HAS_ANSWERS,
    configured_bundles,
    idempotency_keys,
    subscriptions,
)
from bundlesvc.storage.database.tables.events import outgoing_deliveries, outgoing_events, webhook_endpoints
from bundlesvc.storage.database.tables.ghosts import (
    catalogue_ghost_prices,
    catalogue_ghosts,
    ghost_promises,
    ghost_subjects,
    ghost_variants,
)
from bundlesvc.storage.database.tables.live_platforms import (
    own_updates,
    platform_changes,
    platform_connections,
    webhook_deliveries,
)
from bundlesvc.storage.database.tables.orders import bundle_orders, order_imports, order_notices, order_verdicts
from bundlesvc.storage.database.tables.reports import (
    bundle_sales,
    configured_days,
    counted_days,
    experiment_visitors,
    order_totals,
    visitor_secrets,
)
from bundlesvc.storage.database.tables.revisions import (
    audit_entries,
    draft_items,
    loaded_files,
    manage_responses,
    open_pages,
    past_items,
    preview_links,
    shop_revisions,
)
from bundlesvc.storage.database.tables.shoppers import shopper_requests, stock_reminders
from bundlesvc.storage.database.tables.shops import api_keys, shops, usage_days, usage_writers

__all__ = [
    "HAS_ANSWERS",
    "HAS_TIMES",
    "api_keys",
    "audit_entries",
    "bundle_orders",
    "bundle_sales",
    "bundles",
    "catalogue_ghost_prices",
    "catalogue_ghosts",
    "configured_bundles",
    "configured_days",
    "counted_days",
    "draft_items",
    "experiment_visitors",
    "experiments",
    "ghost_promises",
    "ghost_subjects",
    "ghost_variants",
    "idempotency_keys",
    "loaded_files",
    "manage_responses",
    "markets",
    "metadata",
    "open_pages",
    "order_imports",
    "order_notices",
    "order_totals",
    "order_verdicts",
    "outgoing_deliveries",
    "outgoing_events",
    "own_updates",
    "past_items",
    "platform_changes",
    "platform_connections",
    "preview_links",
    "products",
    "shop_revisions",
    "shopper_requests",
    "shops",
    "stock_reminders",
    "subscriptions",
    "usage_days",
    "usage_writers",
    "variants",
    "visitor_secrets",
    "webhook_deliveries",
    "webhook_endpoints",
]
