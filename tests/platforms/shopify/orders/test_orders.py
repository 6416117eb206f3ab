"""Orders as the Admin API returns them: prices with and without tax, subscription contracts, and data that the app may not
see."""

from collections.abc import Sequence
from decimal import Decimal

import pytest

from bundlesvc.domain.errors import PlatformUnavailable
from bundlesvc.domain.orders.contract import Contract as KnownContract
from bundlesvc.domain.orders.standing import standing_lines
from bundlesvc.platforms.shopify.orders.orders import ShopifyOrders
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.fakes import FakeClock
from tests.platforms.shopify.fakes import TENANT
from tests.standin.data.generated import product
from tests.standin.data.orders import Allocation, Order, OrderedLine
from tests.standin.data.shop import Contract
from tests.standin.server import Standin

MANUAL, SCRIPT = "ManualDiscountApplication", "ScriptDiscountApplication"


@pytest.fixture
def orders(platform: ShopifyPlatform, clock: FakeClock) -> ShopifyOrders:
    return ShopifyOrders(platform.sessions, clock)


def placed(standin: Standin, *lines: OrderedLine, **changes: object) -> Order:
    order = Order("CHF", "EUR", Decimal("0.95"), "CH", [*lines], **changes)  # type: ignore[arg-type]
    standin.shop.orders[order.number] = order
    return order


def shirt(standin: Standin, quantity: int = 2, **changes: object) -> OrderedLine:
    standin.shop.add(product(1))
    price = Decimal("10.00")
    return OrderedLine(10001, quantity, price, price * quantity, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("included", [True, False])
async def test_amounts_are_in_the_terms_of_the_price(included: bool, orders: ShopifyOrders, standin: Standin) -> None:
    line = shirt(standin, 4, tax=Decimal("4.00"))
    order = placed(standin, line, taxes_included=included)
    order.refund(line, 1)
    order.edit(line, -1)
    found = await orders.order(TENANT, str(order.number))
    assert found is not None
    [standing] = standing_lines(found)
    assert (standing.units, standing.charged, standing.returned, standing.refunded) == (3, 3000, 1, 1000)
    assert (standing.tax, standing.refunded_tax) == (400, 100)
    assert (found.currency, found.country) == ("CHF", "CH")
    assert round(found.rate, 2) == Decimal("0.95"), "of two rounded totals"


async def test_version_grows_with_every_change(orders: ShopifyOrders, standin: Standin) -> None:
    """The version of an order increases with every change, even when two changes are made within the same second."""
    line = shirt(standin, 5)
    order, versions = placed(standin, line), list[int]()

    async def read() -> None:
        found = await orders.order(TENANT, str(order.number))
        assert found is not None
        versions.append(found.version)

    await read()
    order.refund(line, 1, seconds=0)
    await read()
    order.edit(line, -1, seconds=0)
    await read()
    order.cancel(seconds=0)
    await read()
    order.touch()
    await read()
    assert versions == sorted(set(versions))


async def test_kinds_of_discounts(orders: ShopifyOrders, standin: Standin) -> None:
    """An automatic discount with the same title as the app's own discount counts as the bundle's discount only on lines of a
    bundle."""
    off = [Allocation("AutomaticDiscountApplication", "Bundle discount", Decimal(1))]
    mark = {"_bundle_data": "7001#9001#u1"}
    line = shirt(
        standin, attributes=mark, discounts=[*off, Allocation("DiscountCodeApplication", "Bundle discount", Decimal(2))]
    )
    order = placed(standin, line, shirt(standin, discounts=off))
    found = await orders.order(TENANT, str(order.number))
    assert found is not None
    kinds = [[(each.kind, each.amount) for each in line.discounts] for line in found.lines]
    assert kinds == [[("bundle", 100), ("code", 200)], [("automatic", 100)]]
    assert standin.calls["OwnDiscountTitles"] == 1
    await orders.order(TENANT, str(order.number))
    assert standin.calls["OwnDiscountTitles"] == 1, "titles are kept for a while"


async def test_lines_of_deleted_variants(orders: ShopifyOrders, standin: Standin) -> None:
    """A tip is not treated as a line. A line of a bundle stays in the order even when its variant has been deleted; the variant
    id is then 0."""
    mark = {"_bundle_data": "7001#9001#u1"}
    gone, tip = shirt(standin, attributes=mark), shirt(standin)
    gone.variant_id, tip.variant_id = 99, None
    order = placed(standin, gone, tip, shirt(standin))
    found = await orders.order(TENANT, str(order.number))
    assert found is not None
    assert [line.variant_id for line in found.lines] == [0, 10001]


async def test_order_that_never_stands_still_is_tried_later(
    orders: ShopifyOrders, standin: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = placed(standin, shirt(standin))
    monkeypatch.setattr(Order, "total", property(lambda self: self.touch() or Decimal(20)))
    with pytest.raises(PlatformUnavailable):
        await orders.order(TENANT, str(order.number))


@pytest.mark.parametrize(
    ("status", "ended"),
    [("ACTIVE", None), ("PAUSED", None), ("CANCELLED", "cancelled"), ("FAILED", "cancelled"), ("EXPIRED", "expired")],
)
async def test_contracts(status: str, ended: str | None, orders: ShopifyOrders, standin: Standin) -> None:
    order = placed(standin, shirt(standin))
    standin.shop.contracts = {7: Contract(7, status, order.number), 8: Contract(8, status)}
    assert await orders.contract(TENANT, "7") == KnownContract("7", str(order.number), ended)
    assert await orders.contract(TENANT, "8") == KnownContract("8", None, ended)
    assert await orders.contract(TENANT, "9") is None


@pytest.mark.parametrize(
    ("scopes", "days", "hidden"), [((), 59, False), ((), 61, True), (("read_all_orders",), 61, False)]
)
async def test_old_orders_are_hidden_without_their_scope(
    scopes: Sequence[str],
    days: int,
    hidden: bool,
    orders: ShopifyOrders,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.standin.graph.shop.ALL", frozenset({"read_orders", *scopes}))
    sentence = await orders.hidden(TENANT, int(clock.now()) - days * 86_400)
    assert (sentence is not None and "read_all_orders" in sentence) == hidden
