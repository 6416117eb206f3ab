"""A process with three shops to attack: one with its own products, and two on live platforms."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import orjson

from bundlesvc.domain.access.key import EMBED
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.services.access.key_administration import KeyRequest, create_key
from bundlesvc.shop_file.loading import read_shop_file
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.catalogue.shop_files import SqlShopFileStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.credentials import SqlCredentialStore
from bundlesvc.system import RandomIds, SystemClock
from bundlesvc.token_cipher import credentials_cipher
from tests.api.conftest import LIVE_SHOP
from tests.attacks.watch import Call
from tests.platforms.shopify.webhooks.test_messages import SECRET, headers
from tests.process.serving import BASE, SECRET_KEY, Server, in_database, prepare, selection, serving
from tests.process.shop import BOX, MUG, PLAIN_MUG, SHIRT, SHIRT_M, SHOP

FEATURES = "conditions, subscriptions"
"""The features of the shop with its own products."""

MANY = 10_000_000
"""A limit in requests per minute, high enough for rate limits not to hide what else protects other clients."""

ITEMS = selection("native", (SHIRT_M, SHIRT, 1), (PLAIN_MUG, MUG, 2))
PRICE, CONFIGURE = f"{BASE}/bundles/{BOX}/price", f"{BASE}/bundles/{BOX}/configure"
EMBED_API = f"{BASE}/embed/api/v1"

OTHER_SHOP = "neighbour"
"""A live shop that is not attacked; its webhooks name the domain `neighbour.myshopify.com`."""


@dataclass(frozen=True)
class Attacked:
    """The attacked process, the page key that the attackers have, and another client's key."""

    server: Server
    page_key: str
    other_key: str

    def head(
        self, method: str, path: str, length: int | None = None, address: str = "203.0.113.1", **others: str
    ) -> bytes:
        """The head of an attacker's request from this address."""
        lines = [f"{method} {path} HTTP/1.1", "Host: x", f"Authorization: Bearer {self.page_key}"]
        lines += [
            f"X-Forwarded-For: {address}",
            *(f"{name.replace('_', '-')}: {each}" for name, each in others.items()),
        ]
        lines += [] if length is None else [f"Content-Length: {length}"]
        return "\r\n".join([*lines, "", ""]).encode()

    @property
    def others(self) -> list[Call]:
        """The calls that other clients make during the attack, one for each path that a request can take through the service."""
        own = {"Authorization": f"Bearer {self.other_key}", "X-Forwarded-For": "198.51.100.7"}
        body = orjson.dumps(ITEMS)
        return [
            Call("GET", "GET", f"{BASE}/bundles/{BOX}", own),
            Call("price", "POST", PRICE, own, body),
            Call("price in halves", "POST", PRICE, own, body, halves=True),
            Call("configure in halves", "POST", CONFIGURE, own, body, halves=True),
            webhook(b'{"id": 7}'),
            webhook(b'{"id": 7, "filler": "' + b"x" * 100_000 + b'"}', halves=True),
        ]


def webhook(body: bytes, *, halves: bool = False) -> Call:
    """A genuine webhook for the other live shop."""
    signed = headers(body, changed={"Shop_Domain": f"{OTHER_SHOP}.myshopify.com"})
    sent = {**signed, "X-Forwarded-For": "192.0.2.9"}
    name = "webhook in halves" if halves else "webhook"
    return Call(name, "POST", f"/webhooks/platform/{OTHER_SHOP}", sent, body, halves=halves)


@contextmanager
def attacked(folder: Path, *features: str) -> Iterator[Attacked]:
    """Run the service, which trusts one proxy in front of it to report the addresses of clients. `features` are added to the
    features of the shop without a live platform."""
    shop = folder / "attacked.yaml"
    shop.write_text(SHOP.read_text("utf-8").replace(FEATURES, ", ".join([FEATURES, *features])))
    other_key = prepare(folder, shop)
    page_key = in_database(folder, lambda database: _fill(database, folder))
    with serving(folder, settings={"BUNDLESVC_TRUSTED_PROXIES": "1", "BUNDLESVC_LOG_LEVEL": "INFO"}) as server:
        yield Attacked(server, page_key, other_key)


async def _fill(database: Database, folder: Path) -> str:
    for handle, domain in (("live", "roaster"), (OTHER_SHOP, OTHER_SHOP)):
        await _connect(database, folder, handle, f"{domain}.myshopify.com")
    store = SqlKeyStore(database)
    tenant = await store.tenant("demo")
    assert tenant is not None
    request = KeyRequest("page", scopes=(EMBED, "headless"), rate_limit=MANY, visitor_limit=MANY)
    return await create_key(store, tenant, request, SystemClock(), RandomIds())


async def _connect(database: Database, folder: Path, handle: str, domain: str) -> None:
    file = folder / f"{handle}.yaml"
    file.write_text(LIVE_SHOP.replace("handle: live", f"handle: {handle}").replace("roaster.myshopify.com", domain))
    await SqlShopFileStore(database).replace(read_shop_file(file))
    tenant = await SqlKeyStore(database).tenant(handle)
    assert tenant is not None
    store = SqlCredentialStore(database, credentials_cipher([SECRET_KEY]))
    await store.connect(tenant, PlatformConnection(domain, "token", SECRET), 0)
