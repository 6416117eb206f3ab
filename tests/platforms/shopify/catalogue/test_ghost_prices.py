"""Fixed prices of ghost variants on the price lists of markets, on the stand-in platform."""

from dataclasses import replace
from decimal import Decimal

import pytest

from bundlesvc.domain.errors import PlatformFailed, Unavailable
from bundlesvc.domain.ghosts.prices import MarketTerms
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.platforms.shopify.fakes import TENANT
from tests.standin.data import generated
from tests.standin.data.shop import FixedPrice, Market, Shop
from tests.standin.faults import CutAfter, CutBefore, server_error
from tests.standin.server import Standin

D = Decimal
VARIANT = 10001
MEXICO = Market(5, "Mexico", ("MX",), "MXN", rate=D("12.975"), tells_rate=False, adjustment=D(-5))


@pytest.fixture
def standin_shop() -> Shop:
    shop = Shop(currency="CAD", markets=[replace(MEXICO, fixed_prices={})])
    shop.add(generated.product(1))
    return shop


@pytest.mark.parametrize(
    ("changes", "terms"),
    [
        ({}, MarketTerms("MXN", D(-5), None, "gid://shopify/PriceList/5")),
        ({"tells_rate": True}, MarketTerms("MXN", D(-5), D("12.975"), "gid://shopify/PriceList/5")),
        ({"currency": "CAD"}, MarketTerms("CAD", D(-5), D(1), "gid://shopify/PriceList/5")),
        ({"has_catalog": False}, MarketTerms("MXN", D(0), None, None)),
    ],
)
async def test_terms_of_a_market(
    platform: ShopifyPlatform, standin_shop: Shop, changes: dict[str, object], terms: MarketTerms
) -> None:
    standin_shop.markets[:] = [replace(MEXICO, **changes)]  # type: ignore[arg-type]
    assert await platform.market_terms(TENANT, "MX") == terms


@pytest.mark.parametrize("fault", [None, CutBefore(), CutAfter(), server_error(502)])
async def test_price_is_set_even_if_the_first_call_fails(
    platform: ShopifyPlatform, standin: Standin, standin_shop: Shop, fault: object
) -> None:
    terms = await platform.market_terms(TENANT, "MX")
    if fault is not None:
        standin.fail_next(fault, "SetFixedPrices")  # type: ignore[arg-type]
    await platform.set_ghost_price(TENANT, VARIANT, terms, D("120.50"))
    assert standin_shop.markets[0].fixed_prices == {VARIANT: FixedPrice(D("120.50"))}
    await platform.set_ghost_price(TENANT, VARIANT, terms, D("99.00"))
    assert standin_shop.markets[0].fixed_prices == {VARIANT: FixedPrice(D("99.00"))}


@pytest.mark.parametrize(
    ("variant", "changes", "word"),
    [
        (77, {}, "VARIANT_NOT_FOUND"),
        (VARIANT, {"currency": "CAD"}, "PRICE_LIST_CURRENCY_MISMATCH"),
        (VARIANT, {"price_list": "gid://shopify/PriceList/77"}, "PRICE_LIST_NOT_FOUND"),
    ],
)
async def test_refused_price_fails_and_the_reason_is_logged(
    platform: ShopifyPlatform,
    standin_shop: Shop,
    caplog: pytest.LogCaptureFixture,
    variant: int,
    changes: dict[str, str],
    word: str,
) -> None:
    terms = replace(await platform.market_terms(TENANT, "MX"), **changes)  # type: ignore[arg-type]
    with pytest.raises(PlatformFailed):
        await platform.set_ghost_price(TENANT, variant, terms, D("120.50"))
    assert word in caplog.text
    assert standin_shop.markets[0].fixed_prices == {}


async def test_price_needs_only_the_scope_for_ghost_variants(platform: ShopifyPlatform, standin: Standin) -> None:
    terms = await platform.market_terms(TENANT, "MX")
    standin.missing_scopes.add("write_products")
    with pytest.raises(PlatformFailed):
        await platform.set_ghost_price(TENANT, VARIANT, terms, D("120.50"))


async def test_price_that_stays_in_doubt_fails(platform: ShopifyPlatform, standin: Standin) -> None:
    terms = await platform.market_terms(TENANT, "MX")
    for _ in range(20):
        standin.fail_next(CutAfter(), "SetFixedPrices")
    with pytest.raises(Unavailable):
        await platform.set_ghost_price(TENANT, VARIANT, terms, D("120.50"))
