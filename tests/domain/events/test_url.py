"""Which addresses may receive events."""

import pytest

from bundlesvc.domain.events.url import url_fault


@pytest.mark.parametrize(
    "url",
    ["https://shop.example/hooks", "https://shop.example:8443", "https://8.8.8.8/a?b=c", "https://[2606:4700::1111]/"],
)
def test_address_is_accepted(url: str) -> None:
    assert url_fault(url, allow_private=False) is None


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "not an address"),
        ("shop.example/hooks", "not an address"),
        ("https://", "not an address"),
        ("https://shop.example/a b", "not an address"),
        ("https://shöp.example/", "not an address"),
        ("https://shop.example:99999/", "not an address"),
        (f"https://shop.example/{'a' * 2000}", "not an address"),
        ("https://user:word@shop.example/", "name and password"),
        ("https://shop.example:0/", "port"),
        ("http://shop.example/", "must begin with https://"),
        ("https://192.168.0.1/", "private network"),
        ("https://[::1]/", "private network"),
        ("ftp://shop.example/", "must begin with https://"),
        ("file:///etc/passwd", "not an address"),
    ],
)
def test_fault_of_an_address(url: str, words: str) -> None:
    assert words in (url_fault(url, allow_private=False) or "")


def test_plain_http_is_for_private_networks() -> None:
    assert url_fault("http://10.0.0.7/hooks", allow_private=True) is None
    assert url_fault("ftp://10.0.0.7/hooks", allow_private=True) is not None
