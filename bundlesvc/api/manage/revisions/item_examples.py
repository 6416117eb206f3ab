"""Examples for each kind of item: an item in the form that the API returns, and a merge patch for it."""

from collections.abc import Mapping
from typing import Any

from bundlesvc.domain.revisions.items import BUNDLES, EXPERIMENTS, MARKETS, PRODUCTS, SHOP

_BUNDLE = {
    "id": 101,
    "name": "Breakfast Box",
    "description": "Three things or more for the best hour of the day.",
    "imageUrl": "",
    "type": "native",
    "bundlingOption": "bundles",
    "published": True,
    "layout": "single-page",
    "platformProductId": 2101,
    "parentVariantId": 21011,
    "templateCode": "default",
    "discount": {"type": "percentage", "value": "15.00", "flatOrTiered": "flat", "tiers": []},
    "sections": [
        {
            "id": 1,
            "name": "Coffee",
            "description": "At least one bag.",
            "imageUrl": "",
            "autoNextSection": False,
            "products": [{"bundleItemId": 1, "platformProductId": 1001, "variantIds": [10011, 10012]}],
        }
    ],
    "requiredProducts": [],
    "limitRules": [{"type": "total-number-of-products", "operation": "gte", "value": "3"}],
    "conditions": [],
    "personalisation": {},
    "subscription": {"mode": "disabled", "groups": []},
    "translations": {
        "de": {
            "name": "Frühstücksbox",
            "description": "",
            "sections": {"1": {"name": "Kaffee", "description": "Mindestens eine Tüte."}},
            "tiers": {},
            "texts": {},
            "personalisation": {},
            "groups": {},
        }
    },
}

_PRODUCT = {
    "id": 1001,
    "title": "First Light",
    "handle": "first-light",
    "imageUrl": "/storefront/demo/images/first-light.svg",
    "status": "ACTIVE",
    "tags": ["coffee", "espresso"],
    "descriptionHtml": "<p>Our breakfast espresso.</p>",
    "options": [{"name": "Size", "values": ["250 g"], "swatches": {}}],
    "variants": [
        {
            "id": 10011,
            "title": "250 g",
            "price": "9.90",
            "sku": "FIRSTL-250",
            "inventoryTracked": True,
            "inventoryPolicy": "deny",
            "inventoryQuantity": 420,
            "grams": 250,
            "optionValues": ["250 g"],
        }
    ],
    "translations": {},
}

_MARKET = {
    "countryCode": "US",
    "currency": "USD",
    "exchangeRate": "1.10",
    "priceAdjustment": "5.00",
    "prices": {"10011": "11.50"},
    "unavailableVariantIds": [10151],
}

_EXPERIMENT = {
    "id": "exp-1",
    "bundleId": 101,
    "arms": [{"bundleId": 101, "weight": "50.00"}, {"bundleId": 111, "weight": "50.00"}],
}

_SHOP = {
    "handle": "demo",
    "name": "Alder & Finch Coffee",
    "domain": "alder-and-finch.example",
    "currency": "EUR",
    "moneyFormat": "{{amount}}",
    "weightUnit": "kg",
    "locale": "en",
    "headlessEnabled": True,
    "activeFeatures": ["ab-testing", "translations"],
    "platform": {"kind": "embedded", "markets": []},
    "templates": ["default", "compact"],
    "timezone": "UTC",
    "secondPersonPublishes": False,
}

EXAMPLES: Mapping[str, dict[str, Any]] = {
    SHOP: _SHOP,
    MARKETS: _MARKET,
    PRODUCTS: _PRODUCT,
    BUNDLES: _BUNDLE,
    EXPERIMENTS: _EXPERIMENT,
}

PATCHES: Mapping[str, dict[str, Any]] = {
    SHOP: {"timezone": "Europe/Berlin"},
    MARKETS: {"prices": {"10011": "12.00"}},
    PRODUCTS: {"title": "First Light", "translations": {"de": {"title": "Erstes Licht"}}},
    BUNDLES: {"discount": {"value": "20.00"}, "publishedUntil": None},
    EXPERIMENTS: {"arms": [{"bundleId": 101, "weight": "1.00"}, {"bundleId": 111, "weight": "3.00"}]},
}
