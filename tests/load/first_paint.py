"""Measures when shoppers see a bundle, and how much script has run by then, in Chromium with an emulated slow network.

`python -m tests.load.first_paint` starts the service with the demo shop, and prints the table of docs/first-paint.md.
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.browser.chromium import ARGUMENTS
from tests.browser.first_paint import COMPONENT, LOADER, PAGE, html_of
from tests.browser.service import Service, running_service
from tests.browser.site import running_site
from tests.load.page import BITS_PER_SECOND, BUNDLE, LATENCY_MS, NETWORK, require_chromium

PHONE = ViewportSize(width=390, height=844)
QUIET_MS = 1500
"""Milliseconds to wait once the network is idle. Nothing is painted after that."""

WATCH = """new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) window.largest = startTime;
}).observe({ type: "largest-contentful-paint", buffered: true })"""
FILES = "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length"

ROUNDS = 5


class Paint(NamedTuple):
    """Milliseconds until the largest contentful paint, milliseconds during which scripts ran before the shopper did anything, and
    the number of script files."""

    largest: float
    script_ms: float
    script_files: float


@dataclass(frozen=True)
class PaintResult:
    """The median measurements of all rounds for one kind of page."""

    name: str
    paint: Paint


def first_paint(service: Service, rounds: int = ROUNDS) -> Iterator[PaintResult]:
    """Measure pages with and without server-rendered bundle HTML, each opened for the first time on an emulated phone."""
    path = require_chromium()
    with (
        running_site() as site,
        sync_playwright() as playwright,
        closing(playwright.chromium.launch(executable_path=path, args=ARGUMENTS)) as browser,
    ):
        pages = {
            "four lines": site.put(_four_lines(service, COMPONENT, "")),
            "four lines, HTML, loader": site.put(_four_lines(service, LOADER, html_of(service, "demo", id=BUNDLE))),
            "demo storefront": f"{service.origin}/demo?bundle={BUNDLE}",
            "demo, HTML, loader": f"{service.origin}/demo/bundles/{BUNDLE}",
        }
        for name, address in pages.items():
            _visit(browser, address)  # warms up the service
            paints = [_visit(browser, address) for _ in range(rounds)]
            yield PaintResult(name, Paint(*map(median, zip(*paints, strict=True))))


def _four_lines(service: Service, module: str, html: str) -> str:
    script = f'<script type="module" src="{service.origin}/storefront/{module}"></script>'
    attributes = f'bundle-id="{BUNDLE}"'
    key, base_url = service.key("demo"), service.base_url
    return PAGE.format(base_url=base_url, key=key, attributes=attributes, html=html, script=script)


def table(results: Iterator[PaintResult]) -> Iterator[str]:
    yield f"first paint, {LATENCY_MS} ms round trip, {BITS_PER_SECOND / 1e6} Mbit/s"
    yield f"{'':26}{'largest paint ms':>17}{'script ms':>11}{'script files':>14}"
    for name, paint in ((row.name, row.paint) for row in results):
        yield f"{name:26}{paint.largest:17.0f}{paint.script_ms:11.0f}{paint.script_files:14.0f}"


def _visit(browser: Browser, address: str) -> Paint:
    with closing(browser.new_context(viewport=PHONE)) as context, closing(context.new_page()) as opened:
        opened.add_init_script(WATCH)
        session = context.new_cdp_session(opened)
        session.send("Network.enable")
        session.send("Performance.enable")
        session.send("Network.emulateNetworkConditions", NETWORK)
        opened.goto(address)
        opened.wait_for_load_state("networkidle")
        opened.wait_for_timeout(QUIET_MS)
        metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return Paint(opened.evaluate("largest"), metrics["ScriptDuration"] * 1000, opened.evaluate(FILES))


def main() -> None:
    """Print the table for docs/first-paint.md."""
    with tempfile.TemporaryDirectory() as folder, running_service(Path(folder)) as service:
        for line in table(first_paint(service)):
            click.echo(line)


if __name__ == "__main__":
    main()
