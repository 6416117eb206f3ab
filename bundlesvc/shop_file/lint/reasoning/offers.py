"""The products that a bundle offers and requires, with bounds on stock, prices and weights where these differ or are unknown."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Self

from bundlesvc.domain.bundle import Bundle, RequiredProduct, SectionProduct
from bundlesvc.domain.line import Line
from bundlesvc.domain.measures import ITEMS, MONEY
from bundlesvc.domain.money import minor_units
from bundlesvc.domain.product import ACTIVE, Product, Variant, market_price, unit_price
from bundlesvc.domain.selection import MAX_ITEMS, NO_SECTION
from bundlesvc.domain.shop import LIVE_PLATFORMS, Market
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.domain.unit_bounds import UnitBounds
from bundlesvc.shop_file.lint.reasoning.numbers import UNBOUNDED


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a shopper can choose: a variant, or (if `variant_id` is None) any variant of a live platform's product."""

    product_id: int
    variant_id: int | None


@dataclass(frozen=True)
class Catalogue:
    """The products of a file as sold in `markets`, where None stands for a country without a market.

    The products of a live platform are not in the file, so any stock, price or weight counts as possible for them.
    """

    live: bool
    currency: str
    products: Mapping[int, Product]
    markets: tuple[Market | None, ...]
    not_sold: frozenset[int] = frozenset()

    @classmethod
    def of(cls, shop_file: ShopFile) -> Self:
        shop = shop_file.shop
        return cls(
            live=shop.platform.kind in LIVE_PLATFORMS,
            currency=shop.settings.currency if shop.settings else "",
            products={product.id: product for product in shop_file.products},
            markets=(None, *shop_file.markets),
        )

    def of_market(self, market: Market) -> Self:
        """Return the catalogue as sold in one market."""
        if market.country_code not in self._by_country:
            not_sold = frozenset(market.unavailable_variant_ids)
            self._by_country[market.country_code] = replace(self, markets=(market,), not_sold=not_sold)
        return self._by_country[market.country_code]

    @cached_property
    def _owners(self) -> dict[int, Product]:
        return {variant.id: product for product in self.products.values() for variant in product.variants}

    @cached_property
    def _by_country(self) -> dict[str, Self]:
        return {}

    @cached_property
    def _spans(self) -> dict[UnitBounds, dict[int, tuple[int, int]]]:
        return {}

    def choices(self, product_id: int, variant_ids: tuple[int, ...]) -> tuple[Choice, ...]:
        """Return the choices of a product: these variants, or all variants when none is listed."""
        if not variant_ids and not self.live:
            variant_ids = tuple(self.products[product_id].variants_by_id)
        elif not variant_ids:
            return (Choice(product_id, None),)
        return tuple(Choice(product_id, variant_id) for variant_id in variant_ids)

    def choice_of(self, variant_id: int) -> Choice:
        """Return the variant as a choice. If its product is unknown, the choice gets a negative product id that no other choice
        has."""
        owner = self._owners.get(variant_id)
        return Choice(owner.id if owner else -variant_id, variant_id)

    def product_of(self, choice: Choice) -> Product | None:
        return self.products.get(choice.product_id)

    def variant_of(self, choice: Choice) -> Variant | None:
        product = self.product_of(choice)
        return product.variants_by_id.get(choice.variant_id) if product and choice.variant_id is not None else None

    def stock(self, choice: Choice) -> int:
        """Return the number of units that can be sold now, up to the size of the largest selection."""
        product, variant = self.product_of(choice), self.variant_of(choice)
        if product is None or variant is None:
            return MAX_ITEMS
        if product.status != ACTIVE or variant.id in self.not_sold:
            return 0
        return MAX_ITEMS if variant.in_stock(MAX_ITEMS) else max(variant.inventory_quantity, 0)

    def span(self, choice: Choice, bounds: UnitBounds) -> tuple[int, int]:
        """Return the lower and the upper bound on what a unit adds to a measure, over all markets, in items, minor units or
        grams."""
        variant, product = self.variant_of(choice), self.product_of(choice)
        if variant is None or product is None:
            return 0, 1 if bounds.unit == ITEMS else UNBOUNDED
        known = self._spans.setdefault(bounds, {})
        if variant.id not in known:
            lines = [Line(product, variant, NO_SECTION, 1, price, 0) for price in self._unit_prices(variant)]
            steps = self._minor if bounds.unit == MONEY else int
            known[variant.id] = (
                min(steps(bounds.least(line)) for line in lines),
                max(steps(bounds.most(line)) for line in lines),
            )
        return known[variant.id]

    def _unit_prices(self, variant: Variant) -> set[Decimal]:
        """Return a variant's prices in all markets, in the shop's currency."""
        at_markets = (market_price(variant, market, self.currency) if market else None for market in self.markets)
        return {unit_price(variant, at_market, self.currency) for at_market in at_markets}

    def _minor(self, amount: Decimal) -> int:
        return minor_units(amount, self.currency)


@dataclass(frozen=True)
class OfferedChoices:
    """The distinct choices in each section; the choices outside of sections are under `NO_SECTION`."""

    by_section: Mapping[int, tuple[Choice, ...]]

    @classmethod
    def of(cls, bundle: Bundle, catalogue: Catalogue, free_variant_ids: Iterable[int]) -> Self:
        """Collect the choices of a bundle. Required products and free items can be chosen in every section, and outside of all
        sections."""
        anywhere = [
            *(choice for named in bundle.required_products for choice in catalogue.choices(*_named(named))),
            *map(catalogue.choice_of, sorted(free_variant_ids)),
        ]
        by_section = {NO_SECTION: _distinct(anywhere)}
        for section in bundle.sections:
            own = (choice for named in section.products for choice in catalogue.choices(*_named(named)))
            by_section[section.id] = _distinct([*own, *anywhere])
        return cls(by_section)

    def within(self, section_id: int | None) -> tuple[Choice, ...]:
        """Return the choices in a section, or in the whole bundle when `section_id` is None."""
        return self._everywhere if section_id is None else self.by_section.get(section_id, ())

    def without(self, section_ids: frozenset[int], products: frozenset[tuple[int, int | None]]) -> Self:
        """Return the choices that remain when these sections and products are hidden. A product is hidden in one section, or
        everywhere if its section is None."""
        return type(self)(
            {
                section_id: tuple(
                    choice
                    for choice in choices
                    if products.isdisjoint({(choice.product_id, None), (choice.product_id, section_id)})
                )
                for section_id, choices in self.by_section.items()
                if section_id not in section_ids
            }
        )

    @cached_property
    def _everywhere(self) -> tuple[Choice, ...]:
        return _distinct(choice for choices in self.by_section.values() for choice in choices)


def _named(named: SectionProduct | RequiredProduct) -> tuple[int, tuple[int, ...]]:
    return named.product_id, named.variant_ids


def _distinct(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    return tuple(dict.fromkeys(choices))


@dataclass(frozen=True, slots=True)
class Requirement:
    """A product of which `quantity` units must be chosen; `place` is its index in the bundle's required products."""

    place: int
    product_id: int
    quantity: int
    choices: tuple[Choice, ...]


def requirements_of(bundle: Bundle, catalogue: Catalogue) -> Iterator[Requirement]:
    """Yield a requirement for every required product of a bundle."""
    for place, required in enumerate(bundle.required_products):
        choices = catalogue.choices(required.product_id, required.variant_ids)
        yield Requirement(place, required.product_id, required.quantity, choices)


def largest_of_each(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """Return the largest requirement for each product, because one unit may count towards several required products."""
    by_size = sorted(requirements, key=lambda need: need.quantity)
    largest = {need.product_id: need for need in by_size}
    return tuple(sorted(largest.values(), key=lambda need: need.place))
