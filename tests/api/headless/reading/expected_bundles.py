"""The bundles that the main API returns for the test shops."""

from tests.api.selection import Json

EVERYTHING = {
    "id": 10,
    "name": "Everything",
    "description": "Shirts, mugs and a card",
    "imageUrl": "https://img.example/everything.png",
    "type": "native",
    "bundlingOption": "bundles",
    "published": True,
}
NODES = [
    {"id": "c1", "kind": "condition", "type": "total-products", "operation": "gte", "value": "3.00", "sectionId": None},
    {
        "id": "c2",
        "kind": "condition",
        "type": "variant-selected",
        "variantId": "1002",
        "operation": "gte",
        "value": "1",
        "sectionId": 1,
    },
    {"id": "g1", "kind": "group", "mode": "any", "children": ["c1", "c2"]},
    {
        "id": "a1",
        "kind": "action",
        "type": "discount",
        "when": "g1",
        "discount": {"type": "percentage", "value": "15.00"},
    },
    {"id": "a5", "kind": "action", "type": "message", "when": "c1", "text": "Three"},
]
"""The conditions of bundle 10 without those that cannot run headless (x1, c3 and a4) and those that depend on them (g2, a2 and
a3)."""


SECTIONS = [
    {
        "id": 1,
        "name": "Shirts",
        "description": "Choose a shirt",
        "imageUrl": "https://img.example/shirts.png",
        "order": 0,
        "autoNextSection": True,
        "products": [{"bundleItemId": 11, "platformProductId": "100", "variantIds": []}],
    },
    {
        "id": 2,
        "name": "Mugs",
        "description": "",
        "imageUrl": "",
        "order": 1,
        "autoNextSection": False,
        "products": [{"bundleItemId": 21, "platformProductId": "200", "variantIds": ["2001"]}],
    },
    {
        "id": 3,
        "name": "Extras",
        "description": "",
        "imageUrl": "",
        "order": 2,
        "autoNextSection": False,
        "products": [
            {"bundleItemId": 31, "platformProductId": "700", "variantIds": []},
            {"bundleItemId": 32, "platformProductId": "200", "variantIds": []},
            {"bundleItemId": 33, "platformProductId": "300", "variantIds": []},
            {"bundleItemId": 34, "platformProductId": "400", "variantIds": []},
            {"bundleItemId": 35, "platformProductId": "500", "variantIds": []},
            {"bundleItemId": 36, "platformProductId": "100", "variantIds": ["1001", "1002"]},
        ],
    },
]


def plan(cadence: str, saving: str, group: tuple[int, str], frequency: int, unit: str) -> Json:
    return {
        "sellingPlanId": "",
        "name": group[1],
        "cadenceLabel": cadence,
        "savingPercent": saving,
        "groupId": group[0],
        "frequency": frequency,
        "unit": unit,
        "required": False,
    }


WHOLE = {
    **EVERYTHING,
    "layout": "multiple-sections",
    "discount": {
        "type": "percentage",
        "value": "10.00",
        "flatOrTiered": "tiered",
        "minimum": "20.00",
        "operator": "max",
        "tiers": [
            {
                "type": "total_products",
                "value": "3",
                "operation": "gte",
                "discount": "5.00",
                "customText": "Three and more",
            },
            {"type": "total_price", "value": "60.0", "operation": "gt", "discount": "12.50", "customText": None},
        ],
    },
    "sections": SECTIONS,
    "requiredProducts": [{"platformProductId": "600", "variantIds": ["6001"], "quantity": 1}],
    "limitRules": [
        {"type": "total-number-of-products", "operation": "gte", "value": "2", "sectionId": None},
        {"type": "amount-of-weight", "operation": "lte", "value": "0.90", "sectionId": 1},
    ],
    "weightUnit": "kg",
    "conditionsEngineEnabled": True,
    "conditionsEngineNodes": NODES,
    "conditionsPartial": True,
    "sellingPlans": [
        plan("Every month", "0.00", (7, "On time"), 1, "month"),
        plan("Every 2 weeks", "5.00", (7, "On time"), 2, "week"),
        plan("Every year", "20.00", (8, "Once a year"), 1, "year"),
    ],
    "personalisation": {
        "100": [
            {
                "id": "f1",
                "key": "engraving",
                "label": "Engraving",
                "type": "text",
                "required": False,
                "placeholder": "Your name",
                "characterLimit": 5,
                "options": [],
                "optionLabels": {},
                "helpText": "Five letters",
                "fee": {"variantId": "6002", "amount": "3.50", "currencyCode": "EUR"},
            }
        ],
        "300": [
            {
                "id": "f2",
                "key": "thread",
                "label": "Thread",
                "type": "dropdown",
                "required": True,
                "placeholder": "",
                "characterLimit": None,
                "options": ["Red", "Blue"],
                "optionLabels": {"Red": "Red", "Blue": "Blue"},
                "helpText": "",
                "fee": None,
            }
        ],
    },
}
WALL = {
    "id": 10,
    "name": "Wall",
    "description": "",
    "imageUrl": "",
    "type": "native",
    "bundlingOption": "bundles",
    "published": True,
}
"""The basic fields of the other shop's bundle 10."""


WHOLE_WALL = {
    **WALL,
    "layout": "single-page",
    "discount": {
        "type": "percentage",
        "value": "25.00",
        "flatOrTiered": "flat",
        "minimum": None,
        "operator": None,
        "tiers": [],
    },
    "sections": [
        {
            "id": 1,
            "name": "Posters",
            "description": "",
            "imageUrl": "",
            "order": 0,
            "autoNextSection": False,
            "products": [{"bundleItemId": 11, "platformProductId": "100", "variantIds": []}],
        }
    ],
    "requiredProducts": [],
    "limitRules": [],
    "weightUnit": "g",
    "conditionsEngineEnabled": False,
    "conditionsPartial": False,
}
"""All fields of the other shop's bundle 10. That shop has no features, so the bundle has no nodes, selling plans or
personalisation, even if the shop file defines them."""
