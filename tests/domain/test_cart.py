"""The cart attribute `_bundles` as it comes back: what shared vectors do not show."""

import pytest

from bundlesvc.domain.cart import BundlesAttribute, BundlesEntry
from bundlesvc.domain.no_discount import REASONS, NoDiscount


def refusal(value: str | None) -> str:
    with pytest.raises(NoDiscount) as refused:
        BundlesAttribute.read(value).entry(1)
    return refused.value.code


@pytest.mark.parametrize("value", ["[" * 100_000, '{"1":' * 100_000, "{" * 5, "\0", '{"1": 1e999, "2"}'])
def test_hostile_text_is_unreadable_and_no_crash(value: str) -> None:
    assert refusal(value) == "attribute_unreadable"


def test_of_two_equal_keys_the_last_counts_as_in_javascript() -> None:
    assert BundlesAttribute.read('{"1":{"discount":"a"},"1":{"discount":"b"}}').entry(1).discount == "b"


def test_only_the_discount_is_needed() -> None:
    assert BundlesAttribute.read('{"1":{"discount":"a","title":[]}}').entry(1) == BundlesEntry("a", None, "", "")


def test_every_sentence_ends() -> None:
    assert all(sentence.endswith(".") for sentence in REASONS.values())
