"""Cache entries: what was fetched, and how long each kind of it serves."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bundlesvc.domain.ghost_prices import MarketTerms
from bundlesvc.domain.product import MarketPrice, Product
from bundlesvc.domain.shop import ShopSettings

V = TypeVar("V")

Subject = tuple[str, int | None]
"""Something on the platform that a value depends on: kind and id of a `Change`."""

DAY_SECONDS = 24 * 60 * 60
"""No entry serves for longer."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[V]):
    """One value. It is None for what the platform does not know; `read_at` in microseconds since 1970, UTC."""

    value: V | None
    read_at: int
    subjects: tuple[Subject, ...]


@dataclass(frozen=True, slots=True)
class CacheTtls:
    """Seconds for which entries are fresh. Prices and stock that money depends on are never older than `price_max_age`."""

    products: float = 60
    prices: float = 60
    shop: float = 300
    negative: float = 30
    price_max_age: float = 300


@dataclass(frozen=True, slots=True)
class EntryKind:
    """One kind of entry: the shape of its values, and the seconds for which they are fresh. That the platform does not know
    something serves only while it is fresh."""

    name: str
    shape: Any
    ttl: float
    negative_ttl: float


@dataclass(frozen=True, slots=True)
class Plan:
    """The platform's selling plan of one cadence."""

    frequency: int
    unit: str
    id: str


class EntryKinds:
    """Every kind."""

    def __init__(self, ttls: CacheTtls) -> None:
        def kind(name: str, shape: Any, ttl: float) -> EntryKind:
            return EntryKind(name, shape, ttl, min(ttl, ttls.negative))

        self.product = kind("product", Product, ttls.products)
        self.handle = kind("handle", int, ttls.products)
        self.variant = kind("variant", int, ttls.products)
        self.price = kind("price", MarketPrice, ttls.prices)
        self.shop = kind("shop", ShopSettings, ttls.shop)
        self.plans = kind("plans", tuple[Plan, ...], ttls.shop)
        self.terms = kind("terms", MarketTerms, ttls.shop)


SHAPES = (Product, MarketPrice, ShopSettings, Plan, MarketTerms)
"""The shapes of all values."""
