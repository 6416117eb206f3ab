"""What the use cases need from outside, as Protocols (design 2). No driver's exception crosses a port."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Generic, Protocol, TypeVar

from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.configured import ConfiguredBundle, ConfiguredItem
from bundlesvc.domain.ghost_prices import MarketTerms
from bundlesvc.domain.key import ApiKey, KeyLimits
from bundlesvc.domain.product import MarketPrice, Product, Variant
from bundlesvc.domain.rate_limit import Bucket, BucketState
from bundlesvc.domain.shop import ShopSettings, Tenant
from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.domain.subscription import SubscriptionChoice

T = TypeVar("T")


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since 1970, UTC."""

    def monotonic(self) -> float:
        """Seconds since some instant; never goes back."""


class Ids(Protocol):
    """Randomness."""

    def configured_bundle_id(self) -> int:
        """From 1 to 2^53-1, so that nobody can walk other shoppers' bundles."""

    def unique_id(self) -> str:
        """32 hex characters."""

    def key_secret(self) -> str:
        """43 URL-safe characters."""


class TokenCipher(Protocol):
    """Signed and encrypted text for one purpose: discount strings, or the credentials of live platforms."""

    def seal(self, claims: Mapping[str, Any], now: int) -> str:
        """The token for these claims, made at `now` (seconds since 1970)."""

    def unseal(self, token: str) -> dict[str, Any]:
        """The claims of a token. Raises TokenInvalid when no key opens it."""


class TokenInvalid(Exception):
    """The token was not made with any of our keys, or was changed."""


class Buckets(Protocol):
    """Token buckets by name."""

    async def take(self, buckets: Sequence[Bucket]) -> Sequence[BucketState]:
        """Take one token of each bucket, or of none when one of them is empty, in one step. The states in the same order."""

    async def give_back(self, buckets: Sequence[Bucket]) -> None:
        """Put one token back into each bucket, because it turned out not to be owed."""


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """An answer of the platform: how old it is (0 while that counts as fresh), and for how long it may be kept (seconds; None:
    while the revision lasts)."""

    value: T
    age: float = 0.0
    lifetime: float | None = None


class Platform(Protocol):
    """The commerce platform of a shop (design 13). Raises PlatformNotConnected, PlatformUnavailable, PlatformFailed,
    PlatformTimeout."""

    async def shop(self, tenant: Tenant) -> ShopSettings: ...

    async def products(
        self, tenant: Tenant, product_ids: Sequence[int], max_age: float | None = None
    ) -> Reading[Mapping[int, Product]]:
        """The products it knows, by id; `max_age`: no answer may be older (seconds)."""

    async def market_prices(
        self, tenant: Tenant, variants: Iterable[Variant], country: str, max_age: float | None = None
    ) -> Reading[Mapping[int, MarketPrice]]:
        """Prices and availability in a country, by variant id."""

    async def variant(self, tenant: Tenant, variant_id: int) -> Variant | None:
        """One variant, whatever its product."""

    async def product_by_handle(self, tenant: Tenant, handle: str) -> Product | None: ...

    async def selling_plans(self, tenant: Tenant, product_ids: Sequence[int]) -> Mapping[tuple[int, int, str], str]:
        """The platform's selling plan ids, by product, frequency and unit."""

    async def market_terms(self, tenant: Tenant, country: str) -> MarketTerms:
        """What a country's market makes of the shop's prices, and where a variant's own price in it is set."""

    async def create_ghost_variant(self, tenant: Tenant, product_id: int, option_value: str, price: Decimal) -> int:
        """The id of the product's ghost variant with this option value, made at this price when it is not there yet."""

    async def set_ghost_price(self, tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        """Give a ghost variant a price of its own on the price list of `terms`, in their currency; it replaces one that is
        there."""

    async def retire_ghost_variants(self, tenant: Tenant, product_id: int, variant_ids: Sequence[int]) -> None:
        """Take ghost variants off the product; those that are gone already are no fault."""


@dataclass(frozen=True, slots=True)
class ClientCredentials:
    """An app that is given access tokens for its id and the secret that signs its webhooks. They expire: `obtained_at` and
    `expires_at` of the one in use, 0 before the first. Until `renewing_until` a process asks for the next one, and others
    wait for it. Times in seconds since 1970."""

    client_id: str
    obtained_at: float = 0
    expires_at: float = 0
    renewing_until: float = 0


@dataclass(frozen=True, slots=True)
class Connection:
    """How a shop's live platform is reached: its domain, the token that opens it, and the secret that signs its webhooks.
    With a `grant` the token is renewed, and empty before the first; without one it is what the operator gave."""

    domain: str
    access_token: str = field(repr=False)
    webhook_secret: str = field(repr=False, default="")
    grant: ClientCredentials | None = None


class CredentialStore(Protocol):
    """CredentialStore to live platforms, kept encrypted. Raises StorageUnavailable."""

    async def of(self, tenant: Tenant) -> Connection | None:
        """The shop's connection; None while it has none, or none that our secret keys open."""

    async def replace(self, tenant: Tenant, old: Connection, new: Connection, now: int) -> bool:
        """Keep `new` in place of `old`. False, and nothing is done, when `old` is not what is kept any more: of several
        processes that try it at once, one succeeds."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that changed on a shop's platform; `id` of the product or inventory item, None for what a shop has once."""

    kind: str
    id: int | None = None


PRODUCT, INVENTORY_ITEM, BUNDLE = "product", "inventory_item", "bundle"
SHOP_SETTINGS, MARKETS, SELLING_PLANS = "shop", "markets", "selling_plans"
"""The kinds of `Change`."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A webhook whose signature holds: its id, the same for every attempt, what it says changed, and the variants that it says
    were bought.

    `signature` is a digest of the signature. `subject` is what the webhook is about: of two deliveries with one signature,
    and so one body, those with the same subject say the same, and those with different ones cannot both be right.
    """

    id: str
    changes: tuple[Change, ...]
    signature: str
    subject: str
    bought: frozenset[int] = frozenset()


class SignedMessage(Protocol):
    """A webhook's body on its way."""

    def feed(self, part: bytes) -> None: ...

    def finish(self) -> Delivery:
        """What it says, its signature checked first. Raises SignatureInvalid, InvalidRequest, InvalidJson."""


class WebhookReader(Protocol):
    """How a platform writes its webhooks."""

    def expect(self, headers: Mapping[str, str], domain: str, secret: str) -> SignedMessage:
        """Begin a webhook of the shop at a domain, unless its headers rule it out. Raises SignatureInvalid when it cannot be
        signed for this shop, InvalidRequest with every other header that is missing or malformed."""


class PlatformCache(Protocol):
    """What this process or its neighbours remember of a platform's answers (design 13)."""

    async def drop(self, tenant: Tenant, changes: Sequence[Change]) -> None:
        """Forget exactly what changed; the next request asks the platform again."""


@dataclass(frozen=True, slots=True)
class NumberedChange:
    """A change as the log has it: who has seen a number has seen all below it. `recorded_at` in seconds since 1970."""

    number: int
    shop_id: int
    change: Change
    recorded_at: int


class SharedPlatformCache(PlatformCache, Protocol):
    """A cache in which a process that starts finds what others have read."""

    def recall(self, tenant: Tenant, changes: Sequence[NumberedChange]) -> None:
        """Before the first `drop`: what was read before these changes counts no more, what was read since does."""


class ChangeLog(Protocol):
    """What platforms told us through webhooks, for every process to read. Raises StorageUnavailable."""

    async def record(self, tenant: Tenant, delivery: Delivery, now: int) -> bool:
        """Whether the delivery was new: then its changes are in the log, in the same transaction. One whose signature came
        before, under another id, is not new. Raises SignatureInvalid when it came for another subject."""

    async def after(self, number: int) -> Sequence[NumberedChange]:
        """The changes with larger numbers, in ascending order."""

    async def expire(self, now: int) -> None:
        """Forget deliveries and changes that nobody asks for any more."""


@dataclass(frozen=True, slots=True)
class Ghost:
    """A ghost variant as our own records know it: what it stands for, the platform's id of it, and when the platform last
    had it (seconds since 1970). `subjects`: what its promise depends on, given where the ghost is to be recorded."""

    identity: str
    product_id: int
    variant_id: int
    confirmed_at: int
    subjects: frozenset[Change] = frozenset()


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """An idempotency key in its scope (design 9), and the digest of the body that came with it."""

    test: bool
    method: str
    path: str
    key: str
    body_digest: str


@dataclass(frozen=True, slots=True)
class RecordedIds:
    """What the transaction settled: the variant for the cart, and the pending subscription."""

    variant_id: int
    subscription_id: int | None


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """The ready bytes of a configure answer; `replayed` when they were kept from an earlier request."""

    body: bytes
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class BundleRef:
    """A configured bundle to look up: by its id, or else as the newest one behind a ghost variant."""

    configured_bundle_id: int | None
    variant_id: int | None


@dataclass(frozen=True, slots=True)
class StoredBundle:
    """A configured bundle as it is looked up again; `variant_id` is what configure answered."""

    id: int
    bundle_id: int
    variant_id: int
    items: tuple[ConfiguredItem, ...]


LIVE, MARKED, RETIRED = GHOST_STATES = ("live", "marked", "retired")
"""The states of a ghost variant: its promise holds as far as we know; something that the promise depends on has changed; it
is no longer for sale, or is about to leave the platform."""


@dataclass(frozen=True, slots=True)
class Promise:
    """What the newest configured bundle behind a ghost variant asked for."""

    bundle_id: int
    items: tuple[ConfiguredItem, ...]
    country: str | None
    subscription: SubscriptionChoice | None


@dataclass(frozen=True, slots=True)
class ClaimedGhost:
    """A ghost variant that this process works on; `promise` is None when its configured bundles were pruned."""

    id: int
    shop_id: int
    ghost: Ghost
    retired: bool
    promise: Promise | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Ghost variants that no other process works on for some minutes; what changes meanwhile ends the claim on it."""

    token: str
    ghosts: tuple[ClaimedGhost, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """What was retired to make room on a product; `free_at`: when the first one may be, on a product that stays full."""

    claim: Claim
    free_at: int | None = None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What a check of claimed ghost variants found, by row id: their promise holds, it does not, it does not in a market where
    another one was made, or nobody knows yet."""

    held: Sequence[int] = ()
    broken: Sequence[int] = ()
    broken_in_a_market: Sequence[int] = ()
    unknown: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class GhostCounts:
    """How many ghost variants are in each state, and how many each product has on the platform, by shop handle and product
    id; only products with `crowded` of them or more."""

    states: Mapping[str, int]
    crowded: Mapping[tuple[str, int], int]


class GhostStore(Protocol):
    """The upkeep of ghost variants. Raises StorageUnavailable."""

    async def claim_due(self, now: int, limit: int) -> Claim:
        """Claim ghost variants that are to be checked or removed, those that have waited longest first."""

    async def settle(self, shop_id: int, claim: Claim, verdicts: Verdicts, now: int, grace: int) -> Claim:
        """Record a check. A broken promise retires a ghost variant that was last used `grace` seconds ago; one that is broken
        in a market, `grace` seconds after that was found: it may be in use at home. Those that are retired stay claimed and
        are returned."""

    async def removed(self, claim: Claim, now: int) -> None:
        """Record that the platform removed the retired ghost variants of a claim."""

    async def counts(self, crowded: int) -> GhostCounts: ...


class GhostRetired(Exception):
    """The ghost variant was retired since it was found, or another one is in use by now: look for it again."""


class ConfiguredStore(Protocol):
    """Configured bundles, ghost variants and kept answers. Raises StorageUnavailable."""

    async def kept_answer(self, tenant: Tenant, key: IdempotencyKey, now: int) -> StoredResponse | None:
        """The answer kept for this key. Raises IdempotencyKeyReused when it was for another body."""

    async def newest_of_ghost(self, tenant: Tenant, variant_id: int, bundle_id: int) -> StoredBundle | None:
        """The newest configured bundle of a bundle behind a ghost variant, in use or retired."""

    async def look_up(self, tenant: Tenant, asked: Sequence[BundleRef]) -> Sequence[StoredBundle]:
        """What was configured, in the order asked for, in one go; what is unknown is left out."""

    async def expire(self, now: int) -> None:
        """Forget the answers that are kept no longer."""

    async def ghost(self, tenant: Tenant, identity: str) -> Ghost | None:
        """The ghost variant in use for this identity."""

    async def make_room(self, tenant: Tenant, product_id: int, limit: int, unused_since: int, now: int) -> Room:
        """Retire ghost variants of a product that has `limit` of them or more on the platform: never bought ones first, then
        the least recently used, a tenth of the limit, none that was used after `unused_since`. They are no longer shared,
        but still answer look-ups."""

    async def removed(self, claim: Claim, now: int) -> None:
        """Record that the platform removed the retired ghost variants of a claim."""

    async def revive_ghosts(self, claim: Claim, now: int) -> None:
        """Put the retired ghost variants of a claim back into use, because the platform did not remove them; one whose
        identity has a newer ghost by now stays retired."""

    async def record(
        self,
        tenant: Tenant,
        configured: ConfiguredBundle,
        cart_variant: int | Ghost,
        key: IdempotencyKey | None,
        render: Callable[[RecordedIds], bytes],
    ) -> StoredResponse:
        """Store everything of one configure call in one durable transaction, its rendered answer under `key` included.

        When another call came first with the same key, nothing is stored and its answer returned. Raises
        IdempotencyKeyReused, and GhostRetired: then nothing is stored either.
        """


@dataclass(frozen=True, slots=True)
class MarketPromise:
    """What was promised of a ghost variant in a country, in shop currency. `price`, in the currency of the country's price
    list, is what the platform took at `priced_at` (seconds since 1970); None where the market makes the promise by itself."""

    country: str
    promise: Decimal
    price: Decimal | None = None
    priced_at: int = 0


class MarketPromiseStore(Protocol):
    """What was promised of ghost variants in markets: one promise on each price list, which never changes. Raises
    StorageUnavailable."""

    async def find(self, tenant: Tenant, variant_id: int, price_list: str) -> MarketPromise | None: ...

    async def add(self, tenant: Tenant, variant_id: int, price_list: str, promise: MarketPromise) -> MarketPromise:
        """The promise that stands: of several that are made at once it is the first."""

    async def priced(self, tenant: Tenant, variant_id: int, price_list: str, price: Decimal, now: int) -> None:
        """Record that the platform took a price."""

    async def all_of(self, tenant: Tenant, variant_id: int) -> Sequence[MarketPromise]:
        """Every promise of a ghost variant."""


class ShopStore(Protocol):
    """Shops and their bundles, to read. Raises StorageUnavailable."""

    async def tenants(self) -> Sequence[Tenant]: ...

    async def revisions(self) -> Mapping[int, int]:
        """The revision of every shop, by row id: cheap, asked once a second."""

    async def bundle(self, tenant: Tenant, bundle_id: int) -> Bundle | None: ...

    async def published_bundles(self, tenant: Tenant, limit: int) -> Sequence[Bundle]:
        """In ascending order of ids."""

    async def bundle_of_product(self, tenant: Tenant, product_id: int) -> Bundle | None:
        """The published bundle with the lowest id whose product on the platform this is."""

    async def experiments(self, tenant: Tenant) -> Sequence[Experiment]: ...

    async def ping(self) -> None:
        """Returns when the database answers."""


class KeyStore(Protocol):
    """API keys. Raises StorageUnavailable."""

    async def active_keys(self) -> Sequence[ApiKey]: ...

    async def active_key(self, digest: str) -> ApiKey | None: ...

    async def touch_keys(self, last_used: Mapping[int, int]) -> None:
        """Write last-used times (seconds since 1970) by key id."""


class KeyAdmin(Protocol):
    """What an operator does with keys and shops."""

    async def tenant(self, handle: str) -> Tenant | None: ...

    async def add_key(self, key: ApiKey) -> None: ...

    async def keys(self) -> Sequence[tuple[str, ApiKey]]:
        """Every key with its shop's handle, oldest first."""

    async def revoke_key(self, prefix: str) -> bool:
        """Whether there was an active key with this prefix."""

    async def set_origins(self, prefix: str, origins: Sequence[str]) -> bool: ...

    async def set_limits(self, prefix: str, limits: KeyLimits) -> bool: ...

    async def set_headless(self, handle: str, *, enabled: bool) -> bool: ...


class ReminderStore(Protocol):
    """Stock reminders. Raises StorageUnavailable."""

    async def add_reminder(self, tenant: Tenant, variant_id: int, email: str, bundle_name: str, now: int) -> bool:
        """Whether it was new: addresses are compared case-insensitively."""


class ShopFileStore(Protocol):
    """Whole shops, as shop files load them."""

    async def stored(self, handle: str) -> ShopFile | None: ...

    async def replace(self, shop_file: ShopFile) -> None:
        """Make the stored shop equal to the file, in one transaction, and raise its revision."""
