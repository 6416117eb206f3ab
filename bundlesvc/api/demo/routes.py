"""The demo's routes; without demo mode none of them is there."""

from importlib.resources import files
from pathlib import Path

from aiohttp import web

from bundlesvc.api.demo import handlers
from bundlesvc.api.demo.handlers import DemoServices

DEMO_PATH = "/demo"
PAGE = Path(str(files("bundlesvc") / "storefront" / "demo" / "page"))


def add_demo(app: web.Application, services: DemoServices) -> None:
    """Serve the demo storefront."""
    app[handlers.SERVICES] = services
    app.router.add_get(DEMO_PATH, handlers.file(PAGE / "index.html"))
    for file in PAGE.iterdir():
        app.router.add_get(f"{DEMO_PATH}/page/{file.name}", handlers.file(file))
    app.router.add_get(f"{DEMO_PATH}/shop.json", handlers.shop)
    app.router.add_post(f"{DEMO_PATH}/checkout", handlers.checkout)
