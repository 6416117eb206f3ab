"""A whole shop, as described by one shop file (docs/shop-file.md)."""

from dataclasses import dataclass

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
