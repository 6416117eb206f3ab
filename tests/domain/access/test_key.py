"""API keys: their form, what is stored, and what they allow (docs/contract.md#shops-and-keys)."""

import pytest

from bundlesvc.domain.access.key import DEFAULT_RATE_LIMIT, PREFIX_LENGTH, SCOPES, ApiKey, digest, is_key, new_key

SECRET = "aZ09_-" + "x" * 37


def key(*origins: str) -> ApiKey:
    return ApiKey(1, 1, "", "bnd_live_aZ09_-x", "Storefront", False, SCOPES, origins, DEFAULT_RATE_LIMIT, True, 0)


def test_defaults_of_keys() -> None:
    assert set(SCOPES) == {"headless", "embed"}
    assert (DEFAULT_RATE_LIMIT, PREFIX_LENGTH) == (100, 16)


@pytest.mark.parametrize(("test", "start"), [(False, "bnd_live_"), (True, "bnd_test_")], ids=["live", "test"])
def test_new_key_has_the_documented_form(test: bool, start: str) -> None:
    made = new_key(SECRET, test=test)

    assert made == start + SECRET
    assert is_key(made)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("bnd_live_" + "a" * 42, id="too short"),
        pytest.param("bnd_live_" + "a" * 44, id="too long"),
        pytest.param("bnd_live_" + "a" * 42 + "=", id="not URL-safe"),
        pytest.param("bnd_live_" + "a" * 42 + "+", id="not URL-safe either"),
        pytest.param("bnd_live_" + "a" * 42 + "é", id="not ASCII"),
        pytest.param("bnd_live_" + "a" * 43 + "\n", id="line end"),
        pytest.param(" bnd_live_" + "a" * 43, id="space before"),
        pytest.param("bnd_demo_" + "a" * 43, id="neither live nor test"),
        pytest.param("BND_LIVE_" + "a" * 43, id="upper case"),
        pytest.param("a" * 43, id="no prefix"),
        pytest.param("bnd_live_", id="prefix alone"),
        pytest.param("", id="empty"),
    ],
)
def test_other_text_is_not_a_key(text: str) -> None:
    assert not is_key(text)


def test_a_key_is_stored_as_its_sha_256() -> None:
    assert digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.parametrize(
    ("listed", "origin", "allowed"),
    [
        pytest.param((), "https://any.example", True, id="an empty list allows all"),
        pytest.param(("https://shop.example",), "https://shop.example", True, id="exact"),
        pytest.param(
            ("https://a.example", "https://shop.example"), "https://shop.example", True, id="second in the list"
        ),
        pytest.param(("https://shop.example",), "https://shop.example/", True, id="trailing slash of the request"),
        pytest.param(("https://shop.example/",), "https://shop.example", True, id="trailing slash in the list"),
        pytest.param(("https://shop.example/",), "https://shop.example/", True, id="trailing slash in both"),
        pytest.param(("https://shop.example",), "http://shop.example", False, id="another scheme"),
        pytest.param(("https://shop.example",), "https://shop.example:8443", False, id="another port"),
        pytest.param(("https://shop.example",), "https://www.shop.example", False, id="a subdomain"),
        pytest.param(("https://shop.example",), "https://shop.example.evil.example", False, id="a longer name"),
        pytest.param(("https://shop.example",), "https://SHOP.example", False, id="another case"),
        pytest.param(("https://shop.example",), "https://shop.example/page", False, id="a path"),
        pytest.param(("https://shop.example",), "null", False, id="an opaque origin"),
        pytest.param(("https://shop.example",), "", False, id="an empty origin"),
        pytest.param(("https://*.example.app",), "https://pr-7.example.app", True, id="a wildcard"),
        pytest.param(("https://*.example.app",), "https://pr-7.example.app/", True, id="a wildcard and a slash"),
        pytest.param(("https://*.example.app",), "https://example.app", False, id="no label for the wildcard"),
        pytest.param(("https://*.example.app",), "https://a.b.example.app", False, id="two labels for the wildcard"),
        pytest.param(("https://*.example.app",), "https://.example.app", False, id="an empty label for the wildcard"),
        pytest.param(("https://*.example.app",), "http://pr-7.example.app", False, id="the wildcard over http"),
        pytest.param(("https://*.example.app",), "https://pr-7.example.app:8443", False, id="the wildcard's port"),
        pytest.param(
            ("https://*.example.app",), "https://evil.example/.example.app", False, id="a path to the wildcard"
        ),
        pytest.param(("https://*.example.app",), "https://evil:x@a.example.app", False, id="a user for the wildcard"),
        pytest.param(
            ("https://shop.example",), "https://pr-7.shop.example", False, id="a subdomain without a wildcard"
        ),
    ],
)
def test_allowed_origins(listed: tuple[str, ...], origin: str, allowed: bool) -> None:
    assert key(*listed).allows_origin(origin) is allowed
