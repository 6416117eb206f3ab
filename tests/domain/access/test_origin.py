"""Origins that a key can list, and why others are refused."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.access.origin import check_origin, wildcard_of


@pytest.mark.parametrize(
    "origin",
    [
        "https://shop.example",
        "http://shop.example",
        "https://shop.example:8443",
        "http://shop.example:443",
        "https://shop.example:80",
        "http://localhost:3000",
        "http://127.0.0.1:5173",
        "http://[::1]:5173",
        "http://[2001:db8::1]",
        "https://xn--bcher-kva.example",
        "https://my_shop.example",
        "https://*.example.app",
        "https://*.preview.example.app:8443",
        "capacitor://localhost",
        "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
    ],
)
def test_origin_of_a_browser_is_accepted(origin: str) -> None:
    assert check_origin(origin) == origin


def test_trailing_slash_of_an_origin_is_dropped() -> None:
    assert check_origin("https://shop.example/") == "https://shop.example"


@pytest.mark.parametrize(
    ("origin", "reason"),
    [
        ("", "begin with a scheme"),
        ("null", "unrelated pages"),
        ("*", "list no origin"),
        ("shop.example", "begin with a scheme"),
        ("//shop.example", "begin with a scheme"),
        ("1http://shop.example", "begin with a scheme"),
        ("https:shop.example", "begin with a scheme"),
        ("https://", "not a host name"),
        ("file://", "not a host name"),
        ("https:///", "not a host name|remove"),
        ("https://Shop.example", "lower case: https://shop.example"),
        ("HTTPS://shop.example", "lower case"),
        ("https://shop.example/path", "remove '/'"),
        ("https://shop.example//", "remove '/'"),
        ("https://shop.example?x=1", "remove "),
        ("https://shop.example#x", "remove '#'"),
        ("https://shop.example/?x", "remove "),
        ("https://me@shop.example", "remove '@'"),
        ("https://shop.example ", "remove "),
        (" https://shop.example", "begin with a scheme"),
        ("https://shop.example,https://b.example", "remove "),
        ("https://shop.example\\x", "remove "),
        ("https://shop.example:443", "default port; write https://shop.example$"),
        ("http://shop.example:80", "default port; write http://shop.example$"),
        ("https://shop.example:", "'' is not a port"),
        ("https://shop.example:0", "'0' is not a port"),
        ("https://shop.example:08443", "'08443' is not a port"),
        ("https://shop.example:65536", "'65536' is not a port"),
        ("https://shop.example:http", "'http' is not a port"),
        ("https://shop.example.", "remove the dot"),
        ("https://shop..example", "not a host name"),
        ("https://.example", "not a host name"),
        ("https://shop%2eexample", "not a host name"),
        (f"https://{'a' * 64}.example", "not a host name"),
        (f"https://{'a.' * 130}example", "not a host name"),
        ("https://bücher.example", "xn--"),
        ("https://127.1", "not an address"),
        ("https://127.0.0.001", "not an address"),
        ("https://shop.256", "not an address"),
        ("http://[::0001]", r"as \[::1\]"),
        ("http://[2001:0db8::1]:8080", r"as \[2001:db8::1\]"),
        ("http://[::1", "not an address|not a port"),
        ("http://[shop]", "not an address"),
        ("http://::1", "not a host name"),
        ("https://*", r"whole first label|below a domain"),
        ("https://*.app", "below a domain of your own"),
        ("http://*.example.app", "an https origin"),
        ("https://pr-*.example.app", "whole first label"),
        ("https://*.*.example.app", "whole first label"),
        ("https://shop.*.app", "whole first label"),
        ("https://**.example.app", "whole first label"),
        ("*.example.app", "begin with a scheme"),
    ],
)
def test_origin_that_no_browser_sends_is_refused_with_a_reason(origin: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_origin(origin)


@given(st.text(max_size=40) | st.from_regex(r"https?://[a-z0-9.:*\[\]-]{0,30}", fullmatch=True))
def test_accepted_origin_is_accepted_again_unchanged(text: str) -> None:
    try:
        origin = check_origin(text)
    except ValueError:
        pass
    else:
        assert check_origin(origin) == origin
        assert re.fullmatch(r"[!-~]+", origin)


@pytest.mark.parametrize(
    ("origin", "wildcard"),
    [
        ("https://pr-7.example.app", "https://*.example.app"),
        ("https://pr-7.example.app:8443", "https://*.example.app:8443"),
        ("https://a.b.example.app", "https://*.b.example.app"),
        ("https://localhost", None),
        ("http://pr-7.example.app", None),
        ("https://.example.app", None),
        ("https://a:b@c.example.app", None),
        ("https://*.example.app", None),
        ("https://PR.example.app", None),
        ("null", None),
        ("", None),
    ],
)
def test_wildcard_of_an_origin(origin: str, wildcard: str | None) -> None:
    assert wildcard_of(origin) == wildcard
