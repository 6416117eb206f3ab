"""Ports for a shop's commerce platform: reading data, ghost variants, webhooks, credentials, and the cache in front of the
platform."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Protocol

from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.live_platform.platform_change import Change, Delivery, NumberedChange
from bundlesvc.domain.live_platform.reading import Reading
from bundlesvc.domain.product import MarketPrice, Product, ProductTranslation, Variant
from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline


class Platform(Protocol):
    """The commerce platform of a shop (docs/contract.md#live-data). Raises PlatformNotConnected, PlatformUnavailable,
    PlatformFailed, PlatformTimeout. The cache respects the `deadline` of a request; the platforms behind the cache ignore the
    deadline, and use a timeout for each call."""

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings: ...

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        """Read the products that exist, by id. The data was fetched at most `max_age` seconds ago."""

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        """Read the prices and availability of variants in a country, by variant id. No value was fetched more than `max_age`
        seconds ago."""

    async def variant(self, tenant: Tenant, variant_id: int, deadline: RequestDeadline = NO_DEADLINE) -> Variant | None:
        """Read one variant, of any product."""

    async def product_by_handle(
        self, tenant: Tenant, handle: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> int | None:
        """Return the id of the product with this handle."""

    async def handle_of(self, tenant: Tenant, product_id: int, deadline: RequestDeadline = NO_DEADLINE) -> str | None:
        """Return the handle of a product. Cheaper than `products` when the product has many ghost variants."""

    async def selling_plans(
        self, tenant: Tenant, product_ids: Sequence[int], deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[tuple[int, int, str], str]:
        """Return the platform's ids for selling plans, keyed by product, frequency and unit."""

    async def languages(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> Sequence[str]:
        """Return the languages that `translations` accepts, excluding the shop's own language."""

    async def translations(
        self, tenant: Tenant, product_ids: Sequence[int], language: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[int, ProductTranslation]:
        """Read the texts of products in `language`, which is one of `languages`, by product id. Leaves out products that already
        contain their translations."""

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        """Return the terms on which a country's market converts the shop's prices. They include the market's price list, if any,
        in which variants can be given fixed prices."""

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        """Return the id of the product's ghost variant with this option value. Creates the variant at this price when it does not
        exist."""

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        """Set a ghost variant's own price on the price list of `terms`, in the list's currency. Replaces an earlier price."""

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        """Remove ghost variants from the product. Variants that no longer exist are ignored."""


class CredentialStore(Protocol):
    """Stores the connections to live platforms, encrypted. Raises StorageUnavailable."""

    async def of(self, tenant: Tenant) -> PlatformConnection | None:
        """Return the shop's connection. Returns None when there is none, or when no secret key can decrypt it."""

    async def replace(self, tenant: Tenant, old: PlatformConnection, new: PlatformConnection, now: int) -> bool:
        """Store `new` in place of `old`. Returns False and changes nothing when `old` is no longer the stored connection, so that
        only one of several simultaneous attempts succeeds."""


class AppInstallation(Protocol):
    """The app that connects shops to this service."""

    async def is_installed(self, tenant: Tenant) -> bool:
        """Whether the shop's platform accepts the app's credentials. Raises PlatformUnavailable, PlatformFailed,
        PlatformTimeout."""


class CredentialKeys(Protocol):
    """The secret keys that encrypt the connections to live platforms. Raises StorageUnavailable."""

    async def encrypted_with(self, tenant: Tenant) -> str | None:
        """Return which key the shop's connection is encrypted with: FIRST_KEY, OLDER_KEY or UNKNOWN_KEY. Returns None when the
        shop has no connection."""


class SignedMessage(Protocol):
    """A webhook whose body is still arriving."""

    def feed(self, part: bytes) -> None: ...

    def finish(self) -> Delivery:
        """Check the signature of the webhook, and return the webhook's content. Raises SignatureInvalid, InvalidRequest,
        InvalidJson."""


class WebhookReader(Protocol):
    """Reads webhooks in the format of a platform."""

    def domain(self, headers: Mapping[str, str]) -> str:
        """Read the shop's domain on the platform from the headers, and return it in lower case. The headers are not verified."""

    def is_addressed(self, headers: Mapping[str, str], domain: str) -> bool:
        """Whether these headers name the shop at this domain, and contain a well-formed signature."""

    def expect(self, headers: Mapping[str, str], domain: str, secrets: Sequence[str]) -> SignedMessage:
        """Check the headers of a webhook for the shop at a domain, and begin to read the webhook. It may be signed with any of
        the secrets. Raises SignatureInvalid when the webhook cannot have been signed for this shop, and InvalidRequest, which
        lists every other header that is missing or malformed."""


class PlatformCache(Protocol):
    """The cache of a platform's data, local to this process or shared with others (docs/contract.md#live-data)."""

    async def drop(self, tenant: Tenant, changes: Sequence[Change]) -> None:
        """Evict exactly the entries that the changes affect; the next request fetches them again."""


class SharedPlatformCache(PlatformCache, Protocol):
    """A cache whose entries outlive the process."""

    def recall(self, tenant: Tenant, changes: Sequence[NumberedChange]) -> None:
        """Invalidate the entries that were fetched before these changes; newer entries stay valid. Must be called before the
        first `drop`."""
