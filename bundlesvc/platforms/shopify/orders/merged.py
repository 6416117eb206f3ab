"""Bundles that the checkout has merged. The prices of their lines include the bundle's discount.

The platform distributes the price of the merged line among its parts in proportion to their full prices. Orders do not contain
these full prices. The current prices of the variants in the order's country are used instead, provided that the charges for the
lines are in proportion to these prices.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bundlesvc.domain.orders.order import BUNDLE_DISCOUNT, LineDiscount, OrderLine
from bundlesvc.platforms.shopify.orders.lines import ReadLine


def merged_variants(lines: Iterable[ReadLine]) -> list[int]:
    """Return the variants whose current prices are needed to estimate the undiscounted prices of merged lines."""
    return sorted({each.line.variant_id for each in lines if each.is_merged})


def with_full_prices(lines: Sequence[ReadLine], prices: Mapping[int, int]) -> tuple[OrderLine, ...]:
    """Return all lines, with the lines of merged bundles at their prices before the bundle's discount. `prices` are in minor
    units, by variant. If the prices of a bundle have changed since the purchase, the bundle's lines keep the price after the
    discount, and are marked as `net`."""
    groups: dict[str, list[ReadLine]] = defaultdict(list)
    for each in lines:
        if each.is_merged and each.line.group:
            groups[each.line.group].append(each)
    found = {line.id: line for group in groups.values() for line in _group(group, prices)}
    return tuple(found.get(each.line.id, each.line) for each in lines)


def _group(group: Sequence[ReadLine], prices: Mapping[int, int]) -> list[OrderLine]:
    full = [prices.get(each.line.variant_id, 0) * each.line.quantity for each in group]
    if _is_share(group, full):
        return [_discounted(each, amount // each.line.quantity) for each, amount in zip(group, full, strict=True)]
    return [replace(_discounted(each, -(-each.total // each.line.quantity)), net=True) for each in group]


def _is_share(group: Sequence[ReadLine], full: Sequence[int]) -> bool:
    """Whether the charge for each line is the same share of the line's full price, apart from rounding per unit."""
    charged, whole = sum(each.total for each in group), sum(full)
    if not all(full) or charged > whole:
        return False
    return all(
        2 * abs(each.total * whole - charged * amount) <= (each.line.quantity + 2) * whole
        for each, amount in zip(group, full, strict=True)
    )


def _discounted(each: ReadLine, unit_price: int) -> OrderLine:
    """Return the line at another unit price, with a bundle discount that keeps its total unchanged."""
    off = unit_price * each.line.quantity - each.total
    own = (LineDiscount(BUNDLE_DISCOUNT, each.title, off),) if off else ()
    return replace(each.line, unit_price=unit_price, discounts=(*own, *each.line.discounts))
