"""The number of random examples that a property test tries."""

from typing import Any

from hypothesis import settings


def examples(number: int, **others: Any) -> settings:
    """Return Hypothesis settings for `number` examples without a deadline. With `--fast`, the number is reduced in proportion
    (tests/running/fast.py)."""
    default = settings().max_examples
    return settings(deadline=None, max_examples=max(1, number * default // 100), **others)
