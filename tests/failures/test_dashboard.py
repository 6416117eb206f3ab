"""Every query of the dashboard returns data. Prometheus scrapes two running services, which receive traffic and use every
optional feature.

One service uses SQLite with scheduled backups, Redis and shop labels; the other uses PostgreSQL with a read replica.
"""

import asyncio
import socket
import time
from collections.abc import Iterator

import aiohttp
import pytest
from sqlalchemy import Connection, insert

from bundlesvc.services.ghosts.variants import CROWDED
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import ghost_variants
from tests.api.live.drawing import panels
from tests.failures.prometheus import Prometheus, prometheus
from tests.failures.service import Service, Setup, started
from tests.failures.shopping import READ
from tests.process.serving import BASE, in_database
from tests.process.shop import PAIR_PRODUCT
from tests.servers.postgres_server import postgres_server
from tests.servers.redis_server import RedisServer
from tests.standin.app.webhooks import Webhook
from tests.standin.faults import server_error

DATA_SECONDS = 180.0
"""Seconds within which every query must have data. Ghost variants and sizes are first measured after a minute."""

FULL, LIMITED, BROKEN = "full", "limited", "broken"
"""Shops: one with a crowd of ghost variants, one with a key that allows few requests, and one whose platform fails."""


async def _crowd(database: Database) -> None:
    """Store enough ghost variants of one product to make an alert fire. None of them is due for a check by the service."""
    rows = [
        {
            "shop_id": 1,
            "identity": f"{n}",
            "product_id": PAIR_PRODUCT,
            "variant_id": n,
            "last_used_at": 1,
            "check_at": None,
        }
        for n in range(CROWDED)
    ]

    def work(connection: Connection) -> None:
        connection.execute(insert(ghost_variants), rows)

    await database.write(work)


@pytest.fixture
def on_sqlite(redis: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("sqlite")
    setup = Setup.prepared((FULL, LIMITED, BROKEN), folder, limits={LIMITED: 5})
    in_database(setup.address, _crowd)
    settings = {
        "REDIS_URL": redis.url,
        "WEB_CONCURRENCY": "2",
        "BUNDLESVC_BACKUP_FOLDER": str(folder / "backups"),
        "BUNDLESVC_HEADER_TIMEOUT": "1",
        "BUNDLESVC_METRICS_SHOPS": "1",
    }
    with started(setup, settings) as service:
        yield service


@pytest.fixture
def on_postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with postgres_server() as primary, primary.standby() as replica:
        name = primary.new_database()
        setup = Setup.prepared((FULL,), tmp_path_factory.mktemp("postgresql"), primary.url(name))
        replica.catch_up(primary)
        with started(setup, {"DATABASE_READ_URL": replica.url(name)}) as service:
            yield service


def shop_once(on_sqlite: Service, on_postgresql: Service) -> None:
    """Send requests of every kind. Some of them are refused."""
    for service in (on_sqlite, on_postgresql):
        service.shopper(FULL).do_all()
        service.server.get(f"{BASE}/settings", service.setup.shops[FULL].key)
    for _ in range(7):
        on_sqlite.server.get(f"{BASE}/settings", on_sqlite.setup.shops[LIMITED].key)
    on_sqlite.shopper(BROKEN).do(READ)
    asyncio.run(_deliver(on_sqlite))
    with socket.create_connection(("127.0.0.1", on_sqlite.server.port)) as slow:  # half a request head
        slow.sendall(b"GET /healthz HTTP/1.1\r\n")
        slow.settimeout(10)
        while slow.recv(1000):
            pass


async def _deliver(service: Service) -> None:
    webhook = Webhook("products/update", {"id": 1}, domain=service.setup.shops[FULL].domain)
    async with aiohttp.ClientSession() as session:
        assert await webhook.send(session, f"{service.server.address}/webhooks/platform/{FULL}") == 200


def without_data(server: Prometheus) -> dict[str, str]:
    """Return the dashboard queries that return no data, by panel title. Grafana's variables are replaced with values that Grafana
    could use."""
    queries = [(panel["title"], target["expr"]) for panel in panels() for target in panel["targets"]]
    asked = [(title, text.replace("$__rate_interval", "1m").replace("$instance", ".*")) for title, text in queries]
    return {title: text for title, text in asked if not server.query(text)}


def test_every_query_of_the_dashboard_has_data(
    on_sqlite: Service, on_postgresql: Service, tmp_path_factory: pytest.TempPathFactory
) -> None:
    on_sqlite.platform.fail({on_sqlite.setup.shops[BROKEN].token: server_error()})
    targets = [f"127.0.0.1:{service.server.port}" for service in (on_sqlite, on_postgresql)]
    with prometheus(tmp_path_factory.mktemp("prometheus"), targets) as server:
        end = time.monotonic() + DATA_SECONDS
        empty = without_data(server)
        while empty and time.monotonic() < end:
            shop_once(on_sqlite, on_postgresql)
            time.sleep(1)
            empty = without_data(server)
        assert empty == {}
        assert server.faulty_rules() == {}
        assert len(server.query("up == 1")) == 2
