"""`bundlesvc orders import` pages through the platform's orders, continues after an interruption, and reports what is missing."""

import json
from decimal import Decimal

import pytest

from tests.cli.command_line import Run, assert_error, assert_usage
from tests.cli.live_shop import DOMAIN, platform_shop
from tests.standin.data.orders import Order, OrderedLine, now_text
from tests.standin.data.shop import Shop
from tests.standin.faults import refused
from tests.standin.server import Standin

DAY = 86_400
FIRST = 1_790_000_000
"""A time on 2026-09-21, in seconds since 1970."""

IMPORT = ("orders", "import", "--shop", "live", "--since", "2026-09-01")


def add_orders(shop: Shop, count: int) -> list[Order]:
    """Add orders for one shirt each, one per hour. Every tenth order contains a line with the mark of a bundle."""
    made = []
    for number in range(count):
        at = now_text(FIRST + number * 3600)
        mark = {"_bundle_data": f"{7000 + number}#90001#u{number}"} if number % 10 == 0 else {}
        line = OrderedLine(10001, 1, Decimal("11.00"), Decimal("11.00"), mark)
        made.append(Order("EUR", "EUR", Decimal(1), "DE", [line], created_at=at, updated_at=at))
    shop.orders = {order.number: order for order in made}
    return made


def listed(run: Run) -> set[str]:
    found = json.loads(run("orders", "list", "--shop", "live", "--format", "json").out)
    return {order["id"] for order in found}


def test_all_orders_since_the_day(connected: Run, standin: Standin) -> None:
    made = add_orders(standin.shop, 250)
    result = connected(*IMPORT)
    assert (result.code, result.out) == (0, "live: 250 orders read, 25 with a bundle.\n")
    assert [line for line in result.err.splitlines() if "so far" in line] == [
        "live: 100 orders read, 10 with a bundle so far",
        "live: 200 orders read, 20 with a bundle so far",
    ]
    assert listed(connected) == {str(order.number) for order in made[::10]}
    assert standin.calls["OrderIds"] == 3
    assert standin.calls["ShopSettings"] <= 2

    again = connected(*IMPORT)
    assert again.out == result.out
    assert len(listed(connected)) == 25


def test_later_day(connected: Run, standin: Standin) -> None:
    add_orders(standin.shop, 50)
    result = connected(*IMPORT[:-1], "2026-09-23")
    assert result.out == "live: 16 orders read, 1 with a bundle.\n"


def test_interrupted_import_goes_on(connected: Run, standin: Standin) -> None:
    made = add_orders(standin.shop, 150)
    real, seen = standin.shop.orders, []

    class Counted(dict):  # type: ignore[type-arg]
        """A dict of orders. After the 150th call of `values`, all requests to the shop fail."""

        def values(self):  # type: ignore[no-untyped-def]
            seen.append(1)
            if len(seen) == 150:
                standin.fail_next(refused(402), times=None)
            return real.values()

    standin.shop.orders = Counted(real)
    broken = connected(*IMPORT)
    assert broken.code == 1
    assert "live: 100 orders read, 10 with a bundle so far" not in broken.out
    standin.heal()
    standin.shop.orders = real
    standin.calls.clear()
    assert connected(*IMPORT).out == "live: 150 orders read, 15 with a bundle.\n"
    assert listed(connected) == {str(order.number) for order in made[::10]}


def test_older_orders_need_another_scope(connected: Run, standin: Standin) -> None:
    add_orders(standin.shop, 1)
    result = connected(*IMPORT[:-1], "2020-01-01")
    assert result.code == 0
    assert "orders older than 60 days are not shown to the app." in result.err
    assert "read_all_orders" in result.err


def test_without_the_scope_for_orders(connected: Run, standin: Standin) -> None:
    standin.missing_scopes.add("read_orders")
    result = connected(*IMPORT)
    assert (result.code, result.out) == (1, "")
    assert "Required access: `read_orders` access scope" in result.err.splitlines()[-1]


def test_shop_that_is_not_on_a_live_platform(run: Run, connected: Run) -> None:
    assert_error(connected("orders", "import", "--shop", "nowhere", "--since", "2026-09-01"), "nowhere")
    assert_usage(connected(*IMPORT[:-1], "yesterday"), "yesterday")
    assert_usage(connected(*IMPORT[:4]), "--since")


@pytest.fixture
def standin_shop() -> Shop:
    shop = platform_shop()
    assert shop.domain == DOMAIN
    return shop
