"""Products of a live platform in the visitor's language (docs/contract.md#languages)."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from tests.api.conftest import Api
from tests.api.embed.conftest import EMBED
from tests.api.live.conftest import Deliver
from tests.cli.live_shop import MUG, SHIRT, SHOP_FILE, platform_shop
from tests.conftest import LoadShop
from tests.standin.app.webhooks import Webhook, product_body
from tests.standin.data.shop import ProductText, Shop
from tests.standin.faults import server_error
from tests.standin.server import Standin

TIMEOUT = 10.0
TRANSLATED = SHOP_FILE.replace("[subscriptions]", "[translations]")


@pytest.fixture
def standin_shop() -> Shop:
    """A shop whose products have translations but whose bundle has none."""
    shop = platform_shop()
    shop.locales = ("en", "de", "fr")
    shirt = shop.products[SHIRT]
    shirt.translations = {"de": ProductText("Hemd", "<p>Leinen</p>"), "fr": ProductText("Chemise")}
    shirt.options[0].translations = {"de": "Größe"}
    return shop


@pytest.fixture
async def api(apis: list[Api], load_shop: LoadShop) -> Api:
    await load_shop(TRANSLATED)
    for api in apis:
        await api.refresh()
    return apis[0]


async def drawn(api: Api, lang: str = "") -> dict[str, Any]:
    body: dict[str, Any] = (await api.get(f"{EMBED}/bundle?id=42&lang={lang}")).held().json
    return body


async def titles(api: Api, lang: str = "") -> list[str]:
    return [product["title"] for product in (await drawn(api, lang))["products"]]


def calls(standin: Standin) -> Counter[str]:
    """Return the calls that the platform has received since this function was last called."""
    made = Counter(standin.calls)
    standin.calls.clear()
    return made


async def test_products_are_in_the_language_of_the_request(api: Api) -> None:
    """Products are in the request's language even where the bundle is not translated; a text without a translation is shown in
    the original language."""
    german = await drawn(api, "de")
    shirt, mug = german["products"]
    assert (german["locale"], german["name"]) == ("de", "Crate")
    assert (shirt["title"], shirt["descriptionHtml"], mug["title"]) == ("Hemd", "<p>Leinen</p>", "Product 2")
    assert shirt["options"][0]["name"] == "Größe"
    assert await titles(api, "fr") == ["Chemise", "Product 2"]
    assert await titles(api, "de-CH") == ["Hemd", "Product 2"]


async def test_language_that_the_shop_does_not_publish_is_its_own(api: Api, standin: Standin) -> None:
    standin.shop.unpublished_locales = frozenset({"fr"})
    for lang in ("fr", "ja"):
        body = await drawn(api, lang)
        assert (body["locale"], body["products"][0]["title"]) == ("en", "Product 1")
    assert calls(standin)["ProductTranslations"] == 0


async def test_own_language_needs_no_call(api: Api, standin: Standin) -> None:
    for lang in ("", "en", "en-GB"):
        assert await titles(api, lang) == ["Product 1", "Product 2"]
    assert calls(standin).keys().isdisjoint({"ShopLanguages", "ProductTranslations"})


async def test_each_language_takes_one_call_for_all_products(api: Api, standin: Standin) -> None:
    await titles(api)
    calls(standin)
    await asyncio.gather(*(titles(api, "de") for _ in range(10)))
    assert calls(standin) == {"ShopLanguages": 1, "ProductTranslations": 1}
    await titles(api, "fr")
    assert calls(standin) == {"ProductTranslations": 1}
    for lang in ("de", "fr", ""):
        await titles(api, lang)
    assert calls(standin) == {}


async def test_changed_product_drops_all_its_languages(
    api: Api, apis: list[Api], standin: Standin, deliver: Deliver
) -> None:
    for lang in ("de", "fr"):
        await titles(api, lang)
    shirt = standin.shop.products[SHIRT]
    shirt.translations = {"de": ProductText("Leinenhemd"), "fr": ProductText("Chemise en lin")}
    assert await deliver(apis[1], Webhook("products/update", product_body(shirt))) == 200
    async with asyncio.timeout(TIMEOUT):
        while (await titles(api, "de"))[0] != "Leinenhemd":  # noqa: ASYNC110 - the change shows only in responses
            await asyncio.sleep(0.01)
    assert (await titles(api, "fr"))[0] == "Chemise en lin"


@pytest.mark.parametrize("operation", ["ShopLanguages", "ProductTranslations"])
async def test_failed_translations_leave_the_original_texts(operation: str, api: Api, standin: Standin) -> None:
    standin.fail_next(server_error(), operation, times=None)
    response = (await api.get(f"{EMBED}/bundle?id=42&lang=de")).held()
    assert response.json["products"][0]["title"] == "Product 1"


@pytest.mark.parametrize("scope", ["read_locales", "read_translations"])
async def test_missing_scope_leaves_the_original_texts(scope: str, api: Api, standin: Standin) -> None:
    standin.missing_scopes.add(scope)
    assert await titles(api, "de") == ["Product 1", "Product 2"]


async def test_without_the_feature_nothing_is_fetched(apis: list[Api], standin: Standin) -> None:
    body = await drawn(apis[0], "de")
    assert (body["locale"], body["products"][0]["title"]) == ("en", "Product 1")
    assert calls(standin).keys().isdisjoint({"ShopLanguages", "ProductTranslations"})


async def test_deleted_product_has_no_texts(api: Api, standin: Standin) -> None:
    del standin.shop.products[MUG]
    assert await titles(api, "de") == ["Hemd"]
