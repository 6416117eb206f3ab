"""The Chromium installed on this machine."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager

from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.missing import missing

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

# Chromium loads only the pages of these tests. Containers have neither a sandbox nor a graphics card.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


def require_chromium() -> str:
    """Return the path of Chromium. If it is not installed, skip the tests, or fail them when `CI` is set."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    return path or missing("there is no chromium on the PATH: the browser tests need it")


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """Run a headless browser until the context exits."""
    path = require_chromium()
    with sync_playwright() as playwright, closing(_launched(playwright, path)) as browser:
        yield browser


def _launched(playwright: Playwright, path: str) -> Browser:
    return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
