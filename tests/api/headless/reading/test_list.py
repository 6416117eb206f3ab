"""The list of bundles (docs/contract.md#resources)."""

from tests.api.conftest import Api, MakeApi
from tests.api.headless.reading.expected_bundles import EVERYTHING


async def test_list_has_the_published_bundles(api: Api) -> None:
    response = (await api.get("/bundles")).held()

    assert response.headers["Content-Type"].startswith("application/json")
    assert response.json[0] == EVERYTHING
    assert [bundle["id"] for bundle in response.json] == [
        10,
        *range(20, 28),
        30,
        31,
        40,
        41,
        50,
        51,
        60,
        61,
        62,
        71,
        80,
    ]
    assert response.json[-2] == {
        "id": 71,
        "name": "Legacy",
        "description": "",
        "imageUrl": "",
        "type": "single-product",
        "bundlingOption": "upsells",
        "published": True,
    }


async def test_test_key_lists_what_a_live_key_lists(api: Api, api_with_test_key: Api) -> None:
    assert (await api_with_test_key.get("/bundles")).json == (await api.get("/bundles")).json


async def test_list_has_the_bundles_of_the_keys_shop(other_api: Api) -> None:
    listed = (await other_api.get("/bundles")).held().json

    assert [(bundle["id"], bundle["name"]) for bundle in listed] == [
        (10, "Wall"),
        (30, "Gallery"),
        (70, "Published here"),
        (99, "Only here"),
    ]


SHOP_LINE = "shop: {handle: demo, currency: EUR, headlessEnabled: true}\n"


def many_bundles(*ids: int, unpublished: tuple[int, ...] = ()) -> str:
    lines = [
        f"  - {{id: {id_}, name: Bundle {id_}, type: native, published: {str(id_ not in unpublished).lower()}}}"
        for id_ in ids
    ]
    return "\n".join([f"{SHOP_LINE}bundles:", *lines])


async def test_list_has_up_to_a_hundred_bundles_by_id(make_api: MakeApi) -> None:
    api = await make_api(many_bundles(*range(130, 0, -1), unpublished=(2, 3, 50)))

    listed = (await api.get("/bundles")).held().json

    assert [bundle["id"] for bundle in listed] == [id_ for id_ in range(1, 104) if id_ not in (2, 3, 50)]
    assert len(listed) == 100


async def test_shop_without_bundles_has_an_empty_list(make_api: MakeApi) -> None:
    api = await make_api(SHOP_LINE)

    assert (await api.get("/bundles")).held().body == b"[]"
