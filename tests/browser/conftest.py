"""Fixtures: a browser, a service and a site on another origin for all browser tests, and one visit per test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import running_chromium
from tests.browser.service import Service, running_service
from tests.browser.site import Site, running_site
from tests.browser.studio.studio_page import Studio
from tests.browser.visit import TIMEOUT, Visit

MakeVisit: TypeAlias = Callable[..., Visit]
"""A function that creates a visit from the arguments of `Browser.new_context`."""

MakeStudio: TypeAlias = Callable[..., Studio]
"""A function that creates a `Studio` in a new browser context. It takes the arguments of `Browser.new_context`."""

DESKTOP = {"width": 1280, "height": 900}


# Playwright's event loop runs in this thread while the browser is open. Tests in other packages, which have their own loops, run
# after the browser has closed.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=TIMEOUT)
    with running_chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def service(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running_service(tmp_path_factory.mktemp("browser")) as service:
        yield service


@pytest.fixture(scope="package")
def site(browser: Browser) -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture
def make_visit(browser: Browser, service: Service, site: Site) -> Iterator[MakeVisit]:
    """Create visits, each in a new browser context, and check each one for errors at the end."""
    with ExitStack() as stack:

        def make(**options: object) -> Visit:
            context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **options})  # type: ignore[arg-type]
            stack.callback(context.close)
            visit = Visit(context, service, site)
            visits.append(visit)
            return visit

        visits: list[Visit] = []
        yield make
        for visit in visits:
            visit.check()


@pytest.fixture
def visit(make_visit: MakeVisit) -> Visit:
    return make_visit()


@pytest.fixture
def studio_service(browser: Browser, tmp_path: Path) -> Iterator[Service]:
    """A separate service for the tests of the studio, because the studio changes the shop."""
    with running_service(tmp_path) as service:
        yield service


@pytest.fixture
def make_studio(browser: Browser, studio_service: Service, site: Site) -> Iterator[MakeStudio]:
    with opened_studios(browser, studio_service, site) as make:
        yield make


@contextmanager
def opened_studios(browser: Browser, service: Service, site: Site) -> Iterator[MakeStudio]:
    """Open a service's studio in new browser contexts, and check each one for errors at the end."""
    with ExitStack() as stack:
        visits: list[Visit] = []

        def make(**options: object) -> Studio:
            context = browser.new_context(
                **{"viewport": DESKTOP, "reduced_motion": "reduce", "locale": "en", **options}  # type: ignore[arg-type]
            )
            stack.callback(context.close)
            visits.append(Visit(context, service, site))
            return Studio(visits[-1].page, service)

        yield make
        for visit in visits:
            visit.check()


@pytest.fixture
def studio(make_studio: MakeStudio) -> Studio:
    """The studio after log-in."""
    studio = make_studio()
    studio.log_in()
    return studio
