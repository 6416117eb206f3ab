"""An engine and a service that are connected to each other: the service reads products and orders, and the engine sends
webhooks."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from bundlesvc.shop_file.loading import read_shop_file
from tests.process.serving import SECRET_KEY, Server, database_of, serving
from tests.scrape import Samples, samples
from tests.servers.postgres_server import PostgresServer
from tests.vendure_plugin.connected_shop import connect, first_secret, new_key, run, settings_for
from tests.vendure_plugin.linked.webhook_gate import WebhookGate, until, webhook_gate
from tests.vendure_plugin.selections import Storefront
from tests.vendure_plugin.shop import DEMO_SHOP, DemoEngine, options, started_engine

Json = Any
MANAGE = "/api/manage/v1"
ORIGIN = "http://shop.example"
_CALLS = re.compile(r'bundlesvc_platform_calls_total\{operation="(\w+)",outcome="\w+"\}')

WHILE_AWAY = {f"BUNDLESVC_CACHE_{kind}_TTL": "3600" for kind in ("PRODUCTS", "PRICES", "SHOP")}
"""Settings under which cached data practically never expires, so that only webhooks can make changes visible."""


class LinkedShop:
    """The demo shop on an engine and on a service, each of which can be stopped and restarted."""

    def __init__(self, folder: Path, postgres: PostgresServer, database: str, gate: WebhookGate) -> None:
        self.folder = folder
        self.gate = gate
        self.secret = first_secret(folder)
        self._postgres = postgres
        self._database = database
        self._engine: AbstractContextManager[DemoEngine] | None = None
        self._service: AbstractContextManager[Server] | None = None
        self.engine: DemoEngine
        self.server: Server
        self.key = self.orders_key = ""

    def start_engine(self, **changes: object) -> None:
        """Start the engine with the plugin, with `changes` to its options. The engine listens on a different port each time."""
        webhooks = {"url": self.gate.address, "secret": self.secret}
        plugin = options(SECRET_KEY, **{"webhooks": webhooks, **changes})
        self._engine = started_engine(self._postgres, self._database, plugin)
        self.engine = self._engine.__enter__()

    def stop_engine(self) -> None:
        """Kill the engine. If it was running a job, backdate the start of the job by an hour."""
        if self._engine:
            self._engine.__exit__(None, None, None)
            self._engine = None
            aged = "UPDATE job_record SET \"startedAt\" = \"startedAt\" - interval '1 hour' WHERE state = 'RUNNING'"
            self.sql(aged)

    def connect(self) -> None:
        """Load the shop file, store the engine's key in the service, and create keys for the storefront and for orders."""
        connect(self.folder, self.engine, ORIGIN)
        self.key, self.orders_key = (new_key(self.folder, self.settings, scope) for scope in ("headless", "orders"))

    @property
    def settings(self) -> dict[str, str]:
        return {**settings_for(self.engine), **WHILE_AWAY}

    def start_service(self) -> None:
        self._service = serving(self.folder, settings=self.settings)
        self.server = self._service.__enter__()
        self.gate.target = self.server.port

    def stop_service(self) -> None:
        """Kill the service."""
        self.gate.target = None
        if self._service:
            self._service.__exit__(None, None, None)
            self._service = None

    def restore(self) -> None:
        """Start the engine and the service if they are stopped. If the engine was stopped, the service is restarted to use its
        new address."""
        if self._engine is None:
            self.stop_service()
            self.start_engine()
        if self._service is None:
            self.start_service()

    @property
    def storefront(self) -> Storefront:
        return Storefront(self.server, self.key, read_shop_file(DEMO_SHOP))

    def order(self, order_id: object) -> Json:
        """Wait until the service has read an order, and return it as the management API does."""

        def read() -> Json:
            response = self.server.get(f"{MANAGE}/orders/{order_id}", self.orders_key)
            return response.json if response.status == 200 else None

        return until(read)

    def orders(self) -> Sequence[Json]:
        """Return all orders that the service has stored."""
        found: Sequence[Json] = self.server.get(f"{MANAGE}/orders?limit=100", self.orders_key).json
        return found

    def calls(self) -> Counter[str]:
        """Count the calls that the current process of the service has made to the engine, by operation."""
        found = ((_CALLS.fullmatch(name), count) for name, count in self._metrics().items())
        return Counter({call[1]: int(count) for call, count in found if call})

    def sql(self, statement: str) -> str:
        """Run a statement in the engine's database, and return its result."""
        return self._postgres.sql(statement, self._database)

    def taken_orders(self) -> float:
        """Return how many order versions the service has stored since its current process started."""
        return self._metrics()['bundlesvc_orders_total{result="stored"}']

    def waiting_orders(self) -> int:
        """Return how many orders the service still has to read."""
        with closing(sqlite3.connect(database_of(self.folder))) as connection:
            count: int = connection.execute("SELECT count(*) FROM order_notices").fetchone()[0]
        return count

    def is_quiet(self) -> bool:
        """Whether no webhook is waiting, and the service has read all orders reported by webhooks."""
        found = self.engine.admin.run("{ bundlesvc { webhooks { queue { waiting } } } }")
        return found["bundlesvc"]["webhooks"]["queue"]["waiting"] == 0 and self.waiting_orders() == 0

    def _metrics(self) -> Samples:
        return samples(self.server.get("/metrics").body.decode())

    def check(self) -> str:
        """Return what `platform check` prints."""
        return run(self.folder, self.settings, "platform", "check", "--shop", "demo", may_fail=True)


@contextmanager
def linked_shop(folder: Path, postgres: PostgresServer, filled: str) -> Iterator[LinkedShop]:
    """Run an engine on a copy of a filled database, and a service with an empty database."""
    database = postgres.new_database(filled)
    with postgres.lent(database), webhook_gate() as gate:
        shop = LinkedShop(folder, postgres, database, gate)
        try:
            shop.start_engine()
            shop.connect()
            shop.start_service()
            yield shop
        finally:
            shop.stop_service()
            shop.stop_engine()
