"""The guide to orders: its example is a valid order, and its tables name every cause, verdict, result and policy."""

import re
from pathlib import Path

import orjson
import pytest

import bundlesvc
from bundlesvc.api.manage.orders.requests import OrderSchema
from bundlesvc.api.manage.orders.sent_order import sent_order
from bundlesvc.domain.orders.judged import RESULTS
from bundlesvc.domain.orders.order_checks import check_order
from bundlesvc.domain.orders.refunds.refund_comparison import REASONS
from bundlesvc.domain.orders.refunds.refund_quote import POLICIES
from bundlesvc.domain.orders.verdict import CAUSES, OUTCOMES

GUIDE = (Path(bundlesvc.__file__).parent / "guides" / "orders.md").read_text()


def first_cells(heading: str) -> set[str]:
    """The names in the first column of the table whose first heading is `heading`."""
    table = GUIDE.partition(f"\n| {heading} |")[2].partition("\n\n")[0]
    return set(re.findall(r"^\| `([^`]+)`", table, re.MULTILINE))


def test_example_is_a_valid_order() -> None:
    example = GUIDE.partition("```json\n")[2].partition("```")[0]

    order = sent_order(OrderSchema().load(orjson.loads(example))).order

    check_order(order, "EUR")
    assert sum(line.charged for line in order.lines) == 2000


@pytest.mark.parametrize(
    ("heading", "names"),
    [("cause", CAUSES), ("verdict", OUTCOMES), ("result", RESULTS), ("policy", POLICIES), ("reason", tuple(REASONS))],
)
def test_table_names_everything(heading: str, names: tuple[str, ...]) -> None:
    assert first_cells(heading) == set(names)
