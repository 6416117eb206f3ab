"""Checks every shop, its products and its live platform."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from bundlesvc.domain.bundle import NATIVE, Bundle
from bundlesvc.domain.live_platform.connection import OLDER_KEY, UNKNOWN_KEY
from bundlesvc.domain.product import ACTIVE, Product
from bundlesvc.domain.shop import EMBEDDED, SUBSCRIPTIONS, Tenant
from bundlesvc.domain.shop_files.bundle_references import extras, missing, named_products
from bundlesvc.ports import (
    AppInspection,
    CredentialKeys,
    GhostStore,
    LoggedWarnings,
    Platform,
    ShopFileStore,
    ShopStore,
)
from bundlesvc.services.diagnosis.check_result import FAULT, NOTE, OK, CheckResult
from bundlesvc.services.diagnosis.live_platform import (
    PLATFORM_FAULTS,
    checkout_results,
    decryption_remedy,
    fault_result,
    old_secret,
    older_key,
    reason_of,
)
from bundlesvc.services.ghosts.variants import CROWDED, VARIANTS_PER_PRODUCT

_SOME_COUNTRY = "US"
"""An arbitrary country. Fetching its prices shows whether the app may read market prices."""


@dataclass(frozen=True, slots=True)
class SecretKeys:
    """What a diagnosis needs to know about the service's secret keys: the keys derived for discount strings, and which key
    encrypts the credentials of each shop."""

    discount_keys: Sequence[str]
    credentials: CredentialKeys


class ShopDiagnosis:
    """Checks every shop, its products and its live platform. Changes nothing."""

    def __init__(
        self,
        shops: ShopStore,
        shop_files: ShopFileStore,
        ghosts: GhostStore,
        platform: Platform,
        app: AppInspection,
        warnings: LoggedWarnings,
        secret_keys: SecretKeys,
    ) -> None:
        self._shops = shops
        self._shop_files = shop_files
        self._ghosts = ghosts
        self._platform = platform
        self._app = app
        self._warnings = warnings
        self._secret_keys = secret_keys

    async def results(self) -> AsyncIterator[CheckResult]:
        """Yield every result as soon as it is known. Raises StorageUnavailable."""
        tenants = await self._shops.tenants()
        if not tenants:
            yield CheckResult(FAULT, "shops", "There is no shop yet.", "Load one: bundlesvc load FILE")
        for tenant in tenants:
            async for result in self.of_shop(tenant):
                yield result
        for (handle, product_id), count in (await self._ghosts.counts(CROWDED)).crowded.items():
            yield CheckResult(
                FAULT,
                "ghost_variants",
                f"the product {product_id} has {count:,} ghost variants; a product can have {VARIANTS_PER_PRODUCT:,} variants "
                "in all.",
                "List them with `bundlesvc ghosts list`, and let the bundle have fewer combinations.",
                handle,
            )

    async def of_shop(self, tenant: Tenant) -> AsyncIterator[CheckResult]:
        """Check one shop, and yield the results. Raises StorageUnavailable."""
        handle = tenant.shop.handle
        shop_file = await self._shop_files.stored(handle)
        bundles = shop_file.bundles if shop_file else ()
        if not tenant.shop.headless_enabled:
            yield CheckResult(FAULT, "shop", "not enabled.", f"Enable it: bundlesvc shops enable {handle}", handle)
        if tenant.shop.platform.kind == EMBEDDED:
            yield CheckResult(OK, "shop", f"products from its file; bundles: {len(bundles)}", shop=handle)
            return
        if await self._secret_keys.credentials.encrypted_with(tenant) == UNKNOWN_KEY:
            sentence = "no key in BUNDLESVC_SECRET_KEYS decrypts its credentials."
            yield CheckResult(FAULT, "secret_keys", sentence, decryption_remedy(handle), handle)
            return
        try:
            async for result in self._live_shop(tenant, bundles):
                yield result
        except PLATFORM_FAULTS as error:
            yield CheckResult(FAULT, "platform", reason_of(error, tenant, self._warnings), shop=handle)
        # Checked only now, because renewing a token (above) encrypts the credentials with the first key.
        if await self._secret_keys.credentials.encrypted_with(tenant) == OLDER_KEY:
            yield older_key(handle)
        for warning in self._warnings.take():
            yield CheckResult(FAULT, "platform", warning, shop=handle)

    async def _live_shop(self, tenant: Tenant, bundles: Sequence[Bundle]) -> AsyncIterator[CheckResult]:
        handle = tenant.shop.handle
        await self._app.renew_token(tenant)
        await self._platform.shop(tenant)
        yield CheckResult(
            OK, "platform", f"{tenant.shop.platform.domain} responds; bundles: {len(bundles)}", shop=handle
        )
        access = await self._app.access(tenant, bundles)
        for fault in access.faults:
            yield fault_result(fault, handle)
        for sentence in access.notes:
            yield CheckResult(NOTE, "access_scopes", sentence, shop=handle)
        if access.has_old_secret:
            yield old_secret(handle)
        if not access.may_read:
            return  # the other requests would be refused for the same reason
        products = await self._products(tenant, bundles)
        async for result in self._details(tenant, bundles, products):
            yield result
        if not access.faults:
            await self._try_access(tenant, products)

    async def _details(
        self, tenant: Tenant, bundles: Sequence[Bundle], products: Mapping[int, Product]
    ) -> AsyncIterator[CheckResult]:
        handle = tenant.shop.handle
        for product in products.values():
            if product.status != ACTIVE:
                sentence = f"{product.title} ({product.id}) is {product.status}: it is not for sale"
                yield CheckResult(NOTE, "product_status", sentence, shop=handle)
        async for result in self._references(tenant, bundles, products):
            yield result
        async for result in self._webhooks(tenant):
            yield result
        async for result in self._checkout(tenant, bundles):
            yield result

    async def _checkout(self, tenant: Tenant, bundles: Sequence[Bundle]) -> AsyncIterator[CheckResult]:
        """Check that the checkout applies the discounts of native bundles. Bundles of other types do not need this check."""
        if any(bundle.type == NATIVE for bundle in bundles):
            state = await self._app.checkout(tenant, self._secret_keys.discount_keys)
            for result in checkout_results(state, tenant.shop.handle):
                yield result

    async def _products(self, tenant: Tenant, bundles: Sequence[Bundle]) -> Mapping[int, Product]:
        """Fetch the products that bundles refer to, which shows that the platform responds."""
        named = {product_id for bundle in bundles for product_id in named_products(bundle)}
        return (await self._platform.products(tenant, sorted(named))).value

    async def _references(
        self, tenant: Tenant, bundles: Sequence[Bundle], products: Mapping[int, Product]
    ) -> AsyncIterator[CheckResult]:
        """Yield a fault for each product or variant that a bundle refers to but the platform does not have."""
        known = {variant_id for product in products.values() for variant_id in product.variants_by_id}
        unknown = {variant_id for bundle in bundles for variant_id, _ in extras(bundle)} - known
        found = await asyncio.gather(*(self._platform.variant(tenant, variant_id) for variant_id in unknown))
        gone = unknown - {variant.id for variant in found if variant}
        for bundle in bundles:
            for sentence in missing(bundle, products, gone):
                named = f"bundle {bundle.id} ({bundle.name}): {sentence}"
                yield CheckResult(FAULT, "bundle_references", named, shop=tenant.shop.handle)

    async def _webhooks(self, tenant: Tenant) -> AsyncIterator[CheckResult]:
        handle = tenant.shop.handle
        webhooks = await self._app.webhooks(tenant, f"/webhooks/platform/{handle}")
        if webhooks.sentence:
            yield CheckResult(OK, "webhooks", webhooks.sentence, shop=handle)
        for fault in webhooks.faults:
            yield fault_result(fault, handle)

    async def _try_access(self, tenant: Tenant, products: Mapping[int, Product]) -> None:
        """Fetch data that needs separate scopes, because a platform may refuse such data even if it lists the scope as
        granted."""
        for product in list(products.values())[:1]:
            await self._platform.market_prices(tenant, product.variants[:1], _SOME_COUNTRY)
            if tenant.shop.has(SUBSCRIPTIONS):
                await self._platform.selling_plans(tenant, [product.id])
