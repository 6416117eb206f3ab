"""GET /settings of the embed API (docs/contract.md#embed)."""

import pytest

from tests.api.conftest import Api, MakeApi
from tests.api.embed.conftest import EMBED, SHOP_TEXT, with_features

SETTINGS = f"{EMBED}/settings"


async def test_settings(api: Api) -> None:
    main = (await api.get("/settings")).held().json

    response = (await api.get(SETTINGS)).held()

    texts = response.json["texts"]
    assert response.json == {
        **main,
        "locale": "en",
        "shop": {"name": "Demo Shop", "domain": "demo.example"},
        "templates": ["default", "compact"],
        "texts": texts,
        "stockReminders": True,
        "imageWidths": None,
    }
    assert texts["addToCart"] == "Add to cart"
    assert response.headers["Content-Language"] == "en"
    varies = {name.strip().lower() for name in response.headers["Vary"].split(",")}
    assert varies == {"authorization", "origin", "accept-encoding", "accept-language"}


async def test_every_language_has_the_same_texts(api: Api) -> None:
    texts = {lang: (await api.get(f"{SETTINGS}?lang={lang}")).held().json["texts"] for lang in ("en", "de", "fr", "ja")}

    assert {frozenset(words) for words in texts.values()} == {frozenset(texts["en"])}
    assert all(text and isinstance(text, str) for words in texts.values() for text in words.values())
    assert texts["fr"] == texts["ja"] == texts["en"]
    same = [key for key in texts["en"] if texts["en"][key] == texts["de"][key]]
    assert all("{" in key or "{" in texts["en"][key] for key in same), same


async def test_placeholders_are_the_same_in_every_language(api: Api) -> None:
    """The placeholders in a text are the same in every language, so that no translation loses a number or a name."""

    def places(text: str) -> list[str]:
        return sorted(piece.partition("}")[0] for piece in text.split("{")[1:])

    english, german = [(await api.get(f"{SETTINGS}?lang={lang}")).json["texts"] for lang in ("en", "de")]

    assert {key: places(text) for key, text in german.items()} == {key: places(text) for key, text in english.items()}


@pytest.mark.parametrize(
    ("query", "accept", "locale"),
    [
        ("?lang=de", None, "de"),
        ("?lang=de-CH", None, "de"),
        ("?lang=DE", None, "de"),
        ("?lang=en-GB", None, "en"),
        ("?lang=fr", None, "en"),
        ("?lang=fr", "de", "en"),
        ("?lang=en", "de", "en"),
        ("", "de", "de"),
        ("", "fr;q=0.9, de;q=0.8, en;q=0.1", "de"),
        ("", "en;q=0.2, de;q=0.1", "en"),
        ("", None, "en"),
    ],
)
async def test_language(shared_api: Api, query: str, accept: str | None, locale: str) -> None:
    response = (await shared_api.get(SETTINGS + query, None if accept is None else {"Accept-Language": accept})).held()

    assert (response.json["locale"], response.headers["Content-Language"]) == (locale, locale)
    assert response.json["texts"]["choose"] == {"de": "Wählen", "en": "Choose"}[locale]


@pytest.mark.parametrize(
    ("own", "query", "word"),
    [
        ("de", "", "Wählen"),
        ("de-AT", "", "Wählen"),
        ("de", "?lang=en", "Choose"),
        ("de", "?lang=ja", "Wählen"),
        ("ja", "", "Choose"),
    ],
)
async def test_shops_own_language(make_api: MakeApi, own: str, query: str, word: str) -> None:
    api = await make_api(SHOP_TEXT.replace("locale: en", f"locale: {own}"))

    assert (await api.get(SETTINGS + query)).held().json["texts"]["choose"] == word


async def test_features_that_are_off(make_api: MakeApi) -> None:
    api = await make_api(with_features("conditions"))

    response = (await api.get(f"{SETTINGS}?lang=de")).held()

    assert response.json["stockReminders"] is False
    assert response.json["activeFeatures"] == ["conditions"]
    assert (response.json["locale"], response.json["texts"]["choose"]) == ("en", "Choose")


async def test_another_shops_settings(api: Api, other_api: Api) -> None:
    body = (await other_api.get(SETTINGS)).held().json

    assert (body["shop"], body["templates"]) == ({"name": "Other Shop", "domain": "other.example"}, ["default"])
    assert (body["stockReminders"], body["currency"], body["locale"]) == (False, "JPY", "ja")
