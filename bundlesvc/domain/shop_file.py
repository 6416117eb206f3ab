"""A whole shop, as one shop file describes it (docs/shop-file.md)."""

from dataclasses import dataclass, replace
from typing import Self

from bundlesvc.domain.bundle import Bundle, Experiment
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import Market, Shop


@dataclass(frozen=True, slots=True)
class ShopFile:
    shop: Shop
    markets: tuple[Market, ...] = ()
    products: tuple[Product, ...] = ()
    bundles: tuple[Bundle, ...] = ()
    experiments: tuple[Experiment, ...] = ()

    def in_order(self) -> Self:
        """The same shop with its lists sorted by id, because their order has no meaning."""
        return replace(
            self,
            markets=tuple(sorted(self.markets, key=lambda market: market.country_code)),
            products=tuple(sorted(self.products, key=lambda product: product.id)),
            bundles=tuple(sorted(self.bundles, key=lambda bundle: bundle.id)),
            experiments=tuple(sorted(self.experiments, key=lambda experiment: experiment.id)),
        )
