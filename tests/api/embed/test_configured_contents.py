"""GET /bundle/{id}/variant/{variantId} and POST /content, which look up configured bundles (docs/contract.md#look-ups)."""

from typing import Any

import pytest

from tests.api.conftest import Api, MakeApi, Response
from tests.api.embed.conftest import EMBED, SHOP_TEXT
from tests.api.selection import Json, configure_body
from tests.conftest import LoadShop

UNKNOWN_GHOST = 8_999_999_999_999_999


async def configured(api: Api, bundle: int, *chosen: str, type: str = "multiple-products") -> Json:  # noqa: A002
    """Configure a bundle, and return the body of the response."""
    body: Json = (await api.post(f"/bundles/{bundle}/configure", configure_body(*chosen, type=type))).held().json
    return body


async def variant(api: Api, bundle: object, variant_id: object) -> Response:
    return await api.get(f"{EMBED}/bundle/{bundle}/variant/{variant_id}")


async def content(api: Api, *entries: object) -> Response:
    return await api.post(f"{EMBED}/content", {"bundles": list(entries)})


def by_id(made: Json) -> Json:
    return {"configuredBundleId": made["configured_bundle_id"]}


def by_variant(made: Json) -> Json:
    return {"variantId": int(made["variant_id"])}


def found(made: Json, text: str) -> Json:
    """The entry that POST /content returns for a configured bundle with this content."""
    return {**by_id(made), "variantId": made["variant_id"], "content": text}


def found_item(chosen: str, *available: int) -> Json:
    variant_id, _, section = chosen.partition("@")
    return {"variantId": int(variant_id), "sectionId": int(section), "availableVariantIds": list(available)}


async def test_items_behind_a_ghost_appear_once_with_the_variants_of_their_section(api: Api) -> None:
    """Items of a ghost variant appear once each, with the variants that their section allows.

    Covered: a section that lists only variant 2001 of a product, a section that allows all variants of this product (2002 is sold
    out), and a required product."""
    made = await configured(api, 30, "3001@2", "2001@1*2", "1001@2*3", "2001@2", "1001@2", "6001@0*2", "6002@2")

    response = (await variant(api, 30, made["variant_id"])).held()

    assert response.json == {
        "items": [
            found_item("3001@2", 3001),
            found_item("2001@1", 2001),
            found_item("1001@2", 1001, 1002),
            found_item("2001@2", 2001, 2002),
            found_item("6001@0", 6002, 6001),
            found_item("6002@2", 6002, 6001),
        ]
    }


async def test_required_product_without_a_list_allows_all_variants(api: Api) -> None:
    made = await configured(api, 32, "6002@0", type="single-product")

    assert (await variant(api, 32, made["variant_id"])).held().json == {"items": [found_item("6002@0", 6001, 6002)]}


async def test_free_item_allows_its_own_variant_only(api: Api) -> None:
    """For a free item, only the variant that the action names is listed as allowed, because no section offers the product."""
    made = await configured(api, 33, "1001@2", "6002@0")

    assert (await variant(api, 33, made["variant_id"])).held().json == {
        "items": [found_item("1001@2", 1001, 1002), found_item("6002@0", 6002)]
    }


async def test_product_listed_twice_in_a_section_allows_the_variants_of_both(make_api: MakeApi) -> None:
    """A product listed twice in a section allows the variants of both entries, in the order of the file."""
    entry = '{bundleItemId: 22, platformProductId: "200"}'
    assert entry in SHOP_TEXT
    twice = [
        f'{{bundleItemId: {item}, platformProductId: "200", variantIds: ["{one}"]}}'
        for item, one in ((22, 2002), (24, 2001))
    ]
    api = await make_api(SHOP_TEXT.replace(entry, ", ".join(twice)))
    made = await configured(api, 31, "2001@2")

    response = (await variant(api, 31, made["variant_id"])).held()

    assert response.json == {"items": [found_item("2001@2", 2002, 2001)]}


async def test_only_ghosts_of_that_bundle_are_found(api: Api, api_with_test_key: Api, other_api: Api) -> None:
    made = await configured(api, 30, "1001@2", "6001@0")
    native = await configured(api, 10, "1001@2", "6001@0", type="native")
    ghost = made["variant_id"]

    assert (await variant(api, 30, ghost)).status == 200
    asked = [
        (api, 31, ghost),
        (api, 98, ghost),
        (api, 34, ghost),
        (api_with_test_key, 34, ghost),
        (other_api, 30, ghost),
        (api, 10, native["variant_id"]),
        (api, 30, native["variant_id"]),
        (api, 30, UNKNOWN_GHOST),
        (api, 30, 1001),
        (api, 30, made["configured_bundle_id"]),
        (api, 30, 2**53 - 1),
    ]
    assert [(await variant(*each)).held(404).code for each in asked] == ["not_found"] * len(asked)


async def test_ghosts_of_unpublished_bundles_are_for_test_keys(api: Api, api_with_test_key: Api) -> None:
    made = await configured(api_with_test_key, 34, "1001@2")

    assert (await variant(api, 34, made["variant_id"])).status == 404
    assert (await variant(api_with_test_key, 34, made["variant_id"])).status == 200


@pytest.mark.parametrize("bad", ["0", "030", "x", "-1", "1.0", "9007199254740992", "%20", "%D9%A1"])
async def test_invalid_ids_are_refused(shared_api: Api, bad: str) -> None:
    for bundle, ghost, paths in ((bad, 1, ["id"]), (30, bad, ["variantId"]), (98, bad, ["variantId"])):
        response = (await variant(shared_api, bundle, ghost)).held(400)
        assert (response.code, response.paths) == ("invalid_request", paths)


async def test_faults_of_both_ids_are_named(shared_api: Api) -> None:
    assert sorted((await variant(shared_api, 0, "x")).held(400).paths) == ["id", "variantId"]


async def test_variant_response_has_cache_headers(api: Api) -> None:
    """The response has an ETag, Cache-Control: private, and a Vary that includes Accept-Language, as everywhere in the embed
    API."""
    made = await configured(api, 30, "1001@2", "6001@0")
    response = (await variant(api, 30, made["variant_id"])).held()
    varies = {name.strip().lower() for name in response.headers.get("Vary", "").split(",")}

    assert response.headers["Cache-Control"].startswith("private, max-age=")
    assert "ETag" in response.headers
    assert {"authorization", "origin", "accept-encoding", "accept-language"} <= varies


async def test_contents_are_in_the_order_of_the_request(api: Api) -> None:
    ghost = await configured(api, 30, "1001@2*2", "3001@2", "6001@0")
    native = await configured(api, 10, "3001@2", "2001@1", "1002@2", "2001@2*2", "6001@0", "1001@2", type="native")

    response = (await content(api, by_id(native), by_id(ghost), by_variant(ghost), by_id(native))).held()

    told = found(native, "1 x Scarf\n3 x Mug - White\n1 x Shirt - The M\n1 x Card - Sun\n1 x Shirt - S / Slim")
    other = found(ghost, "2 x Shirt - S / Slim\n1 x Scarf\n1 x Card - Sun")
    assert response.json == {"bundles": [told, other, other, told]}
    assert response.headers["Cache-Control"] == "no-store"


async def test_unknown_bundles_are_left_out(api: Api, other_api: Api) -> None:
    made = await configured(api, 30, "1001@2", "6001@0")
    native = await configured(api, 10, "1001@2", "6001@0", type="native")
    unknown = [{"configuredBundleId": 1}, {"variantId": UNKNOWN_GHOST}, by_variant(native), {"variantId": 1001}]

    assert (await content(api, *unknown)).held().json == {"bundles": []}
    assert (await content(other_api, by_id(made), by_variant(made))).held().json == {"bundles": []}
    response = (await content(api, *unknown[:2], by_id(made), *unknown[2:], by_id(native))).held()
    assert [each["configuredBundleId"] for each in response.json["bundles"]] == [
        made["configured_bundle_id"],
        native["configured_bundle_id"],
    ]


async def test_configured_bundle_wins_over_the_variant(api: Api) -> None:
    one, other = await configured(api, 30, "1001@2", "6001@0"), await configured(api, 30, "1002@2", "6001@0")

    response = (
        await content(
            api,
            {**by_id(one), **by_variant(other)},
            {"configuredBundleId": 1, **by_variant(other)},
            {"configuredBundleId": None, **by_variant(other)},
            {**by_id(one), "variantId": None, "unknown": 1},
        )
    ).held()

    first, second = (
        found(one, "1 x Shirt - S / Slim\n1 x Card - Sun"),
        found(other, "1 x Shirt - The M\n1 x Card - Sun"),
    )
    assert response.json == {"bundles": [first, second, first]}


async def test_shared_ghost_returns_its_newest_configured_bundle(api: Api) -> None:
    """The response for a shared ghost variant contains its newest configured bundle. This is checked twelve times, because ids
    are random."""
    for _ in range(12):
        newest = await configured(api, 30, "1001@2", "6001@0")
        [told] = (await content(api, by_variant(newest))).held().json["bundles"]
        assert told["configuredBundleId"] == newest["configured_bundle_id"]


async def test_newest_items_of_a_shared_ghost(api: Api) -> None:
    """Selections that differ only in order share a ghost variant, and the newest selection determines the order of the items."""
    first = await configured(api, 30, "1001@2", "6001@0")
    second = await configured(api, 30, "6001@0", "1001@2")

    assert first["variant_id"] == second["variant_id"]
    items = (await variant(api, 30, first["variant_id"])).held().json["items"]
    assert [item["variantId"] for item in items] == [6001, 1001]
    texts = [each["content"] for each in (await content(api, by_id(first), by_variant(first))).held().json["bundles"]]
    assert texts == ["1 x Shirt - S / Slim\n1 x Card - Sun", "1 x Card - Sun\n1 x Shirt - S / Slim"]


async def test_titles_are_those_at_the_time_of_configuring(api: Api, load_shop: LoadShop) -> None:
    made = await configured(api, 30, "1001@2", "3001@2", "6001@0")
    before = (await content(api, by_id(made), by_variant(made))).held().json

    renamed = SHOP_TEXT.replace("title: Shirt,", "title: Blouse,").replace("title: S / Slim,", "title: Small,")
    await load_shop(renamed.replace("name: Several,", "name: Many,").replace("title: Scarf,", "title: Shawl,"))
    await api.refresh()

    assert (await content(api, by_id(made), by_variant(made))).held().json == before
    later = await configured(api, 30, "1001@2", "3001@2", "6001@0")
    [told] = (await content(api, by_id(later))).held().json["bundles"]
    assert told["content"] == "1 x Blouse - Small\n1 x Shawl\n1 x Card - Sun"


async def test_contents_are_in_the_shops_language(api: Api) -> None:
    body = configure_body("1001@2", "6001@0", type="multiple-products")
    response = await api.post(f"{EMBED}/bundle/30/product?lang=de", body, {"Accept-Language": "de"})

    asked = {"bundles": [by_id(response.held().json)]}
    told = await api.post(f"{EMBED}/content?lang=de", asked, {"Accept-Language": "de"})
    assert told.held().json["bundles"][0]["content"] == "1 x Shirt - S / Slim\n1 x Card - Sun"


async def test_hundred_entries_are_accepted_and_one_more_is_refused(api: Api) -> None:
    made = await configured(api, 30, "1001@2", "6001@0")

    assert len((await content(api, *[by_id(made)] * 100)).held().json["bundles"]) == 100
    response = (await content(api, *[by_id(made)] * 101)).held(400)
    assert (response.code, response.paths) == ("invalid_request", ["bundles"])


@pytest.mark.parametrize("rubbish", [1, {}, {"variantId": "x"}])
async def test_entries_of_a_too_long_list_are_not_validated(shared_api: Api, rubbish: object) -> None:
    """A list that is too long is refused before its entries are validated, because validating garbage entry by entry could block
    the process for seconds."""
    assert (await content(shared_api, *[rubbish] * 101)).held(400).paths == ["bundles"]


async def test_entry_without_an_id_is_refused(shared_api: Api) -> None:
    response = (await content(shared_api, None)).held(400)

    assert [(fault["path"], fault["message"]) for fault in response.json["details"]] == [
        ("bundles.0", "Must be an object.")
    ]


@pytest.mark.parametrize("field", ["configuredBundleId", "variantId"])
@pytest.mark.parametrize("value", ["1", 1.5, True, False, 0, -1, 2**53, [], {}])
async def test_ids_are_numbers(shared_api: Api, field: str, value: Any) -> None:
    response = (await content(shared_api, {"configuredBundleId": 1}, {field: value})).held(400)

    assert (response.code, response.paths) == ("invalid_request", [f"bundles.1.{field}"])


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({}, ["bundles"]),
        ({"bundles": None}, ["bundles"]),
        ({"bundles": {}}, ["bundles"]),
        ({"bundles": "1"}, ["bundles"]),
        ({"bundles": [{}]}, ["bundles.0"]),
        ({"bundles": [{"configuredBundleId": None, "variantId": None}]}, ["bundles.0"]),
        (
            {"bundles": [{"configuredBundleId": 1}, 7, None, {"variantId": "1"}, {}]},
            [f"bundles.{n}" for n in (1, 2, "3.variantId", 4)],
        ),
        (
            {"bundles": [{"configuredBundleId": "1", "variantId": "2"}]},
            ["bundles.0.configuredBundleId", "bundles.0.variantId"],
        ),
        ([], [""]),
    ],
)
async def test_every_fault_of_a_body_is_named(shared_api: Api, body: Any, paths: list[str]) -> None:
    response = (await shared_api.post(f"{EMBED}/content", body)).held(400)

    assert (response.code, sorted(response.paths)) == ("invalid_request", sorted(paths))


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (10**16, "Must be from 1 to 9007199254740991."),
        (2**64, "Must be from 1 to 9007199254740991."),
        (10**30, "Must be from 1 to 9007199254740991."),
        (0, "Must be from 1 to 9007199254740991."),
        (-(2**63) - 1, "Must be from 1 to 9007199254740991."),
        (-(10**30), "Must be from 1 to 9007199254740991."),
        (1.5, "Must be a whole number."),
    ],
)
async def test_the_range_of_a_number_is_named(shared_api: Api, written: float, message: str) -> None:
    """A number out of range gets a message that names the range, even if it needs more than 64 bits and the parser returns a
    float."""
    body = f'{{"bundles": [{{"configuredBundleId": {written}}}]}}'.encode()
    response = (await shared_api.post(f"{EMBED}/content", body)).held(400)
    assert [detail["message"] for detail in response.json["details"]] == [message]


@pytest.mark.parametrize("written", ["3482.0", "3482", "3.482e3"])
async def test_whole_number_may_be_written_with_a_fraction_of_zero(shared_api: Api, written: str) -> None:
    """A whole number may be written with a fraction of zero, because JSON Schema (6.1.1) regards it as an integer."""
    body = f'{{"bundles": [{{"configuredBundleId": {written}}}]}}'.encode()
    assert (await shared_api.post(f"{EMBED}/content", body)).held().json == {"bundles": []}


async def test_invalid_json_is_refused(shared_api: Api) -> None:
    assert (await shared_api.post(f"{EMBED}/content", b'{"bundles": [')).held(400).code == "invalid_json"
