"""An attacker configures one bundle, and looks up ghost variants with neighbouring ids in `POST /content`.

Ids are therefore not sequential; otherwise, the response would list the bundles that others have configured."""

from tests.api.conftest import Api
from tests.api.embed.conftest import EMBED
from tests.api.selection import Json, configure_body

CONTENT = f"{EMBED}/content"
FIRST_ID = 8 * 10**15


async def configured(api: Api, chosen: str) -> int:
    """Configure an item, and return the id of the ghost variant."""
    body = configure_body(chosen, type="multiple-products")
    return int((await api.post("/bundles/30/configure", body)).held().json["variant_id"])


async def walked(api: Api, ids: range) -> list[Json]:
    """Look up these ids, a hundred at a time, and return the bundles found."""
    found: list[Json] = []
    for start in range(ids.start, ids.stop, 100):
        entries = [{"variantId": each} for each in range(start, min(start + 100, ids.stop))]
        found += (await api.post(CONTENT, {"bundles": entries})).held().json["bundles"]
    return found


async def test_neighbouring_ids_list_no_bundles_of_others(api: Api) -> None:
    for count in range(2, 7):
        await configured(api, f"1002@1*{count}")
    mine = await configured(api, "1002@1")
    found = await walked(api, range(mine - 200, min(mine + 200, 2**53)))
    assert [each["variantId"] for each in found] == [str(mine)]


async def test_the_first_ids_list_nothing(api: Api) -> None:
    for count in range(1, 7):
        await configured(api, f"1002@1*{count}")
    assert await walked(api, range(FIRST_ID, FIRST_ID + 200)) == []
