"""Where failures take place: live shops in a database, the platform that they are on, and a service that sells for them."""

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
from tests.standin.shop import Shop
from tests.standin.shop_file import from_shop_file

PATIENT = (
    sys.executable,
    "-c",
    "from bundlesvc import redis_connection; redis_connection.TIMEOUT = 10.0; import bundlesvc.__main__",
)
"""The program, with time enough for a Redis that does not hang, on a busy machine."""


@dataclass(frozen=True)
class Ground:
    """Shops by handle, in a database of their own, at its address: a path, or a URL. Laid out by one thread at a time."""

    shops: Mapping[str, LiveShop]
    address: str
    folder: Path

    @classmethod
    def laid_out(
        cls,
        handles: Iterable[str],
        folder: Path,
        address: str | None = None,
        source: Path = SHOP,
        limits: Mapping[str, int] = {},
    ) -> "Ground":
        """In a SQLite database in the folder where no other is named; `limits`: requests a minute, by handle."""
        address = address or str(folder / "shop.db")
        return cls(open_shops(address, folder, handles, source, limits), address, folder)

    @property
    def url(self) -> str:
        return self.address if "://" in self.address else f"sqlite:///{self.address}"

    def configured(self) -> dict[str, Rows]:
        """The configured bundles of each shop, by their ids."""
        rows = Stored.at(self.address).configured
        return {
            handle: {number: row for number, row in rows.items() if row["shop_id"] == shop.id}
            for handle, shop in self.shops.items()
        }


@dataclass(frozen=True)
class Stage:
    """The service at work, in one process or in several that know nothing of one another."""

    ground: Ground
    platform: Platform
    servers: Sequence[Server]

    @property
    def server(self) -> Server:
        """The first one."""
        return self.servers[0]

    def shopper(self, handle: str) -> Shopper:
        return Shopper(self.server, self.ground.shops[handle])

    @property
    def shoppers(self) -> dict[str, Shopper]:
        return {handle: self.shopper(handle) for handle in self.ground.shops}

    def metrics(self) -> Mapping[str, float]:
        """Of the first one, by name and labels, as they are written."""
        lines = self.server.get("/metrics").body.decode().splitlines()
        parted = (line.rpartition(" ") for line in lines if not line.startswith("#"))
        return {name: float(value) for name, _, value in parted}

    def end(self) -> Sequence[Line]:
        """What all had to say, once they have ended as they should."""
        for server in self.servers:
            assert server.stop() == 0
            assert server.err.end() == ""
        return [line for server in self.servers for line in lines_of(server)]


@contextmanager
def staged(
    ground: Ground,
    settings: Mapping[str, str | None] = {},
    program: Sequence[str] = COMMAND,
    servers: int = 1,
    platform_shop: Shop | None = None,
) -> Iterator[Stage]:
    """A service of these shops; what the platform has is that of the test shop unless another one is given."""
    shop = platform_shop or from_shop_file(SHOP)
    with ExitStack() as stack:
        platform = stack.enter_context(platform_of(shop, {shop.token for shop in ground.shops.values()}))
        own = {"DATABASE_URL": ground.url, "BUNDLESVC_PLATFORM_ENDPOINT": platform.url, **settings}
        opened = [stack.enter_context(serving(ground.folder, settings=own, program=program)) for _ in range(servers)]
        yield Stage(ground, platform, opened)
