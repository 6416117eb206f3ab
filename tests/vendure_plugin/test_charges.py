"""What the engine charges for bundles in placed orders: the promised amount, to the minor unit, whatever else is in the order."""

from collections.abc import Sequence
from decimal import Decimal
from random import Random

import pytest

from tests.vendure_plugin.selections import Configured, Storefront
from tests.vendure_plugin.shop import NET_CHANNEL, DemoEngine
from tests.vendure_plugin.shopper import Json, Shopper, lines_of

pytestmark = pytest.mark.process

MARKETS = {None: "__default_channel__", "US": "us", "CH": "ch", "JP": "jp"}
"""The channel of each country: euros, dollars and yen with tax, francs without."""
ORDERS_OF_A_MARKET = 20
NEIGHBOURS = (10011, 10021, 10111, 10121, 10351)
STEPS = ("bundle", "bundle", "unit", "same unit")


def shopper(engine: DemoEngine, country: str | None) -> Shopper:
    return Shopper(engine.address, engine.tokens[MARKETS[country]])


def charged(lines: Sequence[Json], country: str | None) -> Decimal:
    """What the lines of a bundle come to, in the terms in which the channel's prices are entered."""
    name = "discountedLinePrice" if MARKETS[country] == NET_CHANNEL else "discountedLinePriceWithTax"
    return Decimal(sum(line[name] for line in lines)) / 100


def assert_charged_as_promised(order: Json, bundles: Sequence[Configured], country: str | None) -> None:
    found = {one.id: (charged(lines_of(order, one.id), country), _reasons(order, one.id)) for one in bundles}
    assert found == {one.id: (one.promised, {None}) for one in bundles}


def _reasons(order: Json, configured: str) -> set[str | None]:
    return {line["bundle"]["reason"] for line in lines_of(order, configured)}


@pytest.mark.parametrize("country", MARKETS)
def test_every_native_bundle_is_charged_as_promised(
    engine: DemoEngine, storefront: Storefront, country: str | None
) -> None:
    random = Random(f"every {country}")
    for bundle in storefront.natives:
        one = storefront.some(random, bundle, country)
        buyer = shopper(engine, country)
        buyer.add(one.answer)
        assert_charged_as_promised(buyer.place(), [one], country)


@pytest.mark.parametrize("country", MARKETS)
def test_random_orders_are_charged_as_promised(engine: DemoEngine, storefront: Storefront, country: str | None) -> None:
    """Bundles among loose units of the same variants, and equal bundles in one order."""
    random = Random(f"random {country}")
    for _ in range(ORDERS_OF_A_MARKET):
        buyer = shopper(engine, country)
        bundles: list[Configured] = []
        for step in [*random.sample(STEPS, random.randint(1, len(STEPS))), "bundle"]:
            if step == "unit":
                buyer.add_units(random.choice(NEIGHBOURS), random.choice([1, 2, 5]))
            elif step == "bundle":
                bundles.append(storefront.some(random, random.choice(storefront.natives), country))
                buyer.add(bundles[-1].answer)
            elif bundles:
                item = random.choice(bundles[-1].answer["cart"]["line_items"])
                buyer.add_units(item["id"], random.choice([1, 2]))
        placed = buyer.place()
        assert_charged_as_promised(placed, bundles, country)
