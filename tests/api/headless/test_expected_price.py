"""Configure with the price that the shopper was shown (docs/contract.md#expected-price)."""

from typing import Any

import pytest

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles, idempotency_keys
from tests.api.conftest import SHOP_TEXT, Api, MakeApi
from tests.api.embed.conftest import EMBED
from tests.api.selection import Json, configure_body, details
from tests.api.stored import rows
from tests.conftest import MakeKey

KEY = {"Idempotency-Key": "9d0c-expected-price"}
KUWAIT = "markets:\n  - {countryCode: KW, currency: KWD, exchangeRate: '0.335'}\n"
CHOSEN = ["1001@1", "2001@2"]
PATHS = ["/bundles/20/configure", f"{EMBED}/bundle/20/product"]
HERE: Json = {"expectedPrice": "25.19"}
IN_JAPAN: Json = {"countryCode": "JP", "expectedPresentment": "3628"}


def wrong(path: str, expected: str, actual: str) -> Json:
    return {"path": path, "code": "different_price", "expected": expected, "actual": actual}


# fmt: off
RIGHT = [
    {}, {"expectedPrice": None, "expectedPresentment": None}, HERE, {"expectedPrice": "25.190"},
    {"expectedPrice": "25.19", "expectedPresentment": "25.19"},
    IN_JAPAN, {**IN_JAPAN, "expectedPresentment": "3628.00"},
    {"countryCode": "US", "expectedPresentment": "29.10"}, {"countryCode": "GB", "expectedPresentment": "25.19"},
    {"countryCode": "KW", "expectedPresentment": "8.442"},
]
WRONG = [
    ({"expectedPrice": "25.18"}, [wrong("expectedPrice", "25.18", "25.19")]),
    ({"expectedPrice": "0"}, [wrong("expectedPrice", "0", "25.19")]),
    ({"expectedPrice": "25.191"}, [wrong("expectedPrice", "25.191", "25.19")]),
    ({"expectedPresentment": "3628"}, [wrong("expectedPresentment", "3628", "25.19")]),
    ({**IN_JAPAN, "expectedPresentment": "36.28"}, [wrong("expectedPresentment", "36.28", "3628")]),
    ({"countryCode": "KW", "expectedPresentment": "8.44"}, [wrong("expectedPresentment", "8.44", "8.442")]),
    ({"countryCode": "US", "expectedPrice": "1", "expectedPresentment": "29.11"},
        [wrong("expectedPrice", "1", "26.45"), wrong("expectedPresentment", "29.11", "29.10")]),
]
MALFORMED = [40.5, 40, True, [], {}, "", " ", "-1", "+1", "1e3", "1,50", "1.", ".5", "1.2345", "9" * 16, "NaN",
    "\N{ARABIC-INDIC DIGIT ONE}", "1\0", "25.19\n"]
# fmt: on


@pytest.fixture
async def api(make_api: MakeApi) -> Api:
    return await make_api(SHOP_TEXT.replace("markets:\n", KUWAIT))


@pytest.mark.parametrize("expected", RIGHT)
async def test_expected_price_that_is_right(api: Api, expected: Json) -> None:
    for path in PATHS:
        assert (await api.post(path, configure_body(*CHOSEN, **expected))).status == 200


@pytest.mark.parametrize(("expected", "found"), WRONG)
async def test_price_that_changed_is_refused_and_nothing_is_stored(
    api: Api, database: Database, expected: Json, found: list[Json]
) -> None:
    for path in PATHS:
        response = await api.post(path, configure_body(*CHOSEN, **expected), KEY)

        assert response.held(400).code == "price_changed"
        assert details(response) == found
    assert [await rows(database, table) for table in (configured_bundles, idempotency_keys)] == [[], []]


@pytest.mark.parametrize("name", ["expectedPrice", "expectedPresentment"])
async def test_malformed_expected_price(shared_api: Api, name: str) -> None:
    for value in MALFORMED:
        response = await shared_api.post(PATHS[0], {**configure_body(*CHOSEN), name: value})

        assert response.held(400).code == "invalid_request", value
        assert [(detail["path"], detail["code"]) for detail in details(response)] == [(name, "invalid")]


async def test_idempotency_key_is_free_after_a_refusal(api: Api) -> None:
    refused = await api.post(PATHS[0], configure_body(*CHOSEN, expectedPrice="24.00"), KEY)
    agreed = await api.post(PATHS[0], configure_body(*CHOSEN, expectedPrice="25.19"), KEY)

    assert refused.held(400).code == "price_changed"
    assert "Idempotent-Replayed" not in agreed.held().headers


async def test_rules_are_named_before_the_price(shared_api: Api) -> None:
    response = await shared_api.post(PATHS[0], configure_body("1004@1", expectedPrice="1.00"))

    assert response.held(400).code == "rules_not_met"


async def test_refusal_takes_no_token_of_a_costly_limit(make_api: MakeApi, make_key: MakeKey) -> None:
    api = (await make_api()).with_key(await make_key(rate_limit=6000, visitor_limit=1000))
    selection = configure_body("1001@1", type="multiple-products")

    for _ in range(130):
        response = await api.post("/bundles/30/configure", {**selection, "expectedPrice": "1.00"})
        assert response.held(400).code == "price_changed"

    body: Any = {**selection, "expectedPrice": (await api.post("/bundles/30/price", selection)).json["discountedPrice"]}
    assert (await api.post("/bundles/30/configure", body)).status == 200


async def test_price_ignores_expected_prices(shared_api: Api) -> None:
    body = configure_body(*CHOSEN)

    plain = await shared_api.post("/bundles/20/price", body)
    expecting = await shared_api.post("/bundles/20/price", {**body, "expectedPrice": 1})

    assert expecting.held().json == plain.held().json
