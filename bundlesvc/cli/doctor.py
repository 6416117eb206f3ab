"""`bundlesvc doctor`: what keeps the service from working, and how to mend it (design 15 and 17)."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence

import click

from bundlesvc.cli.bundle_references import extras, missing, named_products
from bundlesvc.cli.failing import fail
from bundlesvc.cli.live_platform import (
    PLATFORM_FAULTS,
    lacking_scopes,
    lacking_sentence,
    opened_platforms,
    reason_of,
    settings_with_secrets,
)
from bundlesvc.cli.notes import Notes, noting
from bundlesvc.cli.opening import current_database
from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.product import ACTIVE, Product
from bundlesvc.domain.shop import SHOPIFY, SUBSCRIPTIONS, Tenant
from bundlesvc.platforms.shopify.access_scopes import FOR_READING, granted_scopes
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from bundlesvc.platforms.shopify.webhook_subscriptions import missing_topics, subscriptions
from bundlesvc.printable import printable
from bundlesvc.redis_connection import RedisConnection
from bundlesvc.services.ghost_variants import CROWDED, VARIANTS_PER_PRODUCT
from bundlesvc.settings import Settings
from bundlesvc.storage.credentials import SqlCredentialStore
from bundlesvc.storage.database import Database
from bundlesvc.storage.ghost_upkeep import SqlGhostStore
from bundlesvc.storage.private_files import exposed
from bundlesvc.storage.revision_cache import RevisionCache
from bundlesvc.storage.shop_files import SqlShopFileStore
from bundlesvc.storage.shops import SqlShopStore
from bundlesvc.token_cipher import credentials_cipher

_SOME_COUNTRY = "US"
"""Whether market prices can be read at all shows with any."""


@click.command()
def doctor() -> None:
    """Find what keeps the service from working.

    Looks at the database, Redis, the shops and their live platforms, and says how to mend what is wrong. Exit status 1 when
    anything is.
    """
    settings = settings_with_secrets()
    troubles = asyncio.run(_examine(settings))
    if troubles:
        fail(f"{troubles} {'thing is' if troubles == 1 else 'things are'} wrong.")
    click.echo("All is well.")


async def _examine(settings: Settings) -> int:
    """Print every trouble as it is found; how many there are."""
    troubles = 0
    with noting() as notes:
        async for trouble in _troubles(settings, notes):
            click.echo(f"✗ {printable(trouble)}")
            troubles += 1
    return troubles


async def _troubles(settings: Settings, notes: Notes) -> AsyncIterator[str]:
    if settings.redis_url:
        async for trouble in _redis_troubles(settings.redis_url, notes):
            yield trouble
    async with current_database(settings) as database, opened_platforms(settings) as open_platform:
        _tell("the database answers, and its tables are of the newest version")
        for path in exposed(settings.database_file) if settings.database_file else ():
            yield f"{path}: every user of this host may open it. Close it, as its owner: chmod o-rwx {path}"
        platform = open_platform(SqlCredentialStore(database, credentials_cipher(settings.secret_keys)))
        tenants = await SqlShopStore(database, RevisionCache()).tenants()
        if not tenants:
            yield "There is no shop yet. Load one: bundlesvc load FILE"
        for tenant in tenants:
            async for trouble in _shop_troubles(tenant, database, platform, notes):
                yield f"{tenant.shop.handle}: {trouble}"
        for (handle, product_id), count in (await SqlGhostStore(database).counts(CROWDED)).crowded.items():
            yield (
                f"{handle}: the product {product_id} has {count} ghost variants, and {VARIANTS_PER_PRODUCT} variants are all "
                "that a product may have. `bundlesvc ghosts list` shows them; a bundle with fewer combinations needs fewer."
            )


async def _redis_troubles(url: str, notes: Notes) -> AsyncIterator[str]:
    try:
        connection = RedisConnection(url)
    except ValueError as error:
        yield f"REDIS_URL cannot be used: {error}"
        return
    await connection.start()
    if connection.up:
        _tell(f"Redis at {connection.address} answers")
    await connection.aclose()
    for note in notes.take():
        yield note


async def _shop_troubles(
    tenant: Tenant, database: Database, platform: ShopifyPlatform, notes: Notes
) -> AsyncIterator[str]:
    shop_file = await SqlShopFileStore(database).stored(tenant.shop.handle)
    bundles = shop_file.bundles if shop_file else ()
    if not tenant.shop.headless_enabled:
        yield f"not enabled. Enable it: bundlesvc shops enable {tenant.shop.handle}"
    if tenant.shop.platform.kind != SHOPIFY:
        _tell(f"{tenant.shop.handle}: products from its file; bundles: {len(bundles)}")
        return
    try:
        async for trouble in _live_troubles(tenant, bundles, platform):
            yield trouble
    except PLATFORM_FAULTS as error:
        yield reason_of(error, tenant, notes)
    for note in notes.take():
        yield note


async def _live_troubles(tenant: Tenant, bundles: Sequence[Bundle], platform: ShopifyPlatform) -> AsyncIterator[str]:
    await platform.renew_token(tenant)
    await platform.shop(tenant)
    _tell(f"{tenant.shop.handle}: {tenant.shop.platform.domain} answers; bundles: {len(bundles)}")
    lacking = await lacking_scopes(tenant, bundles, platform)
    if lacking:
        yield lacking_sentence(lacking, tenant.shop.handle)
    if not {*FOR_READING}.isdisjoint(lacking):
        return  # what else is asked for would be refused for the same reason
    products = await _products(tenant, bundles, platform)
    gone = await _gone_extras(tenant, bundles, products, platform)
    for bundle in bundles:
        for trouble in missing(bundle, products, gone):
            yield f"bundle {bundle.id} ({bundle.name}): {trouble}"
    async for trouble in _webhook_troubles(tenant, platform):
        yield trouble
    if not lacking:
        await _try_access(tenant, products, platform)


async def _products(tenant: Tenant, bundles: Sequence[Bundle], platform: ShopifyPlatform) -> Mapping[int, Product]:
    """Those that bundles name; the ones that are not sold are told."""
    named = {product_id for bundle in bundles for product_id in named_products(bundle)}
    products = (await platform.products(tenant, sorted(named))).value
    for product in products.values():
        if product.status != ACTIVE:
            _tell(f"{tenant.shop.handle}: {product.title} ({product.id}) is {product.status}: it is not sold", mark="•")
    return products


async def _gone_extras(
    tenant: Tenant, bundles: Sequence[Bundle], products: Mapping[int, Product], platform: ShopifyPlatform
) -> set[int]:
    """The extras of bundles that the platform does not have."""
    known = {variant_id for product in products.values() for variant_id in product.variants_by_id}
    unknown = {variant_id for bundle in bundles for variant_id, _ in extras(bundle)} - known
    found = await asyncio.gather(*(platform.variant(tenant, variant_id) for variant_id in unknown))
    return unknown - {variant.id for variant in found if variant}


async def _webhook_troubles(tenant: Tenant, platform: ShopifyPlatform) -> AsyncIterator[str]:
    """Topics that go to no address of this shop's, or not to that which most go to."""
    found = await subscriptions(await platform.session(tenant))
    path = f"/webhooks/platform/{tenant.shop.handle}"
    addresses = Counter(one.uri for one in found if one.uri.endswith(path)).most_common(1)
    for address, count in addresses:
        _tell(f"{tenant.shop.handle}: tells of changes at {address}; topics: {count}")
    granted = await granted_scopes(await platform.session(tenant))
    if absent := missing_topics(found, addresses[0][0] if addresses else "", granted):
        yield (
            f"not subscribed to {', '.join(absent)}: changes show late. Subscribe: "
            f"bundlesvc platform webhooks subscribe --shop {tenant.shop.handle} --url https://…"
        )


async def _try_access(tenant: Tenant, products: Mapping[int, Product], platform: ShopifyPlatform) -> None:
    """Ask for what needs an access scope of its own: one that is missing all the same is raised, or noted."""
    for product in list(products.values())[:1]:
        await platform.market_prices(tenant, product.variants[:1], _SOME_COUNTRY)
        if tenant.shop.has(SUBSCRIPTIONS):
            await platform.selling_plans(tenant, [product.id])


def _tell(what: str, mark: str = "✓") -> None:
    """Say what is well, or with another mark what may be meant so."""
    click.echo(f"{mark} {printable(what)}")
