"""What the main API stores, over PostgreSQL: tests of the folder above, run once more."""

from tests.api.test_access import (  # noqa: F401
    test_a_revoked_key_stops_within_two_seconds,
    test_what_is_stored_of_a_key,
)
from tests.api.test_configure import (  # noqa: F401
    counted,
    test_a_native_bundle_whole,
    test_a_platform_that_fails_leaves_nothing_half_done,
    test_a_subscription_is_stored_as_pending,
    test_configured_bundles_belong_to_the_shop_of_the_key,
    test_equal_selections_share_a_ghost_variant,
    test_of_many_at_once_one_makes_the_ghost_variant,
    test_other_types_put_a_ghost_variant_into_the_cart,
    test_the_arm_of_a_visitor_is_stored,
    test_what_is_stored_of_a_configured_bundle,
)
from tests.api.test_idempotency import (  # noqa: F401
    test_after_a_day_a_key_may_name_another_body,
    test_another_body_under_the_same_key_is_refused,
    test_answers_are_kept_for_a_day,
    test_answers_are_kept_over_a_restart_and_for_every_process,
    test_answers_are_kept_whatever_becomes_of_the_bundle,
    test_keys_that_are_taken,
    test_live_and_test_keys_do_not_share_keys,
    test_of_fifty_at_once_in_two_processes_one_creates,
    test_of_fifty_at_once_one_creates,
    test_of_two_bodies_at_once_under_one_key_one_is_refused,
    test_only_success_is_kept,
    test_shops_do_not_share_keys,
    test_the_same_call_again_gets_the_first_answer_byte_for_byte,
)
