"""A line of a cart, and what its properties say of the bundle that it belongs to. Anyone may have changed them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Self

from bundlesvc.domain.identifiers import parse_id

BUNDLE_DATA, BUNDLE_FEE = "_bundle_data", "_bundle_fee"
"""The properties that configure puts on lines."""


@dataclass(frozen=True, slots=True)
class BundleData:
    """What `_bundle_data` says: which configured bundle a line belongs to."""

    configured_id: int
    parent_variant_id: int
    unique_id: str

    @classmethod
    def read(cls, text: str) -> Self | None:
        """None when it cannot be read."""
        parts = text.split("#")
        ids = [parse_id(part) for part in parts[:2]]
        if len(parts) != 3 or None in ids or not parts[2]:  # noqa: PLR2004 - the three parts of the property
            return None
        return cls(int(parts[0]), int(parts[1]), parts[2])


@dataclass(frozen=True, slots=True)
class CartLine:
    """A line of a cart; `unit_price` in shop currency, as the shopper's market has it."""

    id: str
    variant_id: int
    quantity: int
    unit_price: Decimal
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def amount(self) -> Decimal:
        return self.unit_price * self.quantity

    @property
    def is_fee(self) -> bool:
        """Fees are charged in full, beside their bundle."""
        return BUNDLE_FEE in self.properties

    @property
    def bundle_data(self) -> BundleData | None:
        return BundleData.read(self.properties.get(BUNDLE_DATA, ""))
