"""Bundles that are defined on a shop's platform itself."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

from bundlesvc.domain.selection import MAX_ITEMS


class ComponentVariant(NamedTuple):
    """A variant that can be chosen for a component, with its price in the shop's currency. `is_bundle` says whether the variant
    is itself made up of other variants."""

    id: int
    price: Decimal
    is_bundle: bool


class Component(NamedTuple):
    """A fixed part of a bundle: units of a product, in one of the `variants`. `quantity` is None where shoppers choose it;
    `is_sold` says whether shoppers can buy the product."""

    product_id: int
    title: str
    is_sold: bool
    variants: Sequence[ComponentVariant]
    quantity: int | None


class PriceRange(NamedTuple):
    """The lowest and the highest price of something."""

    lowest: Decimal
    highest: Decimal


class PlatformBundle(NamedTuple):
    """A bundle defined on the platform: a product, or one of its variants if each variant has its own components. `prices` are in
    the shop's currency; there is only one unless the price depends on the chosen variants. `is_complete` says whether all
    components and variants were read."""

    product_id: int
    variant_id: int | None
    title: str
    image_url: str
    prices: Sequence[Decimal]
    components: Sequence[Component]
    is_complete: bool

    @property
    def fixed_components(self) -> list[tuple[Component, int]]:
        """The components whose quantity is fixed rather than chosen by shoppers, each with that quantity."""
        return [(each, each.quantity) for each in self.components if each.quantity is not None]

    @property
    def components_price(self) -> PriceRange | None:
        """The total of the components' own prices; None unless all components are known and have fixed quantities."""
        fixed = self.fixed_components
        if not self.is_complete or not _is_known(self) or len(fixed) < len(self.components):
            return None
        ranges = [(sorted(variant.price for variant in each.variants), quantity) for each, quantity in fixed]
        lowest = sum((prices[0] * quantity for prices, quantity in ranges), Decimal(0))
        return PriceRange(lowest, sum((prices[-1] * quantity for prices, quantity in ranges), Decimal(0)))

    @property
    def faults(self) -> list[str]:
        """The reasons why this service cannot reproduce the platform's bundle unchanged, as codes from `FAULTS`."""
        return [code for code, is_so in _TESTS.items() if is_so(self)]


class FoundBundles(NamedTuple):
    """One page of bundles. `next` is the cursor with which the next page is fetched; it is None on the last page."""

    bundles: Sequence[PlatformBundle]
    next: str | None


def _is_known(bundle: PlatformBundle) -> bool:
    return bool(bundle.components) and all(each.variants for each in bundle.components)


def _has_bundles(bundle: PlatformBundle) -> bool:
    return any(variant.is_bundle for each in bundle.components for variant in each.variants)


def _repeats_variants(bundle: PlatformBundle) -> bool:
    """Whether a variant occurs more than once, for example in two components with one unit each. In this service, a single unit
    would satisfy both components."""
    ids = [variant.id for each in bundle.components for variant in each.variants]
    return len(set(ids)) < len(ids)


def _costs_more(bundle: PlatformBundle) -> bool:
    """Whether the bundle costs more than its components. This service cannot reproduce such a bundle, because a discount never
    raises a price."""
    alone = bundle.components_price
    return alone is not None and any(price > alone.lowest for price in bundle.prices)


_TESTS: dict[str, Callable[[PlatformBundle], bool]] = {
    "no_components": lambda bundle: bundle.is_complete and not _is_known(bundle),
    "chosen_quantity": lambda bundle: len(bundle.fixed_components) < len(bundle.components),
    "too_large": lambda bundle: not bundle.is_complete,
    "too_many_items": lambda bundle: sum(quantity for _, quantity in bundle.fixed_components) > MAX_ITEMS,
    "nested": _has_bundles,
    "not_sold": lambda bundle: not all(each.is_sold for each in bundle.components),
    "repeated_variant": _repeats_variants,
    "several_prices": lambda bundle: len(bundle.prices) > 1,
    "costs_more": _costs_more,
}
FAULTS = tuple(_TESTS)
"""The reasons why a bundle of the platform cannot be recreated here, in the order above: its components are unknown; shoppers
choose a quantity; it has more components or variants than are read; it has more units than a selection may have; a component is
itself a bundle; a component is not for sale; two components share a variant; its price depends on the choice; it costs more than
its components."""
