"""A service with a shop on the stand-in platform, where the checkout function is installed."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.storage.migrations.schema import upgrade
from bundlesvc.token_cipher import credentials_cipher
from tests.browser.service import DEMO_SHOP, Service, elsewhere
from tests.cli.installed_function import install_function
from tests.cli.live_shop import in_thread
from tests.process.serving import SECRET_KEY, in_database, serving
from tests.standin.app.webhooks import SECRET
from tests.standin.data.connected_file import write_connected_file
from tests.standin.data.shop_file import from_shop_file
from tests.standin.server import TOKEN, Standin


@dataclass
class LiveShop:
    """The demo shop on the stand-in platform, and the service connected to it."""

    standin: Standin
    service: Service


@contextmanager
def running_live_shop(folder: Path) -> Iterator[LiveShop]:
    """Run the stand-in and the service until the context ends."""
    with in_thread(Standin(from_shop_file(DEMO_SHOP))) as standin:
        domain = standin.shop.domain
        handle = write_connected_file(DEMO_SHOP, folder / "shop.yaml", domain)

        async def prepare(database: Database) -> None:
            await database.write(upgrade)
            await SqlShopFileStore(database).replace(read_shop_file(folder / "shop.yaml"))
            tenant = await SqlKeyStore(database).tenant(handle)
            assert tenant is not None
            store = SqlCredentialStore(database, credentials_cipher([SECRET_KEY]))
            await store.connect(tenant, PlatformConnection(domain, TOKEN, SECRET), 1)

        elsewhere(lambda: in_database(folder, prepare))
        install_function(standin.shop, SECRET_KEY, handle=handle)
        with serving(folder, settings={"BUNDLESVC_PLATFORM_ENDPOINT": standin.url, "BUNDLESVC_STUDIO": "1"}) as server:
            service = Service(server, folder)
            shown = {"service": service.origin, "key": service.key(handle), "countries": "US,CH,JP"}
            standin.storefront.settings = lambda: shown
            yield LiveShop(standin, service)
