"""A whole shop as one fixture file holds it (design 15)."""

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
