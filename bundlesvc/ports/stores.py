"""The ports through which the services use the database."""

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
    """Reads shops and their bundles. Raises StorageUnavailable."""

    async def tenants(self, shop_ids: Collection[int] | None = None) -> Sequence[Tenant]:
        """Return all shops, or those with these row ids."""

    async def revisions(self) -> Mapping[int, int]:
        """Return the revision of every shop, by row id. Must be cheap, because it is called once a second."""

    async def bundle(self, tenant: Tenant, bundle_id: int) -> Bundle | None: ...

    async def published_bundles(self, tenant: Tenant, limit: int) -> Sequence[Bundle]:
        """Return up to `limit` published bundles, in ascending order of id."""

    async def published_ids(self, tenant: Tenant, product_id: int | None = None) -> Sequence[int]:
        """Return the ids of all published bundles, or only of those linked to this product on the platform, in ascending
        order."""

    async def bundles(self, tenant: Tenant, bundle_ids: Sequence[int]) -> Sequence[Bundle]:
        """Return bundles in the order of `bundle_ids`. Unknown ids are skipped."""

    async def bundle_of_product(self, tenant: Tenant, product_id: int) -> Bundle | None:
        """Return the published bundle that is linked to this product on the platform; if there are several, the one with the
        lowest id."""

    async def is_item(self, tenant: Tenant, product_id: int) -> bool:
        """Whether any bundle, published or not, contains this product."""

    async def experiments(self, tenant: Tenant) -> Sequence[Experiment]: ...

    async def ping(self) -> None:
        """Wait for a response from the database. Raises StorageUnavailable when there is none, or when writes have been failing
        for a reason that needs intervention."""


class BundleTimes(Protocol):
    """Marks ghost variants for a check when the sale of their bundle begins or ends. Raises StorageUnavailable."""

    async def pass_times(self, tenant: Tenant) -> None:
        """Mark the ghost variants of bundles whose sale had begun or ended by the start of the tenant's phase, so that they are
        checked. Beginnings and ends that were handled earlier are skipped, and each is handled by only one process."""


class ShopFileStore(Protocol):
    """Stores whole shops, in the form that shop files describe."""

    async def stored(self, handle: str) -> ShopFile | None: ...

    async def replace(self, shop_file: ShopFile) -> bool:
        """Make the stored shop equal to the file, in one transaction, and increment its revision (docs/contract.md#shop-files).

        Returns False, and writes nothing, when nothing changed. The order of lists is not significant.
        """


class KeyStore(Protocol):
    """Stores API keys. Raises StorageUnavailable."""

    async def active_keys(self, shop_ids: Collection[int] | None = None) -> Sequence[ApiKey]:
        """Return all active keys, or only those of these shops."""

    async def active_key(self, digest: str) -> ApiKey | None: ...

    async def touch_keys(self, last_used: Mapping[int, int]) -> None:
        """Store the last-used times (seconds since 1970), by key id."""


class UsageStore(Protocol):
    """Stores the daily usage of keys. Raises StorageUnavailable."""

    async def add(self, batch: UsageBatch, now: int) -> None:
        """Add the usage that a process counted. A batch that was already added is ignored."""


class KeyAdmin(Protocol):
    """Manages keys and shops for an operator."""

    async def tenant(self, handle: str) -> Tenant | None: ...

    async def add_key(self, key: ApiKey) -> None: ...

    async def keys(self) -> Sequence[tuple[str, ApiKey]]:
        """Return every key with its shop's handle, oldest first."""

    async def revoke_key(self, prefix: str) -> bool:
        """Revoke the active key with this prefix. Returns False when no such key exists."""

    async def set_origins(self, prefix: str, origins: Sequence[str]) -> bool: ...

    async def set_limits(self, prefix: str, limits: KeyLimits) -> bool: ...

    async def set_headless(self, handle: str, *, enabled: bool) -> bool: ...


class ConfiguredStore(Protocol):
    """Stores configured bundles, ghost variants and responses to configure requests. Raises StorageUnavailable."""

    async def stored_response(self, tenant: Tenant, key: IdempotencyKey, now: int) -> StoredResponse | None:
        """Return the response stored for this key. Raises IdempotencyKeyReused when it was stored for a different body."""

    async def newest_of_ghost(self, tenant: Tenant, variant_id: int, bundle_id: int) -> StoredBundle | None:
        """Return the newest configured bundle for this bundle and this ghost variant, whether the ghost variant is in use or
        retired."""

    async def look_up(self, tenant: Tenant, refs: Sequence[BundleRef]) -> Sequence[StoredBundle]:
        """Fetch configured bundles in one query, in the order of `refs`. Unknown references are skipped."""

    async def unique_id(self, tenant: Tenant, configured_bundle_id: int) -> str | None:
        """Return the unique id that marks the cart lines of a configured bundle."""

    async def selection(self, tenant: Tenant, configured_bundle_id: int) -> StoredSelection | None:
        """Return the stored selection of a configured bundle."""

    async def expire(self, now: int) -> None:
        """Delete stored responses that have expired."""

    async def ghost(self, tenant: Tenant, identity: str) -> Ghost | None:
        """Return the ghost variant in use for this identity."""

    async def make_room(self, tenant: Tenant, product_id: int, limit: int, unused_since: int, now: int) -> Room:
        """If a product has at least `limit` ghost variants, retire enough of them to free a tenth of `limit`: first those never
        bought, then the least recently used, but none used after `unused_since`. Retired variants are not offered to shoppers,
        but look-ups still find them."""

    async def removed(self, claim: Claim, now: int) -> None:
        """Record that the platform has removed the retired ghost variants of a claim."""

    async def revive_ghosts(self, claim: Claim, now: int) -> None:
        """Put the retired ghost variants of a claim back into use, because the platform did not remove them. A variant stays
        retired when a newer ghost variant has since been created for the same identity."""

    async def record(
        self,
        tenant: Tenant,
        configured: ConfiguredBundle,
        cart_variant: int | Ghost,
        key: IdempotencyKey | None,
        render: Callable[[RecordedIds], bytes],
    ) -> StoredResponse:
        """Store the results of one configure request in one durable transaction, with its rendered response under `key`.

        If another request with the same key was stored first, returns the response to that request and stores nothing. Raises
        IdempotencyKeyReused and GhostRetired; in both cases nothing is stored.
        """


class GhostRetired(Exception):
    """Raised when a ghost variant was retired or replaced after it was looked up. The caller must look it up again."""


class GhostStore(Protocol):
    """Stores the ghost variants that are due to be checked or removed. Raises StorageUnavailable."""

    async def claim_due(self, now: int, limit: int) -> Claim:
        """Claim ghost variants to check or remove, longest waiting first."""

    async def settle(self, shop_id: int, claim: Claim, verdicts: PromiseChecks, now: int, grace: int) -> Claim:
        """Record the result of a check, and return the retired ghost variants, which stay claimed. When its promise is broken, a
        ghost variant is retired `grace` seconds after its last use. When the promise is broken only in another market, the ghost
        variant is retired `grace` seconds after this was first found, because shoppers in the shop's own market may still use
        it."""

    async def removed(self, claim: Claim, now: int) -> None:
        """Record that the platform has removed the retired ghost variants of a claim."""

    async def counts(self, crowded: int) -> GhostCounts: ...


class MarketPromiseStore(Protocol):
    """Stores the prices promised for ghost variants in the markets. Each ghost variant has one promised price per price list,
    which never changes. Raises StorageUnavailable."""

    async def find(self, tenant: Tenant, variant_id: int, price_list: str) -> MarketPromise | None: ...

    async def add(self, tenant: Tenant, variant_id: int, price_list: str, promise: MarketPromise) -> MarketPromise:
        """Store a promise unless one is already stored. Returns the stored promise; when several are added at the same time, the
        first one wins."""

    async def priced(self, tenant: Tenant, variant_id: int, price_list: str, price: Decimal, now: int) -> None:
        """Record that the platform has set this price for the ghost variant on this price list."""

    async def all_of(self, tenant: Tenant, variant_id: int) -> Sequence[MarketPromise]:
        """Return every market promise that was made for a ghost variant."""


class ReminderStore(Protocol):
    """Stores stock reminders. Raises StorageUnavailable."""

    async def add_reminder(self, tenant: Tenant, variant_id: int, email: str, bundle_name: str, now: int) -> bool:
        """Store a reminder. Returns whether it was new. Email addresses are compared case-insensitively."""


class ShopperStore(Protocol):
    """Deletes the stored data of shoppers and shops. Raises StorageUnavailable."""

    async def erase(self, shopper: Shopper) -> Mapping[str, int]:
        """Erase all data stored about a shopper, including the requests to erase it. Returns the number of erased records of each
        kind."""

    async def delete_shop(self, tenant: Tenant) -> None:
        """Delete a shop that was disconnected by its platform, with all its stored data."""


class ShopperRequestStore(Protocol):
    """Stores the platforms' requests about shoppers' data. Raises StorageUnavailable."""

    async def open(self) -> Sequence[ReceivedRequest]:
        """Return the requests that are not completed, oldest first."""

    async def close(self, request_id: int) -> None:
        """Delete a request."""


class OwnUpdates(Protocol):
    """Stores the times at which the service itself updated each product, for all processes. Raises StorageUnavailable."""

    async def add(self, tenant: Tenant, update: ProductUpdate, now: int) -> None: ...

    async def includes(self, tenant: Tenant, update: ProductUpdate) -> bool: ...


class ChangeLog(Protocol):
    """Stores the changes that webhooks reported, for all processes. Raises StorageUnavailable."""

    async def record(self, tenant: Tenant, delivery: Delivery, now: int) -> bool:
        """Record a delivery and its changes in one transaction. Returns whether the delivery was new; it is not new if its
        signature was already received under another id. For a change that the service made itself, only the delivery is recorded.
        Raises SignatureInvalid when the signature was already received for another subject."""

    async def after(self, number: int) -> Sequence[NumberedChange]:
        """Return the changes with numbers higher than `number`, in ascending order."""

    async def expire(self, now: int) -> None:
        """Delete deliveries, changes and records of the service's own updates that are no longer needed."""
