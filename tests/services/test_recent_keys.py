"""A retry's idempotency key is recognised if it is among the most recent keys."""

from dataclasses import replace

import pytest

from bundlesvc.domain.idempotency import IdempotencyKey
from bundlesvc.services.recent_keys import RecentKeys

KEY = IdempotencyKey(False, "POST", "/bundles/1/configure", "a", "digest")


def key(number: int) -> IdempotencyKey:
    return replace(KEY, key=f"key-{number}")


def test_a_key_is_new_once() -> None:
    keys = RecentKeys()

    assert [keys.add(1, KEY) for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize(
    "other", [replace(KEY, key="b"), replace(KEY, test=True), replace(KEY, path="/bundles/2/configure")]
)
def test_a_key_of_another_scope_is_new(other: IdempotencyKey) -> None:
    keys = RecentKeys()
    keys.add(1, KEY)

    assert keys.add(1, other)


def test_a_key_of_another_shop_is_new() -> None:
    keys = RecentKeys()
    keys.add(1, KEY)

    assert keys.add(2, KEY)


def test_another_body_makes_no_new_key() -> None:
    keys = RecentKeys()
    keys.add(1, KEY)

    assert not keys.add(1, replace(KEY, body_digest="other"))


def test_at_least_half_of_the_keys_are_remembered_and_no_more_than_all() -> None:
    keys = RecentKeys(max_keys=8)
    for number in range(100):
        keys.add(1, key(number))

    assert not any(keys.add(1, key(number)) for number in range(96, 100))
    assert all(keys.add(1, key(number)) for number in range(92))
