"""Implements the `RefundSuggestions` port with the Admin GraphQL API."""

from collections.abc import Mapping, Sequence
from typing import Any

from bundlesvc.domain.identifiers import parse_id
from bundlesvc.domain.money import presentment_units
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.refunds.refund_comparison import SuggestedLine
from bundlesvc.domain.shop import Tenant
from bundlesvc.platforms.shopify.client.graphql import gid, number_of
from bundlesvc.platforms.shopify.client.sessions import AdminSessions
from bundlesvc.platforms.shopify.orders.lines import money

Node = Mapping[str, Any]


class ShopifyRefunds:
    """Fetches the refunds that Shopify suggests for orders of the shops that `AdminSessions` serves. Raises the same errors as
    `AdminSessions`."""

    def __init__(self, sessions: AdminSessions) -> None:
        self._sessions = sessions

    async def suggested(
        self, tenant: Tenant, order: Order, returns: Mapping[str, int]
    ) -> Sequence[SuggestedLine] | None:
        order_id, lines = parse_id(order.id), [(parse_id(line), units) for line, units in returns.items()]
        if order_id is None or any(line is None for line, _ in lines):
            return None
        wanted = [{"lineItemId": gid("LineItem", line or 0), "quantity": units} for line, units in lines]
        session = await self._sessions.open(tenant)
        data = await session.run("suggested_refund", id=gid("Order", order_id), lines=wanted)
        with session.reading():
            found = data["order"] and data["order"]["suggestedRefund"]
            return None if found is None else [_line(node, order.currency) for node in found["refundLineItems"]]


def _line(node: Node, currency: str) -> SuggestedLine:
    subtotal, tax = (presentment_units(money(node[name]), currency) for name in ("subtotalSet", "totalTaxSet"))
    return SuggestedLine(str(number_of(node["lineItem"]["id"])), subtotal, tax)
