"""The cart attribute `_bundles`: cases that the shared vectors do not cover."""

import pytest

from bundlesvc.domain.checkout.cart import BundlesAttribute, BundlesEntry
from bundlesvc.domain.checkout.no_discount import REASONS, NoDiscount


def refusal(value: str | None) -> str:
    with pytest.raises(NoDiscount) as refused:
        BundlesAttribute.read(value).entry(1)
    return refused.value.code


@pytest.mark.parametrize("value", ["[" * 100_000, '{"1":' * 100_000, "{" * 5, "\0", '{"1": 1e999, "2"}'])
def test_malformed_attribute_is_unreadable(value: str) -> None:
    assert refusal(value) == "attribute_unreadable"


def test_last_of_two_equal_keys_counts() -> None:
    assert BundlesAttribute.read('{"1":{"discount":"a"},"1":{"discount":"b"}}').entry(1).discount == "b"


def test_entry_needs_only_a_discount() -> None:
    assert BundlesAttribute.read('{"1":{"discount":"a","title":[]}}').entry(1) == BundlesEntry("a", None, "", "")


def test_every_sentence_ends_with_a_period() -> None:
    assert all(sentence.endswith(".") for sentence in REASONS.values())
