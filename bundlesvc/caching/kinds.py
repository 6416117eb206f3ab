"""The kinds of answers that are remembered, and for how long each may serve (design 13)."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from bundlesvc.caching.entries import Entry
from bundlesvc.caching.store import DAY_SECONDS
from bundlesvc.domain.ghost_prices import MarketTerms
from bundlesvc.domain.product import MarketPrice, Product
from bundlesvc.domain.shop import ShopSettings

AGING_SECONDS = 10 * 60
"""Within so many seconds an answer that is no longer fresh still serves at once, while it is renewed behind the request; an
older one serves only when the platform fails."""


class Grade(Enum):
    """What an entry is good for."""

    FRESH = "hit"
    AGING = "stale"
    """It serves, and is renewed meanwhile."""

    OLD = "old"
    """It serves if the platform fails."""

    UNUSABLE = "miss"


@dataclass(frozen=True, slots=True)
class Freshness:
    """Seconds for which answers are fresh; those that money depends on are never older than `price_max_age`."""

    products: float = 60
    prices: float = 60
    shop: float = 300
    negative: float = 30
    price_max_age: float = 300


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of answer: the shape of its values, and the seconds for which they are fresh. That the platform does not know
    something serves only while that is fresh."""

    name: str
    shape: Any
    fresh: float
    fresh_negative: float

    def freshness(self, entry: Entry[Any]) -> float:
        return self.fresh_negative if entry.value is None else self.fresh

    def serves(self, entry: Entry[Any]) -> float:
        """Seconds for which an entry serves at all."""
        return self.fresh_negative if entry.value is None else DAY_SECONDS

    def grade(self, entry: Entry[Any], age: float, max_age: float | None) -> Grade:
        """What an entry of this age is good for where none may be older than `max_age` (seconds)."""
        oldest = self.serves(entry)
        if age > (oldest if max_age is None else min(oldest, max_age)):
            return Grade.UNUSABLE
        if age <= self.freshness(entry):
            return Grade.FRESH
        return Grade.AGING if age <= AGING_SECONDS else Grade.OLD


@dataclass(frozen=True, slots=True)
class Plan:
    """The platform's selling plan of one cadence."""

    frequency: int
    unit: str
    id: str


class Kinds:
    """Every kind."""

    def __init__(self, freshness: Freshness) -> None:
        def kind(name: str, shape: Any, fresh: float) -> Kind:
            return Kind(name, shape, fresh, min(fresh, freshness.negative))

        self.product = kind("product", Product, freshness.products)
        self.handle = kind("handle", int, freshness.products)
        self.variant = kind("variant", int, freshness.products)
        self.price = kind("price", MarketPrice, freshness.prices)
        self.shop = kind("shop", ShopSettings, freshness.shop)
        self.plans = kind("plans", tuple[Plan, ...], freshness.shop)
        self.terms = kind("terms", MarketTerms, freshness.shop)


SHAPES = (Product, MarketPrice, ShopSettings, Plan, MarketTerms)
"""What the values are made of."""
