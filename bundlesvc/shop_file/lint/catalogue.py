"""What a shop sells: prices, weights and stock of what can be chosen, as bounds where they differ or are not known."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from bundlesvc.domain.money import minor_units
from bundlesvc.domain.product import ACTIVE, MarketPrice, Product, Variant, market_price, unit_price
from bundlesvc.domain.selection import MAX_ITEMS
from bundlesvc.domain.shop import SHOPIFY, Market
from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.shop_file.lint.ranges import UNBOUNDED


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a shopper can choose: a variant, or of a live platform's product any of its variants (None)."""

    product_id: int
    variant_id: int | None


@dataclass(frozen=True)
class Catalogue:
    """The products of a file, sold in `markets` (None: a country without a market). A live platform's are not known."""

    live: bool
    currency: str
    products: Mapping[int, Product]
    markets: tuple[Market | None, ...]
    not_sold: frozenset[int] = frozenset()

    @classmethod
    def of(cls, shop_file: ShopFile) -> Self:
        shop = shop_file.shop
        return cls(
            live=shop.platform.kind == SHOPIFY,
            currency=shop.settings.currency if shop.settings else "",
            products={product.id: product for product in shop_file.products},
            markets=(None, *shop_file.markets),
        )

    def of_market(self, market: Market) -> Self:
        """The same products as one market sells them."""
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
    def _price_spans(self) -> dict[int, tuple[int, int]]:
        return {}

    def choices(self, product_id: int, variant_ids: tuple[int, ...]) -> tuple[Choice, ...]:
        """What can be chosen of a product: these variants, or all of them where none is named."""
        if not variant_ids and not self.live:
            variant_ids = tuple(self.products[product_id].variants_by_id)
        elif not variant_ids:
            return (Choice(product_id, None),)
        return tuple(Choice(product_id, variant_id) for variant_id in variant_ids)

    def choice_of(self, variant_id: int) -> Choice:
        """The variant as a choice; where its product is not known, a negative id stands for it, shared with nothing else."""
        owner = self._owners.get(variant_id)
        return Choice(owner.id if owner else -variant_id, variant_id)

    def product_of(self, choice: Choice) -> Product | None:
        return self.products.get(choice.product_id)

    def variant_of(self, choice: Choice) -> Variant | None:
        product = self.product_of(choice)
        return product.variants_by_id.get(choice.variant_id) if product and choice.variant_id is not None else None

    def stock(self, choice: Choice) -> int:
        """How many units can be sold now, at most as many as a selection can hold."""
        product, variant = self.product_of(choice), self.variant_of(choice)
        if product is None or variant is None:
            return MAX_ITEMS
        if product.status != ACTIVE or variant.id in self.not_sold:
            return 0
        return MAX_ITEMS if variant.in_stock(MAX_ITEMS) else max(variant.inventory_quantity, 0)

    def price_span(self, choice: Choice) -> tuple[int, int]:
        """The least and the most that a unit costs in any of the markets, in minor units of the shop's currency."""
        variant = self.variant_of(choice)
        if variant is None:
            return 0, UNBOUNDED
        if variant.id not in self._price_spans:
            prices = [self.price(variant, market) for market in self.markets]
            self._price_spans[variant.id] = min(prices), max(prices)
        return self._price_spans[variant.id]

    def price(self, variant: Variant, market: Market | None = None) -> int:
        """What a unit costs in a market, in minor units of the shop's currency."""
        at_market: MarketPrice | None = market_price(variant, market, self.currency) if market else None
        return minor_units(unit_price(variant, at_market, self.currency), self.currency)

    def gram_span(self, choice: Choice) -> tuple[int, int]:
        """The least and the most that a unit weighs."""
        variant = self.variant_of(choice)
        return (variant.grams, variant.grams) if variant else (0, UNBOUNDED)
