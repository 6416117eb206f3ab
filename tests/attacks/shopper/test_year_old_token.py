"""A shopper keeps a discount string from a sale, and uses it a year later, when the discount no longer exists.

Discount strings therefore expire."""

import pytest

from tests.demo.orders import BREAKFAST
from tests.demo.service import Demo, MakeDemo, amounts, cart_of, loaded_database
from tests.fakes import FakeClock

__all__ = ["loaded_database"]  # the demo shop

DAY = 24 * 60 * 60


@pytest.mark.parametrize("days", [32, 47, 365, 4000])
async def test_an_old_token_takes_nothing_off(days: int, demo: Demo, clock: FakeClock) -> None:
    cart = cart_of(await demo.configured(BREAKFAST))
    clock.move(days * DAY)

    receipt = await demo.receipt(cart)

    assert [refusal["code"] for refusal in receipt["refusals"]] == ["discount_expired"]
    assert receipt["refusals"][0]["details"] == {"maxAgeDays": 30}
    assert receipt["total"] == str(amounts(receipt["lines"], "original"))


@pytest.mark.parametrize("days", [0, 1, 13, 29, 30])
async def test_a_token_of_up_to_30_days_is_still_valid(days: int, make_demo: MakeDemo, clock: FakeClock) -> None:
    demo = await make_demo()
    cart = cart_of(await demo.configured(BREAKFAST))
    clock.move(days * DAY)
    assert (await demo.receipt(cart))["refusals"] == []
