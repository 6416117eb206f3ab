"""POST /notify: stock reminders (design 12)."""

from typing import Any

import pytest

from bundlesvc.storage.database import Database
from bundlesvc.storage.tables import stock_reminders
from tests.api.conftest import Answer, Api, MakeApi
from tests.api.embed.conftest import EMBED, SHOP_TEXT, with_features
from tests.api.selection import Json
from tests.api.stored import rows
from tests.conftest import LoadShop
from tests.fakes import START

SOLD_OUT, IN_STOCK = "2002", "2001"
MIRA = "mira@mail.example"


def body(**changes: Any) -> Json:
    return {"variant": SOLD_OUT, "customer_email": MIRA, "bundle_name": "Everything", **changes}


async def notify(api: Api, **changes: Any) -> Answer:
    return await api.post(f"{EMBED}/notify", body(**changes))


async def reminders(database: Database) -> list[tuple[int, str, str, int]]:
    stored = await rows(database, stock_reminders)
    return [(row["variant_id"], row["email"], row["bundle_name"], row["created_at"]) for row in stored]


async def test_a_reminder_is_stored(api: Api, database: Database) -> None:
    answer = (await notify(api)).held()

    assert answer.json == {"message_code": "success"}
    assert answer.headers["Cache-Control"] == "no-store"
    assert await reminders(database) == [(2002, MIRA, "Everything", int(START))]


async def test_once_for_a_variant_and_an_address_in_any_case(api: Api, database: Database) -> None:
    first = (await notify(api)).held()
    again = [
        (await notify(api)).held(),
        (await notify(api, customer_email="MIRA@Mail.Example", bundle_name="Another")).held(),
        (await notify(api, variant="gid://platform/ProductVariant/2002")).held(),
    ]

    assert first.json == {"message_code": "success"}
    assert [answer.json for answer in again] == [{"message_code": "already_registered"}] * 3
    assert await reminders(database) == [(2002, MIRA, "Everything", int(START))]


async def test_others_are_reminded_too(api: Api, database: Database) -> None:
    (await notify(api)).held()

    assert (await notify(api, customer_email="other@mail.example")).held().json == {"message_code": "success"}
    assert len(await reminders(database)) == 2


async def test_nothing_is_stored_for_what_is_in_stock(api: Api, database: Database) -> None:
    for variant in (IN_STOCK, "1001", f"gid://platform/ProductVariant/{IN_STOCK}"):
        assert (await notify(api, variant=variant)).held().json == {"message_code": "in_stock"}

    assert await reminders(database) == []


async def test_stock_is_looked_at_anew(api: Api, database: Database, load_shop: LoadShop) -> None:
    (await notify(api)).held()
    await load_shop(SHOP_TEXT.replace("inventoryQuantity: 0", "inventoryQuantity: 4"))
    await api.refresh()

    assert (await notify(api)).held().json == {"message_code": "in_stock"}
    assert len(await reminders(database)) == 1


async def test_unknown_variants(api: Api, database: Database) -> None:
    """Nobody's, a product's id, the other shop's, and a ghost, which no shopper sees."""
    selection = {"type": "multiple-products", "products": [{"variant": "1001", "product": "100", "section": 2}]}
    ghost = (await api.post("/bundles/31/configure", selection)).held().json["variant_id"]

    for variant in ("98", "200", "9007199254740991", ghost):
        answer = (await notify(api, variant=variant)).held(404)
        assert (answer.code, answer.json["detail"]) == ("not_found", "Not found.")
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
async def test_bad_addresses(api: Api, database: Database, address: Any, variant: str) -> None:
    answer = (await notify(api, customer_email=address, variant=variant)).held(400)

    assert (answer.code, answer.paths) == ("invalid_request", ["customer_email"])
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
async def test_every_fault_at_once(api: Api, sent: Any, paths: list[str]) -> None:
    answer = (await api.post(f"{EMBED}/notify", sent)).held(400)

    assert (answer.code, sorted(answer.paths)) == ("invalid_request", paths)


async def test_unknown_fields_are_ignored(api: Api) -> None:
    assert (await notify(api, more=1)).held().json == {"message_code": "success"}


async def test_what_is_no_json(api: Api) -> None:
    assert (await api.post(f"{EMBED}/notify", b"variant=2002")).held(400).code == "invalid_json"


async def test_without_the_feature_there_is_no_such_thing(make_api: MakeApi, database: Database) -> None:
    api = await make_api(with_features("ab-testing", "translations"))

    answers = [await notify(api), await notify(api, customer_email="mira"), await api.post(f"{EMBED}/notify", b"{")]

    assert [answer.held(404).code for answer in answers] == ["not_found"] * 3
    assert await reminders(database) == []
