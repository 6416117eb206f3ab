"""Simulated visitors of the demo's A/B test: each fetches the bundle with its own visitor id, and some of them order."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import click
from aiohttp import ClientConnectionError, ClientSession

from bundlesvc.domain.assignment import assign
from bundlesvc.shop_file.loading import read_shop_file

ROOT = Path(__file__).parents[2]
EMBED, MANAGE = "/api/headless/v1/embed/api/v1", "/api/manage/v1"
SHOP = read_shop_file(ROOT / "config" / "demo-shop.yaml")
(EXPERIMENT,) = SHOP.experiments
BOUGHT = {"product": "1001", "variant": "10011", "section": 1}
UNITS, UNIT_PRICE = 3, Decimal("9.90")

BUYERS = (0.05, 0.10)
"""The share of visitors in each arm who order. The A/B test must find the difference."""

BATCH, MOST = 500, 20_000
AT_ONCE = 16
DECIDED = ("better", "worse")
LARGE_LIMIT = "1000000"


class NoDemo(Exception):
    """Raised when the demo is not running; the message says how to start it."""


@dataclass
class Visitors:
    """Visitors of a running demo. `lost` is the share of the second arm's visitors whose page fails before it shows the
    bundle."""

    session: ClientSession
    orders: Mapping[str, str]
    """Headers with the key that sends orders and reads results."""
    random: Random
    lost: float = 0.0
    seen: int = 0
    """The number of visitors who have seen a bundle."""

    async def come(self, count: int) -> None:
        """Let this many new visitors open the experiment's bundle. Some of them order it."""
        ids = [str(UUID(int=self.random.getrandbits(128), version=4)) for _ in range(count)]
        turns = asyncio.Semaphore(AT_ONCE)

        async def visit(visitor: str, luck: float, mishap: float) -> None:
            async with turns:
                await self._visit(visitor, luck, mishap)

        await asyncio.gather(*(visit(each, self.random.random(), self.random.random()) for each in ids))

    async def _visit(self, visitor: str, luck: float, mishap: float) -> None:
        arm = assign(EXPERIMENT, visitor).arm
        if arm and mishap < self.lost:
            return
        query = {"id": str(EXPERIMENT.bundle_id), "visitor_id": visitor}
        async with self.session.get(f"{EMBED}/bundle", params=query) as response:
            response.raise_for_status()
            shown = (await response.json())["id"]
        self.seen += 1
        if luck < BUYERS[arm]:
            await self._order(visitor, shown)

    async def _order(self, visitor: str, bundle: int) -> None:
        body = {"type": "native", "products": [BOUGHT] * UNITS, "visitorId": visitor}
        async with self.session.post(f"{EMBED}/bundle/{bundle}/product", json=body) as response:
            response.raise_for_status()
            configured = await response.json()
        async with self.session.post(
            f"{MANAGE}/orders", json=order_of(visitor, configured), headers=self.orders
        ) as response:
            response.raise_for_status()

    async def result(self) -> Any:
        """Wait until the A/B test's results count all visitors who have seen a bundle so far, which takes about a second, and
        return the results."""
        while True:
            result = await self._result()
            if sum(arm["visitors"] for arm in result["arms"]) >= self.seen:
                return result
            await asyncio.sleep(0.2)

    async def _result(self) -> Any:
        async with self.session.get(f"{MANAGE}/experiments/{EXPERIMENT.id}/results", headers=self.orders) as response:
            response.raise_for_status()
            return await response.json()


def order_of(visitor: str, configured: Mapping[str, Any]) -> Mapping[str, Any]:
    """The order of a visitor who bought what was configured, charged as promised."""
    cart, prices = configured["cart"], configured["pricing"]
    (line,) = cart["line_items"]
    off = Decimal(prices["originalPrice"]) - Decimal(prices["discountedPrice"])
    return {
        "id": visitor,
        "version": 1,
        "placedAt": datetime.now(UTC).isoformat(timespec="seconds"),
        "currency": "EUR",
        "visitorId": visitor,
        "attributes": {"_bundles": cart["attributes"]["_bundles"]},
        "lines": [
            {
                "id": "1",
                "variant": str(line["id"]),
                "quantity": line["quantity"],
                "unitPrice": str(UNIT_PRICE),
                "discounts": [{"kind": "bundle", "title": "Breakfast", "amount": str(off)}] if off else [],
                "properties": line["properties"],
            }
        ],
    }


@asynccontextmanager
async def visitors_of(address: str, keys: Mapping[str, str], seed: int, lost: float) -> AsyncIterator[Visitors]:
    page, manage = ({"Authorization": f"Bearer {keys[name]}"} for name in ("page", "manage"))
    async with ClientSession(address, headers=page) as session:
        yield Visitors(session, manage, Random(seed), lost)


def new_keys(run: Callable[..., subprocess.CompletedProcess[str]]) -> Mapping[str, str]:
    """Create a key for pages, and one for orders and results. `run` runs a command of the service. Raises NoDemo."""
    return {"page": _key(run, "embed"), "manage": _key(run, "orders", "reports")}


def _key(run: Callable[..., subprocess.CompletedProcess[str]], *scopes: str) -> str:
    wanted = [word for scope in scopes for word in ("--scope", scope)]
    named = ("--shop", "demo", "--label", "visitors", "--rate-limit", LARGE_LIMIT, "--json")
    done = run("keys", "create", *named, *wanted)
    if done.returncode:
        raise NoDemo(f"The demo has no shop yet. Start it with scripts/run. ({done.stderr.strip()})")
    return str(json.loads(done.stdout)["key"])


def of_the_demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command on the database of `scripts/run`."""
    command, environment = [sys.executable, "-m", "bundlesvc", *arguments], {**os.environ, "BUNDLESVC_DEMO": "1"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


async def decide(visitors: Visitors, most: int) -> Any:
    """Send visitors until the A/B test is decided, its result is withheld, or `most` visitors have been sent. Print the result
    after each batch, and return the last one."""
    result = None
    for _ in range(0, most, BATCH):
        await visitors.come(BATCH)
        result = await visitors.result()
        click.echo(_line(result))
        if result["message"] or any(each["verdict"] in DECIDED for each in result["comparisons"]):
            break
    return result


def _line(result: Mapping[str, Any]) -> str:
    arms: Sequence[Mapping[str, Any]] = result["arms"]
    seen = ", ".join(f"{arm['visitors']} visitors {arm['orders']} orders" for arm in arms)
    found = [each["verdict"] for each in result["comparisons"]]
    return f"{seen}: {', '.join(found) or 'withheld'}"


@click.command()
@click.option("--port", default=8080, show_default=True, help="The port of the demo.")
@click.option("--most", default=MOST, show_default=True, help="The most visitors to send.")
@click.option("--lost", default=0.0, help="The share of the second arm's visitors whose page fails, such as 0.2.")
@click.option("--seed", default=1, show_default=True, help="Other visitors with another number.")
def main(port: int, most: int, lost: float, seed: int) -> None:
    """Send simulated visitors to the running demo's A/B test until it is decided.

    Half of the visitors are given the first page, and half the second. Of those who see the second page, twice as many place an
    order. With --lost, some of the second page's visitors never see it; the result is then withheld, because the remaining
    visitors are not comparable.
    """

    async def run() -> None:
        async with visitors_of(f"http://127.0.0.1:{port}", new_keys(of_the_demo), seed, lost) as visitors:
            result = await decide(visitors, most)
        if result and result["message"]:
            click.echo(result["message"])
        click.echo(f"\nSee for yourself: .venv/bin/bundlesvc experiments show {EXPERIMENT.id} --shop demo")

    try:
        asyncio.run(run())
    except NoDemo as reason:
        sys.exit(str(reason))
    except ClientConnectionError:
        sys.exit(f"Nothing listens on port {port}. Start the demo with scripts/run, or name its port with --port.")


if __name__ == "__main__":
    main(prog_name="scripts/demo-visitors")
