"""Bundles configured by the service, and the carts that storefronts create from its responses."""

import json
from collections.abc import Sequence
from typing import Any

from aiohttp.test_utils import TestClient

from bundlesvc.token_cipher import DISCOUNT, derived_keys
from tests.cart_transform.carts import Cart, Json, Line

FIRST_VARIANT = 20001
VARIANTS = 200
FEE_VARIANT = 6001
PARENT = 9001
NATIVE, ENGRAVED, WITH_GHOST = 42, 43, 44


def price(variant: int) -> str:
    """A price that differs between variants, so that no percentage comes out even."""
    return f"{(variant * 7919) % 9000 / 100 + 1:.2f}"


def shop() -> str:
    """The text of a shop file with a product that has 200 variants and is in three bundles: a native one, one with a fee for
    engraving, and one that uses ghost variants."""
    variants = [
        {"id": str(variant), "title": f"No. {variant}", "price": price(variant), "optionValues": [f"No. {variant}"]}
        for variant in range(FIRST_VARIANT, FIRST_VARIANT + VARIANTS)
    ]
    numbers = {"name": "Number", "values": [variant["title"] for variant in variants]}
    fee = {"variantId": str(FEE_VARIANT), "amount": "3.50", "currencyCode": "EUR"}
    engraving = {"id": "f1", "key": "engraving", "label": "Engraving", "type": "text", "required": False, "fee": fee}
    file = {
        "shop": {
            "handle": "demo",
            "name": "Demo",
            "domain": "demo.example",
            "currency": "EUR",
            "moneyFormat": "€{{amount}}",
            "weightUnit": "kg",
            "locale": "en",
            "headlessEnabled": True,
            "activeFeatures": ["personalisation"],
            "platform": {"kind": "embedded"},
            "templates": ["default"],
        },
        "products": [
            {"id": "111", "title": "Bead", "handle": "bead", "options": [numbers], "variants": variants},
            _simple_product("600", "Engraving", FEE_VARIANT, "3.50"),
            _simple_product("900", "Box", PARENT, "0.00"),
        ],
        "bundles": [
            _bundle(NATIVE, "native"),
            _bundle(ENGRAVED, "native", personalisation={"111": [engraving]}),
            _bundle(WITH_GHOST, "multiple-products"),
        ],
    }
    return json.dumps(file)


def _simple_product(id_: str, title: str, variant: int, amount: str) -> Json:
    return {"id": id_, "title": title, "handle": title.lower(), "variants": [{"id": str(variant), "price": amount}]}


def _bundle(id_: int, type_: str, **more: object) -> Json:
    section = {"id": 1, "name": "Beads", "products": [{"bundleItemId": 7, "platformProductId": "111"}]}
    return {
        "id": id_,
        "name": "Necklace",
        "type": type_,
        "platformProductId": "900",
        "parentVariantId": str(PARENT),
        "imageUrl": "https://cdn.example/necklace.png",
        "discount": {"type": "percentage", "value": "12.50", "flatOrTiered": "flat"},
        "sections": [section],
        **more,
    }


class Storefront:
    """A storefront that configures bundles with one of the shop's keys, and fills carts from the responses."""

    def __init__(self, client: TestClient[Any, Any], key: str, secret_keys: Sequence[str]) -> None:
        self._client = client
        self._headers = {"Authorization": f"Bearer {key}"}
        self.config: Json = {"shop": "demo", "keys": derived_keys(secret_keys, DISCOUNT)}
        """The value of the step's metafield that the app sets."""

    async def configure(self, bundle: int, variants: Sequence[int], **more: object) -> Json:
        """Configure a selection, and return the response. `more` is added to each item."""
        items = [{"product": "111", "variant": str(variant), "section": 1, **more} for variant in variants]
        type_ = "multiple-products" if bundle == WITH_GHOST else "native"
        address = f"/api/headless/v1/bundles/{bundle}/configure"
        async with self._client.post(address, json={"type": type_, "products": items}, headers=self._headers) as sent:
            answer: Json = await sent.json()
            assert sent.status == 200, answer
        return answer

    def cart(self, *answers: Json) -> Cart:
        """A cart with the bundles from all these configure responses. Their `_bundles` entries are merged into one attribute."""
        lines: list[Line] = []
        bundles: Json = {}
        for answer in answers:
            lines += [_line(f"{len(lines) + index}", item) for index, item in enumerate(answer["cart"]["line_items"])]
            bundles |= json.loads(answer["cart"]["attributes"]["_bundles"])
        return Cart(lines, json.dumps(bundles), self.config)


def _line(id_: str, item: Json) -> Line:
    amount = "3.50" if item["id"] == FEE_VARIANT else price(item["id"])
    return Line(id_, item["id"], item["quantity"], amount, item["properties"])
