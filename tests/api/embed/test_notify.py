"""POST /notify, which requests a stock reminder (docs/contract.md#stock-reminders)."""

import json
from typing import Any

import pytest

from bundlesvc.api.bodies.limits import NOTIFY_BYTES
from bundlesvc.api.embed.requests import MAX_NAME
from bundlesvc.domain.identifiers import MAX_ID
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import stock_reminders
from tests.api.conftest import Api, MakeApi, Response
from tests.api.embed.conftest import EMBED, SHOP_TEXT, with_features
from tests.api.selection import Json
from tests.api.stored import rows
from tests.conftest import LoadShop
from tests.fakes import START

SOLD_OUT, IN_STOCK = "2002", "2001"
MIRA = "mira@mail.example"


def body(**changes: Any) -> Json:
    return {"variant": SOLD_OUT, "customer_email": MIRA, "bundle_name": "Everything", **changes}


async def notify(api: Api, **changes: Any) -> Response:
    return await api.post(f"{EMBED}/notify", body(**changes))


async def reminders(database: Database) -> list[tuple[int, str, str, int]]:
    stored = await rows(database, stock_reminders)
    return [(row["variant_id"], row["email"], row["bundle_name"], row["created_at"]) for row in stored]


async def test_reminder_is_stored(api: Api, database: Database) -> None:
    response = (await notify(api)).held()

    assert response.json == {"message_code": "success"}
    assert response.headers["Cache-Control"] == "no-store"
    assert await reminders(database) == [(2002, MIRA, "Everything", int(START))]


async def test_reminder_is_stored_once_per_variant_and_address(api: Api, database: Database) -> None:
    first = (await notify(api)).held()
    again = [
        (await notify(api)).held(),
        (await notify(api, customer_email="MIRA@Mail.Example", bundle_name="Another")).held(),
        (await notify(api, variant="gid://platform/ProductVariant/2002")).held(),
    ]

    assert first.json == {"message_code": "success"}
    assert [response.json for response in again] == [{"message_code": "already_registered"}] * 3
    assert await reminders(database) == [(2002, MIRA, "Everything", int(START))]


async def test_other_addresses_get_reminders_too(api: Api, database: Database) -> None:
    (await notify(api)).held()

    assert (await notify(api, customer_email="other@mail.example")).held().json == {"message_code": "success"}
    assert len(await reminders(database)) == 2


async def test_no_reminder_is_stored_for_a_variant_in_stock(api: Api, database: Database) -> None:
    for variant in (IN_STOCK, "1001", f"gid://platform/ProductVariant/{IN_STOCK}"):
        assert (await notify(api, variant=variant)).held().json == {"message_code": "in_stock"}

    assert await reminders(database) == []


async def test_stock_is_read_again_for_each_reminder(api: Api, database: Database, load_shop: LoadShop) -> None:
    (await notify(api)).held()
    await load_shop(SHOP_TEXT.replace("inventoryQuantity: 0", "inventoryQuantity: 4"))
    await api.refresh()

    assert (await notify(api)).held().json == {"message_code": "in_stock"}
    assert len(await reminders(database)) == 1


async def test_reminder_for_an_unknown_variant_is_not_found(api: Api, database: Database) -> None:
    """A reminder is refused with 404 if the variant id is unused, or is the id of a product, another shop's variant or a ghost
    variant."""
    selection = {"type": "multiple-products", "products": [{"variant": "1001", "product": "100", "section": 2}]}
    ghost = (await api.post("/bundles/31/configure", selection)).held().json["variant_id"]

    for variant in ("98", "200", "9007199254740991", ghost):
        response = (await notify(api, variant=variant)).held(404)
        assert (response.code, response.json["detail"]) == ("not_found", "Not found.")
    assert await reminders(database) == []


@pytest.mark.parametrize(
    "address",
    [
        "",
        " ",
        "mira",
        "mira@",
        "@mail.example",
        "mira mail@mail.example",
        "mira@mail.example\n",
        "a@b@mail.example",
        "mira@mail.example\r\nBcc: all@mail.example",
        "mira@mail.example, b@mail.example",
        "m\x00@mail.example",
        f"{'m' * 250}@mail.example",
        None,
        7,
        ["mira@mail.example"],
    ],
)
@pytest.mark.parametrize("variant", [SOLD_OUT, IN_STOCK, "98"])
async def test_invalid_addresses_are_refused(api: Api, database: Database, address: Any, variant: str) -> None:
    response = (await notify(api, customer_email=address, variant=variant)).held(400)

    assert (response.code, response.paths) == ("invalid_request", ["customer_email"])
    assert await reminders(database) == []


@pytest.mark.parametrize(
    ("sent", "paths"),
    [
        ({}, ["bundle_name", "customer_email", "variant"]),
        ({"variant": 2002, "customer_email": "x", "bundle_name": 1}, ["bundle_name", "customer_email", "variant"]),
        (body(variant="02002"), ["variant"]),
        (body(variant="gid://platform/Product/200"), ["variant"]),
        (body(variant=None), ["variant"]),
        (body(bundle_name=None), ["bundle_name"]),
        ([], [""]),
    ],
)
async def test_every_fault_is_named(shared_api: Api, sent: Any, paths: list[str]) -> None:
    response = (await shared_api.post(f"{EMBED}/notify", sent)).held(400)

    assert (response.code, sorted(response.paths)) == ("invalid_request", paths)


async def test_unknown_fields_are_ignored(api: Api) -> None:
    assert (await notify(api, more=1)).held().json == {"message_code": "success"}


async def test_invalid_json_is_refused(shared_api: Api) -> None:
    assert (await shared_api.post(f"{EMBED}/notify", b"variant=2002")).held(400).code == "invalid_json"


async def test_shop_without_the_feature_has_no_reminders(make_api: MakeApi, database: Database) -> None:
    api = await make_api(with_features("ab-testing", "translations"))

    responses = [await notify(api), await notify(api, customer_email="mira"), await api.post(f"{EMBED}/notify", b"{")]

    assert [response.held(404).code for response in responses] == ["not_found"] * 3
    assert await reminders(database) == []


@pytest.mark.parametrize("more", [0, 1])
async def test_body_has_a_small_limit(api: Api, more: int) -> None:
    response = await api.post(f"{EMBED}/notify", b" " * (NOTIFY_BYTES + more))
    assert response.code == ("body_too_large" if more else "invalid_json")


async def test_longest_reminder_is_within_the_limit(api: Api) -> None:
    """The longest possible reminder, with every character escaped, is still within the size limit."""
    longest = body(
        variant=f"gid://platform/ProductVariant/{MAX_ID}",
        customer_email=f"{'a' * 60}@{'b' * 60}.example",
        bundle_name="\U0001f381" * MAX_NAME,
    )
    assert (await api.post(f"{EMBED}/notify", json.dumps(longest, indent=4).encode())).code == "not_found"
