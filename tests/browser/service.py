"""The service under test: `bundlesvc serve` in demo mode, with the demo shop and the shops of these tests."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.migrations.schema import upgrade
from bundlesvc.system import RandomIds, SystemClock
from tests.process.serving import BASE, Server, database_of, in_database, serving

HERE = Path(__file__).parent
DEMO_SHOP = HERE.parents[1] / "config" / "demo-shop.yaml"
SHOPS = (DEMO_SHOP, HERE / "corner_shop.yaml", HERE / "hostile_shop.yaml")
"""The shop files of these tests. The demo page shows the first."""

UNLIMITED = 1_000_000
DEMO_MODE = {"BUNDLESVC_DEMO": "1", "BUNDLESVC_SECRET_KEYS": None}

T = TypeVar("T")


@dataclass
class Service:
    """A running service: its address, and actions reserved for its operator."""

    server: Server
    folder: Path
    _keys: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        return self.server.address

    @property
    def base_url(self) -> str:
        return f"{self.origin}{BASE}"

    def key(self, shop: str) -> str:
        """A key for the pages of a shop, created on first use."""
        if shop not in self._keys:
            self._keys[shop] = self.new_key(shop)
        return self._keys[shop]

    def new_key(self, shop: str = "demo", **request: object) -> str:
        """Create a key from the given fields of `KeyRequest`."""

        async def make(database: Database) -> str:
            store = SqlKeyStore(database)
            tenant = await store.tenant(shop)
            assert tenant is not None
            wanted = KeyRequest(**{"label": "browser", "rate_limit": UNLIMITED, **request})  # type: ignore[arg-type]
            return await create_key(store, tenant, wanted, SystemClock(), RandomIds())

        return elsewhere(lambda: in_database(self.folder, make))

    def load(self, shop: Path) -> None:
        """Load a shop file; the service uses it within two seconds."""
        _load(self.folder, shop)

    @property
    def configured(self) -> int:
        """The number of configured bundles."""
        return self._count("configured_bundles")

    def _count(self, table: str) -> int:
        address = f"file:{database_of(self.folder)}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            return int(count)


@contextmanager
def running_service(folder: Path) -> Iterator[Service]:
    """Run the service on a free port until the context ends."""

    elsewhere(lambda: in_database(folder, lambda database: database.write(upgrade)))
    _load(folder, *SHOPS)
    with serving(folder, settings=DEMO_MODE) as server:
        yield Service(server, folder)


def _load(folder: Path, *shops: Path) -> None:
    async def load(database: Database) -> None:
        for shop in shops:
            await SqlShopFileStore(database).replace(read_shop_file(shop))

    elsewhere(lambda: in_database(folder, load))


def elsewhere(work: Callable[[], T]) -> T:
    """Run `work` in another thread, because the browser's event loop runs in this one, and return its result."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()
