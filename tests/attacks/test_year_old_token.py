"""A shopper stores a discount string while a sale lasts, and uses it a year later, when the discount is long gone.

Before, the age of a discount string was never checked: it was valid forever."""

from tests.demo.orders import BREAKFAST
from tests.demo.service import Demo, MakeDemo, amounts, cart_of, loaded_database
from tests.fakes import FakeClock

__all__ = ["loaded_database"]  # the demo shop

DAY = 24 * 60 * 60


async def test_a_year_old_token_takes_nothing_off(demo: Demo, clock: FakeClock) -> None:
    cart = cart_of(await demo.configured(BREAKFAST))
    clock.move(365 * DAY)

    receipt = await demo.receipt(cart)

    assert [refusal["code"] for refusal in receipt["refusals"]] == ["discount_expired"]
    assert receipt["refusals"][0]["details"] == {"maxAgeDays": 30}
    assert receipt["total"] == str(amounts(receipt["lines"], "original"))


async def test_a_token_of_30_days_is_still_valid(make_demo: MakeDemo, clock: FakeClock) -> None:
    demo = await make_demo()
    cart = cart_of(await demo.configured(BREAKFAST))
    clock.move(30 * DAY)
    assert (await demo.receipt(cart))["refusals"] == []
