"""The presentment prices that `price` and `configure` return, in the currency of a live platform's market
(docs/contract.md#presentment)."""

from decimal import Decimal

import pytest

from bundlesvc.settings.environment import Settings
from tests.api.conftest import Api, Serve
from tests.api.loaded import RATE_LIMIT
from tests.api.selection import Json
from tests.cli.live_shop import DOMAIN
from tests.conftest import LoadShop, MakeKey
from tests.standin.data.generated import single_variant
from tests.standin.data.market_prices import contextual
from tests.standin.data.shop import FixedPrice, Market, Shop
from tests.standin.server import Standin

TENTH, FIXED, PRICE, GHOST = 1, 2, 3, 4
SHOP_FILE = f"""
shop: {{handle: live, headlessEnabled: true, activeFeatures: [conditions],
       platform: {{kind: shopify, domain: {DOMAIN}}}}}
bundles:
  - {{id: 1, name: Tenth, type: native, platformProductId: '900', parentVariantId: '9001',
     discount: {{type: percentage, value: '10.00'}},
     sections: &sections [{{id: 1, products: [{{bundleItemId: 1, platformProductId: '100'}}]}}]}}
  - {{id: 2, name: Fixed, type: native, platformProductId: '900', parentVariantId: '9001', sections: *sections,
     discount: {{type: fixed, value: '5.00'}}}}
  - {{id: 3, name: Price, type: native, platformProductId: '900', parentVariantId: '9001', sections: *sections,
     discount: {{type: price, value: '25.00'}}}}
  - {{id: 4, name: Ghost, type: multiple-products, platformProductId: '900', sections: *sections,
     discount: {{type: percentage, value: '10.00'}},
     conditions: [{{id: c1, kind: condition, type: country, operation: eq, value: GB}},
                  {{id: a1, kind: action, type: discount, when: c1, discount: {{type: percentage, value: '50.00'}}}}]}}
"""


@pytest.fixture
def standin_shop() -> Shop:
    """A shop where two units of variant 1001 cost 29.80 euros. Switzerland uses the merchant's exchange rate, Japan and Britain
    the daily rate."""
    japan = Market(5, "Japan", ("JP",), "JPY", rate=Decimal("162.5"), tells_rate=False)
    swiss = Market(6, "Switzerland", ("CH",), "CHF", rate=Decimal("0.95"), tells_rate=True)
    kuwait = Market(7, "Kuwait", ("KW",), "KWD", rate=Decimal("0.335"), tells_rate=True)
    kuwait.fixed_prices[1001] = FixedPrice(Decimal("4.995"))
    britain = Market(8, "Britain", ("GB",), "GBP", rate=Decimal("0.85"), has_catalog=False)
    europe = Market(9, "Austria", ("AT",), "EUR", adjustment=Decimal(10))
    shop = Shop(domain=DOMAIN, markets=[japan, swiss, kuwait, britain, europe])
    shop.add(single_variant(100, 1001, "14.90"), single_variant(900, 9001, "0.00"))
    return shop


@pytest.fixture
async def api(live_settings: Settings, load_shop: LoadShop, serve: Serve, make_key: MakeKey) -> Api:
    await load_shop(SHOP_FILE)
    api = Api(await serve(settings=live_settings), await make_key("live", rate_limit=RATE_LIMIT))
    await api.refresh()
    return api


async def both(api: Api, bundle: int, country: str) -> Json | None:
    """Return the presentment of two units of variant 1001, on which `price` and `configure` must agree."""
    unit = {"variant": "1001", "product": "100", "section": 1}
    body = {
        "type": "multiple-products" if bundle == GHOST else "native",
        "products": [unit] * 2,
        "countryCode": country,
    }
    found = [(await api.post(f"/bundles/{bundle}/{action}", body)).held().json for action in ("price", "configure")]
    first: Json | None
    first, second = [one.get("presentment") for one in found]
    assert first == second
    return first


@pytest.mark.parametrize(
    ("country", "bundle", "original", "discounted"),
    [
        pytest.param("CH", TENTH, "28.32 CHF", "25.49", id="percentage"),  # 2 x 14.16; 2.832
        pytest.param("CH", FIXED, "28.32 CHF", "23.57", id="fixed, at the merchant's rate"),  # 4.75
        pytest.param("CH", PRICE, "28.32 CHF", "23.75", id="price, at the merchant's rate"),
        pytest.param("JP", TENTH, "4842 JPY", "4358", id="percentage, yen"),  # 2 x 2421; 484.2
        pytest.param("JP", FIXED, "4842 JPY", "4030", id="fixed, at the day's rate"),  # 812.416 at 4842 / 29.80
        pytest.param("JP", PRICE, "4842 JPY", "4062", id="price, at the day's rate"),  # 4062.08
        pytest.param("KW", TENTH, "9.990 KWD", "8.991", id="three decimals"),
        pytest.param("KW", FIXED, "9.990 KWD", "8.315", id="fixed, three decimals"),  # 1.675
    ],
)
async def test_presentment_in_a_market(api: Api, country: str, bundle: int, original: str, discounted: str) -> None:
    amount, currency = original.split()

    assert await both(api, bundle, country) == {
        "originalPrice": amount,
        "discountedPrice": discounted,
        "currency": currency,
    }


async def test_no_presentment_in_a_market_with_the_shops_currency(api: Api) -> None:
    assert await both(api, TENTH, "AT") is None
    assert await both(api, TENTH, "FR") is None


async def test_ghost_variant_in_a_market_without_a_price_list(api: Api, standin: Standin) -> None:
    """In a market without a price list, here Britain, the platform converts a ghost variant's home price of 26.82 euros, whatever
    the conditions for Britain say.

    The daily rate is derived from two prices, 25.34 for 29.80, and is inexact because these prices are rounded."""
    presentment = await both(api, GHOST, "GB")

    assert presentment == {"originalPrice": "25.34", "discountedPrice": "22.81", "currency": "GBP"}  # 22.806
    (ghost,) = [one for one in standin.shop.products[900].variants if one.id != 9001]
    assert contextual(standin.shop, standin.shop.market_of("GB"), ghost).price == Decimal("22.80")
