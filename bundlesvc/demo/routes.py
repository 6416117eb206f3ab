"""The demo's routes, and the services behind them."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from aiohttp import web

from bundlesvc.api import app_keys
from bundlesvc.demo import handlers
from bundlesvc.demo.catalogue import EmbeddedCartCatalogue
from bundlesvc.demo.handlers import DemoServices
from bundlesvc.demo.showcase import Showcase
from bundlesvc.demo.simulate_checkout import SimulateCheckout
from bundlesvc.ports import Clock, ConfiguredStore, Platform, ShopStore, TokenCipher
from bundlesvc.storage.database.interface import Database

DEMO_PATH = "/demo"
PAGE = Path(str(files("bundlesvc") / "demo" / "page"))
NOT_FOUND_PAGE = PAGE / "not-found.html"


@dataclass(frozen=True, slots=True)
class DemoPorts:
    """The ports of the main service that the demo needs."""

    database: Database
    shops: ShopStore
    platform: Platform
    configured: ConfiguredStore
    discounts: TokenCipher
    clock: Clock


def add_demo(app: web.Application, key: str | None, base_path: str, ports: DemoPorts) -> None:
    """Add the demo storefront to an application that already has its services. The page calls the API with `key`."""
    catalogue = EmbeddedCartCatalogue(ports.database)
    app[handlers.SERVICES] = DemoServices(
        key,
        base_path,
        Showcase(app[app_keys.BUNDLES], ports.shops, ports.platform, catalogue),
        SimulateCheckout(catalogue, ports.platform, ports.configured, ports.discounts, ports.clock),
    )
    app.router.add_get(DEMO_PATH, handlers.page(PAGE / "index.html"))
    for file in PAGE.iterdir():
        app.router.add_get(f"{DEMO_PATH}/page/{file.name}", handlers.file(file))
    app.router.add_get(f"{DEMO_PATH}/shop.json", handlers.shop)
    app.router.add_post(f"{DEMO_PATH}/checkout", handlers.checkout)
    app.router.add_get(f"{DEMO_PATH}/{{rest:.*}}", handlers.not_found(NOT_FOUND_PAGE, handlers.nothing))
