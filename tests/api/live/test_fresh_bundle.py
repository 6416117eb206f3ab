"""GET /bundle with `fresh` on a live platform: it bypasses rendered copies, but uses cached platform data."""

from tests.api.conftest import Api
from tests.api.embed.conftest import EMBED
from tests.standin.server import Standin


async def test_fresh_bundle_needs_no_call_of_the_platform(apis: list[Api], standin: Standin) -> None:
    """A fresh bundle causes no platform calls, however often it is requested, so nobody can use it to overload the platform."""
    api = apis[0]
    usual = (await api.get(f"{EMBED}/bundle?id=42")).held().json
    calls = standin.calls.total()

    for number in range(5):
        assert (await api.get(f"{EMBED}/bundle?id=42&fresh={number}")).held().json == usual

    assert standin.calls.total() == calls
