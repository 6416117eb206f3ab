"""Reads a bundle with 200 products on Vendure: how many calls the reads need, and how long they take.

`python -m tests.vendure_plugin.linked.large_bundle` prints a table with medians over several starts of the service.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click
import yaml

from tests.process.serving import BASE, SECRET_KEY
from tests.servers.postgres_server import postgres_server
from tests.standin.data.connected_file import write_file
from tests.vendure_plugin.catalogue import set_price
from tests.vendure_plugin.connected_shop import run
from tests.vendure_plugin.linked.linked_shop import LinkedShop, linked_shop
from tests.vendure_plugin.linked.webhook_gate import until
from tests.vendure_plugin.shop import filled_database, options

BUNDLE = 200
COUNTRY = "US"
PRODUCTS = range(50_001, 50_201)
"""The ids of the products. The only variant of each has the same id."""

ORIGINAL, ITS_VARIANT = 1011, 10111
"""The product of the demo shop from which these products are copied, and its variant."""

CHANGED = PRODUCTS[77]
ROUNDS = 5

_NEXT_ID = "nextval(pg_get_serial_sequence('{table}', 'id'))"
_COPIES: Sequence[tuple[str, str, int, dict[str, str]]] = (
    ("product", "id", ORIGINAL, {}),
    ("product_translation", "baseId", ORIGINAL, {"id": _NEXT_ID}),
    ("product_channels_channel", "productId", ORIGINAL, {}),
    ("product_variant", "id", ITS_VARIANT, {"productId": "number"}),
    ("product_variant_translation", "baseId", ITS_VARIANT, {"id": _NEXT_ID}),
    ("product_variant_price", "variantId", ITS_VARIANT, {"id": _NEXT_ID}),
    ("product_variant_channels_channel", "productVariantId", ITS_VARIANT, {}),
    ("stock_level", "productVariantId", ITS_VARIANT, {"id": _NEXT_ID}),
)
"""The tables in which rows are copied, each with the column for the id of the copy, the value of this column in the original, and
the other columns that differ."""


class Read(NamedTuple):
    """A read of the bundle's products: calls to the engine by operation, seconds, and the price shown for `CHANGED`."""

    calls: Counter[str]
    seconds: float
    price: str


@contextmanager
def large_bundle(shop: LinkedShop) -> Iterator[None]:
    """Add 200 products to the engine, and a bundle of these products to the shop. None of the bundle's data is cached yet."""
    file = shop.folder / "shop.yaml"
    before = file.read_text("utf-8")
    for table, column, original, others in _COPIES:
        shop.sql(_copy(table, column, original, others))
    content = yaml.safe_load(before)
    content["bundles"].append(_bundle())
    write_file(content, file)
    try:
        _load(shop)
        restart(shop)
        yield
    finally:
        file.write_text(before, "utf-8")
        _load(shop)


def _load(shop: LinkedShop) -> None:
    run(shop.folder, shop.settings, "load", "shop.yaml")


def restart(shop: LinkedShop) -> None:
    """Restart the service, so that nothing is cached."""
    shop.stop_service()
    shop.start_service()


def _copy(table: str, column: str, original: int, others: dict[str, str]) -> str:
    changed = {column: "number", **others}
    values = ", ".join(f"'{name}', {value.format(table=table)}" for name, value in changed.items())
    return (
        f"INSERT INTO {table} SELECT made.* FROM {table} AS original, "
        f"generate_series({PRODUCTS[0]}, {PRODUCTS[-1]}) AS number, "
        f"jsonb_populate_record(original, jsonb_build_object({values})) AS made "
        f'WHERE original."{column}" = {original}'
    )


def _bundle() -> dict[str, Any]:
    items = [{"bundleItemId": number, "platformProductId": str(number)} for number in PRODUCTS]
    return {
        "id": BUNDLE,
        "name": "Two Hundred",
        "type": "native",
        "layout": "single-page",
        "platformProductId": str(ORIGINAL),
        "parentVariantId": str(ITS_VARIANT),
        "discount": {"type": "percentage", "value": "10"},
        "sections": [{"id": 1, "name": "All", "order": 0, "products": items}],
    }


def read(shop: LinkedShop, country: str | None = None) -> Read:
    """Read all products, with their prices in a country or, if `country` is None, in the home market."""
    path = f"{BASE}/bundles/{BUNDLE}/products{f'?countryCode={country}' if country else ''}"
    before, began = shop.calls(), time.perf_counter()
    response = shop.server.get(path, shop.key)
    seconds = time.perf_counter() - began
    prices = {int(one["platformProductId"]): one["variants"][0]["price"] for one in response.json["products"]}
    assert prices.keys() == {*PRODUCTS}
    return Read(shop.calls() - before, seconds, prices[CHANGED])


def read_after_a_change(shop: LinkedShop, country: str | None = None) -> Read:
    """Change the price of one product, and read all products until the change is visible. Returns the number of calls that all
    these reads needed, and the duration and price of the last read."""
    old = read(shop, country).price
    before = shop.calls()
    set_price(shop.engine, str(CHANGED), int(old.replace(".", "")) + 1)
    shown = until(lambda: (found := read(shop, country)).price != old and found)
    return Read(shop.calls() - before, shown.seconds, shown.price)


STEPS: dict[str, Callable[[LinkedShop], Read]] = {
    "cold, home": read,
    f"cold, {COUNTRY}": lambda shop: read(shop, COUNTRY),
    "warm, home": read,
    f"warm, {COUNTRY}": lambda shop: read(shop, COUNTRY),
    "after one product changed, home": read_after_a_change,
    f"after one product changed, {COUNTRY}": lambda shop: read_after_a_change(shop, COUNTRY),
}


@click.command()
@click.option("--rounds", default=ROUNDS, show_default=True, help="Times to start the service and read.")
def main(rounds: int) -> None:
    """Print how many calls to Vendure it takes to read a bundle of 200 products, and how long each read takes."""
    found: dict[str, list[Read]] = {step: [] for step in STEPS}
    with postgres_server() as postgres, tempfile.TemporaryDirectory() as folder:
        filled = filled_database(postgres, options(SECRET_KEY))
        with linked_shop(Path(folder), postgres, filled) as shop, large_bundle(shop):
            for _ in range(rounds):
                restart(shop)
                for step, take in STEPS.items():
                    found[step].append(take(shop))
    for step, reads in found.items():
        click.echo(_line(step, reads))


def _line(step: str, reads: Sequence[Read]) -> str:
    calls = {tuple(sorted(one.calls.items())) for one in reads}
    assert len(calls) == 1, calls
    named = ", ".join(f"{count} {operation}" for operation, count in calls.pop()) or "none"
    return f"{step}: {median(one.seconds for one in reads) * 1000:.0f} ms; calls: {named}"


if __name__ == "__main__":
    main()
