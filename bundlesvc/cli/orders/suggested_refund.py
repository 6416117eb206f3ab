"""The refund that a shop's platform would suggest, for `bundlesvc orders refund-quote --compare`."""

from collections.abc import Mapping, Sequence

from bundlesvc.cli.platform.connection.live_shop import LiveShop, with_live_shop
from bundlesvc.cli.terminal.output import fail
from bundlesvc.domain.orders.order import Order
from bundlesvc.domain.orders.refunds.refund_comparison import SuggestedLine
from bundlesvc.ports.orders import RefundSuggestions


def suggested_refund(handle: str, order: Order, returns: Mapping[str, int]) -> Sequence[SuggestedLine]:
    """Return the refund that the platform suggests for the returned units of each line. Ends the command when the platform
    suggests none."""
    return with_live_shop(handle, lambda live: _suggested(live, order, returns))


async def _suggested(live: LiveShop, order: Order, returns: Mapping[str, int]) -> Sequence[SuggestedLine]:
    if live.engine.refunds is None:
        fail(f"{live.tenant.shop.handle}: {live.tenant.shop.platform.kind} calculates no refunds to compare with.")
    refunds: RefundSuggestions = live.engine.refunds()
    suggested = await refunds.suggested(live.tenant, order, returns)
    if suggested is None:
        fail(f"{live.tenant.shop.handle}: the platform has no order {order.id} with these lines, or does not show it.")
    return suggested
