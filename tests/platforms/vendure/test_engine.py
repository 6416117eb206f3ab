"""The adapter with the real engine: which data each key can read, and in which channels."""

from collections.abc import AsyncIterator
from dataclasses import replace
from decimal import Decimal

import pytest

from bundlesvc.domain.errors import PlatformFailed, PlatformNotConnected, PlatformUnavailable
from bundlesvc.domain.live_platform.connection import PlatformConnection
from bundlesvc.domain.product_search import CursorUnknown
from bundlesvc.domain.shop import PlatformLink, PlatformMarket, Shop, Tenant
from bundlesvc.platforms.calls.retries import RetryPolicy
from bundlesvc.platforms.calls.statistics import CallStatistics
from bundlesvc.platforms.vendure.inspection import VendureInspection
from bundlesvc.platforms.vendure.platform import VendurePlatform
from bundlesvc.platforms.vendure.product_search import VendureProductSearch
from bundlesvc.platforms.vendure.transport import HttpTransport, endpoint_at
from bundlesvc.system import SystemClock
from tests.platforms.shopify.fakes import FakeConnections
from tests.servers.free_port import free_port
from tests.vendure.admin import Admin
from tests.vendure.fixtures import SeededEngine
from tests.vendure.seeding import add_administrator

pytestmark = pytest.mark.process

LINK = PlatformLink("vendure", "shop.example")
_LANGUAGES = """mutation ($languages: [LanguageCode!]!) {
  updateGlobalSettings(input: {availableLanguages: $languages}) { __typename }
}"""
_CHANNELS = "{ channels { items { id code } } }"
_CHANNEL_LANGUAGES = """mutation ($id: ID!, $languages: [LanguageCode!]!) {
  updateChannel(input: {id: $id, availableLanguageCodes: $languages}) { ... on Channel { id } }
}"""
_TRANSLATE = "mutation ($input: UpdateProductInput!) { updateProduct(input: $input) { id } }"
TENANT = Tenant(1, 1, Shop("demo", "Demo", "", "en", True, (), LINK, (), None))


@pytest.fixture
async def transport(engine: SeededEngine) -> AsyncIterator[HttpTransport]:
    transport = HttpTransport(endpoint_at(engine.address))
    async with transport.opened():
        yield transport


def platform_with(transport: HttpTransport, token: str) -> VendurePlatform:
    connections = FakeConnections(PlatformConnection("shop.example", token))
    return VendurePlatform(transport, connections, RetryPolicy(SystemClock()), 10, CallStatistics())


def linked(**changes: object) -> Tenant:
    return replace(TENANT, shop=replace(TENANT.shop, platform=replace(LINK, **changes)))  # type: ignore[arg-type]


async def test_api_key_reads_the_channel_that_it_was_made_in(engine: SeededEngine, transport: HttpTransport) -> None:
    """An API key reads only the channel in which it was created, because the engine looks up a key within the channel of the
    request. A session can read other channels, too."""
    platform = platform_with(transport, engine.api_key)
    assert set((await platform.products(TENANT, [111, 222])).value) == {111, 222}
    with pytest.raises(PlatformNotConnected):
        await platform.shop(linked(channel="us"))


async def test_session_reads_every_channel(engine: SeededEngine, transport: HttpTransport) -> None:
    platform = platform_with(transport, engine.session)
    assert (await platform.shop(linked(channel="us"))).currency == "USD"
    assert (await platform.shop(TENANT)).currency == "EUR"


@pytest.mark.parametrize("token", ["no:key", "0" * 64, "nonsense"])
async def test_wrong_key_is_refused(transport: HttpTransport, token: str) -> None:
    with pytest.raises(PlatformNotConnected):
        await platform_with(transport, token).products(TENANT, [111])


async def test_unknown_channel_is_refused(engine: SeededEngine, transport: HttpTransport) -> None:
    with pytest.raises(PlatformFailed):
        await platform_with(transport, engine.session).products(linked(channel="nowhere"), [111])


async def test_texts_in_the_languages_of_a_channel(engine: SeededEngine, transport: HttpTransport) -> None:
    german = {"languageCode": "de", "name": "Hemd", "slug": "hemd", "description": "<p>Leinen</p>"}
    engine.admin.run(_LANGUAGES, languages=["en", "de"])
    (channel,) = [one for one in engine.admin.run(_CHANNELS)["channels"]["items"] if one["code"] == "us"]
    engine.admin.run(_CHANNEL_LANGUAGES, id=channel["id"], languages=["en", "de"])
    engine.admin.run(_TRANSLATE, input={"id": "111", "translations": [german]})
    platform, tenant = platform_with(transport, engine.session), linked(channel="us")
    assert await platform.languages(tenant) == ("de",)
    assert await platform.languages(TENANT) == ()
    found = await platform.translations(tenant, [111], "de")
    assert (found[111].title, found[111].description_html) == ("Hemd", "<p>Leinen</p>")
    assert (await platform.products(tenant, [111])).value[111].title == "Shirt"


async def test_ids_that_no_product_can_have(engine: SeededEngine, transport: HttpTransport) -> None:
    """Ids and handles that no product can have are not found, although the engine itself fails when it compares such ids."""
    platform = platform_with(transport, engine.session)
    assert set((await platform.products(TENANT, [111, 2**31, 10**15])).value) == {111}
    assert await platform.variant(TENANT, 2**31) is None
    assert await platform.handle_of(TENANT, 10**15) is None
    assert await platform.translations(TENANT, [10**15], "en") == {}
    assert await platform.product_by_handle(TENANT, "\0") is None
    assert await platform.product_by_handle(TENANT, "'\"%_\\\\é") is None


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", [900, 222, 333, 111]),
        ("MUG", [222, 333]),
        ("old mug", [333]),
        ("SH-S", [111]),
        ("gift-b", [900]),
        ("222", [222]),
        (str(10**15), []),
        ("\0mug", [222, 333]),
        ("'\"\\{", []),
    ],
)
async def test_products_are_found_by_their_words(
    engine: SeededEngine, transport: HttpTransport, text: str, ids: list[int]
) -> None:
    search = VendureProductSearch(platform_with(transport, engine.session))
    assert await search.find(TENANT, text, 10, None) == (tuple(ids), None)


async def test_result_of_a_search_comes_in_parts(engine: SeededEngine, transport: HttpTransport) -> None:
    search = VendureProductSearch(platform_with(transport, engine.session))
    first = await search.find(TENANT, "", 3, None)
    rest = await search.find(TENANT, "", 3, first.next)
    assert ((*first.ids, *rest.ids), rest.next) == ((900, 222, 333, 111), None)
    assert await search.find(TENANT, "", 3, "1000") == ((), None)
    for cursor in ("-1", "one", str(2**31)):
        with pytest.raises(CursorUnknown):
            await search.find(TENANT, "", 3, cursor)


async def test_key_without_the_permission(engine: SeededEngine, transport: HttpTransport) -> None:
    """A key without the ReadCatalog permission can read settings but no products. An inspection reports the missing
    permission."""
    add_administrator(engine.admin, "orders@shop.example", "ReadOrder")
    token = Admin(engine.address, "orders@shop.example", "orders@shop.example").token
    access = await VendureInspection(platform_with(transport, token)).access(TENANT, ())
    assert [fault.sentence for fault in access.faults] == [
        "the key lacks the permission ReadCatalog in the default channel."
    ]


async def test_engine_without_the_plugin(engine: SeededEngine, transport: HttpTransport) -> None:
    (fault,) = (await VendureInspection(platform_with(transport, engine.api_key)).checkout(TENANT, [])).faults
    assert "the plugin @bundlesvc/vendure-plugin is missing" in fault.sentence


async def test_product_that_is_not_sold_in_a_channel_has_no_price_there(
    engine: SeededEngine, transport: HttpTransport
) -> None:
    platform = platform_with(transport, engine.session)
    market = PlatformMarket("US", "USD", Decimal("1.10"), "us")
    (mug,) = (await platform.products(TENANT, [222])).value[222].variants
    found = (await platform.market_prices(linked(markets=(market,)), [mug], "US")).value[mug.id]
    assert (found.available_for_sale, found.presentment_price) == (False, Decimal("8.80"))


async def test_engine_that_is_away_is_unavailable() -> None:
    transport = HttpTransport(endpoint_at(f"http://127.0.0.1:{free_port()}"))
    async with transport.opened():
        with pytest.raises(PlatformUnavailable):
            await platform_with(transport, "key:secret").shop(TENANT)
