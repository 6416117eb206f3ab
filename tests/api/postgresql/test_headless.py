"""The main API's tests that write to the database, run on PostgreSQL."""

from tests.api.headless.configure.test_ghost_variants import (  # noqa: F401
    test_equal_selections_share_a_ghost_variant,
    test_other_types_put_a_ghost_variant_into_the_cart,
    test_platform_failure_stores_nothing,
    test_simultaneous_requests_create_one_ghost_variant,
)
from tests.api.headless.configure.test_response import test_whole_response_for_a_native_bundle  # noqa: F401
from tests.api.headless.configure.test_stored_bundles import (  # noqa: F401
    test_arm_of_a_visitor_is_stored,
    test_configured_bundles_belong_to_the_shop_of_the_key,
    test_stored_fields_of_a_configured_bundle,
)
from tests.api.headless.configure.test_subscriptions import test_subscription_is_stored_as_pending  # noqa: F401
from tests.api.middleware.test_access import (  # noqa: F401
    test_revoked_key_stops_with_the_next_poll,
    test_stored_fields_of_a_key,
)
from tests.api.posts.test_idempotency import (  # noqa: F401
    test_another_body_under_the_same_key_is_refused,
    test_key_can_be_used_with_another_body_after_a_day,
    test_live_and_test_keys_do_not_share_keys,
    test_one_of_fifty_simultaneous_requests_creates,
    test_one_of_fifty_simultaneous_requests_in_two_processes_creates,
    test_one_of_two_simultaneous_bodies_under_one_key_is_refused,
    test_only_successes_are_stored,
    test_responses_are_stored_for_a_day,
    test_retry_gets_the_stored_response_byte_for_byte,
    test_shops_do_not_share_keys,
    test_stored_response_outlives_the_bundle,
    test_stored_responses_survive_a_restart_and_serve_every_process,
    test_valid_keys,
)
