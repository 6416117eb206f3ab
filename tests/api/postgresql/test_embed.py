"""What the embed API stores and looks up, over PostgreSQL: tests of its own folder, run once more."""

from tests.api.embed.conftest import api  # noqa: F401
from tests.api.embed.test_configured_contents import (  # noqa: F401
    test_a_shared_ghost_names_its_newest_configured_bundle,
    test_contents_in_the_order_asked_for,
    test_items_behind_a_ghost_once_each_with_what_their_section_allows,
    test_only_ghosts_of_that_bundle_are_found,
    test_titles_are_those_of_configuring,
    test_what_is_unknown_is_left_out,
)
from tests.api.embed.test_notify import (  # noqa: F401
    test_a_reminder_is_stored,
    test_once_for_a_variant_and_an_address_in_any_case,
    test_others_are_reminded_too,
)
