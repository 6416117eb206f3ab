"""Which requests count as one visitor's."""

import pytest

from bundlesvc.domain.access.visitor import is_local, visitor_of


@pytest.mark.parametrize(
    ("address", "visitor"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::ffff:cb00:7107", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("", ""),
        ("a-socket", "a-socket"),
    ],
)
def test_an_address_becomes_a_visitor(address: str, visitor: str) -> None:
    assert visitor_of(address, [], 0) == visitor


PEER = "192.0.2.1"


@pytest.mark.parametrize(
    ("forwarded", "trusted", "visitor"),
    [
        pytest.param(["203.0.113.7"], 0, PEER, id="no proxy is trusted"),
        pytest.param([], 1, PEER, id="the proxy says nothing"),
        pytest.param([" , "], 1, PEER, id="the proxy says nothing in many words"),
        pytest.param(["203.0.113.7"], 1, "203.0.113.7", id="one proxy"),
        pytest.param(["198.51.100.9, 203.0.113.7"], 1, "203.0.113.7", id="what the client says of itself"),
        pytest.param(["198.51.100.9", "203.0.113.7"], 1, "203.0.113.7", id="in a header of its own"),
        pytest.param(["198.51.100.9, 203.0.113.7, 10.0.0.1"], 2, "203.0.113.7", id="two proxies"),
        pytest.param(["203.0.113.7"], 3, "203.0.113.7", id="fewer hops than proxies"),
        pytest.param(["2001:db8:1:2::9"], 1, "2001:db8:1:2::/64", id="IPv6"),
        pytest.param(["203.0.113.7:4711"], 1, "203.0.113.7", id="with a port"),
        pytest.param(["[2001:db8:1:2::9]:4711"], 1, "2001:db8:1:2::/64", id="IPv6 with a port"),
        pytest.param(["[2001:db8:1:2::9]"], 1, "2001:db8:1:2::/64", id="IPv6 in brackets"),
        pytest.param(["unknown"], 1, PEER, id="not an address"),
        pytest.param(["9" * 10_000], 1, PEER, id="far too long"),
        pytest.param(["203.0.113.7, unknown"], 1, PEER, id="the trusted proxy's word is not an address"),
    ],
)
def test_visitor_is_the_address_seen_by_the_outermost_trusted_proxy(
    forwarded: list[str], trusted: int, visitor: str
) -> None:
    assert visitor_of(PEER, forwarded, trusted) == visitor


@pytest.mark.parametrize(
    ("peer", "local"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("10.1.2.3", True),
        ("fd00::1", True),
        ("", True),
        ("8.8.8.8", False),
        ("2606:4700::1", False),
    ],
)
def test_an_address_of_a_proxy_is_local(peer: str, local: bool) -> None:
    assert is_local(peer) is local
