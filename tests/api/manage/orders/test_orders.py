"""The management API: orders are received and judged, listed and read, and refunds are quoted."""

import orjson
import pytest

from bundlesvc.api.manage.orders.requests import MAX_LINES
from tests.api.conftest import Api
from tests.api.manage.conftest import Json, MakeKey, Manage, order_of
from tests.api.selection import configure_body


async def test_order_as_promised(manage: Manage, configured: Json) -> None:
    taken = (await manage.send(order_of(configured))).held().json

    assert taken["result"] == "stored"
    [verdict] = taken["order"]["bundles"]
    assert verdict["configuredBundleId"] == configured["configured_bundle_id"]
    assert (verdict["verdict"], verdict["promised"], verdict["charged"], verdict["difference"]) == (
        "equal",
        "43.18",
        "43.18",
        "0.00",
    )


async def test_order_without_the_discount_names_the_cause(manage: Manage, configured: Json) -> None:
    order = order_of(configured)
    for line in order["lines"]:
        line["discounts"] = []

    [verdict] = (await manage.send(order)).held().json["order"]["bundles"]

    assert (verdict["cause"], verdict["difference"]) == ("function_inactive", "4.80")
    assert "no checkout function" in verdict["message"]


async def test_lost_attribute_is_proven_by_the_stored_promise(manage: Manage, configured: Json) -> None:
    order = order_of(configured, attributes=None)
    for line in order["lines"]:
        line["discounts"] = []

    [verdict] = (await manage.send(order)).held().json["order"]["bundles"]

    assert (verdict["cause"], verdict["reason"], verdict["promised"]) == (
        "attributes_lost",
        "attribute_missing",
        "43.18",
    )


async def test_order_of_a_forgotten_promise_is_stored(manage: Manage, configured: Json) -> None:
    order = order_of(configured, attributes=None)
    for line in order["lines"]:
        line["properties"] = {"_bundle_data": "123#9001#abc"}

    taken = (await manage.send(order)).held().json

    assert taken["result"] == "stored"
    [verdict] = taken["order"]["bundles"]
    assert (verdict["verdict"], verdict["promised"], verdict["bundleId"]) == ("promise_unknown", None, None)


async def test_ghost_variant_is_proven_too(api: Api, manage: Manage) -> None:
    made = (await api.post("/bundles/30/configure", configure_body("1002@1", type="multiple-products"))).held().json
    sold = {"id": "g", "variant": str(made["variant_id"]), "quantity": 1, "unitPrice": "17.99"}

    order = {"id": "7", "version": 1, "placedAt": "2026-11-21T12:00:00Z", "currency": "EUR", "lines": [sold]}

    [verdict] = (await manage.send(order)).held().json["order"]["bundles"]
    assert (verdict["verdict"], verdict["configuredBundleId"]) == ("equal", made["configured_bundle_id"])


async def test_order_without_a_bundle_is_counted_and_dropped(api: Api, manage: Manage) -> None:
    sold = {"id": "a", "variant": "1001", "quantity": 1, "unitPrice": "19.99"}
    order = {"id": "8", "version": 1, "placedAt": "2026-11-21T12:00:00Z", "currency": "EUR", "lines": [sold]}

    assert (await manage.send(order)).held().json["result"] == "without_bundle"
    assert (await manage.read("8")).status == 404
    assert (await api.metrics())['bundlesvc_orders_total{result="without_bundle"}'] == 1


async def test_message_that_is_repeated_or_late_changes_nothing(manage: Manage, configured: Json) -> None:
    edit = {"line": "a", "quantity": -1, "amount": "-17.99"}
    first, second = order_of(configured), order_of(configured, version=2, edits=[edit])

    results = [(await manage.send(each)).held().json["result"] for each in (second, first, second)]

    assert results == ["stored", "outdated", "unchanged"]
    read = (await manage.read("1001")).held().json
    assert (read["version"], read["bundles"][0]["cause"]) == (2, "edited")
    refused = await manage.send(order_of(configured, version=2))
    assert (refused.status, refused.code) == (400, "order_version_reused")


async def test_order_is_read_line_by_line(manage: Manage, configured: Json) -> None:
    refund = {"line": "b", "quantity": 1, "amount": "7.20", "tax": "1.00", "restocked": True}
    await manage.send(order_of(configured, refunds=[refund], visitorId="0e6f7c3a-8f3a-4c27-9d57-0a1f8f6c1e11"))

    read = (await manage.read("1001")).held().json

    assert [(line["id"], line["listed"], line["charged"], line["revenue"]) for line in read["lines"]] == [
        ("a", "39.98", "35.98", "35.98"),
        ("b", "8.00", "7.20", "7.20"),
    ]
    assert read["refunds"] == [refund]
    assert "Mira" not in orjson.dumps(read).decode()


async def test_orders_are_listed_in_parts(manage: Manage, configured: Json) -> None:
    for number in range(3):
        await manage.send(order_of(configured, id=f"{number}", placedAt=f"2026-11-2{number}T12:00:00+01:00"))

    first = (await manage.list("?limit=2&verdict=equal&bundle=20")).held()
    path = first.headers["Link"].partition("<")[2].partition(">")[0]
    second = (await manage.list(path.partition("/orders")[2])).held()

    assert [order["id"] for order in [*first.json, *second.json]] == ["2", "1", "0"]
    assert "Link" not in second.headers
    assert [order["id"] for order in (await manage.list("?since=2026-11-22T00:00:00Z")).json] == ["2"]
    assert (await manage.list("?verdict=unexplained")).json == []


@pytest.mark.parametrize("query", ["verdict=good", "bundle=x", "since=yesterday", "since=2026-11-22T00:00", "cursor=x"])
async def test_malformed_filter_is_refused(manage: Manage, query: str) -> None:
    refused = await manage.list(f"?limit=0&{query}")

    assert refused.status == 400
    assert set(refused.paths) == {"limit", query.partition("=")[0]}


@pytest.mark.parametrize(
    ("policy", "amounts"),
    [
        pytest.param("proportional", {"b": "7.20"}, id="what the mug was charged"),
        pytest.param("keep-rules", {"b": "7.20"}, id="two shirts get the same tenth off"),
        pytest.param("remainder-full", {"b": "3.20"}, id="two shirts at full price"),
    ],
)
async def test_refund_is_quoted(manage: Manage, configured: Json, policy: str, amounts: Json) -> None:
    await manage.send(order_of(configured))

    quote = (await manage.quote("1001", {"lines": [{"line": "b", "quantity": 1}], "policy": policy})).held().json

    assert {line["line"]: line["amount"] for line in quote["lines"]} == amounts
    assert (quote["amount"], quote["policy"]) == (sum_of(amounts), policy)


def sum_of(amounts: Json) -> str:
    [only] = amounts.values()
    return str(only)


async def test_rest_that_breaks_the_rules_is_worth_its_full_price(api: Api, manage: Manage) -> None:
    """If the units that are left after a refund break the rules, they are valued at their full price.

    Bundle 23 takes 5% off two units, 7.5% off three units of one product, and 1% off one unit."""
    configured = (await api.post("/bundles/23/configure", configure_body("1002@1*3"))).held().json
    (item,) = configured["cart"]["line_items"]
    sold = {"id": "a", "variant": "1002", "quantity": 3, "unitPrice": "19.99", "properties": item["properties"]}
    sold["discounts"] = [{"kind": "bundle", "amount": "4.50"}]
    await manage.send(order_of(await _two(configured, item), lines=[sold]))

    quotes = [
        (await manage.quote("1001", {"lines": [{"line": "a", "quantity": count}], "policy": "keep-rules"})).json[
            "amount"
        ]
        for count in (1, 2, 3)
    ]

    assert quotes == ["17.49", "35.68", "55.47"]


async def _two(configured: Json, item: Json) -> Json:
    """The configure response with its line repeated, because `order_of` expects two lines."""
    cart = {**configured["cart"], "line_items": [item, item]}
    return {**configured, "cart": cart}


async def test_refund_quote_names_every_fault(manage: Manage, configured: Json) -> None:
    await manage.send(order_of(configured))

    wrong = {"lines": [{"line": "x", "quantity": 1}, {"line": "a", "quantity": 3}], "policy": "proportional"}
    refused = await manage.quote("1001", wrong)
    shape = await manage.quote("1001", {"lines": [{"line": "a", "quantity": 0}], "policy": "kind"})
    twice = await manage.quote("1001", {"lines": [{"line": "a", "quantity": 1}] * 2, "policy": "proportional"})

    assert (refused.status, refused.code, refused.paths) == (
        400,
        "refund_invalid",
        ["lines.0.line", "lines.1.quantity"],
    )
    assert (shape.code, shape.paths) == ("invalid_request", ["lines.0.quantity", "policy"])
    assert (twice.code, twice.paths) == ("invalid_request", ["lines"])
    assert (await manage.quote("2", {"lines": [{"line": "a", "quantity": 1}], "policy": "proportional"})).status == 404


WRONG: dict[str, tuple[Json, list[str]]] = {
    "nothing": ({"lines": []}, ["lines"]),
    "id": ({"id": "a/b"}, ["id"]),
    "version": ({"version": -1}, ["version"]),
    "time": ({"placedAt": "2026-11-21 12:00"}, ["placedAt"]),
    "currency": ({"currency": "euro"}, ["currency"]),
    "rate is missing": ({"currency": "CHF"}, ["rate"]),
    "rate is zero": ({"currency": "CHF", "rate": "0.0"}, ["rate"]),
    "rate of the shop's currency": ({"rate": "2"}, ["rate"]),
    "too many decimals": ({"currency": "JPY", "rate": "160"}, ["lines.0.unitPrice", "lines.1.discounts.0.amount"]),
    "unknown line": ({"edits": [{"line": "x", "amount": "1"}]}, ["edits.0.line"]),
    "negative amount": ({"refunds": [{"line": "a", "amount": "-1.00"}]}, ["refunds.0.amount"]),
    "negative price and tax": ({"lines": [{"id": "a", "variant": "1", "quantity": -1, "unitPrice": "-1", "tax": "-0.10"}]},
                               ["lines.0.quantity", "lines.0.unitPrice", "lines.0.tax"]),
    "more back than bought": ({"refunds": [{"line": "a", "quantity": 3, "amount": "1"}]}, ["lines.0"]),
    "too many lines": ({"lines": [{}] * (MAX_LINES + 1)}, ["lines"]),
    "country": ({"countryCode": "Germany"}, ["countryCode"]),
    "properties": ({"lines": [{"id": "a", "variant": "1", "quantity": 1, "unitPrice": "1", "properties": [1]}]},
                   ["lines.0.properties"]),
    "NUL": ({"name": "#\x00"}, ["name"]),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
async def test_malformed_order_is_refused_with_its_faults(manage: Manage, configured: Json, name: str) -> None:
    changes, paths = WRONG[name]

    refused = await manage.send(order_of(configured, **changes))

    assert refused.status == 400
    assert set(paths) <= set(refused.paths)
    assert (await manage.read("1001")).status == 404


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"id": 1e999}', b"\xff"])
async def test_body_that_is_not_an_order_is_refused(manage: Manage, body: bytes) -> None:
    assert (await manage.send(body)).status == 400


async def test_large_body_is_refused(manage: Manage) -> None:
    assert (await manage.send(b" " * (1024 * 1024 + 1))).status == 413


async def test_amounts_at_the_limits_are_refused_not_failed(manage: Manage, configured: Json) -> None:
    order = order_of(configured)
    order["lines"][0] |= {"unitPrice": "999999999999999.99", "quantity": 1_000_000}

    refused = await manage.send(order)

    assert (refused.code, refused.paths) == ("order_invalid", ["lines"])


async def test_keys_of_storefronts_and_of_orders_do_not_open_each_others_doors(
    api: Api, manage: Manage, make_key: MakeKey, configured: Json
) -> None:
    with_storefront_key = Manage(api.client, api.key)
    nobody = Manage(api.client, None)

    for refused in (await with_storefront_key.list(), await with_storefront_key.send(order_of(configured))):
        assert (refused.status, refused.code) == (403, "key_scope")
    assert (await nobody.list()).code == "key_invalid"
    assert (await api.with_key(manage.key).get("/bundles")).code == "key_scope"
    assert (await api.with_key(manage.key).get("/embed/api/v1/bundles/20")).status in (403, 404)


async def test_orders_of_another_shop_are_not_found(
    api: Api, manage: Manage, make_key: MakeKey, configured: Json
) -> None:
    await manage.send(order_of(configured))
    other = Manage(api.client, await make_key("other"))

    assert (await other.read("1001")).status == 404
    assert (await other.list()).json == []
    refused = (await other.send(order_of(configured))).held(400)
    assert (refused.code, refused.paths) == ("order_invalid", ["rate", "lines.0.properties", "lines.1.properties"])
    assert {each["code"] for each in refused.json["details"]} == {"rate_required", "other_shop"}
    assert (await other.list()).json == []
    assert (await manage.read("1001")).json["bundles"][0]["verdict"] == "equal"


async def test_test_key_sends_test_orders(api: Api, make_key: MakeKey, configured: Json) -> None:
    with_test_key = Manage(api.client, await make_key(test=True))

    assert (await with_test_key.send(order_of(configured))).held().json["order"]["test"] is True


async def test_preflight_gets_no_permission(manage: Manage) -> None:
    headers = {"Origin": "https://shop.example", "Access-Control-Request-Method": "POST"}
    async with manage.client.request("OPTIONS", "/api/manage/v1/orders", headers=headers) as sent:
        assert "Access-Control-Allow-Origin" not in sent.headers
        assert sent.status == 405


async def test_verdicts_are_counted_once(api: Api, manage: Manage, configured: Json) -> None:
    for _ in range(2):
        await manage.send(order_of(configured))

    metrics = await api.metrics()
    assert metrics['bundlesvc_order_verdicts_total{verdict="equal"}'] == 1
    assert metrics['bundlesvc_order_verdicts_total{verdict="unexplained"}'] == 0
    assert metrics['bundlesvc_orders_total{result="unchanged"}'] == 1
