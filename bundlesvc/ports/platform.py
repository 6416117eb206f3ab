"""Ports of a shop's commerce platform: fetching, ghost variants, webhooks, credentials, and the cache in front of it."""

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
    """The commerce platform of a shop (docs/contract.md#live-data). Raises PlatformNotConnected,
    PlatformUnavailable, PlatformFailed, PlatformTimeout. The cache obeys the `deadline` of a request; the platforms behind it
    have a timeout for each call, and ignore it."""

    async def shop(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> ShopSettings: ...

    async def products(
        self,
        tenant: Tenant,
        product_ids: Sequence[int],
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, Product]]:
        """The existing products by id, fetched at most `max_age` seconds ago."""

    async def market_prices(
        self,
        tenant: Tenant,
        variants: Iterable[Variant],
        country: str,
        max_age: float | None = None,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> Reading[Mapping[int, MarketPrice]]:
        """Prices and availability in a country, by variant id, fetched at most `max_age` seconds ago."""

    async def variant(self, tenant: Tenant, variant_id: int, deadline: RequestDeadline = NO_DEADLINE) -> Variant | None:
        """One variant, of any product."""

    async def product_by_handle(
        self, tenant: Tenant, handle: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> int | None:
        """The id of the product with this handle."""

    async def handle_of(self, tenant: Tenant, product_id: int, deadline: RequestDeadline = NO_DEADLINE) -> str | None:
        """The handle of a product. Cheaper than `products` where the product is full of ghost variants."""

    async def selling_plans(
        self, tenant: Tenant, product_ids: Sequence[int], deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[tuple[int, int, str], str]:
        """The platform's selling plan ids, by product, frequency and unit."""

    async def languages(self, tenant: Tenant, deadline: RequestDeadline = NO_DEADLINE) -> Sequence[str]:
        """The languages of `translations`, without the shop's own."""

    async def translations(
        self, tenant: Tenant, product_ids: Sequence[int], language: str, deadline: RequestDeadline = NO_DEADLINE
    ) -> Mapping[int, ProductTranslation]:
        """The texts of products in one of `languages`, by product id, where the products do not contain them."""

    async def market_terms(self, tenant: Tenant, country: str, deadline: RequestDeadline = NO_DEADLINE) -> MarketTerms:
        """How a country's market converts the shop's prices, and the price list for variants with prices of their own."""

    async def create_ghost_variant(
        self,
        tenant: Tenant,
        product_id: int,
        option_value: str,
        price: Decimal,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> int:
        """The id of the product's ghost variant with this option value, created at this price when there is none."""

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        """Set a ghost variant's own price on the price list of `terms`, in their currency, replacing an earlier one."""

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        """Remove ghost variants from the product. Those that are gone already are ignored."""


class CredentialStore(Protocol):
    """The connections to live platforms, stored encrypted. Raises StorageUnavailable."""

    async def of(self, tenant: Tenant) -> PlatformConnection | None:
        """The shop's connection; None when it has none, or no secret key decrypts it."""

    async def replace(self, tenant: Tenant, old: PlatformConnection, new: PlatformConnection, now: int) -> bool:
        """Store `new` in place of `old`. Returns False and changes nothing when `old` is no longer the stored one: of several
        processes that try at once, one succeeds."""


class AppInstallation(Protocol):
    """The app that connects shops with this service."""

    async def is_installed(self, tenant: Tenant) -> bool:
        """Whether the shop's platform accepts the app's credentials. Raises PlatformUnavailable, PlatformFailed and
        PlatformTimeout."""


class CredentialKeys(Protocol):
    """The secret keys that the connections to live platforms are encrypted with. Raises StorageUnavailable."""

    async def encrypted_with(self, tenant: Tenant) -> str | None:
        """FIRST_KEY, OLDER_KEY or UNKNOWN_KEY; None when the shop has no connection."""


class SignedMessage(Protocol):
    """A webhook whose body is still arriving."""

    def feed(self, part: bytes) -> None: ...

    def finish(self) -> Delivery:
        """The content, after the signature is checked. Raises SignatureInvalid, InvalidRequest, InvalidJson."""


class WebhookReader(Protocol):
    """The webhook format of a platform."""

    def domain(self, headers: Mapping[str, str]) -> str:
        """The shop's domain on the platform, in lower case, as these headers name it; nothing vouches for them."""

    def is_addressed(self, headers: Mapping[str, str], domain: str) -> bool:
        """Whether these headers name the shop at a domain, and have a signature of the right form."""

    def expect(self, headers: Mapping[str, str], domain: str, secrets: Sequence[str]) -> SignedMessage:
        """Check the headers of a webhook for the shop at a domain, and begin to read it; any of the secrets may sign it. Raises
        SignatureInvalid when it cannot be signed for this shop, InvalidRequest with every other header that is missing or
        malformed."""


class PlatformCache(Protocol):
    """The cache of a platform's data, in this process or shared with others (docs/contract.md#live-data)."""

    async def drop(self, tenant: Tenant, changes: Sequence[Change]) -> None:
        """Drop exactly what changed; the next request fetches it again."""


class SharedPlatformCache(PlatformCache, Protocol):
    """A cache whose entries outlive the process."""

    def recall(self, tenant: Tenant, changes: Sequence[NumberedChange]) -> None:
        """Call before the first `drop`. Entries fetched before these changes no longer count; newer ones do."""
