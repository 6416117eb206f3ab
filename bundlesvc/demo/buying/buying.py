"""Places a test order for a demo cart, and reports whether the cart's promises were kept. The order goes through the same use
cases as an order from any other shop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from bundlesvc.demo.buying.placed_order import Placing, placed_order
from bundlesvc.demo.receipt import Goods
from bundlesvc.demo.simulate_checkout import Cart, SimulateCheckout
from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.orders.judged import WITHOUT_BUNDLE, JudgedOrder
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.refunds.refund_quote import POLICIES, QuotedLine
from bundlesvc.domain.shop import Tenant
from bundlesvc.ports import Clock, Ids, Platform
from bundlesvc.request_deadline import RequestDeadline
from bundlesvc.services.orders.intake import OrderIntake
from bundlesvc.services.orders.reading import Orders
from bundlesvc.services.orders.refunds import RefundQuotes


@dataclass(frozen=True, slots=True)
class BoughtOrder:
    """An order, and the details that the page shows for its variants, by variant id. Variants that are no longer sold are
    missing."""

    judged: JudgedOrder
    goods: Mapping[int, Goods]


@dataclass(frozen=True, slots=True)
class PolicyQuote:
    """The refund quote under one refund policy."""

    policy: str
    order: Order
    lines: Sequence[QuotedLine]


class Buying:
    """Places and reads test orders in the demo, and quotes refunds for them."""

    def __init__(
        self,
        checkout: SimulateCheckout,
        platform: Platform,
        intake: OrderIntake,
        orders: Orders,
        refund_quotes: RefundQuotes,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._checkout = checkout
        self._platform = platform
        self._intake = intake
        self._orders = orders
        self._refund_quotes = refund_quotes
        self._clock = clock
        self._ids = ids

    async def buy(
        self, caller: Caller, cart: Cart, visitor_id: str | None, deadline: RequestDeadline
    ) -> BoughtOrder | None:
        """Place a test order. Returns None, and stores nothing, when nothing in the cart belongs to a bundle. Raises what
        `OrderIntake.take` raises."""
        tenant = caller.tenant
        checked_out = await self._checkout.check_out(tenant, cart)
        placing = Placing(f"demo-{self._ids.unique_id()}", int(self._clock.now()), visitor_id)
        order = placed_order(cart, checked_out, placing)
        rate = await self._rate(tenant, order, checked_out.receipt.currencies.shop, deadline)
        taken = await self._intake.take(caller, order, rate, deadline)
        return None if taken.result == WITHOUT_BUNDLE else await self._shown(tenant, taken.judged)

    async def find(self, tenant: Tenant, order_id: str) -> BoughtOrder:
        """Fetch a stored order. Raises NotFound."""
        return await self._shown(tenant, await self._orders.find(tenant, order_id))

    async def quotes(
        self, tenant: Tenant, order_id: str, returns: Mapping[str, int], deadline: RequestDeadline
    ) -> Sequence[PolicyQuote]:
        """Quote the refund for returned lines under every policy. Raises what `RefundQuotes.quote` raises."""
        quotes = []
        for policy in POLICIES:
            order, lines = await self._refund_quotes.quote(tenant, order_id, returns, policy, deadline)
            quotes.append(PolicyQuote(policy, order, lines))
        return quotes

    async def _rate(self, tenant: Tenant, order: Order, shop_currency: str, deadline: RequestDeadline) -> Decimal:
        """Return the exchange rate: units of the market's currency per unit of the shop's currency."""
        if order.country is None or order.currency == shop_currency:
            return Decimal(1)
        return (await self._platform.market_terms(tenant, order.country, deadline)).rate or Decimal(1)

    async def _shown(self, tenant: Tenant, judged: JudgedOrder) -> BoughtOrder:
        order = judged.order
        variants = sorted({line.variant_id for line in order.lines})
        return BoughtOrder(judged, await self._checkout.goods(tenant, variants, order.country))
