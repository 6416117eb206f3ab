"""The disturbances that the service suffers during a soak. Each kind is a coroutine that runs until it is cancelled."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import aiohttp

from bundlesvc.domain.access.key import PREFIX_LENGTH
from tests.failures.platform import Platform
from tests.failures.service import Setup
from tests.failures.shopping import ACTIONS, Shopper
from tests.failures.shops import LiveShop
from tests.failures.table import FAULTS
from tests.process.serving import BASE, Server, command
from tests.process.shop import BOX, SHIRT
from tests.servers.redis_server import RedisServer
from tests.soak.plan import Plan
from tests.standin.app.webhooks import Webhook, product_body

ALLOWED = frozenset({200, 429, 502, 503, 504})
"""The statuses that are allowed while the platform fails."""

_SLOW_REQUEST = f"POST {BASE}/bundles/{BOX}/price HTTP/1.1\r\nHost: slow\r\nContent-Length: 1000\r\n\r\n".encode()


@dataclass
class Report:
    """A record of the disturbances caused, counted by kind. `faults` lists unacceptable responses and failed commands."""

    done: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Disturbances:
    """All disturbances in a soak test. `server` returns the current process of the service."""

    plan: Plan
    setup: Setup
    platform: Platform
    redis: RedisServer
    server: Callable[[], Server]
    settings: Mapping[str, str | None]
    report: Report = field(default_factory=Report)

    def all(self) -> Sequence[Coroutine[Any, Any, None]]:
        north, south = self.setup.shops.values()
        return [
            self.fail_platform(south),
            self.restart_redis(),
            self.send_webhooks(north),
            self.load_files(north),
            self.change_keys(north),
            *(self.shop_at(shop) for shop in (north, south)),
            *(self.connect_idle() for _ in range(self.plan.idle)),
            *(self.connect_slowly() for _ in range(self.plan.slow)),
        ]

    async def shop_at(self, shop: LiveShop) -> None:
        """Act as a client of a live shop, whose platform may fail."""
        for action in cycle(ACTIONS):
            with suppress(OSError, aiohttp.ClientError):
                observed = await asyncio.to_thread(Shopper(self.server(), shop).do, action)
                self.report.done["requests of live shops"] += 1
                if observed.status not in ALLOWED or (observed.status != 200 and observed.retry_after is None):
                    self.report.faults.append(f"{action} of {shop.handle}: {observed}")
            await asyncio.sleep(self.plan.pause / 50)

    async def fail_platform(self, shop: LiveShop) -> None:
        for fault in cycle(fault.fault for fault in FAULTS.values() if fault.fault is not None):
            await asyncio.sleep(self.plan.pause / 2)
            self.platform.fail({shop.token: fault()})
            await asyncio.sleep(self.plan.pause / 2)
            self.platform.heal()
            self.report.done["platform failures"] += 1

    async def restart_redis(self) -> None:
        while True:
            await asyncio.sleep(self.plan.pause)
            await asyncio.to_thread(self.redis.kill)
            await asyncio.sleep(self.plan.pause / 10)
            await asyncio.to_thread(self.redis.start)
            self.report.done["Redis restarts"] += 1

    async def send_webhooks(self, shop: LiveShop) -> None:
        """Repeatedly send many webhooks at the same time, each of them twice."""
        product = self.platform.standin.shop.products[SHIRT]
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            while True:
                await asyncio.sleep(self.plan.pause)
                new = [
                    Webhook("products/update", product_body(product), domain=shop.domain)
                    for _ in range(self.plan.webhooks // 2)
                ]
                url = f"{self.server().address}/webhooks/platform/{shop.handle}"
                found = await asyncio.gather(*(each.send(session, url) for each in new * 2), return_exceptions=True)
                self.report.done["webhooks"] += len(found)
                self.report.faults += [
                    f"webhook: {status}" for status in found if isinstance(status, int) and status not in ALLOWED
                ]

    async def load_files(self, shop: LiveShop) -> None:
        """Load the shop's file repeatedly, each time with a different bundle name."""
        file = self.setup.folder / f"{shop.handle}.yaml"
        text = file.read_text()
        for name in cycle(("Parcel", "Box")):
            await asyncio.sleep(self.plan.pause)
            file.write_text(text.replace("name: Box\n", f"name: {name}\n"))
            await self._command("load", file)

    async def change_keys(self, shop: LiveShop) -> None:
        """Repeatedly create a key, use it, and revoke it."""
        while True:
            await asyncio.sleep(self.plan.pause)
            created = await self._command("keys", "create", "--shop", shop.handle, "--label", "soak", "--json")
            key = json.loads(created)["key"]
            with suppress(OSError):
                status = (await asyncio.to_thread(self.server().get, f"{BASE}/bundles/{BOX}", key)).status
                if status not in ALLOWED:
                    self.report.faults.append(f"new key: {status}")
            await self._command("keys", "revoke", key[:PREFIX_LENGTH])

    async def _command(self, *arguments: object) -> str:
        """Run a command while the service is running, and return its output."""
        ended = await asyncio.to_thread(lambda: command(self.setup.folder, *arguments, settings=self.settings))
        self.report.done[f"commands: {arguments[0]}"] += 1
        if ended.returncode:
            self.report.faults.append(f"{arguments[0]}: {ended.stderr}")
        return ended.stdout

    async def connect_idle(self) -> None:
        """Keep an idle connection open, and reopen it when the service closes it."""
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.server().port)
                self.report.done["idle connections"] += 1
                try:
                    await reader.read()
                finally:
                    writer.close()
            await asyncio.sleep(1)

    async def connect_slowly(self) -> None:
        """Repeatedly send a request byte by byte until the service closes the connection."""
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.server().port)
                self.report.done["slow clients"] += 1
                try:
                    for byte in _SLOW_REQUEST + b"{" * 900:
                        writer.write(bytes((byte,)))
                        await writer.drain()
                        await asyncio.sleep(self.plan.pause / 200)
                finally:
                    writer.close()
            await asyncio.sleep(1)
