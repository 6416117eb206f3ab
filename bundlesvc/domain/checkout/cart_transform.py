"""The cart-transform step (docs/discount-string.md). It merges a bundle that still matches its configuration into one line with a
percentage discount. For any other bundle it reports why the discount does not apply."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.domain.checkout.cart import BUNDLE_DATA, BundlesAttribute, CartLine
from bundlesvc.domain.checkout.cart_bundles import CartBundle, Refusal, Step, cart_bundles, has_selling_plan, promise
from bundlesvc.domain.checkout.cart_prices import percentage_off, promised_amount
from bundlesvc.domain.checkout.no_discount import NoDiscount


@dataclass(frozen=True, slots=True)
class Merge:
    """A bundle to be merged into one line of its parent variant, with `percentage` off the sum of its lines."""

    configured_id: int
    parent_variant_id: int
    title: str
    image: str
    lines: tuple[CartLine, ...]
    percentage: Decimal


@dataclass(frozen=True, slots=True)
class TransformResult:
    """The result of the cart-transform step. Lines that belong to no merge get no discount."""

    merges: tuple[Merge, ...]
    refusals: tuple[Refusal, ...]


def transform(lines: Sequence[CartLine], attribute: str | None, step: Step) -> TransformResult:
    """Run the cart-transform step on a cart: its lines, and the value of its `_bundles` attribute."""
    bundles = BundlesAttribute.read(attribute)
    merges: list[Merge] = []
    refusals = [
        Refusal.of(NoDiscount("line_unreadable"), None, [line.id])
        for line in lines
        if BUNDLE_DATA in line.properties and line.bundle_data is None
    ]
    for bundle in cart_bundles(lines):
        try:
            merges.append(_merge(bundle, bundles, step, planned=has_selling_plan(lines)))
        except NoDiscount as reason:
            refusals.append(Refusal.of(reason, bundle.configured_id, [line.id for line in bundle.lines]))
    return TransformResult(tuple(merges), tuple(refusals))


def _merge(bundle: CartBundle, bundles: BundlesAttribute, step: Step, *, planned: bool) -> Merge:
    if planned:
        raise NoDiscount("selling_plan")
    entry, claims = promise(bundle, bundles, step)
    percentage = percentage_off(bundle.amount, promised_amount(claims, bundle, step))
    parent = bundle.marks[0].parent_variant_id
    return Merge(bundle.configured_id, parent, entry.title, entry.image, tuple(bundle.lines), percentage)
