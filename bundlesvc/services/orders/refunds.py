"""Refund quotes for stored orders (docs/orders.md#refunds)."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from bundlesvc.domain.bundle import Bundle
from bundlesvc.domain.configured import StoredSelection
from bundlesvc.domain.errors import Fault, InvalidInput, NotFound, RulesNotMet
from bundlesvc.domain.money import from_presentment_units, presentment_units
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.refunds.refund_quote import KEEP_RULES, QuotedLine, refund_quote, staying_units
from bundlesvc.domain.orders.refusals import RefundInvalid
from bundlesvc.domain.selection import SelectedItem, SelectionRequest, units_of
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import ConfiguredStore, ShopStore
from bundlesvc.ports.orders import OrderStore
from bundlesvc.request_deadline import NO_DEADLINE, RequestDeadline
from bundlesvc.services.price_selection import PriceSelection, check_quote

DELIVERED = frozenset(("not_active", "sold_out", "not_sold_in_country", "type_mismatch"))
"""Rules that do not apply to what the shopper has already received."""


class RefundQuotes:
    """Quotes refunds. The `keep-rules` policy applies the bundle's current rules."""

    def __init__(
        self, orders: OrderStore, configured: ConfiguredStore, shops: ShopStore, price_selection: PriceSelection
    ) -> None:
        self._orders = orders
        self._configured = configured
        self._shops = shops
        self._price_selection = price_selection

    async def quote(
        self,
        tenant: Tenant,
        order_id: str,
        returns: Mapping[str, int],
        policy: str,
        deadline: RequestDeadline = NO_DEADLINE,
    ) -> tuple[Order, tuple[QuotedLine, ...]]:
        """Return the order, and the refund for the returned lines. Raises NotFound, RefundInvalid with every fault, and what
        `Platform` raises."""
        found = await self._orders.order(tenant, order_id)
        if found is None:
            raise NotFound
        order, prices = found.order, dict[int, int]()
        if policy == KEEP_RULES:
            for configured_id, units in staying_units(order, returns).items():
                prices[configured_id] = await self._price(tenant, order, configured_id, units, deadline)
        return order, refund_quote(order, returns, policy, lambda configured_id, _: prices[configured_id])

    async def _price(
        self, tenant: Tenant, order: Order, configured_id: int, units: Mapping[str, int], deadline: RequestDeadline
    ) -> int:
        """Calculate the price of those units of a bundle that the shopper keeps: their full price, less the discount that the
        bundle's rules would give for these units alone. There is no discount when these units cannot be configured as a bundle.
        Raises RefundInvalid when the bundle no longer exists."""
        stored = await self._configured.selection(tenant, configured_id)
        bundle = await self._shops.bundle(tenant, stored.bundle_id) if stored else None
        if stored is None or bundle is None:
            message = f"The bundle of configured bundle {configured_id} is not known any more. Choose another policy."
            raise RefundInvalid([Fault("policy", "bundle_unknown", message)])
        full = sum(line.unit_price * units.get(line.id, 0) for line in order.lines)
        counts: dict[int, int] = {}
        for line in order.lines:
            counts[line.variant_id] = counts.get(line.variant_id, 0) + units.get(line.id, 0)
        items = _staying(stored.selected(bundle), counts)
        share = await self._share(tenant, order, bundle, stored, items, deadline)
        return presentment_units(from_presentment_units(full, order.currency) * share, order.currency)

    async def _share(
        self,
        tenant: Tenant,
        order: Order,
        bundle: Bundle,
        stored: StoredSelection,
        items: Sequence[SelectedItem],
        deadline: RequestDeadline,
    ) -> Decimal:
        """Return the fraction of the full price that the given units cost as a bundle. The prices of the order's lines already
        include a subscription's percentage."""
        request = SelectionRequest(units_of(items), stored.bundle_type, order.country, stored.subscription)
        try:
            quote = await self._price_selection.quote(tenant, bundle, request, deadline)
            check_quote(tenant.shop, bundle, request, quote)
        except RulesNotMet as refused:
            if any(fault.code not in DELIVERED for fault in refused.faults):
                return Decimal(1)
        except InvalidInput:
            return Decimal(1)
        pricing = quote.one_time
        return pricing.discounted / pricing.original if pricing.original else Decimal(1)


def _staying(items: Sequence[SelectedItem], counts: dict[int, int]) -> list[SelectedItem]:
    """Select the units that stay in the order: as many of each variant as `counts` says, taken from the start of the
    selection."""
    staying = []
    for item in items:
        if counts.get(item.variant_id, 0):
            counts[item.variant_id] -= 1
            staying.append(item)
    return staying
