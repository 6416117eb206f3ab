"""Checks that a bundle in a cart is the one for which its discount string was created. Every check raises NoDiscount."""

from collections import Counter
from collections.abc import Mapping, Sequence

from bundlesvc.domain.checkout.cart import BundleData, BundlesEntry, CartLine
from bundlesvc.domain.checkout.discount_promise import DiscountClaims
from bundlesvc.domain.checkout.no_discount import NoDiscount

DAY = 24 * 60 * 60


def check_owner(claims: DiscountClaims, configured_id: int, entry: BundlesEntry, shop: str) -> None:
    if claims.shop != shop:
        raise NoDiscount("other_shop")
    if claims.configured_id != configured_id:
        raise NoDiscount("other_configured_bundle")
    if entry.bundle_id is not None and (type(entry.bundle_id) is not int or entry.bundle_id != claims.bundle_id):
        raise NoDiscount("other_bundle", promised=claims.bundle_id, found=entry.bundle_id)
    if claims.test:
        raise NoDiscount("test_discount")


def check_age(claims: DiscountClaims, now: int, max_age_days: int) -> None:
    if now - claims.made_at > max_age_days * DAY:
        raise NoDiscount("discount_expired", maxAgeDays=max_age_days)


def check_marks(claims: DiscountClaims, marks: Sequence[BundleData]) -> None:
    if any(mark.unique_id != claims.unique_id for mark in marks):
        raise NoDiscount("unique_mismatch")
    if len({mark.parent_variant_id for mark in marks}) > 1:
        raise NoDiscount("parents_differ")
    parent = marks[0].parent_variant_id
    if claims.terms is not None and claims.terms.parent_variant_id != parent:
        raise NoDiscount("other_parent", found=str(parent))


def check_units(claims: DiscountClaims, lines: Sequence[CartLine]) -> None:
    found = unit_counts(lines)
    if claims.covers(found):
        return
    if isinstance(claims.variants, str):
        raise NoDiscount("lines_changed")
    promised = Counter(claims.variants)
    differing = [variant for variant in promised | found if promised[variant] != found[variant]]
    counts = _differences(differing, promised, found)
    if any(not found[variant] for variant in differing):
        raise NoDiscount("lines_missing", variants=counts)
    if any(not promised[variant] for variant in differing):
        raise NoDiscount("lines_extra", variants=counts)
    raise NoDiscount("quantity_changed", variants=counts)


def check_fees(claims: DiscountClaims, lines: Sequence[CartLine]) -> None:
    """Check that no fee is missing. Additional fees are allowed, because fees are never discounted. If the promise contains only
    a digest of the fees, however, the fees must match it exactly."""
    found = unit_counts(lines)
    if claims.includes_fees(found):
        return
    if isinstance(claims.fees, str):
        raise NoDiscount("fee_missing")
    lacking = [variant for variant, count in claims.fees.items() if found[variant] < count]
    raise NoDiscount("fee_missing", variants=_differences(lacking, claims.fees, found))


def unit_counts(lines: Sequence[CartLine]) -> Counter[int]:
    """Count the units in cart lines, by variant id."""
    found: Counter[int] = Counter()
    for line in lines:
        found[line.variant_id] += line.quantity
    return found


def _differences(
    variants: Sequence[int], promised: Mapping[int, int], found: Mapping[int, int]
) -> list[dict[str, object]]:
    return [
        {"variantId": str(variant), "promised": promised[variant], "found": found[variant]}
        for variant in sorted(variants)
    ]
