"""Attack: a captured webhook with a valid signature is sent again, with different unsigned headers."""

import json

import pytest

from bundlesvc.domain.live_platform.platform_change import INVENTORY_ITEM, PRODUCT, Change
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.live_platforms.change_log import SqlChangeLog
from tests.api.conftest import Client
from tests.attacks.live import deliver
from tests.platforms.shopify.webhooks.test_messages import headers

BODY = json.dumps({"id": 7, "updated_at": "2027-01-15T08:00:00Z"}).encode()


async def changes(database: Database) -> list[Change]:
    return [one.change for one in await SqlChangeLog(database).after(0)]


async def test_a_replay_under_other_ids_changes_nothing(live_client: Client, database: Database) -> None:
    """A replay with other ids changes nothing: no process drops the product from its cache and fetches it again."""
    assert (await deliver(live_client, BODY))[0] == 200

    for number in range(20):
        assert await deliver(live_client, BODY, changed={"Webhook_Id": f"replay-{number}"}) == (200, {"status": "ok"})

    assert await changes(database) == [Change(PRODUCT, 7)]


@pytest.mark.parametrize("topic", ["inventory_items/update", "shop/update", "markets/update", "app/uninstalled"])
async def test_a_replay_for_another_topic_is_refused(live_client: Client, database: Database, topic: str) -> None:
    assert (await deliver(live_client, BODY))[0] == 200

    status, error = await deliver(live_client, BODY, topic, changed={"Webhook_Id": "replay"})

    assert (status, error["code"]) == (403, "signature_invalid")
    assert await changes(database) == [Change(PRODUCT, 7)]


async def test_a_replay_whose_signature_is_spelled_differently_changes_nothing(
    live_client: Client, database: Database
) -> None:
    """A replay with another spelling of the signature changes nothing. Base64 has unused bits, so one signature has several
    spellings."""
    assert (await deliver(live_client, BODY))[0] == 200
    spelled = _respelled(BODY)

    status, _ = await deliver(live_client, BODY, changed={"Webhook_Id": "replay", "Hmac_Sha256": spelled})

    assert status == 200
    assert await changes(database) == [Change(PRODUCT, 7)]


async def test_equal_webhooks_of_different_topics_are_acknowledged(live_client: Client, database: Database) -> None:
    """Webhooks with the same body but different topics are acknowledged: the platform reports a new product both as created and
    as updated."""
    for number, topic in enumerate(["products/create", "products/update"]):
        assert (await deliver(live_client, BODY, topic, changed={"Webhook_Id": f"d-{number}"}))[0] == 200

    assert await changes(database) == [Change(PRODUCT, 7)]


async def test_a_topic_without_changes_does_not_use_up_a_signature(live_client: Client, database: Database) -> None:
    for number, topic in enumerate(["inventory_items/create", "inventory_items/update"]):
        assert (await deliver(live_client, BODY, topic, changed={"Webhook_Id": f"d-{number}"}))[0] == 200

    assert await changes(database) == [Change(INVENTORY_ITEM, 7)]


def _respelled(body: bytes) -> str:
    """The body's signature, spelled differently: its last character is changed, but it decodes to the same bytes."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    signature = headers(body)["X-Shopify-Hmac-Sha256"]
    place = digits.index(signature[-2])
    return f"{signature[:-2]}{digits[place + 1]}="
