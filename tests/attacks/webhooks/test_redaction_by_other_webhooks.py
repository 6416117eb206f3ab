"""Attack: a captured webhook of any kind is replayed as a request to erase shoppers' data or to delete the shop. The signature
does not cover the headers, and an app signs the webhooks for all its shops with one secret."""

import json

import pytest

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.shoppers.shopper_requests import SqlShopperRequests
from tests.api.conftest import Client
from tests.attacks.live import deliver
from tests.standin.app.webhooks import customer_redact, data_request, shop_redact

DOMAIN = "roaster.myshopify.com"
PRODUCT = {"id": 7, "updated_at": "2027-01-15T08:00:00Z"}
ORDER = {"line_items": [{"variant_id": 7}], "customer": {"email": "mira@mail.example"}}
OF_ANOTHER_SHOP = "other.myshopify.com"


@pytest.mark.parametrize(
    ("topic", "body"),
    [
        ("customers/redact", PRODUCT),
        ("customers/redact", ORDER),
        ("customers/redact", data_request("mira@mail.example", DOMAIN).body),
        ("customers/redact", customer_redact("mira@mail.example", OF_ANOTHER_SHOP).body),
        ("shop/redact", PRODUCT),
        ("shop/redact", customer_redact("mira@mail.example", DOMAIN).body),
        ("shop/redact", shop_redact(OF_ANOTHER_SHOP).body),
    ],
)
async def test_a_captured_webhook_erases_nothing(
    topic: str, body: object, live_client: Client, database: Database
) -> None:
    status, _ = await deliver(live_client, json.dumps(body).encode(), topic)
    assert status in {400, 403}
    assert await SqlShopperRequests(database).all() == []
