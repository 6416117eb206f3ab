"""Quotes refunds for the command line, from the current state of the shop's platform. Works without a running service."""

from collections.abc import Mapping

from bundlesvc.cli.environment.secret_settings import settings_with_secrets
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.refunds.refund_quote import KEEP_RULES, QuotedLine
from bundlesvc.domain.shop import EMBEDDED, Tenant
from bundlesvc.live_platforms import engine_parts, opened_engines, uncached
from bundlesvc.platforms.embedded.platform import EmbeddedPlatform
from bundlesvc.ports import Platform
from bundlesvc.services.orders.refunds import RefundQuotes
from bundlesvc.services.price_selection import PriceSelection
from bundlesvc.settings.environment import Settings
from bundlesvc.storage.catalogue.revision_cache import RevisionCache
from bundlesvc.storage.catalogue.shops import SqlShopStore
from bundlesvc.storage.configured.bundles import SqlConfiguredStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.storage.orders.orders import SqlOrderStore
from bundlesvc.system import SystemClock
from bundlesvc.token_cipher import credentials_cipher

Quoted = tuple[Order, tuple[QuotedLine, ...]]


async def quote_with_rules_of_today(
    database: Database, tenant: Tenant, order_id: str, returns: Mapping[str, int], policy: str
) -> Quoted:
    """Quote the refund for the returned lines under the shop's current rules. Returns the quote and the order. Raises what
    `RefundQuotes.quote` raises."""
    cache = RevisionCache()

    async def quote(platform: Platform) -> Quoted:
        quotes = RefundQuotes(
            SqlOrderStore(database),
            SqlConfiguredStore(database),
            SqlShopStore(database, cache),
            PriceSelection(platform, Settings.price_max_age),
        )
        return await quotes.quote(tenant, order_id, returns, policy)

    if tenant.shop.platform.kind == EMBEDDED or policy != KEEP_RULES:
        return await quote(EmbeddedPlatform(database, cache))
    settings = settings_with_secrets()
    connections = SqlCredentialStore(database, credentials_cipher(settings.secret_keys))
    async with opened_engines(engine_parts(settings, connections, None, SystemClock())) as engines:
        return await quote(uncached(engines))
