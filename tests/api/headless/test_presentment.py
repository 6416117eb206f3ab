"""The presentment prices that `price` and `configure` return, in the currency of the shopper's market
(docs/contract.md#presentment).

In the US, prices are 5% higher, at 1.10 dollars per euro: shirt 1001 costs 23.09, shirt 1002 21.00 (a fixed price), mug 2001
9.24, and card 6002 4.04. In Japan, prices are 10% lower, at 160 yen per euro: the shirt costs 2879, the mug 1152, and the card
504. In Kuwait, at 0.335 dinars per euro, the shirt costs 6.70 and the mug 2.68.
"""

from typing import Any

import pytest

from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.embed.conftest import EMBED
from tests.api.selection import Json, configure_body, price_body, without_presentment

KEY = {"Idempotency-Key": "5b0f9a0e-presentment"}
FORTNIGHTLY = {"id": 7, "frequency": 2, "unit": "week", "email": "mira@mail.example"}  # 5%
KUWAIT = "markets:\n  - {countryCode: KW, currency: KWD, exchangeRate: '0.335'}\n"


def presentment(original: str, discounted: str, currency: str) -> Json:
    return {"originalPrice": original, "discountedPrice": discounted, "currency": currency}


@pytest.fixture
def api(shared_api: Api) -> Api:
    return shared_api


@pytest.fixture
async def in_kuwait(make_api: MakeApi) -> Api:
    return await make_api(SHOP_TEXT.replace("markets:\n", KUWAIT))


# The comments at the ends of the rows give the percentage reductions before rounding.
# fmt: off
ROWS = [
    ("no discount", 27, ["1001@1", "2001@2"], {}, ("32.33", "32.33", "USD"), ("4031", "4031", "JPY")),
    ("a percentage", 20, ["1001@1", "2001@2"], {}, ("32.33", "29.10", "USD"), ("4031", "3628", "JPY")),  # 3.233, 403.1
    ("15.00 off: 16.50 dollars, 2400 yen", 21, ["1001@1", "2001@2"], {}, ("32.33", "15.83", "USD"), ("4031", "1631", "JPY")),
    ("for 30.00: 33.00 dollars, 4800 yen", 22, ["1001@1*2"], {}, ("46.18", "33.00", "USD"), ("5758", "4800", "JPY")),
    ("everything off", 26, ["1001@1*3"], {}, ("69.27", "0.00", "USD"), ("8637", "0", "JPY")),
    ("a tenth off and a free card", 61, ["1001@1", "2001@2", "6002@0"], {},
        ("36.37", "29.10", "USD"), ("4535", "3628", "JPY")),
    ("a subscription's 5%", 50, ["1001@1"], {"subscription": FORTNIGHTLY},
        ("23.09", "19.74", "USD"), ("2879", "2461", "JPY")),                                             # 1.039, 129.55
    ("a fee is no part of it", 10, ["1001@1", "6001@0"], {}, ("26.56", "26.56", "USD"), ("3311", "3311", "JPY")),
]
# fmt: on


@pytest.mark.parametrize(
    ("bundle", "chosen", "more", "dollars", "yen"), [pytest.param(*row[1:], id=row[0]) for row in ROWS]
)
async def test_presentment_of_each_price_rule(
    api: Api, bundle: int, chosen: list[str], more: Json, dollars: tuple[str, str, str], yen: tuple[str, str, str]
) -> None:
    for country, expected in (("US", dollars), ("JP", yen)):
        response = await api.post(f"/bundles/{bundle}/price", price_body(*chosen, countryCode=country, **more))

        assert response.held().json["presentment"] == presentment(*expected)


async def test_three_decimals(in_kuwait: Api) -> None:
    """Prices in dinars have three decimal places.

    The shirt costs 6.70 dinars and the mug 2.68. The discounts are a percentage whose result has a third decimal place, 15.00 off
    (5.025 dinars), and a fixed price of 30.00 (10.05 dinars)."""
    for bundle, chosen, expected in (
        (20, ["1001@1", "2001@2"], ("9.380", "8.442", "KWD")),
        (21, ["1001@1", "2001@2"], ("9.380", "4.355", "KWD")),
        (22, ["1001@1*2"], ("13.400", "10.050", "KWD")),
    ):
        response = await in_kuwait.post(f"/bundles/{bundle}/price", price_body(*chosen, countryCode="KW"))

        assert response.held().json["presentment"] == presentment(*expected)


@pytest.mark.parametrize("country", [None, "GB", "XK"])
async def test_no_presentment_in_the_shops_currency(api: Api, country: str | None) -> None:
    body = configure_body("1001@1", countryCode=country)

    priced = (await api.post("/bundles/20/price", body)).held().json
    configured = (await api.post("/bundles/20/configure", body)).held().json

    assert "presentment" not in priced
    assert "presentment" not in configured


async def test_pricing_is_the_same_beside_a_presentment(api: Api) -> None:
    body = configure_body("1001@1", "2001@2", countryCode="JP")

    priced = (await api.post("/bundles/20/price", body)).held()
    configured = (await api.post("/bundles/20/configure", body)).held()

    assert list(priced.json) == [
        "originalPrice",
        "discountedPrice",
        "discountType",
        "discountValue",
        "currency",
        "presentment",
    ]
    assert list(configured.json["pricing"]) == list(priced.json)[:5]
    assert configured.json["pricing"] == without_presentment(priced.json)
    assert configured.json["presentment"] == priced.json["presentment"] == presentment("4031", "3628", "JPY")


@pytest.mark.parametrize(
    ("bundle", "type_"), [pytest.param(20, "native", id="native"), pytest.param(30, "multiple-products", id="ghost")]
)
async def test_configure_of_the_embed_api_says_it_too(api: Api, bundle: int, type_: str) -> None:
    body = configure_body("1001@1", type=type_, countryCode="us")

    results: list[Any] = [
        (await api.post(path, body)).held().json["presentment"]
        for path in (f"/bundles/{bundle}/configure", f"{EMBED}/bundle/{bundle}/product")
    ]
    priced = (await api.post(f"/bundles/{bundle}/price", body)).held().json["presentment"]

    assert results == [priced, priced]
    assert priced["currency"] == "USD"


async def test_replay_has_the_same_presentment(api: Api) -> None:
    body = configure_body("1001@1", countryCode="JP")

    first, again = [(await api.post("/bundles/20/configure", body, KEY)).held() for _ in range(2)]

    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.body == first.body
    assert first.json["presentment"] == presentment("2879", "2591", "JPY")


async def test_tiers_are_measured_in_the_shops_currency(api: Api) -> None:
    """Thresholds of tiers are in the shop's currency: bundle 23 takes 12.5% off above 60.00 euros, and 63.00 dollars are only
    57.27 euros."""
    below, above = [
        (await api.post("/bundles/23/price", price_body(*chosen, countryCode="US"))).held().json
        for chosen in (["1002@1*3"], ["1001@1*2", "1002@1"])
    ]

    assert (below["discountValue"], below["presentment"]) == ("7.50", presentment("63.00", "58.27", "USD"))
    assert (above["discountValue"], above["presentment"]) == ("12.50", presentment("67.18", "58.78", "USD"))
