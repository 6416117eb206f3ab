"""A/B tests: which bundle a visitor gets, and which arm is stored (docs/contract.md#experiments)."""

from uuid import UUID

import pytest

from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.database.tables import configured_bundles
from tests.api.conftest import BASE, Api, MakeApi, Response
from tests.api.embed.conftest import EMBED, SHOP_TEXT, with_features
from tests.api.selection import Json, configure_body
from tests.api.stored import rows
from tests.conftest import LoadShop

VISITORS = [str(UUID(int=number << 64 | number)) for number in range(40)]


async def served(api: Api, visitor: str | None, bundle: int = 40, more: str = "") -> Json:
    asked = "" if visitor is None else f"&visitor_id={visitor}"
    body: Json = (await api.get(f"{EMBED}/bundle?id={bundle}{asked}{more}")).held().json
    return body


async def visitor_of(api: Api, arm: int, bundle: int = 40) -> str:
    """Find a visitor who is assigned this arm."""
    for visitor in VISITORS:
        if (await served(api, visitor, bundle)).get("experiment", {}).get("arm") == arm:
            return visitor
    pytest.fail(f"none of {len(VISITORS)} visitors has arm {arm}")


async def test_both_arms_are_reached_and_each_visitor_stays_in_one(api: Api) -> None:
    first = [await served(api, visitor) for visitor in VISITORS]
    again = [await served(api, visitor) for visitor in VISITORS]

    assert first == again
    assert {(body["id"], body["experiment"]["arm"]) for body in first} == {(40, 0), (41, 1)}
    for body in first:
        assert body["experiment"] == {
            "id": "split",
            "arm": body["experiment"]["arm"],
            "entryBundleId": 40,
            "bundleId": body["id"],
        }


async def test_every_field_is_that_of_the_served_bundle(api: Api) -> None:
    """Every field comes from the served bundle; none is left from the entry bundle."""
    body = await served(api, await visitor_of(api, 1))
    whole = await served(api, None, 41)

    assert {name: value for name, value in body.items() if name != "experiment"} == whole
    assert (body["name"], body["productHandle"], body["templateCode"]) == ("Arm", "hidden-box", "compact")
    assert body["productUrl"] == f"{BASE}{EMBED}/bundle/41/product"
    assert body["bundleUrl"] == f"{BASE}{EMBED}/bundle?id=41"


async def test_language_is_that_of_the_served_bundle(api: Api) -> None:
    """The served bundle determines the language of the texts. The arm has no German texts of its own, unlike the entry bundle;
    the products of both bundles have German texts."""
    visitor = await visitor_of(api, 1)

    assert (await served(api, visitor, more="&lang=fr"))["name"] == "Bras"
    german = await served(api, visitor, more="&lang=de")
    assert (german["name"], german["locale"]) == ("Arm", "de")
    assert (await served(api, await visitor_of(api, 0), more="&lang=de"))["name"] == "Eingang"


async def test_template_can_be_forced_on_an_arm(api: Api) -> None:
    assert (await served(api, await visitor_of(api, 1), more="&forceTemplate=default"))["templateCode"] == "default"


async def test_bundle_found_by_its_handle_is_routed_too(api: Api) -> None:
    visitor = await visitor_of(api, 1)
    body = (await api.get(f"{EMBED}/bundle?productHandle=tested-box&visitor_id={visitor}")).held().json

    assert body == await served(api, visitor)


@pytest.mark.parametrize("flag", ["true", "True", "TRUE"])
async def test_routing_can_be_bypassed(api: Api, flag: str) -> None:
    body = await served(api, await visitor_of(api, 1), more=f"&ab_bypass={flag}")

    assert body == await served(api, None)
    assert (body["id"], "experiment" in body) == (40, False)


async def test_ab_bypass_false_routes(api: Api) -> None:
    visitor = await visitor_of(api, 1)

    assert await served(api, visitor, more="&ab_bypass=false") == await served(api, visitor)


async def test_request_without_a_visitor_is_not_routed(api: Api) -> None:
    body = await served(api, None)

    assert (body["id"], "experiment" in body) == (40, False)


@pytest.mark.parametrize("bundle", [10, 41])
async def test_bundles_without_an_experiment_of_their_own_are_not_routed(api: Api, bundle: int) -> None:
    bodies = [await served(api, visitor, bundle) for visitor in VISITORS]

    assert bodies == [await served(api, None, bundle)] * len(VISITORS)
    assert "experiment" not in bodies[0]


@pytest.mark.parametrize("key", ["live", "test"])
async def test_unpublished_arm_is_never_served(api: Api, api_with_test_key: Api, key: str) -> None:
    asking = api if key == "live" else api_with_test_key
    bodies = [await served(asking, visitor, 50) for visitor in VISITORS]

    assert {body["id"] for body in bodies} == {50}
    experiments = [body["experiment"] for body in bodies if "experiment" in body]
    assert 0 < len(experiments) < len(VISITORS)
    assert experiments == [{"id": "early", "arm": 0, "entryBundleId": 50, "bundleId": 50}] * len(experiments)


async def test_shop_without_the_feature_routes_nobody(make_api: MakeApi) -> None:
    api = await make_api(with_features("translations"))
    bodies = [await served(api, visitor) for visitor in VISITORS]

    assert bodies == [await served(api, None)] * len(VISITORS)
    assert (bodies[0]["id"], "experiment" in bodies[0]) == (40, False)


async def test_new_arm_at_the_end_moves_nobody_between_old_arms(api: Api, load_shop: LoadShop) -> None:
    before = [(await served(api, visitor))["experiment"]["arm"] for visitor in VISITORS]

    await load_shop(
        SHOP_TEXT.replace("{bundleId: 41, weight: 50}]", "{bundleId: 41, weight: 50}, {bundleId: 10, weight: 50}]")
    )
    await api.refresh()

    after = [(await served(api, visitor))["experiment"]["arm"] for visitor in VISITORS]
    assert set(after) == {0, 1, 2}
    assert all(new in (old, 2) for old, new in zip(before, after, strict=True))


async def test_visitors_id_may_be_in_upper_case(api: Api) -> None:
    visitor = "7d444840-9dc0-11d1-b245-5ffdce74fad2"

    assert await served(api, visitor.upper()) == await served(api, visitor)


@pytest.mark.parametrize(
    "visitor",
    [
        pytest.param("", id="empty"),
        pytest.param("me", id="a word"),
        pytest.param("7d444840-9dc0-11d1-b245-5ffdce74fad", id="short"),
        pytest.param("7d444840-9dc0-11d1-b245-5ffdce74fad22", id="long"),
        pytest.param("7d444840-9dc0-11d1-b245-5ffdce74fadg", id="no hex"),
        pytest.param("0x444840-9dc0-11d1-b245-5ffdce74fad2", id="prefix of a number"),
        pytest.param("7d44_840-9dc0-11d1-b245-5ffdce74fad2", id="underscore"),
        pytest.param("%2Bd444840-9dc0-11d1-b245-5ffdce74fad2", id="sign"),
        pytest.param("%207d44484-9dc0-11d1-b245-5ffdce74fad2", id="space"),
        pytest.param("%D9%A17d44484-9dc0-11d1-b245-5ffdce74fad2", id="other digits"),
        pytest.param("7-d4448409dc011d1b2455ffdce74fad2", id="hyphens anywhere"),
    ],
)
@pytest.mark.parametrize("bundle", [40, 98])
async def test_visitor_id_must_be_a_uuid(shared_api: Api, visitor: str, bundle: int) -> None:
    """A visitor id that is not a UUID is refused, even before the bundle is looked up."""
    response = (await shared_api.get(f"{EMBED}/bundle?id={bundle}&visitor_id={visitor}")).held(400)

    assert (response.code, response.paths) == ("invalid_request", ["visitor_id"])


async def configure(api: Api, bundle: int, **more: object) -> Response:
    return await api.post(f"{EMBED}/bundle/{bundle}/product", {**configure_body("1001@2"), **more})


@pytest.mark.parametrize(("arm", "bundle", "other"), [(0, 40, 41), (1, 41, 40)])
async def test_arm_is_stored_with_a_configured_bundle(
    api: Api, database: Database, arm: int, bundle: int, other: int
) -> None:
    """The arm is stored with a configured bundle, except when the bundle belongs to another arm or to no experiment, or when the
    request contains no visitor id."""
    visitor = await visitor_of(api, arm)

    (await configure(api, bundle, visitorId=visitor)).held()
    (await configure(api, other, visitorId=visitor)).held()
    (await configure(api, 12, visitorId=visitor)).held()
    (await configure(api, bundle)).held()
    (await api.post(f"/bundles/{bundle}/configure", configure_body("1001@2", visitorId=visitor.upper()))).held()

    stored = await rows(database, configured_bundles)
    assert [(row["bundle_id"], row["experiment_id"], row["arm"]) for row in stored] == [
        (bundle, "split", arm),
        (other, None, None),
        (12, None, None),
        (bundle, None, None),
        (bundle, "split", arm),
    ]


async def test_visitor_kept_from_an_unpublished_arm_has_no_arm(api: Api, database: Database) -> None:
    routed = [visitor for visitor in VISITORS if "experiment" in await served(api, visitor, 50)]
    staying = next(visitor for visitor in VISITORS if visitor not in routed)

    (await configure(api, 50, visitorId=staying)).held()

    [row] = await rows(database, configured_bundles)
    assert (row["experiment_id"], row["arm"]) == (None, None)


async def test_without_the_feature_no_arm_is_stored(make_api: MakeApi, database: Database) -> None:
    api = await make_api(with_features("translations"))

    for visitor in VISITORS[:8]:
        (await configure(api, 40, visitorId=visitor)).held()

    assert {(row["experiment_id"], row["arm"]) for row in await rows(database, configured_bundles)} == {(None, None)}


@pytest.mark.parametrize("visitor", ["me", "", 7, "0x444840-9dc0-11d1-b245-5ffdce74fad2"])
async def test_visitor_must_be_a_uuid(shared_api: Api, visitor: object) -> None:
    response = (await configure(shared_api, 40, visitorId=visitor)).held(400)

    assert (response.code, response.paths) == ("invalid_request", ["visitorId"])
