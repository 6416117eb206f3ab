"""GET /bundle: what the component renders, by id or handle, in the visitor's language (docs/contract.md#embed)."""

from typing import Any

import pytest

from tests.api.conftest import BASE, Api, MakeApi, Response
from tests.api.embed.conftest import EMBED, SHOP_TEXT, with_features
from tests.api.selection import Json, details

BUNDLE = f"{EMBED}/bundle"
BESIDE = {
    "products",
    "productHandle",
    "productUrl",
    "bundleUrl",
    "templateCode",
    "locale",
    "settings",
}
GERMAN = {
    "name": "Alles",
    "description": "Shirts and mugs",
    "sections": [("Mugs", "Choose a mug"), ("Hemden", "Choose a shirt")],
    "tiers": ["Two", "Drei"],
    "message": "Das sind drei",
}
ENGLISH = {
    "name": "Everything",
    "description": "Shirts and mugs",
    "sections": [("Mugs", "Choose a mug"), ("Shirts", "Choose a shirt")],
    "tiers": ["Two", "Three"],
    "message": "That is three",
}


def words(body: Json) -> Json:
    """All translatable texts of bundle 10."""
    return {
        "name": body["name"],
        "description": body["description"],
        "sections": [(section["name"], section["description"]) for section in body["sections"]],
        "tiers": [tier["customText"] for tier in body["discount"]["tiers"]],
        "message": next(node["text"] for node in body["conditionsEngineNodes"] if node["id"] == "a1"),
    }


def prices(body: Json) -> list[Any]:
    """All amounts of money in the response."""
    told = ("price", "compareAtPrice", "presentmentPrice", "presentmentCurrency", "priceInShopCurrency")
    variants = [variant for product in body["products"] for variant in product["variants"]]
    return [*({name: variant.get(name) for name in told} for variant in variants), body["discount"]["value"]]


async def bundle(api: Api, query: str = "id=10", accept: str | None = None) -> Response:
    return await api.get(f"{BUNDLE}?{query}", None if accept is None else {"Accept-Language": accept})


async def test_whole_response(shared_api: Api) -> None:
    main = (await shared_api.get("/bundles/10")).held().json
    products = (await shared_api.get("/bundles/10/products")).held().json["products"]
    settings = (await shared_api.get(f"{EMBED}/settings")).held().json

    response = (await bundle(shared_api)).held()

    assert response.json == {
        **main,
        "products": products,
        "productHandle": "gift-box",
        "productUrl": f"{BASE}{EMBED}/bundle/10/product",
        "bundleUrl": f"{BASE}{EMBED}/bundle?id=10",
        "templateCode": "compact",
        "locale": "en",
        "settings": settings,
    }
    assert response.json.keys() - main.keys() == BESIDE
    assert [product["platformProductId"] for product in products] == ["200", "100", "300", "600"]


async def test_bare_bundle_has_no_product(shared_api: Api) -> None:
    body = (await bundle(shared_api, "id=20")).held().json

    assert (body["productHandle"], body["products"], body["sections"], body["discount"]) == ("", [], [], None)
    assert body["templateCode"] == "default"


async def test_urls_lead_back_to_the_bundle(api: Api) -> None:
    body = (await bundle(api)).held().json
    selection = {"type": "native", "products": [{"variant": "6001", "product": "600", "section": 0}] * 2}

    assert (await api.get(body["bundleUrl"].removeprefix(BASE))).held().json == body
    assert (await api.post(body["productUrl"].removeprefix(BASE), selection)).status == 200


@pytest.mark.parametrize(
    ("query", "served"),
    [
        pytest.param("productHandle=gift-box", 10, id="the lowest published id of the handle's product"),
        pytest.param("productHandle=set", 30, id="another handle"),
        pytest.param("id=12&productHandle=gift-box", 12, id="id wins"),
        pytest.param("productHandle=gift-box&id=30", 30, id="id wins over another product's handle"),
        pytest.param("id=10&productHandle=", 10, id="empty handle with an id"),
        pytest.param("id=10&unknown=1", 10, id="unknown parameters are ignored"),
    ],
)
async def test_found(shared_api: Api, query: str, served: int) -> None:
    assert (await bundle(shared_api, query)).held().json["id"] == served


@pytest.mark.parametrize(
    "query",
    [
        "id=98",
        "id=9",
        "id=9007199254740991",
        "id=98&productHandle=gift-box",
        "id=9&productHandle=gift-box",
        "productHandle=nothing",
        "productHandle=hidden",
        "productHandle=shirt",
        "productHandle=%00",
        "productHandle=%25",
    ],
)
async def test_not_found(shared_api: Api, query: str) -> None:
    response = (await bundle(shared_api, query)).held(404)

    assert (response.code, response.json["detail"]) == ("not_found", "Not found.")


async def test_handle_does_not_find_an_unpublished_bundle(api: Api, api_with_test_key: Api) -> None:
    """An unpublished bundle is not found by its handle, even with a test key."""
    for each in (api, api_with_test_key):
        assert (await bundle(each, "productHandle=hidden-box")).held().json["id"] == 41
        assert (await bundle(each, "productHandle=gift-box")).held().json["id"] == 10


async def test_handle_of_unpublished_bundles_only_is_not_found(make_api: MakeApi) -> None:
    text = SHOP_TEXT.replace('platformProductId: "920", parentVariantId: "9201", templateCode', "templateCode").replace(
        "{id: 41, name: Arm, type: native,", "{id: 41, name: Arm, type: single-product,"
    )
    api = await make_api(text)

    assert (await bundle(api, "productHandle=hidden-box")).status == 404


async def test_unpublished_bundles_are_for_test_keys(api: Api, api_with_test_key: Api) -> None:
    for _ in range(2):
        assert (await bundle(api, "id=9")).status == 404
        assert (await bundle(api_with_test_key, "id=9")).held().json["published"] is False


async def test_key_of_another_shop_does_not_see_the_bundle(other_api: Api) -> None:
    assert (await bundle(other_api, "id=12")).status == 404
    assert (await bundle(other_api, "id=10")).held().json["name"] == "Wall"
    assert (await bundle(other_api, "productHandle=gift-box")).status == 404


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("", ["id"]),
        ("productHandle=", ["id"]),
        ("lang=de", ["id"]),
        ("id=", ["id"]),
        ("id=0", ["id"]),
        ("id=010", ["id"]),
        ("id=10.0", ["id"]),
        ("id=%2B10", ["id"]),
        ("id=9007199254740992", ["id"]),
        ("id=0&productHandle=gift-box", ["id"]),
        ("id=10&countryCode=", ["countryCode"]),
        ("id=10&countryCode=UK", ["countryCode"]),
        ("id=10&ab_bypass=perhaps", ["ab_bypass"]),
        ("id=10&visitor_id=", ["visitor_id"]),
        ("id=10&visitor_id=me", ["visitor_id"]),
        ("id=10&forceTemplate=unknown", ["forceTemplate"]),
        ("id=10&forceTemplate=Compact", ["forceTemplate"]),
        ("id=98&forceTemplate=unknown", ["forceTemplate"]),
        ("id=x&visitor_id=me&ab_bypass=perhaps&countryCode=ZZ", ["ab_bypass", "countryCode", "id", "visitor_id"]),
        ("visitor_id=me&countryCode=ZZ", ["countryCode", "id", "visitor_id"]),
    ],
)
async def test_every_fault_is_named(shared_api: Api, query: str, paths: list[str]) -> None:
    response = (await bundle(shared_api, query)).held(400)

    assert response.code == "invalid_request"
    assert sorted(response.paths) == paths
    assert all(detail["code"] for detail in details(response))


async def test_unknown_template_is_named_with_the_other_faults(shared_api: Api) -> None:
    response = (await bundle(shared_api, "id=x&countryCode=ZZ&forceTemplate=unknown")).held(400)

    assert sorted(response.paths) == ["countryCode", "forceTemplate", "id"]


@pytest.mark.parametrize(("forced", "template"), [("", "compact"), ("&forceTemplate=default", "default")])
async def test_template(shared_api: Api, forced: str, template: str) -> None:
    assert (await bundle(shared_api, f"id=10{forced}")).held().json["templateCode"] == template
    assert (await bundle(shared_api, "id=10")).held().json["templateCode"] == "compact"


@pytest.mark.parametrize(
    ("lang", "locale", "told"),
    [
        pytest.param("de", "de", GERMAN, id="exact"),
        pytest.param("DE", "de", GERMAN, id="in any case"),
        pytest.param("de-AT", "de", GERMAN, id="its language"),
        pytest.param("de-CH", "de-CH", GERMAN, id="a product's, where the bundle has its language"),
        pytest.param("fr-CA", "fr-CA", {**ENGLISH, "name": "Tout"}, id="exact with region"),
        pytest.param("fr-ca", "fr-CA", {**ENGLISH, "name": "Tout"}, id="region in any case"),
        pytest.param("fr", "fr", ENGLISH, id="a product's, where the bundle has another region's"),
        pytest.param("fr-FR", "fr", ENGLISH, id="the language of a product's"),
        pytest.param("es-MX", "en", ENGLISH, id="neither tag nor language"),
        pytest.param("en-GB", "en", ENGLISH, id="the shop's own"),
        pytest.param("ja", "en", ENGLISH, id="unknown"),
        pytest.param("%0D%0AX-Evil%3A%201", "en", ENGLISH, id="nonsense"),
        pytest.param("", "en", ENGLISH, id="empty"),
    ],
)
async def test_language_follows_lang(shared_api: Api, lang: str, locale: str, told: Json) -> None:
    response = (await bundle(shared_api, f"id=10&lang={lang}")).held()

    assert words(response.json) == told
    assert (response.json["locale"], response.headers["Content-Language"]) == (locale, locale)


@pytest.mark.parametrize(
    ("accept", "locale"),
    [
        ("de", "de"),
        ("de-AT, en;q=0.9", "de"),
        ("it, fr, de", "fr"),
        ("en;q=0.5, de;q=0.8", "de"),
        ("en;q=0.8, de;q=0.5", "en"),
        ("ja, de;q=0.5, en;q=0.1", "de"),
        ("de;q=0, fr-CA;q=0.1", "fr-CA"),
        ("de;q=0", "en"),
        ("DE;Q=0.7 , en;q=0.6", "de"),
        ("en, de", "en"),
        ("*", "en"),
        ("ja", "en"),
        ("de;q=high", "en"),
        ("de;q=", "en"),
        (";;,,q=1", "en"),
        ("", "en"),
    ],
)
async def test_accept_language_when_lang_is_absent(shared_api: Api, accept: str, locale: str) -> None:
    response = (await bundle(shared_api, accept=accept)).held()

    assert (response.json["locale"], response.headers["Content-Language"]) == (locale, locale)
    assert (response.json["name"] == "Alles") == (locale == "de")


async def test_lang_wins_over_accept_language(shared_api: Api) -> None:
    assert (await bundle(shared_api, "id=10&lang=en", "de")).held().json["locale"] == "en"
    assert (await bundle(shared_api, "id=10&lang=ja", "de")).held().json["locale"] == "en"


async def test_vary_names_what_the_response_depends_on(shared_api: Api) -> None:
    varies = {name.strip().lower() for name in (await bundle(shared_api)).headers["Vary"].split(",")}

    assert varies == {"authorization", "origin", "accept-encoding", "accept-language"}


async def test_products_in_german(shared_api: Api) -> None:
    mug, shirt, scarf, card = (await bundle(shared_api, "id=10&lang=de")).held().json["products"]

    assert [shirt["title"], mug["title"], scarf["title"], card["title"]] == ["Hemd", "Mug", "Scarf", "Card"]
    assert shirt["descriptionHtml"] == "<p>Linen</p>"
    assert [(option["name"], option["values"]) for option in shirt["options"]] == [
        ("Größe", ["Klein", "M"]),
        ("Fit", ["Slim"]),
    ]
    assert shirt["options"][0]["swatches"].keys() == {"Klein"}
    assert [(variant["title"], variant["optionValues"]) for variant in shirt["variants"]] == [
        ("Klein / Slim", ["Klein", "Slim"]),
        ("The M", ["M", "Slim"]),
    ]
    assert scarf["variants"][0]["title"] == "Default Title"


@pytest.mark.parametrize("accept", [None, "ja, de-AT;q=0.9, en;q=0.8"])
async def test_products_are_translated_where_the_bundle_is_not(shared_api: Api, accept: str | None) -> None:
    query = "id=12" if accept else "id=12&lang=de-AT"
    response = (await bundle(shared_api, query, accept)).held()

    assert (response.json["locale"], response.headers["Content-Language"]) == ("de", "de")
    assert (response.json["name"], response.json["sections"][0]["name"]) == ("Later of the box", "Mugs")
    assert [product["title"] for product in response.json["products"]] == ["Mug", "Hemd", "Scarf"]


async def test_each_text_falls_back_for_itself(shared_api: Api) -> None:
    """Each text falls back to another language independently: the mug's title is in Swiss German, the texts of the bundle and the
    shirt are in German, and the scarf's title is in English."""
    body = (await bundle(shared_api, "id=10&lang=de-CH")).held().json

    assert (body["locale"], body["name"], body["description"]) == ("de-CH", "Alles", "Shirts and mugs")
    assert [product["title"] for product in body["products"]] == ["Chacheli", "Hemd", "Scarf", "Card"]


async def test_languages_do_not_mix(shared_api: Api) -> None:
    """Cached responses in different languages are not mixed up. Each language is requested twice, so that the second response
    comes from the cache."""
    asked = ["de", "en", "fr-CA", "ja", "de-CH"] * 2
    names = [(await bundle(shared_api, f"id=10&lang={lang}")).held().json["name"] for lang in asked]

    assert names == ["Alles", "Everything", "Tout", "Everything", "Alles"] * 2


async def test_prices_never_depend_on_the_language(shared_api: Api) -> None:
    for country in ("", "&countryCode=US"):
        told = [
            prices((await bundle(shared_api, f"id=10&lang={lang}{country}")).held().json) for lang in ("en", "de", "ja")
        ]
        assert told[1:] == told[:1] * 2


async def test_component_texts_follow_lang_where_the_bundle_has_no_translation(shared_api: Api) -> None:
    body = (await bundle(shared_api, "id=20&lang=de")).held().json

    assert (body["name"], body["locale"]) == ("Bare", "en")
    assert body["settings"] == (await shared_api.get(f"{EMBED}/settings?lang=de")).held().json
    assert body["settings"]["texts"]["addToCart"] == "In den Warenkorb"


async def test_without_the_feature_lang_is_ignored(make_api: MakeApi) -> None:
    api = await make_api(with_features("conditions"))
    own = (await bundle(api, "id=10")).held()

    for response in (await bundle(api, "id=10&lang=de"), await bundle(api, accept="de")):
        assert response.held().json == own.json
        assert response.headers["Content-Language"] == "en"
    assert own.json["settings"]["texts"]["addToCart"] == "Add to cart"


async def test_in_a_country(shared_api: Api) -> None:
    listed = (await shared_api.get("/bundles/10/products?countryCode=US")).held().json

    responses = [await bundle(shared_api, f"id=10&countryCode={country}") for country in ("US", "us")]

    assert [response.held().json["products"] for response in responses] == [listed["products"]] * 2
    mug = responses[0].json["products"][0]["variants"][0]
    # 8 * 1.05 * 1.10 = 9.24; 9.24 / 1.10 = 8.40
    assert (mug["presentmentPrice"], mug["presentmentCurrency"], mug["priceInShopCurrency"]) == ("9.24", "USD", "8.40")
    assert "presentmentPrice" not in (await bundle(shared_api)).json["products"][0]["variants"][0]


@pytest.mark.parametrize("path", [f"{BUNDLE}?id=10", f"{EMBED}/settings"])
async def test_unchanged_responses_are_304(shared_api: Api, path: str) -> None:
    plain = {"Accept-Encoding": "identity"}
    first = (await shared_api.get(path, plain)).held()
    tag = first.headers["ETag"]

    again = (await shared_api.get(path, {**plain, "If-None-Match": f'"other", W/{tag}'})).held(304)
    german = await shared_api.get(path, {**plain, "If-None-Match": tag, "Accept-Language": "de"})

    assert (again.body, again.headers["ETag"]) == (b"", tag)
    assert again.headers["Content-Language"] == "en"
    assert "accept-language" in again.headers["Vary"].lower()
    assert first.headers["Cache-Control"].startswith("private, max-age=")
    assert (german.held().headers["ETag"] != tag, german.headers["Content-Language"]) == (True, "de")


@pytest.mark.parametrize("path", [f"{BUNDLE}?id=10&lang=de", f"{EMBED}/settings"])
async def test_head_is_get_without_the_body(shared_api: Api, path: str) -> None:
    headed = (await shared_api.request("HEAD", path, headers={"Accept-Encoding": "identity"})).held()

    got = (await shared_api.get(path, {"Accept-Encoding": "identity"})).held()
    assert (headed.body, headed.headers["ETag"]) == (b"", got.headers["ETag"])
    assert headed.headers["Content-Language"] == got.headers["Content-Language"]


SUBSCRIBED = """
shop: {handle: demo, currency: EUR, locale: LOCALE, headlessEnabled: true, activeFeatures: [subscriptions, translations]}
products:
  - {id: '100', title: Tea, variants: [{id: '1001', price: '20.00'}]}
  - {id: '900', title: Box, variants: [{id: '9001', price: '0'}]}
bundles:
  - {id: 1, name: Tea, type: native, platformProductId: '900', parentVariantId: '9001',
     sections: [{id: 1, products: [{bundleItemId: 1, platformProductId: '100'}]}],
     subscription: {mode: optional, groups: [{id: 7, name: On time, options: [{frequency: 5, unit: week}]}]}}
"""


@pytest.mark.parametrize(
    ("own", "lang", "label"),
    [
        ("en", "de", "Alle 5 Wochen"),
        ("en", "pl-PL", "Co 5 tygodni"),
        ("en", "eo", "Every 5 weeks"),
        ("pl", "", "Co 5 tygodni"),
        ("pl", "fr", "Toutes les 5 semaines"),
        ("pl", "eo", "Co 5 tygodni"),
    ],
)
async def test_cadence_labels_follow_lang_and_else_the_shop(own: str, lang: str, label: str, make_api: MakeApi) -> None:
    """Cadence labels follow `lang`, or else the shop's language, even when the cache holds the bundle in another language."""
    api = await make_api(SUBSCRIBED.replace("LOCALE", own))
    for _ in range(2):
        (plan,) = (await bundle(api, f"id=1&lang={lang}")).held().json["sellingPlans"]
        assert plan["cadenceLabel"] == label
        (other,) = (await bundle(api, "id=1&lang=ja")).held().json["sellingPlans"]
        assert other["cadenceLabel"] == "5週間ごと"
    (plan,) = (await api.get("/bundles/1")).held().json["sellingPlans"]
    assert plan["cadenceLabel"] == {"en": "Every 5 weeks", "pl": "Co 5 tygodni"}[own]
