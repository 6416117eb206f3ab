"""A quote compared with the platform's suggestion: each difference has a named reason."""

import pytest

from bundlesvc.domain.orders.order import Order, Refund
from bundlesvc.domain.orders.refunds.refund_comparison import REASONS, SuggestedLine, compare_refunds
from bundlesvc.domain.orders.refunds.refund_quote import KEEP_RULES, PROPORTIONAL, QuotedLine, refund_quote
from tests.domain.orders.orders import order

QUOTED = (QuotedLine("a", 2, 1600, 255),)
REFUNDED = order(refunds=(Refund("b", 1, 400),))


@pytest.mark.parametrize(
    ("judged", "policy", "suggested", "expected"),
    [
        (order(), PROPORTIONAL, (1600, 255), (0, 0, "same")),
        (order(), PROPORTIONAL, (1602, 255), (-2, 0, "rounding")),
        (order(), PROPORTIONAL, (1600, 253), (0, 2, "rounding")),
        (order(), KEEP_RULES, (1601, 255), (-1, 0, "rounding")),
        (order(), KEEP_RULES, (1750, 279), (-150, -24, "policy")),
        (order(), PROPORTIONAL, (1597, 255), (3, 0, "unknown")),
        (REFUNDED, PROPORTIONAL, (1500, 239), (100, 16, "refunded_before")),
    ],
)
def test_difference_has_a_reason(
    judged: Order, policy: str, suggested: tuple[int, int], expected: tuple[int, int, str]
) -> None:
    compared = compare_refunds(judged, policy, QUOTED, [SuggestedLine("a", *suggested)])
    assert (compared.difference, compared.tax_difference, compared.reason) == expected
    assert compared.reason in REASONS


def test_rest_after_a_smaller_refund_is_not_what_the_platform_suggests() -> None:
    """After a unit was refunded for less than its charge, the refund that is still possible differs from the platform's
    suggestion.

    In the guide's example, the platform ignores that a returned unit was refunded for less than its charge."""
    judged = order(refunds=(Refund("a", 1, 500),))
    quoted = refund_quote(judged, {"a": 1, "b": 1}, PROPORTIONAL, lambda *_: 0)
    compared = compare_refunds(judged, PROPORTIONAL, quoted, [SuggestedLine("a", 800, 0), SuggestedLine("b", 400, 0)])
    assert (sum(line.amount for line in quoted), compared.difference, compared.reason) == (1500, 300, "refunded_before")
