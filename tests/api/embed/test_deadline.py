"""Every platform call of a request gets the deadline of that request."""

from typing import cast

import pytest

from bundlesvc.ports import Platform
from bundlesvc.request_deadline import NO_DEADLINE
from bundlesvc.storage.database.interface import Database
from tests.api.conftest import SHOP_TEXT as PLAIN_SHOP
from tests.api.conftest import MakeApi
from tests.api.deadlines import DeadlineRecorder
from tests.api.embed.conftest import EMBED, SHOP_TEXT
from tests.api.embed.test_notify import body as reminder
from tests.api.selection import configure_body

REQUESTS: list[tuple[str, str, object, set[str]]] = [
    ("GET", "/settings", None, {"shop"}),
    ("GET", "/bundle?id=10&countryCode=JP", None, {"shop", "products", "market_prices", "handle_of"}),
    ("GET", "/bundle?productHandle=gift-box", None, {"shop", "products", "product_by_handle", "handle_of"}),
    ("POST", "/notify", reminder(), {"variant"}),
]


@pytest.mark.parametrize(("method", "path", "body", "expected"), REQUESTS, ids=[path for _, path, _, _ in REQUESTS])
async def test_platform_calls_get_the_deadline_of_their_request(
    method: str, path: str, body: object, expected: set[str], make_api: MakeApi, database: Database
) -> None:
    recorder = DeadlineRecorder(database)
    api = await make_api(SHOP_TEXT, platform=cast("Platform", recorder))

    (await api.request(method, f"{EMBED}{path}", body)).held()

    called, deadlines = recorder.take()
    assert called == expected
    assert len(deadlines) == 1
    assert NO_DEADLINE not in deadlines


async def test_look_up_of_a_variant_gets_the_deadline_of_its_request(make_api: MakeApi, database: Database) -> None:
    recorder = DeadlineRecorder(database)
    api = await make_api(PLAIN_SHOP, platform=cast("Platform", recorder))
    selection = configure_body("1001@1", type="multiple-products")
    configured = (await api.post(f"{EMBED}/bundle/30/product", selection)).held().json
    recorder.take()

    (await api.get(f"{EMBED}/bundle/30/variant/{configured['variant_id']}")).held()

    called, deadlines = recorder.take()
    assert called == {"products"}
    assert len(deadlines) == 1
    assert NO_DEADLINE not in deadlines
