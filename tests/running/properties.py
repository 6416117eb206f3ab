"""How many random examples a test of a property tries."""

from typing import Any

from hypothesis import settings


def examples(number: int, **others: Any) -> settings:
    """Settings for `number` examples, in proportion fewer with `--fast` (tests/running/fast.py), none of which has a deadline."""
    default = settings().max_examples
    return settings(deadline=None, max_examples=max(1, number * default // 100), **others)
