"""Diagnosis: checks the parts that the service needs, and reports each result, with a remedy where something is wrong."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bundlesvc.domain.bundle import NATIVE, Bundle
from bundlesvc.domain.bundle_references import extras, missing, named_products
from bundlesvc.domain.checkout_function import InstalledFunction, InstalledPart, function_faults, key_name
from bundlesvc.domain.connection import OLDER_KEY, UNKNOWN_KEY
from bundlesvc.domain.errors import (
    PlatformFailed,
    PlatformNotConnected,
    PlatformTimeout,
    PlatformUnavailable,
    StorageFull,
    StorageLocked,
    StorageReadOnly,
    StorageUnavailable,
    Unavailable,
)
from bundlesvc.domain.product import ACTIVE, Product
from bundlesvc.domain.shop import EMBEDDED, SUBSCRIPTIONS, Tenant
from bundlesvc.ports import (
    AppInspection,
    CredentialKeys,
    GhostStore,
    LoggedWarnings,
    Platform,
    RedisServer,
    ShopFileStore,
    ShopStore,
    TestedDatabase,
)
from bundlesvc.services.ghost_variants import CROWDED, VARIANTS_PER_PRODUCT

OK, NOTE, FAULT = "ok", "note", "fault"

PLATFORM_FAULTS = (PlatformNotConnected, PlatformUnavailable, PlatformFailed, PlatformTimeout)
"""The errors of a live platform; StorageUnavailable may be raised too."""

_SOME_COUNTRY = "US"
"""Prices in any market show whether the app may read them."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One result. `status`: OK, NOTE (may be intended) or FAULT. `code` names the check, `shop` the shop that it is about;
    `remedy` says how to fix a fault."""

    status: str
    code: str
    sentence: str
    remedy: str = ""
    shop: str | None = None


async def check_redis(redis: RedisServer, warnings: LoggedWarnings) -> AsyncIterator[CheckResult]:
    """Whether Redis can be used."""
    await redis.start()
    if redis.up:
        yield CheckResult(OK, "redis", f"{redis.name} responds")
    await redis.aclose()
    for warning in warnings.take():
        yield CheckResult(FAULT, "redis", warning)


_STORAGE_REMEDIES: Mapping[type[StorageUnavailable], str] = {
    StorageFull: "Free space on its disk, or enlarge it. `bundlesvc db prune` makes room inside the database.",
    StorageReadOnly: "Let the service's user write the file and its folder; for PostgreSQL, name the primary server.",
    StorageLocked: "Find the program that holds the lock, and end it (`fuser -v` with the file).",
}

FEW_BYTES = 64 * 1024 * 1024
"""Fewer free bytes on the database's disk are a problem."""


async def check_writing(
    database: TestedDatabase, free_bytes: int | None, warnings: LoggedWarnings
) -> AsyncIterator[CheckResult]:
    """Whether the database can be written, and has room to grow. Reports problems only."""
    try:
        await database.try_writing()
    except StorageUnavailable as error:
        said = "; ".join(warnings.take()) or str(error)
        yield CheckResult(FAULT, "database", f"{said}.", _STORAGE_REMEDIES.get(type(error), ""))
    if free_bytes is not None and free_bytes < FEW_BYTES:
        sentence = f"the database's disk has {free_bytes // 1024**2} MiB left."
        yield CheckResult(FAULT, "free_space", sentence, _STORAGE_REMEDIES[StorageFull])


async def check_replica(
    primary: ShopStore, replica: ShopStore, cause: Callable[[StorageUnavailable], str]
) -> CheckResult:
    """Whether the read replica responds, and has the shops of the primary server. Without it the service works. `cause`: what
    the replica itself said."""
    shops = {tenant.id: tenant for tenant in await primary.tenants()}
    try:
        copies = {tenant.id: tenant for tenant in await replica.tenants()}
    except StorageUnavailable as error:
        sentence = (
            f"the read replica fails: {cause(error).rstrip('.')}. Shop files are read at the primary server meanwhile"
        )
        return CheckResult(NOTE, "replica", sentence)
    if any(id_ in shops and copy.shop.handle != shops[id_].shop.handle for id_, copy in copies.items()):
        sentence = "the read replica has other shops than the database."
        return CheckResult(FAULT, "replica", sentence, "Name a replica of it in DATABASE_READ_URL, or unset that.")
    old = [
        shop.shop.handle for shop in shops.values() if shop.id not in copies or copies[shop.id].revision < shop.revision
    ]
    if old:
        sentence = f"the read replica has old data of {', '.join(old)}, which are read at the primary server meanwhile"
        return CheckResult(NOTE, "replica", sentence)
    return CheckResult(OK, "replica", "the read replica responds, and has every shop as it is")


def exposed_file(path: str) -> CheckResult:
    """A file of the database that other users of the host can open."""
    return CheckResult(
        FAULT,
        "file_permissions",
        f"{path}: every user of this host may open it.",
        f"Close it, as its owner: chmod o-rwx {path}",
    )


def reason_of(error: Unavailable, tenant: Tenant, warnings: LoggedWarnings) -> str:
    """Why a shop's platform fails: the warnings that were logged, which quote the platform's own words, or the error."""
    logged = warnings.take()
    if logged:
        return f"{'; '.join(logged)}."
    if isinstance(error, PlatformNotConnected):
        return (
            "not connected, or connected with another domain or other BUNDLESVC_SECRET_KEYS. Connect it: "
            f"bundlesvc platform connect --shop {tenant.shop.handle}"
        )
    return f"{tenant.shop.platform.domain}: {error}"


def missing_scopes(scopes: Sequence[str], handle: str) -> CheckResult:
    """The access scopes that the app needs and lacks."""
    noun = "access scope" if len(scopes) == 1 else "access scopes"
    return CheckResult(
        FAULT,
        "access_scopes",
        f"the app lacks the {noun} {', '.join(scopes)}.",
        f"Add them to the app, approve them in the shop, and connect again: bundlesvc platform connect --shop {handle}",
        handle,
    )


def function_results(installed: InstalledFunction, handle: str, discount_keys: Sequence[str]) -> Iterator[CheckResult]:
    """Whether the checkout function can take the discounts of native bundles off that are made with these keys."""
    code = "checkout_function"
    if installed.missing_scopes:
        scopes = ", ".join(installed.missing_scopes)
        sentence = f"the app lacks {scopes}: whether the discounts of native bundles are taken off is unknown."
        yield CheckResult(FAULT, code, sentence, _CONNECT_AGAIN.format(handle=handle), handle)
        return
    faults = list(function_faults(installed, handle, discount_keys))
    for fault in faults:
        steps = [_DEPLOY] * fault.deploy + [_ACTIVATE.format(handle=handle)] * fault.activate
        yield CheckResult(FAULT, code, f"native bundles: {fault.sentence}", " ".join(steps), handle)
    if not faults:
        parts = "; ".join(f"{part.name} {_described(part)}" for part in installed.parts)
        yield CheckResult(OK, code, f"the checkout function is active: {parts}", shop=handle)


_CONNECT_AGAIN = (
    "Add them to the app, approve them in the shop, and connect again: bundlesvc platform connect --shop {handle}"
)
_DEPLOY = "Export it with `bundlesvc platform function export DIR`, and deploy it."
_ACTIVATE = "Activate it: bundlesvc platform function activate --shop {handle}"


def _described(part: InstalledPart) -> str:
    """A part that has no faults: its version, its keys, and whether its failure stops the checkout."""
    keys = ", ".join(map(key_name, part.config.keys)) if part.config else ""
    switch: Mapping[bool | None, str] = {True: ", blockOnFailure on", False: ", blockOnFailure off"}
    return f"{part.version}, keys {keys}{switch.get(part.block_on_failure, '')}"


def _old_secret(handle: str) -> CheckResult:
    sentence = (
        "two client secrets are accepted. When the old one is revoked in the app's settings, drop it: "
        f"bundlesvc platform secret drop --shop {handle}"
    )
    return CheckResult(NOTE, "client_secret", sentence, shop=handle)


@dataclass(frozen=True, slots=True)
class SecretKeys:
    """The secret keys of the service: the keys for discount strings that are derived from them, and what they encrypted."""

    discount_keys: Sequence[str]
    credentials: CredentialKeys


def decryption_remedy(handle: str) -> str:
    """What to do about credentials that no secret key decrypts."""
    return (
        "Add the key that encrypted them to the end of BUNDLESVC_SECRET_KEYS, or connect it again: "
        f"bundlesvc platform connect --shop {handle}"
    )


def _older_key(handle: str) -> CheckResult:
    sentence = (
        "its credentials are encrypted with an older secret key, or by an earlier version. Encrypt them with the first key: "
        "bundlesvc secrets reseal"
    )
    return CheckResult(NOTE, "secret_keys", sentence, shop=handle)


class ShopDiagnosis:
    """Checks every shop, its products, and its live platform. It changes nothing."""

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
        """Every result as soon as it is known. Raises StorageUnavailable."""
        tenants = await self._shops.tenants()
        if not tenants:
            yield CheckResult(FAULT, "shops", "There is no shop yet.", "Load one: bundlesvc load FILE")
        for tenant in tenants:
            async for result in self._shop(tenant):
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

    async def _shop(self, tenant: Tenant) -> AsyncIterator[CheckResult]:
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
        # Only now: renewing a token encrypts the credentials with the first key.
        if await self._secret_keys.credentials.encrypted_with(tenant) == OLDER_KEY:
            yield _older_key(handle)
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
        if access.missing_scopes:
            yield missing_scopes(access.missing_scopes, handle)
        if access.has_old_secret:
            yield _old_secret(handle)
        if not access.may_read:
            return  # the other requests would be refused for the same reason
        products = await self._products(tenant, bundles)
        async for result in self._details(tenant, bundles, products):
            yield result
        if not access.missing_scopes:
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
        async for result in self._function(tenant, bundles):
            yield result

    async def _function(self, tenant: Tenant, bundles: Sequence[Bundle]) -> AsyncIterator[CheckResult]:
        """The checkout function, which only native bundles need."""
        if any(bundle.type == NATIVE for bundle in bundles):
            installed = await self._app.checkout_function(tenant)
            for result in function_results(installed, tenant.shop.handle, self._secret_keys.discount_keys):
                yield result

    async def _products(self, tenant: Tenant, bundles: Sequence[Bundle]) -> Mapping[int, Product]:
        """The products that bundles name."""
        named = {product_id for bundle in bundles for product_id in named_products(bundle)}
        return (await self._platform.products(tenant, sorted(named))).value

    async def _references(
        self, tenant: Tenant, bundles: Sequence[Bundle], products: Mapping[int, Product]
    ) -> AsyncIterator[CheckResult]:
        """The products and variants that bundles name and the platform does not have."""
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
        if webhooks.address:
            sentence = f"webhooks are sent to {webhooks.address}; topics: {webhooks.topics}"
            yield CheckResult(OK, "webhooks", sentence, shop=handle)
        if webhooks.missing_topics:
            yield CheckResult(
                FAULT,
                "webhooks",
                f"not subscribed to {', '.join(webhooks.missing_topics)}: changes show late.",
                f"Subscribe: bundlesvc platform webhooks subscribe --shop {handle} --url https://…",
                handle,
            )

    async def _try_access(self, tenant: Tenant, products: Mapping[int, Product]) -> None:
        """Fetch what needs its own access scope. The platform may refuse it although it lists the scope."""
        for product in list(products.values())[:1]:
            await self._platform.market_prices(tenant, product.variants[:1], _SOME_COUNTRY)
            if tenant.shop.has(SUBSCRIPTIONS):
                await self._platform.selling_plans(tenant, [product.id])
