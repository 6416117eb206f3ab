"""The published languages of a shop, and the translations of its product data."""

import pytest

from bundlesvc.domain.product import OptionTranslation, ProductTranslation
from bundlesvc.platforms.shopify.platform import ShopifyPlatform
from tests.platforms.shopify.fakes import TENANT
from tests.standin.data import generated
from tests.standin.data.shop import Option, OptionValue, Product, ProductText, Shop, Variant
from tests.standin.server import Standin

SHIRT, MUG = 1, 2


@pytest.fixture
def standin_shop() -> Shop:
    shop = Shop(locales=("en", "de", "pt-BR", "fr"), unpublished_locales=frozenset({"fr"}))
    small = OptionValue(11, "Small", translations={"de": "Klein"})
    size = Option(1, "Size", [small, OptionValue(12, "L")], {"de": "Größe"})
    colour = Option(2, "Colour", [OptionValue(21, "Red", translations={"pt-BR": "Vermelho"})])
    shirt = Product(
        SHIRT,
        "Shirt",
        "shirt",
        [size, colour],
        generated.product(SHIRT).variants,
        translations={"de": ProductText("Hemd", "<p>Leinen</p>"), "pt-BR": ProductText("Camisa")},
    )
    shirt.variants = [Variant(10001, ["Small", "Red"], generated.product(SHIRT).variants[0].price)]
    shop.add(shirt, generated.product(MUG))
    return shop


async def test_published_languages_besides_the_shops_own(platform: ShopifyPlatform, standin: Standin) -> None:
    assert await platform.languages(TENANT) == ("de", "pt-BR")
    assert standin.calls == {"ShopLanguages": 1}


async def test_texts_of_products_in_a_language(platform: ShopifyPlatform, standin: Standin) -> None:
    """Texts without a translation are left out, and so are products that do not exist."""
    found = await platform.translations(TENANT, [SHIRT, MUG, 77, SHIRT], "de")
    options = {"Size": OptionTranslation("Größe", {"Small": "Klein"})}
    assert found == {SHIRT: ProductTranslation("Hemd", "<p>Leinen</p>", options), MUG: ProductTranslation()}
    assert standin.calls == {"ProductTranslations": 1}


async def test_texts_in_a_language_of_a_region(platform: ShopifyPlatform) -> None:
    found = await platform.translations(TENANT, [SHIRT], "pt-BR")
    assert found[SHIRT].title == "Camisa"
    assert found[SHIRT].options == {"Colour": OptionTranslation("", {"Red": "Vermelho"})}


async def test_one_call_for_each_250_products(platform: ShopifyPlatform, standin: Standin) -> None:
    standin.shop.add(*(generated.product(number) for number in range(1000, 1300)))
    assert len(await platform.translations(TENANT, range(1000, 1300), "de")) == 300
    assert standin.calls == {"ProductTranslations": 2}


async def test_cost_is_small(platform: ShopifyPlatform, standin: Standin) -> None:
    before = standin.bucket().available
    await platform.translations(TENANT, [SHIRT], "de")
    assert before - standin.bucket().available < 10


@pytest.mark.parametrize("scope", ["read_translations", "read_locales"])
async def test_without_the_scope_products_are_not_translated(
    scope: str, platform: ShopifyPlatform, standin: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    standin.missing_scopes.add(scope)
    languages = await platform.languages(TENANT)
    found = await platform.translations(TENANT, [SHIRT], "de")
    assert (languages, found) == {
        "read_locales": ((), {SHIRT: await german(platform, standin)}),
        "read_translations": (("de", "pt-BR"), {SHIRT: ProductTranslation()}),
    }[scope]


async def german(platform: ShopifyPlatform, standin: Standin) -> ProductTranslation:
    missing, standin.missing_scopes = standin.missing_scopes, set()
    found = await platform.translations(TENANT, [SHIRT], "de")
    standin.missing_scopes = missing
    return found[SHIRT]
