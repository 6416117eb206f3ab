"""A shop on the stand-in platform, which runs in a thread because commands run their own event loops."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Protocol, TypeVar

from tests.standin.app.apps import CLIENT_ID
from tests.standin.app.webhooks import SECRET
from tests.standin.data.generated import product
from tests.standin.data.shop import Shop
from tests.standin.server import TOKEN

DOMAIN = "standin.myshopify.com"
SHIRT, MUG, BOX = 1, 2, 9
"""Product ids: a shirt in two sizes, a mug, and the bundle's own product."""

SHOP_FILE = f"""
shop: {{handle: live, name: Live, domain: live.example, locale: en, headlessEnabled: true, activeFeatures: [subscriptions],
       platform: {{kind: shopify, domain: {DOMAIN}}}, templates: [default]}}
bundles:
  - {{id: 42, name: Crate, type: native, layout: single-page, platformProductId: "9", parentVariantId: "90001",
     sections: [{{id: 1, name: All, order: 0, products: [
       {{bundleItemId: 1, platformProductId: "1", variantIds: ["10002"]}}, {{bundleItemId: 2, platformProductId: "2"}}]}}],
     requiredProducts: [{{platformProductId: "1", variantIds: ["10001"], quantity: 1}}]}}
"""

SECRETS = f"{TOKEN}\n{SECRET}\n".encode()
"""The standard input of `platform connect`."""

CLIENT_CREDENTIALS = f"{CLIENT_ID}\n{SECRET}\n".encode()
"""The standard input of `platform connect --client-credentials`."""


def platform_shop() -> Shop:
    """A platform shop with every product of the shop file."""
    shop = Shop(domain=DOMAIN)
    shop.add(product(SHIRT, variants=2), product(MUG), product(BOX))
    return shop


class Serving(Protocol):
    """A server for tests."""

    def serve(self) -> AbstractAsyncContextManager[object]: ...


S = TypeVar("S", bound=Serving)


@contextmanager
def in_thread(standin: S) -> Iterator[S]:
    """Run the stand-in in a thread until the context ends. Errors in the stand-in are raised when the context ends."""
    started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
    with ThreadPoolExecutor(1, thread_name_prefix="stand-in") as thread:
        ended = thread.submit(asyncio.run, _serve(standin, started))
        ended.add_done_callback(lambda _: started.cancel())  # ends the wait below if the stand-in fails to start
        loop, stop = started.result(30)
        try:
            yield standin
        finally:
            loop.call_soon_threadsafe(stop.set)
            ended.result(30)


async def _serve(standin: Serving, started: "Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]]") -> None:
    stop = asyncio.Event()
    async with standin.serve():
        started.set_result((asyncio.get_running_loop(), stop))
        await stop.wait()
