"""Measures how many orders per second the management API accepts, and how large a stored order is: `python -m tests.load.orders`.
Every order contains a configured bundle of three lines, whose discount is checked. Needs `wrk` (available as a package in Debian
and Ubuntu)."""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

import click
from sqlalchemy import func, select

from bundlesvc.api.manage.api import MANAGE_PATH
from bundlesvc.domain.access.key import ORDERS
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.opening import open_database
from bundlesvc.storage.database.tables import bundle_orders
from bundlesvc.storage.maintenance.measurements import DatabaseMeasurements
from bundlesvc.token_cipher import new_secret_key
from tests.load.bench import postgresql
from tests.load.growth import SHOP
from tests.load.measure import BASE, NO_LIMIT, SERVE, Run, apart, bundlesvc, make_key, process, run

BUNDLE = 101
PRICES = {"10011": "9.90", "10021": "8.90", "10161": "5.40"}
SELECTION = [("10011", "1001", 1), ("10021", "1002", 1), ("10161", "1016", 2)]
NUMBER = "ORDER_NUMBER"

# The order numbers of a run begin at a random value, so that no two runs send the same order.
SENDING = """
wrk.headers["Authorization"] = "Bearer {key}"
local body, number = [[{body}]], tonumber(tostring({{}}):match('0x(%x+)'), 16) % 1000000007 * 1000
function request()
  number = number + 1
  return wrk.format('POST', nil, nil, (body:gsub('{number}', string.format('%.0f', number))))
end"""


@click.command()
@click.option("--postgresql", "on_postgresql", is_flag=True, help="On a PostgreSQL that it starts, instead of SQLite.")
@click.option("--rounds", default=5, show_default=True, help="Times to measure.")
@click.option("--seconds", default=4.0, show_default=True, help="Seconds of a round.")
def main(on_postgresql: bool, rounds: int, seconds: float) -> None:
    """Measure how many orders the service accepts when 32 connections send them as fast as possible."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = postgresql(stack) if on_postgresql else f"sqlite:///{folder}/orders.db"
        pairs, stored, grown = measure(folder, address, rounds, seconds)
    bare, service = (Run(*map(median, zip(*runs, strict=True))) for runs in zip(*pairs, strict=True))
    ratio = median(service.rate / bare.rate for bare, service in pairs)
    cpu_ratio = median(bare.cpu / service.cpu for bare, service in pairs)
    click.echo(f"orders a second: {service.rate:.0f}, {ratio:.3f} of a bare handler's {bare.rate:.0f}")
    click.echo(f"processor time: {service.cpu:.0f} us, {cpu_ratio:.3f} of a bare handler's {bare.cpu:.0f} us")
    click.echo(f"latency: half within {service.p50:.1f} ms, 99% within {service.p99:.1f} ms")
    click.echo(f"{stored} orders stored, {grown / stored:.0f} bytes each with their indexes")


def measure(folder: Path, address: str, rounds: int, seconds: float) -> tuple[Sequence[tuple[Run, Run]], int, int]:
    """Measure pairs of runs: one of a bare handler and one of the service. Also returns the number of stored orders, and the
    number of bytes by which the database grew."""
    environment = {
        **os.environ,
        "BUNDLESVC_STOP_DELAY": "0",
        "DATABASE_URL": address,
        "BUNDLESVC_SECRET_KEYS": new_secret_key(),
        "BUNDLESVC_LOG_LEVEL": "WARNING",
    }
    bundlesvc(environment, "db", "upgrade")
    bundlesvc(environment, "load", str(SHOP))
    created = json.loads(bundlesvc(environment, "keys", "create", *_OF_ORDERS))
    script = folder / "orders.lua"
    bodies = folder / "bodies"
    bodies.mkdir()
    (bodies / "case").write_bytes(b"{" + b" " * 500 + b"}")  # as long as the response to an order
    bare_handler = process(apart([sys.executable, "-m", "tests.load.bare", str(bodies)]), os.environ)
    with process(apart(SERVE), environment) as server, bare_handler as bare:
        body = json.dumps(order(configure(server.address, make_key(environment, "demo"))))
        script.write_text(SENDING.format(key=created["key"], body=body, number=NUMBER))
        before = asyncio.run(_size(address))
        path = f"{MANAGE_PATH}/orders"
        pairs = [(run(bare, path, script, seconds), run(server, path, script, seconds)) for _ in range(rounds)]
    after = asyncio.run(_size(address))
    return pairs, after[0] - before[0], after[1] - before[1]


_OF_ORDERS = ("--shop", "demo", "--label", "orders", "--scope", ORDERS, "--rate-limit", str(NO_LIMIT), "--json")


def configure(address: str, key: str) -> Mapping[str, Any]:
    """Configure a bundle, and return the response."""
    products = [{"variant": variant, "product": product, "section": section} for variant, product, section in SELECTION]
    request = Request(
        f"{address}{BASE}/bundles/{BUNDLE}/configure",
        json.dumps({"type": "native", "products": products}).encode(),
        {"Authorization": f"Bearer {key}"},
    )
    with urlopen(request) as response:
        return dict(json.load(response))


def order(configured: Mapping[str, Any]) -> Mapping[str, Any]:
    """Build an order for the configured bundle, with a tenth of its price taken off."""
    cart = configured["cart"]
    return {
        "id": NUMBER,
        "version": 1,
        "placedAt": "2026-11-23T10:00:00Z",
        "currency": "EUR",
        "attributes": {"_bundles": cart["attributes"]["_bundles"]},
        "lines": [
            {
                "id": str(index),
                "variant": str(item["id"]),
                "quantity": 1,
                "unitPrice": PRICES[str(item["id"])],
                "tax": "0.50",
                "discounts": [
                    {"kind": "bundle", "title": "Breakfast Box", "amount": f"0.{PRICES[str(item['id'])][0]}0"}
                ],
                "properties": item["properties"],
            }
            for index, item in enumerate(cart["line_items"])
        ],
    }


async def _size(address: str) -> tuple[int, int]:
    """Return the number of stored orders, and the size of the database in bytes."""

    async with open_database(address.removeprefix("sqlite:///")) as database:
        return await _count(database), await _bytes(database)


async def _count(database: Database) -> int:
    query = select(func.count()).select_from(bundle_orders)
    return await database.read(lambda connection: int(connection.execute(query).scalar_one()))


async def _bytes(database: Database) -> int:
    measurements = DatabaseMeasurements(database)
    await measurements.measure_sizes()
    return measurements.sizes.database if measurements.sizes else 0


if __name__ == "__main__":
    main()
