"""Random orders on the engine, and what it charges for the bundles in them.

`python -m tests.vendure_plugin.random_orders 2000` places orders with that many bundles, and prints a table by market.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import NamedTuple

import click

from bundlesvc.shop_file.loading import read_shop_file
from tests.postgres_server import postgres_server
from tests.process.serving import SECRET_KEY, prepare, serving
from tests.vendure_plugin.catalogue import add_coupon
from tests.vendure_plugin.selections import Configured, Storefront
from tests.vendure_plugin.shop import DEMO_SHOP, NET_CHANNEL, DemoEngine, demo_engine, filled_database, options
from tests.vendure_plugin.shopper import Json, Shopper, lines_of

MARKETS = {None: "__default_channel__", "US": "us", "CH": "ch", "JP": "jp"}
"""The channel of each country: euros, dollars and yen with tax, francs without."""

NEIGHBOURS = (10011, 10021, 10111, 10121, 10351)
STEPS = ("bundle", "bundle", "unit", "same unit", "coupon")
COUPON = "TENTH"


class Charge(NamedTuple):
    """A bundle in a placed order: what was promised and charged, and the reason where it is not as promised."""

    promised: Decimal
    charged: Decimal
    reasons: set[str | None]
    discounted: bool

    @property
    def is_as_promised(self) -> bool:
        return self.promised == self.charged and self.reasons == {None}


def shopper(engine: DemoEngine, country: str | None) -> Shopper:
    return Shopper(engine.address, engine.tokens[MARKETS[country]])


def offer_coupon(engine: DemoEngine) -> None:
    """Let the home channel take a tenth off orders with a coupon."""
    add_coupon(engine, COUPON, "order_percentage_discount", [{"name": "discount", "value": "10"}])


def random_order(random: Random, engine: DemoEngine, storefront: Storefront, country: str | None) -> list[Charge]:
    """Place an order with bundles among loose units of the same variants, equal bundles, and coupons."""
    buyer = shopper(engine, country)
    bundles: list[Configured] = []
    for step in [*random.sample(STEPS, random.randint(1, len(STEPS))), "bundle"]:
        if step == "unit":
            buyer.add_units(random.choice(NEIGHBOURS), random.choice([1, 2, 5]))
        elif step == "bundle":
            bundles.append(storefront.some(random, random.choice(storefront.natives), country))
            buyer.add(bundles[-1].answer)
        elif step == "coupon" and country is None and bundles:
            buyer.apply_coupon(COUPON)
        elif bundles:
            item = random.choice(bundles[-1].answer["cart"]["line_items"])
            buyer.add_units(item["id"], random.choice([1, 2]))
    placed = buyer.place()
    return [charge(placed, one, country) for one in bundles]


def charge(order: Json, bundle: Configured, country: str | None) -> Charge:
    """What a placed order charges for a bundle, in the terms in which the channel's prices are entered."""
    lines: Sequence[Json] = lines_of(order, bundle.id)
    name = "discountedLinePrice" if MARKETS[country] == NET_CHANNEL else "discountedLinePriceWithTax"
    charged = Decimal(sum(line[name] for line in lines)) / 100
    reasons = {line["bundle"]["reason"] for line in lines}
    return Charge(bundle.promised, charged, reasons, bundle.promised < bundle.original)


def random_charges(engine: DemoEngine, storefront: Storefront, number: int) -> Iterator[tuple[str | None, Charge]]:
    """This many bundles or a few more, with the country of each, market by market."""
    random, countries, placed = Random(f"orders of {number}"), list(MARKETS), 0
    while placed < number:
        country = countries[placed % len(countries)]
        for one in random_order(random, engine, storefront, country):
            placed += 1
            yield country, one


def main(number: int) -> None:
    found: dict[str | None, list[Charge]] = {country: [] for country in MARKETS}
    with postgres_server() as postgres, tempfile.TemporaryDirectory() as folder:
        plugin = options(SECRET_KEY)
        key = prepare(Path(folder), DEMO_SHOP)
        filled = filled_database(postgres, plugin)
        with demo_engine(postgres, filled, plugin) as engine, serving(Path(folder)) as server:
            offer_coupon(engine)
            storefront = Storefront(server, key, read_shop_file(DEMO_SHOP))
            for done, (country, one) in enumerate(random_charges(engine, storefront, number), 1):
                found[country].append(one)
                if done % 100 == 0:
                    click.echo(f"{done} of {number}", err=True)
    for country, charges in found.items():
        wrong = sum(not one.is_as_promised for one in charges)
        discounted = sum(one.discounted for one in charges)
        click.echo(
            f"{country or 'home'}: {len(charges)} bundles, {discounted} discounted, {wrong} not charged as promised"
        )
    sys.exit(any(not one.is_as_promised for charges in found.values() for one in charges))


if __name__ == "__main__":
    main(int(sys.argv[1]))
