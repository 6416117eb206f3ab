"""Prices of ghost variants: the price in the shop's currency, and the promised price in each market."""

import asyncio
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

import pytest
from sqlalchemy import select

from bundlesvc.domain.errors import PlatformUnavailable
from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.domain.shop import Tenant
from bundlesvc.services.ghosts.promises import PRICE_TRUST
from bundlesvc.storage.database.tables import configured_bundles, ghost_promises
from tests.conftest import LoadShop
from tests.process.shop import PAIR, SHOP
from tests.services.test_configure_bundle import KEY, SHIRT_ITEM, Workshop, workshop

__all__ = ["workshop"]
D = Decimal


class OwnPrice(NamedTuple):
    """A price that was set on the platform."""

    variant_id: int
    country: str
    currency: str
    price: Decimal


@pytest.fixture
def prices(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> list[OwnPrice]:
    """Record every price that is set on the platform. Setting a price fails while "price" is in `failing`."""
    set_prices: list[OwnPrice] = []
    set_price = workshop.platform.set_ghost_price

    async def watched(tenant: Tenant, variant_id: int, terms: MarketTerms, price: Decimal) -> None:
        set_prices.append(OwnPrice(variant_id, terms.price_list or "", terms.currency, price))
        if "price" in workshop.platform.failing:
            raise PlatformUnavailable
        await set_price(tenant, variant_id, terms, price)

    monkeypatch.setattr(workshop.platform, "set_ghost_price", watched)
    return set_prices


async def shirt(workshop: Workshop, country: str | None) -> int:
    return int((await workshop.configure(PAIR, SHIRT_ITEM, country=country)).body)


@pytest.mark.parametrize(
    ("country", "own"),
    [
        (None, []),
        ("DE", []),  # no market: 14.99, as in the shop
        ("US", [("USD", "15.50")]),  # 19.09 - 5.00 = 14.09; * 1.10 = 15.499, instead of the market's 17.31
        ("JP", [("JPY", "2078")]),  # 17.99 - 5.00 = 12.99; * 160 = 2078.4, instead of the market's 2159
    ],
)
async def test_a_ghost_costs_the_home_price_at_home_and_the_promise_in_the_market(
    country: str | None, own: list[tuple[str, str]], workshop: Workshop, prices: list[OwnPrice]
) -> None:
    ghost = await shirt(workshop, country)
    assert [made for _, made in workshop.platform.made] == [D("14.99")]
    assert prices == [OwnPrice(ghost, country or "", currency, D(price)) for currency, price in own]


async def test_all_countries_share_one_ghost_and_each_price_is_set_once(
    workshop: Workshop, prices: list[OwnPrice]
) -> None:
    ghosts = {await shirt(workshop, country) for country in ("US", "JP", None, "DE", "US", "JP")}
    assert len(ghosts) == len(workshop.platform.made) == 1
    assert [price.country for price in prices] == ["US", "JP"]


async def test_many_at_once_share_one_ghost(workshop: Workshop, prices: list[OwnPrice]) -> None:
    ghosts = await asyncio.gather(*(shirt(workshop, country) for country in ("US", "JP", None) * 5))
    assert len(set(ghosts)) == 1
    assert {price[1:] for price in prices} == {("US", "USD", D("15.50")), ("JP", "JPY", D(2078))}


async def test_free_selection_in_a_market(
    workshop: Workshop, prices: list[OwnPrice], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def everything(*_: object) -> MarketTerms:
        return MarketTerms("EUR", D(-100), D(1), "DE")

    monkeypatch.setattr(workshop.platform, "market_terms", everything)
    ghost = await shirt(workshop, "DE")
    assert prices == [OwnPrice(ghost, "DE", "EUR", D("14.99"))]


async def test_price_is_set_before_it_is_promised(workshop: Workshop, prices: list[OwnPrice]) -> None:
    workshop.platform.failing.add("price")
    for _ in range(2):
        with pytest.raises(PlatformUnavailable):
            await workshop.configure(PAIR, SHIRT_ITEM, country="US", key=KEY)
    assert await workshop.count(configured_bundles) == 0

    workshop.platform.failing.clear()
    first = await workshop.configure(PAIR, SHIRT_ITEM, country="US", key=KEY)
    assert await workshop.configure(PAIR, SHIRT_ITEM, country="US", key=KEY) == type(first)(first.body, replayed=True)
    assert [price.price for price in prices] == [D("15.50")] * 3
    assert len(workshop.platform.made) >= 1
    assert await workshop.count(configured_bundles) == 1


async def test_price_is_set_again_after_an_hour_even_if_that_fails(workshop: Workshop, prices: list[OwnPrice]) -> None:
    ghost = await shirt(workshop, "US")
    workshop.clock.move(PRICE_TRUST - 1)
    assert await shirt(workshop, "US") == ghost
    assert len(prices) == 1
    workshop.clock.move(1)
    workshop.platform.failing.add("price")
    assert await shirt(workshop, "US") == ghost
    assert len(prices) == 2


async def test_different_promise_on_one_price_list_gets_its_own_ghost(
    workshop: Workshop, prices: list[OwnPrice], load_shop: LoadShop
) -> None:
    """A different promise on the same price list gets its own ghost variant, so the first promise stays valid whatever the price
    in the market is now. The price in the shop's currency is unchanged."""
    first = await shirt(workshop, "US")
    await load_shop(SHOP.read_text().replace('prices: {"1002": "21.00"}', 'prices: {"1002": "27.50"}'))
    tenant = replace(workshop.caller.tenant, revision=workshop.caller.tenant.revision + 1)
    workshop.caller = replace(workshop.caller, tenant=tenant)
    second, third = await shirt(workshop, "US"), await shirt(workshop, "US")
    assert second == third != first
    assert await shirt(workshop, None) == first
    assert [(price.variant_id, price.price) for price in prices] == [(first, D("15.50")), (second, D("22.00"))]
    query = select(ghost_promises.c.variant_id, ghost_promises.c.promise)
    rows = await workshop.database.read(lambda connection: {tuple(row) for row in connection.execute(query)})
    assert rows == {(first, "14.09"), (second, "20.00")}
