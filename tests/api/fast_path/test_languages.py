"""Different spellings of `Accept-Language` share serialised responses, which are identical to the application's responses."""

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bundlesvc.api.fast_path.path_languages import IDLE_PERIODS, MAX_HEADER, PathLanguages
from bundlesvc.api.fast_path.pipeline import FAST_PATH
from bundlesvc.domain.shop import PlatformLink, Shop, Tenant
from bundlesvc.settings.environment import Settings
from tests.api.conftest import SHOP_TEXT, Api, Serve
from tests.api.embed.conftest import EMBED
from tests.api.embed.conftest import SHOP_TEXT as EMBED_SHOP
from tests.api.live.conftest import connect, connections, live_settings, quick_retries, standin
from tests.api.loaded import RATE_LIMIT
from tests.cli.live_shop import SHIRT, SHOP_FILE, platform_shop
from tests.conftest import LoadShop, MakeKey
from tests.standin.data.shop import ProductText
from tests.standin.data.shop import Shop as StandinShop

__all__ = ["connect", "connections", "live_settings", "quick_retries", "standin"]

SPELLINGS = 300
TAGS = (
    "de",
    "DE",
    "de-CH",
    "de-at",
    "en",
    "en-GB",
    "EN-us",
    "fr",
    "fr-CA",
    "fr-ca",
    "pl",
    "ja",
    "x-9",
    "*",
    "",
    "-",
    "ä",
)
WEIGHTS = ("", "", ";q=0.9", ";q=0.5", "; Q=0.5", ";q=0", ";q=1.000", ";q=high", ";level=1;q=0.3")
VISITOR = "7d444840-9dc0-11d1-b245-5ffdce74fad2"
SUBSCRIBED = 50

Pair = tuple[Api, Api]
MakePair = Callable[..., Awaitable[Pair]]


@pytest.fixture
def standin_shop() -> StandinShop:
    """A shop whose products are translated into more languages than its bundle; one of these languages is a regional form of the
    shop's own language."""
    shop = platform_shop()
    shop.locales = ("en", "de", "en-GB", "fr")
    shop.products[SHIRT].translations = {"de": ProductText("Hemd"), "en-GB": ProductText("Shirt, old chap")}
    return shop


@pytest.fixture
def make_pair(serve: Serve, settings: Settings, make_key: MakeKey) -> MakePair:
    """Return a function that starts two processes on one database, one with the fast path and one without."""

    async def make(settings: Settings = settings, shop: str = "demo") -> Pair:
        key = await make_key(shop, rate_limit=RATE_LIMIT)
        edge, plain = [Api(await serve(settings=replace(settings, edge=edge)), key) for edge in (True, False)]
        for api in (edge, plain):
            await api.refresh()
        return edge, plain

    return make


def spelling(dice: random.Random) -> str:
    return dice.choice((",", ", ", " ,")).join(
        dice.choice(TAGS) + dice.choice(WEIGHTS) for _ in range(dice.randrange(5))
    )


async def check(pair: Pair, paths: list[str], seed: int) -> None:
    """Check that both processes send the same responses to random spellings of `Accept-Language`."""
    edge, plain = pair
    dice = random.Random(seed)
    for _ in range(SPELLINGS):
        path, headers = dice.choice(paths), {"Accept-Language": spelling(dice).encode().decode("latin-1")}
        found, expected = [await api.get(path, headers) for api in (edge, plain)]
        for name in ("Content-Language", "ETag", "Vary"):
            assert found.headers.get(name) == expected.headers.get(name), (path, headers)
        assert (found.status, found.body) == (expected.status, expected.body), (path, headers)
    assert edge.client.app[FAST_PATH]._gets._hits > SPELLINGS / 3


@pytest.mark.parametrize("seed", range(3))
async def test_bundles_and_products_in_different_languages(seed: int, load_shop: LoadShop, make_pair: MakePair) -> None:
    await load_shop(EMBED_SHOP)
    paths = [f"{EMBED}/bundle?id={number}" for number in (10, 12, 20, 41)]
    paths += [f"{EMBED}/bundle?id=40&visitor_id={VISITOR}", f"{EMBED}/bundle?id=10&lang=fr-CA", f"{EMBED}/settings"]
    await check(await make_pair(), paths, seed)


async def test_cadences_follow_the_visitor_where_the_bundle_does_not(make_pair: MakePair) -> None:
    assert f"id: {SUBSCRIBED}" in SHOP_TEXT
    await check(await make_pair(), [f"{EMBED}/bundle?id={SUBSCRIBED}", f"{EMBED}/bundle?id=10"], 7)


async def test_languages_of_a_live_platform(live_settings: Settings, load_shop: LoadShop, make_pair: MakePair) -> None:
    await load_shop(SHOP_FILE.replace("[subscriptions]", "[translations]"))
    await check(await make_pair(live_settings, "live"), [f"{EMBED}/bundle?id=42"], 11)


async def test_first_language_decides_whether_a_live_platform_is_read(
    live_settings: Settings, load_shop: LoadShop, make_pair: MakePair
) -> None:
    """`ja, en-GB` and `en-GB` get different responses, although the shop has no Japanese texts."""
    await load_shop(SHOP_FILE.replace("[subscriptions]", "[translations]"))
    edge, _ = await make_pair(live_settings, "live")
    for _ in range(3):
        for accept, locale in (("ja, en-GB", "en-GB"), ("en-GB", "en")):
            response = (await edge.get(f"{EMBED}/bundle?id=42", {"Accept-Language": accept})).held()
            assert response.headers["Content-Language"] == locale


async def test_a_changed_shop_offers_other_languages(load_shop: LoadShop, make_pair: MakePair) -> None:
    await load_shop(EMBED_SHOP)
    edge, _ = await make_pair()
    path, accept = f"{EMBED}/bundle?id=12", {"Accept-Language": "it"}
    for _ in range(3):
        assert (await edge.get(path, accept)).held().headers["Content-Language"] == "en"
    for own, translation, expected in (
        ("id: 12, name: Later of the box", "{name: Dopo}", ["Dopo", "Scarf"]),
        ('id: "300", title: Scarf', "{title: Sciarpa}", ["Later of the box", "Sciarpa"]),
    ):
        await load_shop(EMBED_SHOP.replace(own, f"{own}, translations: {{it: {translation}}}"))
        await edge.refresh()
        for _ in range(3):
            response = (await edge.get(path, accept)).held()
            assert response.headers["Content-Language"] == "it"
            assert [response.json["name"], response.json["products"][2]["title"]] == expected


async def test_thousands_of_spellings_share_a_few_ready_responses(load_shop: LoadShop, make_pair: MakePair) -> None:
    await load_shop(EMBED_SHOP)
    edge, _ = await make_pair()
    answers = edge.client.app[FAST_PATH]._gets
    dice = random.Random(1)
    for number in range(2000):
        accept = f"x-{number};q=0.{number:03},{dice.choice(('de', 'DE', 'de-CH'))},y-{dice.random()};q=0.2"
        await edge.get(f"{EMBED}/bundle?id=10", {"Accept-Language": accept})
    assert len(answers._table) == len(("de", "de-CH"))
    assert len(answers._path_languages._paths) <= 2
    assert answers._hits >= 1990


OWN = Tenant(1, 1, Shop("demo", "Demo", "", "en", True, ("translations",), PlatformLink(), (), None))


def test_offers_are_those_of_one_revision() -> None:
    known = PathLanguages()
    known.learn("/path", OWN, "de", (("de",),))
    assert known.choices("/path", replace(OWN, revision=2), "de") is None
    known.learn("/path", replace(OWN, revision=2), "de", (("fr",),))
    assert known.choices("/path", replace(OWN, revision=2), "de, fr") == ("fr",)


def test_long_headers_and_long_paths_are_not_remembered() -> None:
    known = PathLanguages()
    known.learn("/path", OWN, "de," + "x" * MAX_HEADER, (("de",),))
    known.learn("/" + "x" * 2000, OWN, "de", (("de",),))
    assert known.size == 0
    known.learn("/path", OWN, "de", (("de",),))
    assert known.choices("/path", OWN, "fr, de;q=0.5") == ("de",)
    assert known.choices("/path", OWN, "de," + "x" * MAX_HEADER) is None


def test_languages_to_choose_from_count_as_memory() -> None:
    few, many = PathLanguages(), PathLanguages()
    few.learn("/path", OWN, "de", (("de",),))
    many.learn("/path", OWN, "de", (tuple(f"x-{number}" for number in range(1000)),))
    assert many.size - few.size == 999 * 8


def test_offers_of_paths_that_nobody_requests_leave() -> None:
    known = PathLanguages()
    for path in ("/used", "/left"):
        known.learn(path, OWN, "de", (("de",),))
    for _ in range(IDLE_PERIODS + 1):
        assert known.choices("/used", OWN, "de") == ("de",)
        known.expire()
    assert known.choices("/left", OWN, "de") is None
    assert known.choices("/used", OWN, "de") == ("de",)


def test_a_flood_of_paths_is_bounded_and_leaves_the_offers_of_paths_in_use() -> None:
    known = PathLanguages(64 * 1024)
    known.learn("/used", OWN, "de", (("de",),))
    for number in range(5000):
        known.learn(f"/{number}", OWN, "de", (("de",),))
        assert known.choices("/used", OWN, "de") == ("de",)
    assert known.size <= 64 * 1024
