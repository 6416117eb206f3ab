"""Live shops in one database. Each has its own token, domain and API key, so that a failure can affect one shop alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.storage.migrations.schema import upgrade
from bundlesvc.system import RandomIds, SystemClock
from bundlesvc.token_cipher import credentials_cipher
from tests.process.serving import SECRET_KEY, in_database
from tests.process.shop import SHOP
from tests.standin.app.webhooks import SECRET
from tests.standin.data.connected_file import write_connected_file

RATE_LIMIT = 1_000_000


@dataclass(frozen=True)
class LiveShop:
    """A shop whose products are on the stand-in platform. `id` is the id of the shop's row."""

    id: int
    handle: str
    key: str

    @property
    def domain(self) -> str:
        return domain_of(self.handle)

    @property
    def token(self) -> str:
        return token_of(self.handle)


def domain_of(handle: str) -> str:
    return f"{handle}.myshopify.com"


def token_of(handle: str) -> str:
    return f"token of {handle}"


def open_shops(
    address: str, folder: Path, handles: Iterable[str], source: Path = SHOP, limits: Mapping[str, int] = {}
) -> dict[str, LiveShop]:
    """Create shops with the bundles of `source`, in a database that may be empty. Returns the shops by handle. `limits`: the
    requests per minute, by handle, for shops whose key does not have the default limit."""

    async def work(database: Database) -> dict[str, LiveShop]:
        await database.write(upgrade)
        return {
            handle: await _open(database, _shop_file(folder, handle, source), handle, limits.get(handle, RATE_LIMIT))
            for handle in handles
        }

    return in_database(address, work)


def _shop_file(folder: Path, handle: str, source: Path) -> Path:
    target = folder / f"{handle}.yaml"
    own = write_connected_file(source, target, domain_of(handle))
    target.write_text(target.read_text().replace(f"handle: {own}\n", f"handle: {handle}\n"))
    return target


async def _open(database: Database, shop_file: Path, handle: str, limit: int) -> LiveShop:
    await SqlShopFileStore(database).replace(read_shop_file(shop_file))
    store = SqlKeyStore(database)
    tenant = await store.tenant(handle)
    assert tenant is not None
    clock = SystemClock()
    connection = PlatformConnection(domain_of(handle), token_of(handle), SECRET)
    await SqlCredentialStore(database, credentials_cipher([SECRET_KEY])).connect(tenant, connection, int(clock.now()))
    key = await create_key(store, tenant, KeyRequest("test", rate_limit=limit), clock, RandomIds())
    return LiveShop(tenant.id, handle, key)
