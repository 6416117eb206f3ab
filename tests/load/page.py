"""Measures when a page with the component is ready, in Chromium with an emulated slow network."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from statistics import median, quantiles
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.chromium import ARGUMENTS, NAMES
from tests.browser.site import running_site
from tests.browser.visit import HOST_PAGE
from tests.load.measure import BASE

LATENCY_MS = 150
BITS_PER_SECOND = 1_600_000
TARGET_MS = 1000
BUNDLE = 101

NETWORK = {
    "offline": False,
    "latency": LATENCY_MS,
    "downloadThroughput": BITS_PER_SECOND / 8,
    "uploadThroughput": BITS_PER_SECOND / 8,
}
READY = "addEventListener('bundle:ready', () => (window.ready ??= performance.now()))"


class Load(NamedTuple):
    """Milliseconds until the bundle is shown, and the number of requests that the service has received by then."""

    ready: float
    requests: int


@dataclass(frozen=True)
class PageResult:
    """For one kind of visit: the median time in milliseconds until the bundle is shown, with quartiles, and the number of
    requests."""

    name: str
    target: float
    ready: float
    lower: float
    upper: float
    requests: int


def page(service: str, key: str, rounds: int) -> Iterator[PageResult]:
    """Measure how quickly a page from another origin shows a bundle, on the first visit and on a repeat visit."""
    path = require_chromium()
    attributes = f'api-key="{key}" bundle-id="{BUNDLE}"'
    with (
        running_site() as site,
        sync_playwright() as playwright,
        closing(playwright.chromium.launch(executable_path=path, args=ARGUMENTS)) as browser,
    ):
        address = site.put(HOST_PAGE.format(origin=service, base_url=f"{service}{BASE}", attributes=attributes))
        visits = [_visit(browser, address) for _ in range(rounds)]
    for name, loads in zip(("page, first visit", "page, second visit"), zip(*visits, strict=True), strict=True):
        yield _result(name, loads)


def require_chromium() -> str:
    """Return the path of Chromium. Exits if it is not installed."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    return path or sys.exit("scripts/bench --page needs Chromium: apt install chromium")


def table(results: Iterator[PageResult]) -> Iterator[str]:
    yield f"{LATENCY_MS} ms round trip, {BITS_PER_SECOND / 1e6} Mbit/s"
    yield f"{'':26}{'ready ms':>9}{'quartiles':>13}{'requests':>10}{'target':>8}"
    for row in results:
        missed = "" if row.ready < row.target else "  NOT MET"
        spread = f"{row.lower:.0f}-{row.upper:.0f}"
        yield f"{row.name:26}{row.ready:9.0f}{spread:>13}{row.requests:10}{row.target:8.0f}{missed}"


def _visit(browser: Browser, address: str) -> tuple[Load, Load]:
    with closing(browser.new_context()) as context:
        return _load(context, address), _load(context, address)


def _load(context: BrowserContext, address: str) -> Load:
    with closing(context.new_page()) as opened:
        opened.add_init_script(READY)
        session = context.new_cdp_session(opened)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", NETWORK)
        opened.goto(address)
        opened.wait_for_function("window.ready")
        requests = opened.evaluate(
            "performance.getEntriesByType('resource').filter((one) => one.startTime < ready).length"
        )
        return Load(opened.evaluate("ready"), requests)


def _result(name: str, loads: Sequence[Load]) -> PageResult:
    times = [load.ready for load in loads]
    lower, _, upper = quantiles(times, n=4, method="inclusive") if len(times) > 1 else times * 3
    return PageResult(name, TARGET_MS, median(times), lower, upper, max(load.requests for load in loads))
