"""What a discount string says (docs/discount-string.md), read back."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, DecimalException
from typing import Any

from bundlesvc.domain.configured import CLAIMS_VERSION, variants_digest
from bundlesvc.domain.money import HUNDRED, ZERO

PERCENTAGE_STEP = Decimal("0.00000001")
"""Percentages have eight decimals, so that up to 99 million the discounted amount comes out exact to the cent."""


@dataclass(frozen=True, slots=True)
class Claims:
    """A promise to take a selection from `original` to `discounted` (shop currency); `variants` are units by variant id, or
    the digest of many."""

    shop: str
    bundle_id: int
    configured_id: int
    original: Decimal
    discounted: Decimal
    variants: Mapping[int, int] | str
    unique_id: str
    test: bool

    @property
    def percentage(self) -> Decimal:
        """What must be taken off the original."""
        if not self.original:
            return ZERO
        exact = (self.original - self.discounted) * HUNDRED / self.original
        return exact.quantize(PERCENTAGE_STEP, ROUND_HALF_UP)

    def covers(self, counts: Mapping[int, int]) -> bool:
        """Whether these are the units that were configured."""
        return self.variants == (variants_digest(counts) if isinstance(self.variants, str) else counts)


def read_claims(claims: Mapping[str, Any]) -> Claims | None:
    """None when they are not of the version that is known here."""
    if claims.get("v") != CLAIMS_VERSION:
        return None
    try:
        variants = claims["variants"]
        return Claims(
            shop=claims["shop"],
            bundle_id=claims["bundle"],
            configured_id=claims["configured"],
            original=Decimal(claims["original"]),
            discounted=Decimal(claims["discounted"]),
            variants=variants if isinstance(variants, str) else {int(id_): count for id_, count in variants.items()},
            unique_id=claims["unique"],
            test=claims["test"],
        )
    except (KeyError, TypeError, ValueError, AttributeError, DecimalException):
        return None
