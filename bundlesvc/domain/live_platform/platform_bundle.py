"""Bundles that a shop's platform has itself."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

NO_COMPONENTS, CHOSEN_QUANTITY, TOO_LARGE, SEVERAL_PRICES = FAULTS = (
    "no_components",
    "chosen_quantity",
    "too_large",
    "several_prices",
)
"""Why a bundle of the platform cannot be made here as it is there: nothing in it is known; shoppers choose how many of something;
it has more components or variants than are read; and what it costs depends on the choice."""


class Component(NamedTuple):
    """What is always in a bundle: a number of units of a product, in one of these variants."""

    product_id: int
    title: str
    variant_ids: Sequence[int]
    quantity: int


class PlatformBundle(NamedTuple):
    """A bundle of the platform. `prices` in the shop's currency: one, unless it depends on the choice of variants."""

    product_id: int
    title: str
    image_url: str
    prices: Sequence[Decimal]
    components: Sequence[Component]
    faults: Sequence[str]


class FoundBundles(NamedTuple):
    """Bundles, and where the next part begins; None after the last."""

    bundles: Sequence[PlatformBundle]
    next: str | None
