"""Carts of any size, with ids as long as those of the live platform."""

import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random
from uuid import UUID

from cryptography.fernet import Fernet

from bundlesvc.domain.bundle import NATIVE
from bundlesvc.domain.configured import ConfiguredBundle, ConfiguredItem
from bundlesvc.domain.pricing.selection_price import Pricing
from bundlesvc.token_cipher import FernetCipher
from tests.cart_transform.carts import Cart, Json, Line
from tests.domain.configured_bundles import claims_of

NOW = 1_800_000_000
FIRST_VARIANT = 47_599_165_660_000
PARENT = 47_599_165_669_668
FIRST_CONFIGURED = 9_007_199_254_740_000


def sized_cart(distinct: int, each: int = 1, bundles: int = 1, *, selling_plan: bool = False) -> Cart:
    """A cart of bundles with `distinct` variants and `each` units per variant, at 10.00 a unit and a 10% discount."""
    prices = [Decimal(10)] * distinct
    return _cart([_configured(FIRST_CONFIGURED + index, prices, each) for index in range(bundles)], selling_plan)


def mixed_cart(distinct: int, bundles: int, *, selling_plan: bool = False) -> Cart:
    """A cart of bundles with `distinct` variants each. Prices are random, and the lines are in random order."""
    random = Random(0)
    prices = [[Decimal(random.randrange(100, 100_000)) / 100 for _ in range(distinct)] for _ in range(bundles)]
    cart = _cart([_configured(FIRST_CONFIGURED + index, each, 1) for index, each in enumerate(prices)], selling_plan)
    return replace(cart, lines=random.sample(cart.lines, len(cart.lines)))


def _cart(configured: Sequence[ConfiguredBundle], selling_plan: bool) -> Cart:
    key = Fernet.generate_key().decode()
    lines = [
        Line(
            str(UUID(int=(bundle.id << 32) + item.variant_id)),
            item.variant_id,
            item.count,
            str(item.unit_price),
            properties={"_bundle_data": f"{bundle.id}#{PARENT}#{bundle.unique_id}"},
            selling_plan=selling_plan,
        )
        for bundle in configured
        for item in bundle.items
    ]
    entries = {str(bundle.id): _entry(bundle, FernetCipher([key])) for bundle in configured}
    return Cart(lines, json.dumps(entries, separators=(",", ":")), {"shop": "demo", "keys": [key]})


def _configured(id_: int, prices: Sequence[Decimal], each: int) -> ConfiguredBundle:
    items = tuple(
        ConfiguredItem(variant, 1, 1, each, "Cup", "", price) for variant, price in enumerate(prices, FIRST_VARIANT)
    )
    whole = sum(prices, Decimal(0)) * each
    pricing = Pricing(whole, round(whole * 9 / 10, 2), "percentage", Decimal(10), "EUR")
    return ConfiguredBundle(id_, 42, NATIVE, "Box", 900, "DE", False, f"{id_:032x}", pricing, items, NOW)


def _entry(bundle: ConfiguredBundle, cipher: FernetCipher) -> Json:
    """A bundle's entry in `_bundles`, as `configure` writes it."""
    return {
        "configuredBundleId": bundle.id,
        "discount": cipher.seal(claims_of(bundle, parent_variant_id=PARENT), NOW),
        "title": bundle.title,
        "items": [{"variantId": item.variant_id, "count": item.count} for item in bundle.items],
        "image": "https://cdn.example/files/gift-box.png",
        "note": "",
        "id": bundle.bundle_id,
    }
