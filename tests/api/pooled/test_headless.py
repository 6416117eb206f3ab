"""The main API's tests that write to the database, run through PgBouncer in transaction mode."""

from tests.api.headless.configure.test_ghost_variants import (  # noqa: F401
    test_other_types_put_a_ghost_variant_into_the_cart,
    test_simultaneous_requests_create_one_ghost_variant,
)
from tests.api.headless.configure.test_response import test_whole_response_for_a_native_bundle  # noqa: F401
from tests.api.headless.configure.test_subscriptions import test_subscription_is_stored_as_pending  # noqa: F401
from tests.api.posts.test_idempotency import (  # noqa: F401
    test_one_of_fifty_simultaneous_requests_in_two_processes_creates,
    test_retry_gets_the_stored_response_byte_for_byte,
)
