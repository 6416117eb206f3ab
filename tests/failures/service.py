"""Sets up a failure test: live shops in a database, their platform, and the running service."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.failures.log import Line, lines_of
from tests.failures.platform import Platform, platform_of
from tests.failures.shopping import Shopper
from tests.failures.shops import LiveShop, open_shops
from tests.process.serving import COMMAND, Server, serving
from tests.process.shop import SHOP
from tests.process.storm import Rows, Stored
from tests.standin.data.shop import Shop
from tests.standin.data.shop_file import from_shop_file

WITH_LONG_REDIS_TIMEOUT = (
    sys.executable,
    "-c",
    "from bundlesvc.redis import connection; connection.TIMEOUT = 10.0; import bundlesvc.__main__",
)
"""The program with a Redis timeout that is long enough on a busy machine."""


@dataclass(frozen=True)
class Setup:
    """Shops by handle, stored in a database of their own. `address` is the path or URL of this database."""

    shops: Mapping[str, LiveShop]
    address: str
    folder: Path

    @classmethod
    def prepared(
        cls,
        handles: Iterable[str],
        folder: Path,
        address: str | None = None,
        source: Path = SHOP,
        limits: Mapping[str, int] = {},
    ) -> "Setup":
        """Prepare shops, by default in a SQLite database in the folder. `limits` sets the requests per minute that each shop's
        key allows, by handle."""
        address = address or str(folder / "shop.db")
        return cls(open_shops(address, folder, handles, source, limits), address, folder)

    @property
    def url(self) -> str:
        return self.address if "://" in self.address else f"sqlite:///{self.address}"

    def configured(self) -> dict[str, Rows]:
        """Return the configured bundles of each shop, by handle and then by bundle id."""
        rows = Stored.at(self.address).configured
        return {
            handle: {number: row for number, row in rows.items() if row["shop_id"] == shop.id}
            for handle, shop in self.shops.items()
        }


@dataclass(frozen=True)
class Service:
    """The running service, in one process or in several processes that are not aware of each other."""

    setup: Setup
    platform: Platform
    servers: Sequence[Server]

    @property
    def server(self) -> Server:
        """The first process."""
        return self.servers[0]

    def shopper(self, handle: str) -> Shopper:
        return Shopper(self.server, self.setup.shops[handle])

    @property
    def shoppers(self) -> dict[str, Shopper]:
        return {handle: self.shopper(handle) for handle in self.setup.shops}

    def metrics(self) -> Mapping[str, float]:
        """Return the metrics of the first process. The keys are names with labels, exactly as they appear on the metrics page."""
        lines = self.server.get("/metrics").body.decode().splitlines()
        parted = (line.rpartition(" ") for line in lines if not line.startswith("#"))
        return {name: float(value) for name, _, value in parted}

    def end(self) -> Sequence[Line]:
        """Stop all processes, check that each exits with status 0, and return their log lines."""
        for server in self.servers:
            assert server.stop() == 0
            assert server.err.end() == ""
        return [line for server in self.servers for line in lines_of(server)]


@contextmanager
def started(
    setup: Setup,
    settings: Mapping[str, str | None] = {},
    program: Sequence[str] = COMMAND,
    servers: int = 1,
    platform_shop: Shop | None = None,
) -> Iterator[Service]:
    """Start the service with the shops of the setup. The platform has the test shop's data unless `platform_shop` is given."""
    shop = platform_shop or from_shop_file(SHOP)
    with ExitStack() as stack:
        platform = stack.enter_context(platform_of(shop, {shop.token for shop in setup.shops.values()}))
        own = {"DATABASE_URL": setup.url, "BUNDLESVC_PLATFORM_ENDPOINT": platform.url, **settings}
        opened = [stack.enter_context(serving(setup.folder, settings=own, program=program)) for _ in range(servers)]
        yield Service(setup, platform, opened)
