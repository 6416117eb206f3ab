"""What a caller may do."""

from dataclasses import replace

import pytest

from bundlesvc.domain.access.caller import Caller
from bundlesvc.domain.access.key import EMBED, HEADLESS
from bundlesvc.domain.errors import KeyScope, OriginNotAllowed, ShopNotEnabled
from tests.services.fakes import FakeAccess


@pytest.fixture
def stores() -> FakeAccess:
    """A store with one shop and no keys."""
    return FakeAccess()


def test_scope_then_shop_then_origin_is_checked(stores: FakeAccess) -> None:
    stores.add_key(7, origins=("https://a.example",))
    enabled = Caller(stores.stored[7], stores.shops[1])
    stores.disable(1)
    disabled = replace(enabled, tenant=stores.shops[1])

    enabled.admit(HEADLESS, None)
    enabled.admit(HEADLESS, "https://a.example")
    enabled.admit(HEADLESS, "https://a.example/")
    with pytest.raises(KeyScope):
        disabled.admit(EMBED, "https://b.example")
    with pytest.raises(ShopNotEnabled):
        disabled.admit(HEADLESS, "https://b.example")
    for origin in ("https://b.example", "http://a.example", "https://a.example:443", "null", ""):
        with pytest.raises(OriginNotAllowed):
            enabled.admit(HEADLESS, origin)


def test_a_key_without_origins_may_be_used_from_any_page(stores: FakeAccess) -> None:
    stores.add_key(7)
    Caller(stores.stored[7], stores.shops[1]).admit(HEADLESS, "https://anywhere.example")
