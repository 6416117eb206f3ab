"""The embed API's tests that write data, or look up what was written, run on PostgreSQL."""

import pytest

from tests.api.conftest import Api, MakeApi
from tests.api.embed.conftest import SHOP_TEXT
from tests.api.embed.test_configured_contents import (  # noqa: F401
    test_contents_are_in_the_order_of_the_request,
    test_items_behind_a_ghost_appear_once_with_the_variants_of_their_section,
    test_only_ghosts_of_that_bundle_are_found,
    test_shared_ghost_returns_its_newest_configured_bundle,
    test_titles_are_those_at_the_time_of_configuring,
    test_unknown_bundles_are_left_out,
)
from tests.api.embed.test_notify import (  # noqa: F401
    test_other_addresses_get_reminders_too,
    test_reminder_is_stored,
    test_reminder_is_stored_once_per_variant_and_address,
)


@pytest.fixture
async def api(make_api: MakeApi) -> Api:
    """The service with the shop that the embed API's tests use."""
    return await make_api(SHOP_TEXT)
