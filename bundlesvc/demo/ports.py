"""The port through which the demo reads a catalogue, in addition to the `Platform` port."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bundlesvc.domain.product import Variant
from bundlesvc.domain.shop import Tenant


@dataclass(frozen=True, slots=True)
class CartVariant:
    """A variant as shown in a cart, with its product's title and image. A `ghost` stands for a configured bundle."""

    variant: Variant
    title: str
    image_url: str
    ghost: bool = False


class CartCatalogue(Protocol):
    """The variants and markets of a shop. Raises StorageUnavailable."""

    async def markets(self, tenant: Tenant) -> Mapping[str, str]:
        """Fetch the currency (ISO 4217) of every country that has its own market, by country code."""

    async def cart_variants(self, tenant: Tenant, variant_ids: Sequence[int]) -> Mapping[int, CartVariant]:
        """Fetch the variants that can be bought, by id, including ghost variants in use. Prices are in shop currency."""
