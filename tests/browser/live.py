"""A service whose shop is on the stand-in platform, set up with the commands that an operator types."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.browser.service import DEMO_MODE, DEMO_SHOP, Service
from tests.cli.live_shop import in_thread
from tests.process.serving import command, serving
from tests.standin.apps import CLIENT_ID
from tests.standin.connected_file import write_connected_file
from tests.standin.deployment import deploy
from tests.standin.server import Standin
from tests.standin.shop_file import from_shop_file
from tests.standin.webhooks import SECRET

CREDENTIALS = f"{CLIENT_ID}\n{SECRET}\n"


@dataclass
class LiveShop:
    """The demo shop on the stand-in, and the service."""

    standin: Standin
    service: Service


@contextmanager
def running_live_shop(folder: Path) -> Iterator[LiveShop]:
    """Both, stopped afterwards; the checkout function is exported, deployed and activated."""
    with in_thread(Standin(from_shop_file(DEMO_SHOP))) as standin:
        settings = {**DEMO_MODE, "BUNDLESVC_PLATFORM_ENDPOINT": standin.url}
        handle = write_connected_file(DEMO_SHOP, folder / "shop.yaml", standin.shop.domain)

        def run(*arguments: object, given: str | None = None) -> None:
            result = command(folder, *arguments, settings=settings, given=given)
            assert result.returncode == 0, (arguments, result.stderr)

        run("load", "shop.yaml")
        run("platform", "connect", "--shop", handle, "--client-credentials", given=CREDENTIALS)
        run("platform", "function", "export", "extension")
        deploy(standin.shop, folder / "extension")
        run("platform", "function", "activate", "--shop", handle)
        with serving(folder, settings=settings) as server:
            service = Service(server, folder)
            shown = {"service": service.origin, "key": service.key(handle), "countries": "US,CH,JP"}
            standin.storefront.settings = lambda: shown
            yield LiveShop(standin, service)
