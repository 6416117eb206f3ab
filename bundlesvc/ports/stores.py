"""Ports of the database."""

from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from typing import Protocol

from bundlesvc.domain.access.key import ApiKey, KeyLimits
from bundlesvc.domain.access.usage import UsageBatch
from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.configured import BundleRef, ConfiguredBundle, RecordedIds, StoredBundle, StoredSelection
from bundlesvc.domain.ghosts.prices import MarketPromise
from bundlesvc.domain.ghosts.variant import Claim, Ghost, GhostCounts, PromiseChecks, Room
from bundlesvc.domain.idempotency import IdempotencyKey, StoredResponse
from bundlesvc.domain.live_platform.platform_change import Delivery, NumberedChange, ProductUpdate
from bundlesvc.domain.shop import Tenant
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.domain.shopper import ReceivedRequest, Shopper


class ShopStore(Protocol):
    """Shops and their bundles, to read. Raises StorageUnavailable."""

    async def tenants(self, shop_ids: Collection[int] | None = None) -> Sequence[Tenant]:
        """All shops, or those with these row ids."""

    async def revisions(self) -> Mapping[int, int]:
        """The revision of every shop, by row id. Cheap: it is read once a second."""

    async def bundle(self, tenant: Tenant, bundle_id: int) -> Bundle | None: ...

    async def published_bundles(self, tenant: Tenant, limit: int) -> Sequence[Bundle]:
        """The published bundles, in ascending order of ids."""

    async def published_ids(self, tenant: Tenant, product_id: int | None = None) -> Sequence[int]:
        """The ids of all published bundles, or of those with this product on the platform, in ascending order."""

    async def bundles(self, tenant: Tenant, bundle_ids: Sequence[int]) -> Sequence[Bundle]:
        """The bundles in the order of their ids in the list. Unknown ones are left out."""

    async def bundle_of_product(self, tenant: Tenant, product_id: int) -> Bundle | None:
        """The published bundle with this product on the platform; of several, the one with the lowest id."""

    async def is_item(self, tenant: Tenant, product_id: int) -> bool:
        """Whether any bundle, published or not, contains this product."""

    async def experiments(self, tenant: Tenant) -> Sequence[Experiment]: ...

    async def ping(self) -> None:
        """Return when the database responds. Raises StorageUnavailable also when writes have failed since the last success,
        for a reason that does not pass by itself."""


class BundleTimes(Protocol):
    """The times at which bundles begin and end. Raises StorageUnavailable."""

    async def pass_times(self, tenant: Tenant) -> None:
        """Have the ghost variants of the bundles checked that began or ended until the tenant's phase, once over all
        processes."""


class ShopFileStore(Protocol):
    """Whole shops, as shop files describe them."""

    async def stored(self, handle: str) -> ShopFile | None: ...

    async def replace(self, shop_file: ShopFile) -> bool:
        """Make the stored shop equal to the file, all at once, and raise its revision (docs/contract.md#shop-files).

        Returns False, and writes nothing, when nothing changed; the order of the lists has no meaning.
        """


class KeyStore(Protocol):
    """API keys. Raises StorageUnavailable."""

    async def active_keys(self, shop_ids: Collection[int] | None = None) -> Sequence[ApiKey]:
        """All active keys, or those of these shops."""

    async def active_key(self, digest: str) -> ApiKey | None: ...

    async def touch_keys(self, last_used: Mapping[int, int]) -> None:
        """Write last-used times (seconds since 1970) by key id."""


class UsageStore(Protocol):
    """The usage of keys by day. Raises StorageUnavailable."""

    async def add(self, batch: UsageBatch, now: int) -> None:
        """Add what a process counted. A batch that was added before adds nothing."""


class KeyAdmin(Protocol):
    """The management of keys and shops by an operator."""

    async def tenant(self, handle: str) -> Tenant | None: ...

    async def add_key(self, key: ApiKey) -> None: ...

    async def keys(self) -> Sequence[tuple[str, ApiKey]]:
        """Every key with its shop's handle, oldest first."""

    async def revoke_key(self, prefix: str) -> bool:
        """Revoke a key. Returns whether there was an active one with this prefix."""

    async def set_origins(self, prefix: str, origins: Sequence[str]) -> bool: ...

    async def set_limits(self, prefix: str, limits: KeyLimits) -> bool: ...

    async def set_headless(self, handle: str, *, enabled: bool) -> bool: ...


class ConfiguredStore(Protocol):
    """Configured bundles, ghost variants and stored responses. Raises StorageUnavailable."""

    async def stored_response(self, tenant: Tenant, key: IdempotencyKey, now: int) -> StoredResponse | None:
        """The response stored for this key. Raises IdempotencyKeyReused when it was stored for another body."""

    async def newest_of_ghost(self, tenant: Tenant, variant_id: int, bundle_id: int) -> StoredBundle | None:
        """The newest configured bundle of a bundle behind a ghost variant, in use or retired."""

    async def look_up(self, tenant: Tenant, refs: Sequence[BundleRef]) -> Sequence[StoredBundle]:
        """The configured bundles, in the order of `refs`, in one query. Unknown ones are left out."""

    async def unique_id(self, tenant: Tenant, configured_bundle_id: int) -> str | None:
        """The unique id in the cart lines of a configured bundle."""

    async def selection(self, tenant: Tenant, configured_bundle_id: int) -> StoredSelection | None:
        """The stored selection of a configured bundle."""

    async def expire(self, now: int) -> None:
        """Delete expired stored responses."""

    async def ghost(self, tenant: Tenant, identity: str) -> Ghost | None:
        """The ghost variant in use for this identity."""

    async def make_room(self, tenant: Tenant, product_id: int, limit: int, unused_since: int, now: int) -> Room:
        """Retire ghost variants of a product that has at least `limit` of them: a tenth of the limit, those never bought first,
        then the least recently used, none used after `unused_since`. Nobody gets them any more, but look-ups still find
        them."""

    async def removed(self, claim: Claim, now: int) -> None:
        """Record that the platform removed the retired ghost variants of a claim."""

    async def revive_ghosts(self, claim: Claim, now: int) -> None:
        """Put the retired ghost variants of a claim back into use, because the platform did not remove them. One whose
        identity has a newer ghost variant by now stays retired."""

    async def record(
        self,
        tenant: Tenant,
        configured: ConfiguredBundle,
        cart_variant: int | Ghost,
        key: IdempotencyKey | None,
        render: Callable[[RecordedIds], bytes],
    ) -> StoredResponse:
        """Store everything of one configure request in one durable transaction, with its rendered response under `key`.

        When another request with the same key came first, nothing is stored and its response is returned. Raises
        IdempotencyKeyReused and GhostRetired; then nothing is stored either.
        """


class GhostRetired(Exception):
    """The ghost variant was retired or replaced since it was looked up: look it up again."""


class GhostStore(Protocol):
    """Ghost variants to check and remove. Raises StorageUnavailable."""

    async def claim_due(self, now: int, limit: int) -> Claim:
        """Claim ghost variants to check or remove, those that have waited longest first."""

    async def settle(self, shop_id: int, claim: Claim, verdicts: PromiseChecks, now: int, grace: int) -> Claim:
        """Record a check. A broken promise retires a ghost variant `grace` seconds after its last use; a promise broken in a
        market does so `grace` seconds after that was found, because home shoppers may still use it. Returns the retired
        ones, which stay claimed."""

    async def removed(self, claim: Claim, now: int) -> None:
        """Record that the platform removed the retired ghost variants of a claim."""

    async def counts(self, crowded: int) -> GhostCounts: ...


class MarketPromiseStore(Protocol):
    """The promised prices of ghost variants in markets: one on each price list, which never changes. Raises
    StorageUnavailable."""

    async def find(self, tenant: Tenant, variant_id: int, price_list: str) -> MarketPromise | None: ...

    async def add(self, tenant: Tenant, variant_id: int, price_list: str, promise: MarketPromise) -> MarketPromise:
        """Store a promise unless there is one. Returns the stored one: of several added at once, the first."""

    async def priced(self, tenant: Tenant, variant_id: int, price_list: str, price: Decimal, now: int) -> None:
        """Record that the platform has set a price."""

    async def all_of(self, tenant: Tenant, variant_id: int) -> Sequence[MarketPromise]:
        """Every promise of a ghost variant."""


class ReminderStore(Protocol):
    """Stock reminders. Raises StorageUnavailable."""

    async def add_reminder(self, tenant: Tenant, variant_id: int, email: str, bundle_name: str, now: int) -> bool:
        """Store a reminder. Returns whether it was new; addresses are compared case-insensitively."""


class ShopperStore(Protocol):
    """Shoppers' data. Raises StorageUnavailable."""

    async def erase(self, shopper: Shopper) -> Mapping[str, int]:
        """Erase everything that is stored of a shopper, with the requests to do so. Returns the number of each kind."""

    async def delete_shop(self, tenant: Tenant) -> None:
        """Delete a shop that its platform has disconnected, with everything that is stored of it."""


class ShopperRequestStore(Protocol):
    """Platforms' requests about shoppers' data. Raises StorageUnavailable."""

    async def open(self) -> Sequence[ReceivedRequest]:
        """The requests that are not completed, oldest first."""

    async def close(self, request_id: int) -> None:
        """Delete a request."""


class OwnUpdates(Protocol):
    """When the service itself last changed each product, for every process to read. Raises StorageUnavailable."""

    async def add(self, tenant: Tenant, update: ProductUpdate, now: int) -> None: ...

    async def includes(self, tenant: Tenant, update: ProductUpdate) -> bool: ...


class ChangeLog(Protocol):
    """The changes that webhooks reported, for every process to read. Raises StorageUnavailable."""

    async def record(self, tenant: Tenant, delivery: Delivery, now: int) -> bool:
        """Record a delivery and its changes in one transaction. Returns whether it was new: one whose signature came before
        under another id is not. Of one of our own, only the delivery is recorded. Raises SignatureInvalid when the signature
        came before for another subject."""

    async def after(self, number: int) -> Sequence[NumberedChange]:
        """The changes with higher numbers, in ascending order."""

    async def expire(self, now: int) -> None:
        """Delete deliveries, changes and own updates that are no longer needed."""
