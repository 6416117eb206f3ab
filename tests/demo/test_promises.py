"""The checkout simulator charges what the service promised, for every bundle in every market."""

from decimal import Decimal

from tests.api.selection import Json
from tests.demo.orders import EACH_ORDER, FLIGHT, LETTERED, ORDERS, Order
from tests.demo.service import Demo, amounts, cart_of

RATES = {None: "1", "DE": "1", "US": "1.10", "CH": "0.95", "JP": "162.5"}
"""The amount of the currency per euro: without a country, in a country without a market (DE), and in the demo shop's markets.
Without a market, prices are in euros."""
STEPS = {"JP": Decimal(1)}
"""The smallest unit of a market's currency, for markets whose currency has no cents."""
LETTERING = {None: "4.00", "DE": "4.00", "US": "4.20", "CH": "4.32", "JP": "4.00"}
"""The price of lettering one mug in each country, in euros."""


def of_kind(receipt: Json, kind: str) -> list[Json]:
    return [line for line in receipt["lines"] if line["kind"] == kind]


async def test_every_published_bundle_is_ordered(demo: Demo) -> None:
    listed = {bundle["id"] for bundle in (await demo.get("/bundles")).held().json}
    assert listed == {order.bundle for order in ORDERS.values()}


@EACH_ORDER
async def test_checkout_charges_what_the_service_promised(demo: Demo, order: Order) -> None:
    """The checkout charges what the service promised: without a country, in every market, and in a country without a market."""
    for country, rate in RATES.items():
        result = await demo.configured(order, country)
        pricing = await bought_once(demo, order, country)
        receipt = await demo.receipt(cart_of(result, country))

        assert receipt["refusals"] == []
        assert receipt["total"] == str(amounts(receipt["lines"]))
        fees = amounts(of_kind(receipt, "fee"))
        assert fees == Decimal(LETTERING[country]) * order.lettered
        if result["cart"]:
            check_merged(receipt, pricing, fees, len(order.body["products"]))
        else:
            check_ghost(receipt, Decimal(pricing["discountedPrice"]), country, Decimal(rate))
        check_presentment(receipt, pricing, country, len(order.body["products"]))


async def bought_once(demo: Demo, order: Order, country: str | None) -> Json:
    """Fetch the price of the order's selection as a one-time purchase, because the simulator has no selling plans."""
    body = {name: value for name, value in order.body.items() if name not in ("type", "subscription")}
    body |= {"countryCode": country} if country else {}
    pricing: Json = (await demo.post(f"/bundles/{order.bundle}/price", body)).held().json
    return pricing


def check_merged(receipt: Json, pricing: Json, fees: Decimal, units: int) -> None:
    """Check that the charge equals the promise in the home market.

    In another currency, the charge equals the promise in that currency (`check_presentment`), and its value in the shop's
    currency may differ by a cent per unit."""
    (bundle,) = of_kind(receipt, "bundle")
    allowed = Decimal("0.01") * (units + 1) if "presentment" in pricing else 0
    assert bundle["original"] == pricing["originalPrice"]
    assert abs(Decimal(bundle["total"]) - Decimal(pricing["discountedPrice"])) <= allowed
    assert Decimal(receipt["total"]) == Decimal(bundle["total"]) + fees


def check_ghost(receipt: Json, promised: Decimal, country: str | None, rate: Decimal) -> None:
    """Check that the charge equals the promise: to the cent if there is no country, otherwise to within half a minor unit of the
    market's currency."""
    (ghost,) = of_kind(receipt, "ghost")
    if country is None:
        assert Decimal(ghost["total"]) == promised
        return
    step = STEPS.get(country, Decimal("0.01"))
    assert abs(Decimal(ghost["marketTotal"]) - promised * rate) <= step / 2


def check_presentment(receipt: Json, pricing: Json, country: str | None, units: int) -> None:
    """Check that the charge in the market's currency matches the presentment that `price` returned.

    It must match exactly for a merged bundle, and within the bounds of docs/contract.md#presentment for a ghost variant. No order
    has free units."""
    presentment = pricing.get("presentment")
    assert (presentment is None) == (country in (None, "DE"))
    if presentment is None:
        return
    step = STEPS.get(country or "", Decimal("0.01"))
    cent = Decimal("0.01") * Decimal(RATES[country])
    (line,) = [*of_kind(receipt, "bundle"), *of_kind(receipt, "ghost")]
    bound = (units + 1) * cent + 2 * step if line["kind"] == "ghost" else 0
    assert presentment["currency"] == receipt["marketCurrency"]
    assert abs(Decimal(line["marketTotal"]) - Decimal(presentment["discountedPrice"])) <= bound
    if line["kind"] == "bundle":
        assert Decimal(line["marketOriginal"]) == Decimal(presentment["originalPrice"])


async def test_receipt_has_merged_lines_fees_ghost_variants_and_market_amounts(demo: Demo) -> None:
    mug, flight = await demo.configured(LETTERED, "US"), await demo.configured(FLIGHT, "US")
    mug_cart, flight_cart = cart_of(mug), cart_of(flight)
    cart = {
        "items": [
            *flight_cart["items"],
            *mug_cart["items"],
            {"id": 10351, "quantity": 2, "properties": {"Note": "Hi"}},
        ],
        "attributes": mug_cart["attributes"],
        "countryCode": "us",
    }

    receipt = await demo.receipt(cart)

    assert (receipt["currency"], receipt["countryCode"], receipt["marketCurrency"]) == ("EUR", "US", "USD")
    ghost, bundle, fee, card = receipt["lines"]
    assert (ghost["kind"], ghost["title"], ghost["contents"]) == (
        "ghost",
        "Tasting Flight",
        [
            "1 x First Light - 250 g / Whole bean",
            "1 x Ethiopia Yirgacheffe - 250 g / Whole bean",
            "1 x Sumatra Gayo - 250 g / Whole bean",
        ],
    )
    assert bundle == {
        "kind": "bundle",
        "configuredBundleId": mug["configured_bundle_id"],
        "title": "Name Mug",
        "variantTitle": "",
        "imageUrl": "/storefront/demo/images/bundle-name-mug.svg",
        "quantity": 1,
        "percentage": "10.01390821",
        "original": "26.15",
        "marketOriginal": "28.76",
        "total": "23.53",
        "marketTotal": "25.88",
        "properties": {},
        "contents": [],
        "components": [
            {
                "title": "Stoneware Mug",
                "variantTitle": "Clay",
                "imageUrl": "/storefront/demo/images/mug-clay.svg",
                "quantity": 1,
                "unitPrice": "16.80",
                "marketUnitPrice": "18.48",
                "total": "16.80",
                "marketTotal": "18.48",
                "properties": mug_cart["items"][0]["properties"],
            },
            {
                "title": "Harbour Blend",
                "variantTitle": "250 g / Whole bean",
                "imageUrl": "/storefront/demo/images/harbour-blend.svg",
                "quantity": 1,
                "unitPrice": "9.35",
                "marketUnitPrice": "10.28",
                "total": "9.35",
                "marketTotal": "10.28",
                "properties": mug_cart["items"][1]["properties"],
            },
        ],
    }
    assert bundle["components"][0]["properties"]["Lettering"] == "Mira"
    assert (fee["kind"], fee["title"], fee["total"], fee["marketTotal"]) == ("fee", "Hand Lettering", "4.20", "4.62")
    assert (card["kind"], card["title"], card["quantity"], card["properties"]) == (
        "item",
        "Greeting Card",
        2,
        {"Note": "Hi"},
    )
    assert Decimal(receipt["marketTotal"]) == amounts(receipt["lines"], "marketTotal")
