"""Revisions in the management API: reading, drafts, publication, refusals. Responses match the OpenAPI document."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from bundlesvc.api.manage.revisions.parsing import MAX_BODY
from bundlesvc.services.revisions.requests import WRITES_PER_MINUTE
from bundlesvc.storage.database.interface import Database
from tests.api.conftest import Api
from tests.api.manage.revisions.conftest import ALL, BUNDLE, Managing, key_of
from tests.fakes import FakeClock

PATH = f"/bundles/{BUNDLE}"


async def test_shop_names_its_live_revision(managing: Managing) -> None:
    shop = await managing.get("/shop")
    assert (shop["handle"], shop["currency"], shop["live"]) == ("demo", "EUR", 1)


async def test_draft_is_made_changed_compared_and_published(managing: Managing, api: Api) -> None:
    path, tag = await managing.draft("Winter prices")
    assert (await managing.get(path))["message"] == "Winter prices"
    changed = (await managing.request("PATCH", f"{path}{PATH}", {"name": "Winter box"}, tag)).held()
    assert changed.json["name"] == "Winter box"
    assert changed.headers["ETag"] != tag

    (change,) = (await managing.get(f"{path}/diff"))["changes"]
    assert (change["path"], change["after"]) == (f"bundles.{BUNDLE}.name", "Winter box")
    assert change["sentence"].startswith(f"Bundle {BUNDLE} ")
    assert (await api.get(PATH)).held().json["name"] != "Winter box"

    made = (await managing.publish((path, changed.headers["ETag"]), {"message": "Winter"})).held()
    await api.refresh()

    assert (made.json["state"], made.json["message"], made.json["author"]) == ("live", "Winter", "Mira")
    assert (await api.get(PATH)).held().json["name"] == "Winter box"
    states = [(each["number"], each["state"]) for each in await managing.get("/revisions")]
    assert states == [(2, "live"), (1, "past")]
    assert (await managing.get(f"/revisions/1{PATH}"))["name"] != "Winter box"
    assert (await managing.get(f"/revisions/live{PATH}"))["name"] == "Winter box"


async def test_content_has_the_shapes_of_the_shop_file(managing: Managing) -> None:
    content = await managing.get("/revisions/live/content")
    assert list(content) == ["shop", "markets", "products", "bundles", "experiments"]
    assert await managing.get(f"/revisions/1{PATH}") in content["bundles"]
    assert await managing.get("/revisions/1/products/100") == content["products"][0]
    assert await managing.get("/revisions/1/markets/us") == content["markets"][1]
    assert await managing.get("/revisions/1/shop") == content["shop"]


async def test_items_of_every_kind_are_put_changed_and_removed(managing: Managing) -> None:
    path, tag = await managing.draft()
    items = {
        "products/990": {
            "title": "Poster",
            "handle": "poster",
            "variants": [{"id": 9901, "title": "A3", "price": "12.00"}],
        },
        "markets/CH": {"currency": "CHF", "exchangeRate": "0.95"},
        "experiments/spring": {"bundleId": BUNDLE, "arms": [{"bundleId": BUNDLE, "weight": 1}]},
    }
    for item, document in items.items():
        put = (await managing.request("PUT", f"{path}/{item}", document, tag)).held()
        patched = await managing.request("PATCH", f"{path}/{item}", {}, put.headers["ETag"])
        assert patched.held().json == put.json == await managing.get(f"{path}/{item}")
        tag = patched.headers["ETag"]
    assert (await managing.get(f"{path}/lint"))["findings"] == [
        each for each in (await managing.get(f"{path}/lint"))["findings"] if each["code"] != "invalid"
    ]
    for item in items:
        removed = (await managing.request("DELETE", f"{path}/{item}", None, tag)).held()
        assert (await managing.request("GET", f"{path}/{item}")).status == 404
        tag = removed.headers["ETag"]
    assert (await managing.get(f"{path}/diff"))["changes"] == []


async def test_bundle_is_added_and_duplicated(managing: Managing) -> None:
    path, tag = await managing.draft()
    document = {**await managing.get(f"/revisions/live{PATH}"), "name": "New"}
    del document["id"]
    added = (await managing.request("POST", f"{path}/bundles", document, tag)).held()
    copy = (await managing.request("POST", f"{path}{PATH}/duplicate", None, added.headers["ETag"])).held()
    assert copy.json["id"] == added.json["id"] + 1
    assert not copy.json["published"]
    again = await managing.request("POST", f"{path}/bundles", {**document, "id": BUNDLE}, copy.headers["ETag"])
    assert (again.status, again.code) == (409, "id_used")


async def test_write_needs_the_tag_of_the_draft(managing: Managing) -> None:
    path, tag = await managing.draft()
    missing = await managing.request("PATCH", f"{path}{PATH}", {"name": "x"})
    assert (missing.status, missing.code) == (428, "if_match_required")
    (await managing.request("PATCH", f"{path}{PATH}", {"name": "x"}, tag)).held()
    for method, below, body in (("PATCH", PATH, {"name": "y"}), ("POST", "/publish", {}), ("POST", "/discard", None)):
        outdated = await managing.request(method, f"{path}{below}", body, tag)
        assert (outdated.status, outdated.code) == (412, "revision_outdated")
    assert (await managing.request("PATCH", f"{path}{PATH}", {"name": "y"}, "W/" + tag)).status == 412
    assert (await managing.request("PATCH", f"{path}{PATH}", {"name": "y"}, "x")).status == 400
    assert (await managing.request("PATCH", f"{path}{PATH}", {"name": "y"}, "*")).status == 200


@pytest.fixture
async def two_persons(managing: Managing, database: Database) -> tuple[Managing, Managing]:
    """Clients for two people, Mira and Ben, in a shop where a change must be published by a second person."""
    path, tag = await managing.draft()
    changed = await managing.request("PATCH", f"{path}/shop", {"secondPersonPublishes": True}, tag)
    (await managing.publish((path, changed.headers["ETag"]))).held()
    return managing, replace(managing, key=await key_of(database, *ALL, label="Ben"))


@pytest.mark.parametrize("body", [{}, {"publishAt": "2099-01-01T00:00:00Z"}])
@pytest.mark.parametrize("query", ["", "?dryRun=true"])
async def test_second_person_publishes(
    query: str, body: dict[str, str], two_persons: tuple[Managing, Managing]
) -> None:
    mira, ben = two_persons
    draft = await mira.changed({"name": "Winter box"})
    refused = await mira.publish(draft, body, query)
    assert (refused.status, refused.code) == (409, "second_person_required")
    assert refused.json["authors"] == ["Mira"]
    (await ben.publish(draft, body, query)).held()


async def test_whoever_has_changed_a_draft_is_no_second_person(two_persons: tuple[Managing, Managing]) -> None:
    mira, ben = two_persons
    path, tag = await mira.changed({"name": "Winter box"})
    changed = (await ben.request("PATCH", f"{path}{PATH}", {"description": "Warm."}, tag)).held()
    for person in two_persons:
        refused = await person.publish((path, changed.headers["ETag"]))
        assert refused.json["authors"] == ["Ben", "Mira"]


async def test_rule_of_a_second_person_ends_with_one(two_persons: tuple[Managing, Managing]) -> None:
    mira, ben = two_persons
    path, tag = await mira.draft()
    changed = await mira.request("PATCH", f"{path}/shop", {"secondPersonPublishes": False}, tag)
    draft = path, changed.headers["ETag"]
    assert (await mira.publish(draft)).code == "second_person_required"
    (await ben.publish(draft)).held()
    (await mira.publish(await mira.changed({"name": "Winter box"}))).held()


async def test_conflict_names_all_three_values(managing: Managing) -> None:
    mine, yours = await managing.changed({"name": "Mine"}), await managing.changed({"name": "Yours"})
    name = (await managing.get(f"/revisions/1{PATH}"))["name"]
    (await managing.publish(yours)).held()
    refused = await managing.publish(mine)
    assert (refused.status, refused.code) == (409, "revision_conflict")
    expected = {"path": f"bundles.{BUNDLE}.name", "base": name, "live": "Yours", "yours": "Mine"}
    assert refused.json["conflicts"] == [expected]
    assert (await managing.get(mine[0]))["state"] == "draft"


async def test_invalid_draft_is_refused_with_every_fault(managing: Managing) -> None:
    draft = await managing.changed({"type": "other", "published": "perhaps", "extra": 1})
    findings = (await managing.get(f"{draft[0]}/lint"))["findings"]
    for query in ("", "?dryRun=true"):
        refused = await managing.publish(draft, query=query)
        assert (refused.status, refused.code) == (400, "revision_invalid")
        assert set(refused.paths) == {f"bundles.{BUNDLE}.{key}" for key in ("type", "published", "extra")}
    assert {(each["path"], each["message"]) for each in findings} == {
        (each["path"], each["message"]) for each in refused.json["details"]
    }


async def test_certain_fix_is_a_patch_of_the_bundle(managing: Managing) -> None:
    rules = [
        {"type": "total-number-of-products", "operation": "gte", "value": "0"},
        {"type": "total-number-of-products", "operation": "lte", "value": "9"},
    ]
    path, tag = await managing.changed({"limitRules": rules})
    findings = (await managing.get(f"{path}/lint"))["findings"]
    (found,) = [each for each in findings if each["fix"] and each["path"].startswith(f"bundles.{BUNDLE}.")]
    assert (found["path"], found["code"]) == (f"bundles.{BUNDLE}.limitRules.0", "rule-without-effect")
    (await managing.request("PATCH", f"{path}{PATH}", found["fix"], tag)).held()
    assert (await managing.get(f"{path}{PATH}"))["limitRules"] == rules[1:]


async def test_published_revision_is_never_changed(managing: Managing) -> None:
    draft = await managing.changed({"name": "x"})
    made = (await managing.publish(draft)).held()
    for method, below, body in (
        ("PATCH", PATH, {"name": "y"}),
        ("PUT", PATH, {"name": "y"}),
        ("DELETE", PATH, None),
        ("POST", "/bundles", {}),
        ("POST", "/publish", {}),
        ("POST", "/discard", None),
        ("POST", "/revert", {}),
        ("POST", "/unschedule", None),
    ):
        refused = await managing.request(method, f"{draft[0]}{below}", body, made.headers["ETag"])
        assert (refused.status, refused.code) == (409, "revision_state"), below


async def test_revision_is_restored(managing: Managing) -> None:
    before = await managing.get("/revisions/live/content")
    (await managing.publish(await managing.changed({"name": "x"}))).held()
    made = (await managing.request("POST", "/revisions/1/revert", {"message": "Back"})).held()
    assert (made.json["state"], made.json["base"], made.json["message"]) == ("draft", 2, "Back")
    (await managing.publish((f"/revisions/{made.json['number']}", made.headers["ETag"]))).held()
    assert await managing.get("/revisions/live/content") == before


async def test_dry_runs_store_nothing(managing: Managing) -> None:
    draft = await managing.changed({"name": "x"})
    before = await managing.get("/revisions")
    for method, path, body in (
        ("POST", "/revisions", {"message": "x"}),
        ("POST", "/revisions/1/revert", {}),
        ("PATCH", f"{draft[0]}{PATH}", {"name": "y"}),
        ("DELETE", f"{draft[0]}{PATH}", None),
        ("POST", f"{draft[0]}{PATH}/duplicate", None),
        ("POST", f"{draft[0]}/publish", {}),
        ("POST", f"{draft[0]}/publish", {"publishAt": "2100-01-01T00:00:00Z"}),
        ("POST", f"{draft[0]}/discard", None),
    ):
        tried = await managing.request(method, f"{path}?dryRun=true", body, draft[1])
        assert tried.status == (409 if path.endswith("revert") else 200), tried.body
    assert await managing.get("/revisions") == before
    assert (await managing.get(f"{draft[0]}{PATH}"))["name"] == "x"
    assert (await managing.request("POST", "/revisions?dryRun=yes", {})).paths == ["dryRun"]


async def test_request_with_an_idempotency_key_happens_once(managing: Managing) -> None:
    first = (await managing.request("POST", "/revisions", {"message": "x"}, Idempotency_Key="one")).held()
    again = (await managing.request("POST", "/revisions", {"message": "x"}, Idempotency_Key="one")).held()
    other = await managing.request("POST", "/revisions", {"message": "y"}, Idempotency_Key="one")
    assert (again.body, again.headers["ETag"]) == (first.body, first.headers["ETag"])
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (other.status, other.code) == (400, "idempotency_key_reused")
    path, tag = f"/revisions/{first.json['number']}", first.headers["ETag"]
    copies = [
        (await managing.request("POST", f"{path}{PATH}/duplicate", None, tag, Idempotency_Key="two")).held()
        for _ in range(2)
    ]
    assert copies[0].body == copies[1].body
    tag = copies[0].headers["ETag"]
    published = [
        (await managing.request("POST", f"{path}/publish", {}, tag, Idempotency_Key="three")).held() for _ in range(2)
    ]
    assert published[0].body == published[1].body
    assert len(await managing.get("/revisions")) == 2


async def test_equal_requests_at_once_happen_once(managing: Managing) -> None:
    made = await asyncio.gather(*(managing.request("POST", "/revisions", {}, Idempotency_Key="one") for _ in range(8)))
    assert len({each.held().body for each in made}) == 1
    assert len(await managing.get("/revisions")) == 2


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [
        ("manage:read", (True, False, False)),
        ("manage:write", (False, True, False)),
        ("manage:publish", (False, False, True)),
    ],
)
async def test_scopes(managing: Managing, database: Database, scope: str, allowed: tuple[bool, ...]) -> None:
    draft = await managing.changed({"name": "x"})
    one = replace(managing, key=await key_of(database, scope))
    responses = [
        await one.request("GET", "/revisions"),
        await one.request("POST", "/revisions", {}),
        await one.publish(draft),
    ]
    assert [each.status == 200 for each in responses] == [*allowed]
    assert {each.code for each in responses if each.status != 200} == {"key_scope"}


async def test_key_of_another_shop_sees_and_changes_its_own_alone(managing: Managing, database: Database) -> None:
    draft = await managing.changed({"name": "x"})
    other = replace(managing, key=await key_of(database, *ALL, handle="other"))
    assert (await other.get("/shop"))["handle"] == "other"
    assert [each["number"] for each in await other.get("/revisions")] == [1]
    for method, below in (
        ("GET", ""),
        ("GET", "/content"),
        ("PATCH", PATH),
        ("POST", "/publish"),
        ("POST", "/discard"),
    ):
        assert (await other.request(method, f"{draft[0]}{below}", {} if method != "GET" else None, "*")).status == 404
    assert await other.get("/audit") == []
    assert (await managing.get(draft[0]))["state"] == "draft"


async def test_keys_of_storefronts_and_orders_are_refused(managing: Managing, database: Database, api: Api) -> None:
    for scopes in (("headless", "embed"), ("orders",)):
        one = replace(managing, key=await key_of(database, *scopes))
        assert (await one.request("GET", "/shop")).code == "key_scope"
    assert (await replace(managing, key=None).request("GET", "/shop")).code == "key_invalid"
    assert (await api.with_key(managing.key).get("/bundles")).code == "key_scope"


async def test_writes_are_limited(managing: Managing) -> None:
    statuses = [
        (await managing.request("POST", "/revisions?dryRun=true", {})).status for _ in range(WRITES_PER_MINUTE + 1)
    ]
    assert statuses.count(429) in (0, 1)
    limited = [await managing.request("POST", "/revisions?dryRun=true", {}) for _ in range(3)]
    assert {each.status for each in limited} <= {200, 429}
    assert 429 in [*statuses, *(each.status for each in limited)]
    assert (await managing.request("GET", "/shop")).status == 200


async def test_body_is_limited(managing: Managing) -> None:
    path, tag = await managing.draft()
    refused = await managing.request("PUT", f"{path}{PATH}", b" " * (MAX_BODY + 1), tag)
    assert (refused.status, refused.code) == (413, "body_too_large")


BAD_BODIES: tuple[Any, ...] = (b"{", b"[]", b"1", b'"x"', b"\xff", orjson.dumps({"id": 7}), b"[" * 100)


@pytest.mark.parametrize("body", BAD_BODIES)
async def test_bad_bodies_are_refused(managing: Managing, body: bytes) -> None:
    path, tag = await managing.draft()
    for method in ("PUT", "PATCH"):
        assert (await managing.request(method, f"{path}{PATH}", body, tag)).status == 400
    assert (await managing.get(path))["state"] == "draft"


HOSTILE: tuple[dict[str, Any], ...] = (
    {"sections": "x"},
    {"sections": [1, None, "x", []]},
    {"sections": {"1": {}}},
    {"discount": []},
    {"name": {"deep": {"er": [[[[]]]]}}},
    {"conditions": [{"kind": {}, "id": []}]},
    {"limitRules": [{"value": 1e308}, {"value": -0.0}, {"value": True}]},
    {"name": "\x00"},
    {"translations": {"": {}, "de": None, "xx-": 1}},
    {"platformProductId": 10**15, "sections": [{"id": 1, "products": [{"platformProductId": []}]}]},
)


@pytest.mark.parametrize("patch", HOSTILE)
async def test_whatever_is_in_a_draft_can_be_read_checked_and_refused(
    managing: Managing, patch: dict[str, Any]
) -> None:
    draft = await managing.changed(patch)
    for below in ("/content", "/diff", "/lint", PATH):
        await managing.get(f"{draft[0]}{below}")
    assert (await managing.publish(draft)).status == 400
    assert (await managing.get("/shop"))["live"] == 1


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/revisions/9", 404),
        ("GET", "/revisions/9/content", 404),
        ("GET", "/revisions/0", 400),
        ("GET", "/revisions/x", 400),
        ("GET", "/revisions/live/bundles/9", 404),
        ("GET", "/revisions/live/bundles/x", 400),
        ("GET", "/revisions/live/markets/XYZ", 400),
        ("GET", "/revisions/live/diff?against=9", 404),
        ("GET", "/revisions/live/diff?against=x", 400),
        ("GET", "/revisions?state=x", 400),
        ("GET", "/revisions?limit=0", 400),
        ("GET", "/revisions?cursor=x", 400),
        ("GET", "/audit?since=x", 400),
        ("POST", "/revisions/live/publish", 400),
        ("POST", "/revisions/9/publish", 404),
        ("POST", "/revisions/9/revert", 404),
    ],
)
async def test_bad_paths_and_queries(managing: Managing, method: str, path: str, status: int) -> None:
    assert (await managing.request(method, path, None, "*")).status == status


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("?search=SHIRT", ["100"]),
        ("?search=mug-b", ["200"]),
        ("?search=900", ["900"]),
        ("?search=gift%20box", ["900"]),
        ("?search=nothing", []),
        ("?limit=2", ["100", "200"]),
    ],
)
async def test_products_are_found_by_their_words(managing: Managing, query: str, ids: list[str]) -> None:
    found = (await managing.get(f"/products{query}"))["products"]
    assert [each["platformProductId"] for each in found] == ids


async def test_products_look_as_those_of_a_bundle(managing: Managing, api: Api) -> None:
    of_bundle = (await api.get(f"{PATH}/products")).held().json["products"]
    assert of_bundle[0] in (await managing.get("/products"))["products"]


async def test_embedded_platform_has_no_bundles_of_its_own(managing: Managing) -> None:
    assert await managing.get("/platform-bundles") == []


async def test_lists_come_in_parts(managing: Managing) -> None:
    for _ in range(3):
        await managing.draft()
    first = (await managing.request("GET", "/revisions?limit=3&state=draft,live")).held()
    (link,) = [part.split(">")[0][1:] for part in first.headers["Link"].split(",")]
    rest = await managing.get(link.removeprefix("/api/manage/v1"))
    assert [each["number"] for each in (*first.json, *rest)] == [4, 3, 2, 1]


async def test_audit_log_says_who_did_what(managing: Managing) -> None:
    draft = await managing.changed({"name": "x"})
    (await managing.publish(draft)).held()
    entries = await managing.get("/audit")
    assert [(each["action"], each["actor"], each["revision"]) for each in entries] == [
        ("publish", "Mira", 2),
        ("edit", "Mira", 2),
        ("create", "Mira", 2),
    ]
    assert all(each["from"] == "127.0.0.1" for each in entries)
    (change,) = entries[0]["changes"]
    assert (change["path"], change["after"]) == (f"bundles.{BUNDLE}.name", "x")
    assert managing.key is not None
    lines = (await managing.request("GET", "/audit", Accept="application/x-ndjson")).held()
    assert lines.headers["Content-Type"] == "application/x-ndjson"
    assert [orjson.loads(line) for line in lines.body.splitlines()] == entries
    assert managing.key.encode() not in lines.body


async def test_revision_is_scheduled_and_taken_back(managing: Managing) -> None:
    draft = await managing.changed({"name": "x"})
    made = (await managing.publish(draft, {"publishAt": "2100-01-01T00:00:00+01:00"})).held()
    assert (made.json["state"], made.json["publishAt"]) == ("scheduled", "2099-12-31T23:00:00Z")
    back = (await managing.request("POST", f"{draft[0]}/unschedule", None, made.headers["ETag"])).held()
    assert back.json["state"] == "draft"
    past = await managing.publish((draft[0], back.headers["ETag"]), {"publishAt": "2000-01-01T00:00:00Z"})
    assert (past.status, past.paths) == (400, ["publishAt"])
    assert (await managing.publish((draft[0], back.headers["ETag"]), {"publishAt": "x"})).paths == ["publishAt"]
    (await managing.request("POST", f"{draft[0]}/discard", None, back.headers["ETag"])).held()


async def test_live_content_has_what_is_scheduled_until_a_time(managing: Managing) -> None:
    """Live content at a future time includes all revisions scheduled to be published by then, in order, except those that cannot
    be published."""
    for patch, year in (({"description": "Second."}, 2102), ({"name": "First"}, 2101), ({"name": "Not this"}, 2103)):
        draft = await managing.changed(patch)
        (await managing.publish(draft, {"publishAt": f"{year}-01-01T00:00:00Z"})).held()
    open_draft = await managing.changed({"layout": "multiple-sections"})

    async def shown(number: str, at: str) -> tuple[str, str]:
        bundles = (await managing.get(f"{number}/content?at={at}"))["bundles"]
        bundle = next(each for each in bundles if each["id"] == BUNDLE)
        return bundle["name"], bundle["description"]

    live = await managing.get(f"/revisions/live/bundles/{BUNDLE}")
    before = (live["name"], live["description"])
    assert await shown("/revisions/live", "2100-12-31T23:59:59Z") == before
    assert await shown("/revisions/live", "2101-01-01T00:00:00Z") == ("First", before[1])
    assert await shown("/revisions/1", "2103-01-01T00:00:00Z") == ("First", "Second.")
    assert await shown(open_draft[0], "2103-01-01T00:00:00Z") == before
    wrong = await managing.request("GET", "/revisions/live/content?at=friday")
    assert (wrong.status, wrong.paths) == (400, ["at"])


async def test_due_revision_is_published_by_itself(managing: Managing, api: Api, clock: FakeClock) -> None:
    draft = await managing.changed({"name": "x"})
    at = datetime.fromtimestamp(clock.now() + 60, UTC).isoformat()
    (await managing.publish(draft, {"publishAt": at})).held()
    clock.move(60)
    for _ in range(100):
        if (await managing.get("/shop"))["live"] == 2:
            break
        await asyncio.sleep(0.1)
    await api.refresh()
    assert (await api.get(PATH)).held().json["name"] == "x"
    assert (await api.metrics())['bundlesvc_scheduled_revisions_total{result="published"}'] == 1


async def test_shop_of_another_handle_is_refused(managing: Managing) -> None:
    path, tag = await managing.draft()
    for patch in ({"handle": "other"}, {"platform": {"kind": "shopify"}}):
        refused = await managing.request("PATCH", f"{path}/shop", patch, tag)
        assert (refused.status, refused.paths) == (400, [next(iter(patch))])
