"""Every platform call of a request gets the deadline of that request."""

from typing import cast

import pytest

from bundlesvc.ports import Platform
from bundlesvc.request_deadline import NO_DEADLINE
from bundlesvc.storage.database.interface import Database
from tests.api.conftest import MakeApi
from tests.api.deadlines import DeadlineRecorder
from tests.api.selection import configure_body, price_body

REQUESTS: list[tuple[str, str, object, set[str]]] = [
    ("GET", "/settings", None, {"shop"}),
    ("GET", "/bundles/10", None, {"shop", "selling_plans"}),
    ("GET", "/bundles/10/products?countryCode=JP", None, {"shop", "products", "market_prices"}),
    ("POST", "/bundles/20/price", price_body("1001@1"), {"shop", "products"}),
    (
        "POST",
        "/bundles/30/configure",
        {**configure_body("1001@1", type="multiple-products"), "countryCode": "JP"},
        {"shop", "products", "market_prices", "market_terms", "create_ghost_variant"},
    ),
]


@pytest.mark.parametrize(("method", "path", "body", "expected"), REQUESTS, ids=[path for _, path, _, _ in REQUESTS])
async def test_platform_calls_get_the_deadline_of_their_request(
    method: str, path: str, body: object, expected: set[str], make_api: MakeApi, database: Database
) -> None:
    recorder = DeadlineRecorder(database)
    api = await make_api(platform=cast("Platform", recorder))

    (await api.request(method, path, body)).held()

    called, deadlines = recorder.take()
    assert called == expected
    assert len(deadlines) == 1
    assert NO_DEADLINE not in deadlines
