"""The bundles in a cart, and the promise for each bundle that still matches its configuration (docs/discount-string.md)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Self

from bundlesvc.domain.checkout.cart import BundleData, BundlesAttribute, BundlesEntry, CartLine
from bundlesvc.domain.checkout.cart_checks import check_age, check_fees, check_marks, check_owner, check_units
from bundlesvc.domain.checkout.discount_promise import MAX_AGE_DAYS, MAX_LENGTH, DiscountClaims, read_claims
from bundlesvc.domain.checkout.no_discount import NoDiscount
from bundlesvc.domain.money import ZERO

OpenDiscount = Callable[[str], Mapping[str, Any] | None]
"""A function that returns the claims of a discount string, or None when no key decrypts it."""


@dataclass(frozen=True, slots=True)
class CartCurrency:
    """The currency of a cart's prices, and its exchange rate from the shop currency. Checking a version 2 promise requires both
    values."""

    code: str
    rate: Decimal


@dataclass(frozen=True, slots=True)
class Step:
    """The inputs of the cart-transform step besides the cart: the shop's handle, a function that decrypts discount strings, the
    time (seconds since 1970), the maximum age of a discount, the buyer's country (None when unknown) and the cart's currency
    (None for the shop's own)."""

    shop: str
    open_discount: OpenDiscount
    now: int
    max_age_days: int = MAX_AGE_DAYS
    country: str | None = None
    currency: CartCurrency | None = None


@dataclass(frozen=True, slots=True)
class CartBundle:
    """The discounted lines of one configured bundle, the contents of their `_bundle_data` properties, and the bundle's fees."""

    configured_id: int
    lines: list[CartLine] = field(default_factory=list)
    marks: list[BundleData] = field(default_factory=list)
    fees: list[CartLine] = field(default_factory=list)

    @property
    def has_selling_plan(self) -> bool:
        """Whether any line is bought with a selling plan."""
        return any(line.selling_plan for line in self.lines)

    @property
    def is_subscribed(self) -> bool:
        """Whether every line is bought with a selling plan."""
        return all(line.selling_plan for line in self.lines)

    @property
    def amount(self) -> Decimal:
        return sum((line.amount for line in self.lines), ZERO)

    @property
    def unit_count(self) -> int:
        return sum(line.quantity for line in self.lines)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why some lines get no discount: a code and message from the module `no_discount`, with details."""

    code: str
    message: str
    configured_id: int | None
    line_ids: tuple[str, ...]
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, reason: NoDiscount, configured_id: int | None, line_ids: Iterable[str]) -> Self:
        return cls(reason.code, str(reason), configured_id, tuple(line_ids), reason.details)


def cart_bundles(lines: Sequence[CartLine]) -> list[CartBundle]:
    """Return the bundles in a cart, in cart order. A bundle of which only fees are left is skipped."""
    marked = [(line, mark) for line in lines if (mark := line.bundle_data)]
    bundles: dict[int, CartBundle] = {}
    for line, mark in marked:
        if not line.is_fee:
            bundle = bundles.setdefault(mark.configured_id, CartBundle(mark.configured_id))
            bundle.lines.append(line)
            bundle.marks.append(mark)
    for line, mark in marked:
        if line.is_fee and mark.configured_id in bundles:
            bundles[mark.configured_id].fees.append(line)
    return list(bundles.values())


def has_selling_plan(lines: Iterable[CartLine]) -> bool:
    """Whether any line has a selling plan, even a line outside a bundle. If so, the platform may reject every merge in the
    cart."""
    return any(line.selling_plan for line in lines)


def promise(bundle: CartBundle, bundles: BundlesAttribute, step: Step) -> tuple[BundlesEntry, DiscountClaims]:
    """Check a bundle's lines against its promise in everything except their prices, and return the bundle's entry and the claims.
    Raises NoDiscount."""
    entry = bundles.entry(bundle.configured_id)
    claims = _claims(entry, step.open_discount)
    check_owner(claims, bundle.configured_id, entry, step.shop)
    check_age(claims, step.now, step.max_age_days)
    check_marks(claims, bundle.marks)
    check_units(claims, bundle.lines)
    check_fees(claims, bundle.fees)
    return entry, claims


def _claims(entry: BundlesEntry, open_discount: OpenDiscount) -> DiscountClaims:
    opened = open_discount(entry.discount) if len(entry.discount) <= MAX_LENGTH else None
    if opened is None:
        raise NoDiscount("discount_broken")
    claims = read_claims(opened)
    if claims is None:
        raise NoDiscount("discount_unreadable")
    return claims
