"""A visit: a window in a new browser context. The visit records everything that should not happen."""

import fnmatch
import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Page, Route

from tests.browser.builder import Builder
from tests.browser.demo.demo_page import Demo
from tests.browser.service import Service
from tests.browser.site import Site

WATCH = Path(__file__).with_name("watch.js").read_text("utf-8")
TIMEOUT = 30_000
"""Milliseconds after which a test gives up waiting. The timeout is long because several browsers may share one processor."""

# The four lines that a shop's developer writes.
HOST_PAGE = """\
<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<script type="module" src="{origin}/storefront/bundle-builder.js"></script><main><h1>A shop</h1>
<bundle-builder base-url="{base_url}" {attributes}></bundle-builder></main>
"""


class Gate:
    """A gate that holds requests until it is opened."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._waiting: list[Route] = []
        self._is_open = False
        page.route(pattern, self._pass)

    def _pass(self, route: Route) -> None:
        if self._is_open:
            route.continue_()
        else:
            self._waiting.append(route)

    def open(self) -> None:
        self._is_open = True
        for route in self._waiting:
            route.continue_()


class Visit:
    """A browser window that shows a site with the component, or the demo storefront."""

    def __init__(self, context: BrowserContext, service: Service, site: Site) -> None:
        self.context = context
        self.service = service
        self.site = site
        self.page = self._watched(context)
        self.builder = Builder(self.page)
        self.alarms: list[str] = []
        """Script errors, and alarms raised by hostile scripts."""
        self.reports: list[str] = []
        """Messages that the component has written to the console."""

    def _watched(self, context: BrowserContext) -> Page:
        context.set_default_timeout(TIMEOUT)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.on("pageerror", lambda error: self.alarms.append(str(error)))
        page.on("console", self._note)
        page.on("dialog", self._dismiss)
        page.on("popup", lambda popup: self.alarms.append(f"popup: {popup.url}"))
        return page

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error" and message.text.startswith("<bundle-builder>"):
            self.reports.append(message.text)

    def _dismiss(self, dialog: Dialog) -> None:
        self.alarms.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, *, shop: str = "demo", headers: dict[str, str] | None = None, **attributes: object) -> Builder:
        """Open a page that contains the builder, on an origin other than the service's. Attribute names are written with
        underscores; an attribute that is None is left out."""
        self.page.goto(self.site.put(self.host_page(shop, **attributes), headers or {}))
        return self.builder

    def show(self, bundle: int, **attributes: Any) -> Builder:
        """Open a page with the component, and wait until it shows the bundle."""
        return self.open(bundle_id=bundle, **attributes).shown()

    def host_page(self, shop: str = "demo", **attributes: object) -> str:
        given = {"api_key": self.service.key(shop), **attributes}
        written = [f'{name.replace("_", "-")}="{value}"' for name, value in given.items() if value is not None]
        return HOST_PAGE.format(
            origin=self.service.origin, base_url=self.service.base_url, attributes=" ".join(written)
        )

    def demo(self, **state: object) -> Demo:
        """Open the demo storefront with this state in its address."""
        self.page.goto(f"{self.service.origin}/demo?{urlencode(state)}")
        return Demo(self.page)

    def documentation(self) -> Page:
        """Open the API reference."""
        self.page.goto(f"{self.service.origin}/docs")
        return self.page

    def hold(self, pattern: str) -> Gate:
        """Hold requests whose addresses match the pattern, until the gate is opened."""
        return Gate(self.page, pattern)

    def slow_down(self, factor: float) -> None:
        """Make the page's processor slower by this factor."""
        self.context.new_cdp_session(self.page).send("Emulation.setCPUThrottlingRate", {"rate": factor})

    def requests(self, pattern: str) -> list[str]:
        """A list that collects the addresses of matching requests from now on."""
        made: list[str] = []
        path = re.compile(fnmatch.translate(pattern.replace("?", "[?]")))
        self.page.on("request", lambda request: made.append(request.url) if path.match(request.url) else None)
        return made

    def now(self) -> float:
        """The monotonic time in seconds."""
        return time.monotonic()

    def after_painting(self) -> None:
        """Wait until the last change is painted."""
        self.page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")

    def jumps(self) -> float:
        """The browser's layout shift score: how much of the visible page has moved."""
        return float(self.page.evaluate("seen.jumps()"))

    def take_breaches(self) -> list[str]:
        """Return the violations of the page's content security policy recorded so far, and remove them from the record, so that
        `check` does not report them."""
        return list(self.page.evaluate("window.seen?.breaches.splice(0) ?? []"))

    def check(self) -> None:
        """Assert that no error occurred, including errors that a shopper would not notice."""
        assert self.alarms + self.take_breaches() == []
