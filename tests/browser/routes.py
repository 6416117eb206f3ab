"""Routes that answer a browser's requests in place of the service."""

from collections.abc import Callable
from re import Pattern
from typing import Any

from playwright.sync_api import Page, Route


def handle_first(page: Page, url: str | Pattern[str], handler: Callable[[Route], None]) -> None:
    """Let the handler answer the first request with a matching URL. All others go on to the service.

    The route stays registered, unlike one with `times=1`: when the last route of a page is removed, Playwright stops intercepting
    requests, and it may never report a request that the page sends in that instant."""
    handlers = iter([handler])

    def handle(route: Route) -> None:
        next(handlers, Route.fallback)(route)

    page.route(url, handle)


def fulfill_first(page: Page, url: str | Pattern[str], **response: Any) -> None:
    """Answer the first request with a matching URL with the given response. All others go on to the service."""
    handle_first(page, url, lambda route: route.fulfill(**response))
