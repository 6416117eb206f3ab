"""Take screenshots of every state for visual review: `python -m tests.browser.screenshots FOLDER [STATE]…`."""

import base64
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import running_chromium
from tests.browser.service import Service, running_service
from tests.browser.site import Site, running_site
from tests.browser.states import STATES
from tests.browser.visit import TIMEOUT, Visit

PHONE, DESKTOP = 360, 1280
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")

PICTURES_ARE_THERE = """() => {
  const builder = document.querySelector("bundle-builder")?.shadowRoot;
  const images = [document, builder].flatMap((root) => [...(root?.querySelectorAll("img[src]") ?? [])]);
  return Promise.allSettled(images.filter((one) => one.checkVisibility()).map((one) => one.decode()));
}"""


class Photographer:
    """Opens pages in the given states, each in a new browser context, and takes screenshots of them."""

    def __init__(self, browser: Browser, service: Service, site: Site, folder: Path) -> None:
        self._browser, self._service, self._site, self._folder = browser, service, site, folder

    def take_pictures(self, name: str, width: int) -> None:
        """Take one screenshot of the whole page per colour scheme: `<state>-<width>-<scheme>.webp`."""
        with self._visiting(name, width) as page:
            height = page.evaluate("Math.max(innerHeight, document.documentElement.offsetHeight)")
            page.set_viewport_size({"width": width, "height": height})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                self._write(f"{name}-{width}-{scheme}", page)

    @contextmanager
    def _visiting(self, name: str, width: int) -> Iterator[Page]:
        is_phone = width == PHONE
        context = self._browser.new_context(
            viewport={"width": width, "height": 780 if is_phone else 900},
            is_mobile=is_phone,
            has_touch=is_phone,
            reduced_motion="reduce",
        )
        visit = Visit(context, self._service, self._site)
        STATES[name](visit)
        yield visit.page
        context.close()

    def _write(self, name: str, page: Page) -> None:
        """Write a screenshot as WebP, a format that Playwright itself does not support."""
        page.evaluate("scrollTo(0, 0)")
        page.evaluate(PICTURES_ARE_THERE)
        options = {"format": "webp", "quality": 80}
        answer = page.context.new_cdp_session(page).send("Page.captureScreenshot", options)
        (self._folder / f"{name}.webp").write_bytes(base64.b64decode(answer["data"]))


@contextmanager
def photographing(folder: Path) -> Iterator[Photographer]:
    folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=TIMEOUT)
    with (
        TemporaryDirectory() as place,
        running_chromium() as browser,
        running_service(Path(place)) as service,
        running_site() as site,
    ):
        yield Photographer(browser, service, site, folder)


def main(folder: str, *names: str) -> None:
    with photographing(Path(folder)) as photographer:
        for name, width in product(names or STATES, (PHONE, DESKTOP)):
            photographer.take_pictures(name, width)


if __name__ == "__main__":
    main(*sys.argv[1:])
