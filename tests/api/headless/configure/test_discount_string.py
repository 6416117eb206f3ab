"""The discount string in a configure response (docs/discount-string.md)."""

import re
from dataclasses import replace
from typing import Any

import orjson
import pytest
from cryptography.fernet import Fernet

from bundlesvc.settings.environment import Settings
from bundlesvc.token_cipher import discount_cipher
from tests.api.conftest import Api, MakeApi
from tests.api.discount_strings import claims, discount_key
from tests.api.selection import Json, configure_body
from tests.conftest import SECRET_KEY
from tests.fakes import START, FakeClock


@pytest.mark.parametrize(
    ("bundle", "body", "said"),
    [
        pytest.param(
            27,
            configure_body("1001@1"),
            {"type": "none", "value": "0.00", "original": "19.99", "discounted": "19.99", "variants": {"1001": 1}},
            id="none",
        ),
        pytest.param(
            61,
            configure_body("6002@0", "1001@1", "2001@2", type="multiple-products"),
            {"original": "31.49", "discounted": "25.19", "variants": {"1001": 1, "2001": 1, "6002": 1}},
            id="granted units at full price",
        ),
        pytest.param(
            60,
            configure_body("1001@1", "2001@2"),
            {"type": "fixed", "value": "4.50", "original": "27.99", "discounted": "23.49"},
            id="discount of the graph",
        ),
        pytest.param(
            50,
            configure_body(
                "1001@1", subscription={"id": 8, "frequency": 1, "unit": "year", "email": "mira@mail.example"}
            ),
            {
                "type": "percentage",
                "value": "10.00",
                "original": "19.99",
                "discounted": "17.99",
                "subscription": {"group": 8, "frequency": 1, "unit": "year", "percentage": "20.00"},
            },
            id="subscription",
        ),
        pytest.param(
            20,
            configure_body("1001@1", countryCode="US"),
            {"type": "percentage", "value": "10.00", "original": "20.99", "discounted": "18.89", "currency": "EUR"},
            id="country",
        ),
    ],
)
async def test_contents_of_the_discount_string(api: Api, bundle: int, body: Json, said: Json) -> None:
    response = (await api.post(f"/bundles/{bundle}/configure", body)).held().json

    found = claims(response["discount"])
    assert {name: found[name] for name in said} == said
    assert found["configured"] == response["configured_bundle_id"]


async def test_discount_string_is_compact_and_has_the_time(api: Api, clock: FakeClock) -> None:
    clock.move(1000.9)

    token = (await api.post("/bundles/20/configure", configure_body("1001@1"))).held().json["discount"]

    raw = discount_key().decrypt(token)
    assert raw == orjson.dumps(orjson.loads(raw))
    assert orjson.loads(raw)["iat"] == int(START) + 1000
    assert discount_key().extract_timestamp(token) == int(START) + 1000


MANY = "\n".join(
    [
        "shop: {handle: demo, currency: EUR, headlessEnabled: true}",
        "products:",
        "  - {id: '900', title: Box, variants: [{id: '9001', price: '0'}]}",
        *(f"  - {{id: '{n}', title: P{n}, variants: [{{id: '{n}1', price: '1.00'}}]}}" for n in range(100, 121)),
        "bundles:",
        "  - id: 1",
        "    name: Many",
        "    type: native",
        "    platformProductId: '900'",
        "    parentVariantId: '9001'",
        "    sections:",
        "      - id: 1",
        "        products:",
        *(f"          - {{bundleItemId: {n}, platformProductId: '{n}'}}" for n in range(100, 121)),
    ]
)
TWENTY_ONE = [f"{n}1@1" for n in range(100, 121)]


async def test_more_than_twenty_variants_are_named_by_a_digest(make_api: MakeApi) -> None:
    api = await make_api(MANY)

    async def variants(*chosen: str) -> Any:
        response = (await api.post("/bundles/1/configure", configure_body(*chosen))).held().json
        return claims(response["discount"])["variants"]

    twenty_one = await variants(*TWENTY_ONE)
    assert re.fullmatch("sha256:[0-9a-f]{64}", twenty_one)
    assert await variants(*reversed(TWENTY_ONE)) == twenty_one
    assert await variants(*TWENTY_ONE, TWENTY_ONE[0]) != twenty_one
    assert await variants(*TWENTY_ONE[1:]) == {each.removesuffix("@1"): 1 for each in TWENTY_ONE[1:]}


async def test_first_secret_key_encrypts_and_all_decrypt(make_api: MakeApi, settings: Settings) -> None:
    """The first secret key encrypts and all keys decrypt, so keys can be rotated: an old key is kept until no strings encrypted
    with it remain."""
    new_key = Fernet.generate_key().decode()
    before = await make_api()
    after = await make_api(settings=replace(settings, secret_keys=(new_key, SECRET_KEY)))

    old = (await before.post("/bundles/20/configure", configure_body("1001@1"))).held().json["discount"]
    new = (await after.post("/bundles/20/configure", configure_body("1001@1"))).held().json["discount"]

    assert claims(new, new_key)["bundle"] == 20
    opened = [discount_cipher((new_key, SECRET_KEY)).unseal(token)["bundle"] for token in (old, new)]
    assert opened == [20, 20]
