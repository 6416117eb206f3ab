"""The products that the main API returns for the test shop, without a country and in several."""

from typing import Any

from tests.api.selection import Json


def product(product_id: int, title: str, status: str, options: list[Json], variants: list[Json], **more: Any) -> Json:
    return {
        "platformProductId": str(product_id),
        "platformProductGid": f"gid://platform/Product/{product_id}",
        "title": title,
        "handle": title.lower(),
        "imageUrl": "",
        "status": status,
        "tags": [],
        "descriptionHtml": "",
        "options": options,
        "variants": variants,
        **more,
    }


def option(name: str, position: int, *values: str, **swatches: Json) -> Json:
    return {"name": name, "position": position, "values": list(values), "swatches": swatches}


def variant(variant_id: int, title: str, price: str, grams: int, *values: str, **more: Any) -> Json:
    return {
        "platformVariantId": str(variant_id),
        "platformVariantGid": f"gid://platform/ProductVariant/{variant_id}",
        "title": title,
        "price": price,
        "compareAtPrice": None,
        "sku": "",
        "available": True,
        "inventoryQuantity": 0,
        "grams": grams,
        "optionValues": list(values),
        **more,
    }


ONLY = "Default Title"
PRODUCTS = [
    product(
        100,
        "Shirt",
        "ACTIVE",
        [
            option(
                "Size",
                1,
                "S",
                "M",
                "L",
                "XL",
                S={"color": "#C02020", "imageUrl": ""},
                M={"color": "", "imageUrl": "https://img.example/m.png"},
            )
        ],
        [
            variant(1001, "S", "19.99", 200, "S", sku="SH-S", inventoryQuantity=5, image="https://img.example/s.png"),
            variant(1002, "M", "19.99", 210, "M", sku="SH-M", compareAtPrice="25.00"),
            variant(1003, "L", "21.50", 220, "L", sku="SH-L", inventoryQuantity=-2),
            variant(1004, "XL", "21.50", 230, "XL", sku="SH-XL", available=False),
        ],
        imageUrl="https://img.example/shirt.png",
        tags=["linen", "summer"],
        descriptionHtml="<p>Linen</p>",
    ),
    product(
        200,
        "Mug",
        "ACTIVE",
        [option("Colour", 1, "White", "Black"), option("Handle", 2, "Left", "Right")],
        [
            variant(2001, "White / Left", "8.00", 350, "White", "Left", sku="MUG-W"),
            variant(2002, "Black / Right", "9.50", 350, "Black", "Right", sku="MUG-B", inventoryQuantity=3),
        ],
    ),
    product(700, "Tea", "ACTIVE", [], [variant(7001, ONLY, "0.05", 5)]),
    product(300, "Scarf", "ARCHIVED", [], [variant(3001, ONLY, "15.00", 120)]),
    product(400, "Sock", "DRAFT", [], [variant(4001, ONLY, "5.00", 40)]),
    product(500, "Lamp", "ACTIVE", [], [variant(5001, ONLY, "30.00", 900, available=False, inventoryQuantity=-2)]),
    product(
        600,
        "Card",
        "ACTIVE",
        [option("Motif", 1, "Sun", "Moon")],
        [variant(6001, "Sun", "3.00", 10, "Sun"), variant(6002, "Moon", "3.50", 10, "Moon")],
    ),
]
"""The products of bundle 10 in order of first use: those of its sections from first to last, then the required ones."""


def in_market(
    currency: str, prices: dict[int, tuple[str, str]], unsold: tuple[int, ...] = (), rate: str | None = None
) -> list[Json]:
    """Return PRODUCTS with the fields of a market. `prices` maps each variant id to the variant's price in the market's currency
    and in the shop's."""

    def fields(variant_id: int) -> Json:
        presentment, in_shop_currency = prices[variant_id]
        return {
            "presentmentPrice": presentment,
            "presentmentCurrency": currency,
            "priceInShopCurrency": in_shop_currency,
            "availableForSale": variant_id not in unsold,
            **({"exchangeRate": rate} if rate else {}),
        }

    return [
        {**each, "variants": [one | fields(int(one["platformVariantId"])) for one in each["variants"]]}
        for each in PRODUCTS
    ]


# Price * 1.05 * 1.10, rounded to the cent; then this amount ÷ 1.10, in the shop's currency. 1002 has a fixed price of 21.00 USD.
UNITED_STATES = in_market(
    "USD",
    {
        1001: ("23.09", "20.99"),
        1002: ("21.00", "19.09"),
        1003: ("24.83", "22.57"),
        1004: ("24.83", "22.57"),
        2001: ("9.24", "8.40"),
        2002: ("10.97", "9.97"),
        7001: ("0.06", "0.05"),
        3001: ("17.33", "15.75"),
        4001: ("5.78", "5.25"),
        5001: ("34.65", "31.50"),
        6001: ("3.47", "3.15"),
        6002: ("4.04", "3.67"),
    },
    unsold=(2002,),
    rate="1.1",
)
# Price * 0.90 * 160, rounded to the yen; then this amount ÷ 160, in the shop's currency.
JAPAN = in_market(
    "JPY",
    {
        1001: ("2879.00", "17.99"),
        1002: ("2879.00", "17.99"),
        1003: ("3096.00", "19.35"),
        1004: ("3096.00", "19.35"),
        2001: ("1152.00", "7.20"),
        2002: ("1368.00", "8.55"),
        7001: ("7.00", "0.04"),
        3001: ("2160.00", "13.50"),
        4001: ("720.00", "4.50"),
        5001: ("4320.00", "27.00"),
        6001: ("432.00", "2.70"),
        6002: ("504.00", "3.15"),
    },
    rate="160",
)
WITHOUT_MARKET = in_market(
    "EUR",
    {int(one["platformVariantId"]): (one["price"], one["price"]) for each in PRODUCTS for one in each["variants"]},
)
