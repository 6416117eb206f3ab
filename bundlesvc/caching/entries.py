"""Cache entries: their kinds, how long each kind may be used, and queries for many entries of one kind."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.live_platform.platform_change import INVENTORY_ITEM, PRODUCT
from bundlesvc.domain.product import MarketPrice, Product, ProductTranslation
from bundlesvc.domain.shop import ShopSettings

K = TypeVar("K")
V = TypeVar("V")

Subject = tuple[str, int | None]
"""Something on the platform that a cached value depends on: the kind and the id of a `Change`."""

DAY_SECONDS = 24 * 60 * 60
"""The longest time, in seconds, for which any entry is used."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[V]):
    """A cached value, or None for something unknown to the platform. `read_at` is a Unix timestamp in microseconds. The entry is
    fresh for `ttl` seconds, and usable for `lifetime` seconds."""

    value: V | None
    read_at: int
    subjects: tuple[Subject, ...]
    ttl: float
    lifetime: float


@dataclass(frozen=True, slots=True)
class CacheTtls:
    """The seconds for which entries are fresh, by kind. Prices and stock that determine what a shopper pays are never older than
    `price_max_age`."""

    products: float = 60
    prices: float = 60
    shop: float = 300
    negative: float = 30
    price_max_age: float = 300


@dataclass(frozen=True, slots=True)
class EntryKind:
    """A kind of entry: the shape of its values, and the seconds for which they are fresh. An entry for something unknown to the
    platform is used only while it is fresh."""

    name: str
    shape: Any
    ttl: float
    negative_ttl: float


@dataclass(frozen=True, slots=True)
class Plan:
    """The platform's selling plan for one cadence."""

    frequency: int
    unit: str
    id: str


class EntryKinds:
    """All kinds of cache entries."""

    def __init__(self, ttls: CacheTtls) -> None:
        def kind(name: str, shape: Any, ttl: float) -> EntryKind:
            return EntryKind(name, shape, ttl, min(ttl, ttls.negative))

        self.product = kind("product", Product, ttls.products)
        self.handle = kind("handle", int, ttls.products)
        self.own_handle = kind("own_handle", str, ttls.products)
        self.variant = kind("variant", int, ttls.products)
        self.price = kind("price", MarketPrice, ttls.prices)
        self.shop = kind("shop", ShopSettings, ttls.shop)
        self.plans = kind("plans", tuple[Plan, ...], ttls.shop)
        self.languages = kind("languages", tuple[str, ...], ttls.shop)
        self.texts = kind("texts", ProductTranslation, ttls.shop)
        self.terms = kind("terms", MarketTerms, ttls.shop)


SHAPES = (Product, ProductTranslation, MarketPrice, ShopSettings, Plan, MarketTerms)
"""The composite types that occur in cached values."""


@dataclass(frozen=True, slots=True)
class CacheQuery(Generic[K, V]):
    """A read of many keys. `fetch` reads their values from the platform and leaves out unknown keys. `base` is the common prefix
    of the names of a shop's entries. `subjects` returns the things that a value depends on. No value may be older than `max_age`
    seconds."""

    base: str
    kind: EntryKind
    fetch: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]
    subjects: Callable[[K, V | None], tuple[Subject, ...]]
    qualifier: str = ""
    max_age: float | None = None

    def names(self, keys: Iterable[K]) -> dict[str, K]:
        """Return the names of the cache entries for these keys, each mapped to its key."""
        prefix = f"{self.base}{self.kind.name}:{self.qualifier}"
        return {f"{prefix}{key}": key for key in keys}

    def entry(self, key: K, value: V | None, read_at: int) -> Entry[V]:
        if value is None:
            return Entry(value, read_at, self.subjects(key, value), self.kind.negative_ttl, self.kind.negative_ttl)
        return Entry(value, read_at, self.subjects(key, value), self.kind.ttl, DAY_SECONDS)

    def entries(self, keys: Mapping[str, K], values: Mapping[K, V], read_at: int) -> dict[str, Entry[V]]:
        """Create entries from fetched values, one per key, even for keys without a value."""
        return {name: self.entry(key, values.get(key), read_at) for name, key in keys.items()}


def depends_on(kind: str) -> Callable[[object, object], tuple[Subject, ...]]:
    """Return the `subjects` function for values that depend on all of a shop's data of this kind, such as its settings."""
    subjects: tuple[Subject, ...] = ((kind, None),)
    return lambda _, __: subjects


def depends_on_product(_: object, product_id: int | None) -> tuple[Subject, ...]:
    """Return the `subjects` of a cached value that is a product id: the value depends on this product."""
    return ((PRODUCT, product_id),)


def depends_on_this_product(product_id: int, _: object) -> tuple[Subject, ...]:
    """Return the `subjects` of a value that depends on one product. The product's id is the key of the cached value."""
    return ((PRODUCT, product_id),)


def depends_on_product_and_stock(product_id: int, product: Product | None) -> tuple[Subject, ...]:
    """Return the `subjects` of a cached product: the product itself, and the stock of its variants."""
    variants = product.variants if product else ()
    items = [variant.inventory_item_id for variant in variants]
    return (PRODUCT, product_id), *((INVENTORY_ITEM, item) for item in items if item is not None)
