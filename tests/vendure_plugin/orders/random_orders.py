"""Random orders placed in the engine, and the charges for the bundles in them.

`python -m tests.vendure_plugin.orders.random_orders 2000` places orders with at least 2000 bundles in total, and prints a summary
line for each market.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import cycle
from pathlib import Path
from random import Random
from typing import NamedTuple

import click

from bundlesvc.shop_file.loading import read_shop_file
from tests.process.serving import SECRET_KEY, prepare, serving
from tests.servers.postgres_server import postgres_server
from tests.vendure_plugin.catalogue import add_coupon
from tests.vendure_plugin.selections import Configured, Storefront
from tests.vendure_plugin.shop import DEMO_SHOP, NET_CHANNEL, DemoEngine, demo_engine, filled_database, options
from tests.vendure_plugin.shopper import Json, Shopper, lines_of

MARKETS = {None: "__default_channel__", "US": "us", "CH": "ch", "JP": "jp"}
"""The channel for each country: euros, dollars and yen including tax, francs excluding tax."""

NEIGHBOURS = (10011, 10021, 10111, 10121, 10351)
STEPS = ("bundle", "equal bundle", "unit", "same unit", "coupon")
COUPON = "TENTH"


class Charge(NamedTuple):
    """A bundle in a placed order: the promised amount, the charged amount, and the reasons for any difference."""

    promised: Decimal
    charged: Decimal
    reasons: set[str | None]
    discounted: bool

    @property
    def is_as_promised(self) -> bool:
        return self.promised == self.charged and self.reasons == {None}


class PlacedOrder(NamedTuple):
    """A placed order: the `STEPS` that were taken to make it, and the charges for its bundles."""

    steps: frozenset[str]
    charges: Sequence[Charge]


def shopper(engine: DemoEngine, country: str | None) -> Shopper:
    return Shopper(engine.address, engine.tokens[MARKETS[country]])


def offer_coupon(engine: DemoEngine) -> None:
    """Create a coupon for ten per cent off orders in every channel."""
    add_coupon(engine, COUPON, "order_percentage_discount", [{"name": "discount", "value": "10"}])


def random_order(random: Random, engine: DemoEngine, storefront: Storefront, country: str | None) -> PlacedOrder:
    """Place an order that contains bundles, some of them identical, along with coupons and separate units of the same
    variants."""
    buyer = shopper(engine, country)
    bundles: list[Configured] = []

    def add(bundle: Configured) -> None:
        buyer.add(bundle.answer)
        bundles.append(bundle)

    steps = random.sample(STEPS, random.randint(1, len(STEPS)))
    for step in ["bundle", *steps, "bundle"]:
        if step == "bundle":
            add(storefront.some(random, random.choice(storefront.natives), country))
        elif step == "equal bundle":
            add(storefront.again(bundles[-1]))
        elif step == "unit":
            buyer.add_units(random.choice(NEIGHBOURS), random.choice([1, 2, 5]))
        elif step == "same unit":
            item = random.choice(bundles[-1].answer["cart"]["line_items"])
            buyer.add_units(item["id"], random.choice([1, 2]))
        else:
            buyer.apply_coupon(COUPON)
    placed = buyer.place()
    return PlacedOrder(frozenset(steps), [charge(placed, one, country) for one in bundles])


def charge(order: Json, bundle: Configured, country: str | None) -> Charge:
    """Return the charge for a bundle in a placed order, with or without tax, depending on how prices are entered in the
    channel."""
    lines: Sequence[Json] = lines_of(order, bundle.id)
    name = "discountedLinePrice" if MARKETS[country] == NET_CHANNEL else "discountedLinePriceWithTax"
    charged = Decimal(sum(line[name] for line in lines)) / 100
    reasons = {line["bundle"]["reason"] for line in lines}
    return Charge(bundle.promised, charged, reasons, bundle.promised < bundle.original)


def random_orders(engine: DemoEngine, storefront: Storefront, bundles: int) -> Iterator[tuple[str | None, PlacedOrder]]:
    """Place orders with this many bundles in total, or slightly more, rotating through the markets. Yields each order with its
    country."""
    random, number = Random(f"orders of {bundles}"), 0
    for country in cycle(MARKETS):
        if number >= bundles:
            return
        placed = random_order(random, engine, storefront, country)
        number += len(placed.charges)
        yield country, placed


def main(bundles: int) -> None:
    found: dict[str | None, list[PlacedOrder]] = {country: [] for country in MARKETS}
    with postgres_server() as postgres, tempfile.TemporaryDirectory() as folder:
        plugin = options(SECRET_KEY)
        key = prepare(Path(folder), DEMO_SHOP)
        filled = filled_database(postgres, plugin)
        with demo_engine(postgres, filled, plugin) as engine, serving(Path(folder)) as server:
            offer_coupon(engine)
            storefront = Storefront(server, key, read_shop_file(DEMO_SHOP))
            for done, (country, placed) in enumerate(random_orders(engine, storefront, bundles), 1):
                found[country].append(placed)
                if done % 50 == 0:
                    click.echo(f"{done} orders", err=True)
    for country, orders in found.items():
        click.echo(_summary(country or "home", orders))
    sys.exit(any(_not_as_promised(orders) for orders in found.values()))


def _summary(market: str, orders: Sequence[PlacedOrder]) -> str:
    charges = [one for placed in orders for one in placed.charges]
    steps = Counter(step for placed in orders for step in placed.steps)
    with_each = ", ".join(f"{steps[step]} with {step}" for step in STEPS[1:])
    discounted = sum(one.discounted for one in charges)
    return (
        f"{market}: {len(orders)} orders ({with_each}), {len(charges)} bundles, {discounted} discounted, "
        f"{len(_not_as_promised(orders))} not charged as promised"
    )


def _not_as_promised(orders: Sequence[PlacedOrder]) -> Sequence[Charge]:
    return [one for placed in orders for one in placed.charges if not one.is_as_promised]


if __name__ == "__main__":
    main(int(sys.argv[1]))
