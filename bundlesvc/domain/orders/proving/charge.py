"""The charge for one bundle of an order, broken down into its parts."""

from dataclasses import dataclass

from bundlesvc.domain.checkout.cart_bundles import CartBundle
from bundlesvc.domain.orders.order import Order, OrderLine
from bundlesvc.domain.orders.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Charge:
    """The charge for the lines of a bundle, excluding its fees, in minor units: the price before discounts, the bundle's own
    discount, all other discounts, and the change made by edits after the purchase."""

    configured_id: int
    line_ids: tuple[str, ...]
    listed: int
    own_discount: int
    other_discounts: int
    edited: int

    @property
    def purchase(self) -> int:
        """The charge at the time of purchase."""
        return self.listed - self.own_discount - self.other_discounts

    @property
    def final(self) -> int:
        """The charge after all edits."""
        return self.purchase + self.edited

    def verdict(
        self,
        bundle_id: int | None,
        outcome: str,
        promised: int | None = None,
        cause: str | None = None,
        reason: str | None = None,
    ) -> Verdict:
        """Return a verdict on this charge."""
        return Verdict(
            self.configured_id, bundle_id, self.line_ids, outcome, self.final, promised, cause=cause, reason=reason
        )


def charge_of(order: Order, bundle: CartBundle) -> Charge:
    """Return the charge for the discounted lines of a bundle in an order."""
    ids = {line.id for line in bundle.lines}
    return charge_of_lines(order, bundle.configured_id, [line for line in order.lines if line.id in ids])


def charge_of_lines(order: Order, configured_id: int, lines: list[OrderLine]) -> Charge:
    """Return the charge for lines of an order that belong to one configured bundle."""
    ids = tuple(line.id for line in lines)
    return Charge(
        configured_id,
        ids,
        sum(line.listed for line in lines),
        sum(line.own_discount for line in lines),
        sum(line.other_discounts for line in lines),
        order.edited(ids),
    )
