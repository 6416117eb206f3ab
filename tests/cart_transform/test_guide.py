"""docs/checkout.md agrees with the checkout function."""

import re
from functools import cache
from pathlib import Path

from bundlesvc.domain.checkout.no_discount import REASONS
from tests.cart_transform.limits import HOSTILE, ORDINARY, VALID, rows_of_sizes
from tests.cart_transform.module import FUNCTION

ROOT = Path(__file__).parents[2]
OF_THE_PLATFORM = {"parent_unknown", "not_for_sale"}
"""Reasons of the checkout simulator, which also plays the platform's role."""
OF_THE_FUNCTION = {"budget_spent", "attribute_too_large", "output_full"}
"""Reasons that follow from the platform's limits, which the simulator does not have."""


@cache
def guide() -> str:
    return (ROOT / "docs" / "checkout.md").read_text("utf-8")


def rows(heading: str) -> list[str]:
    """The first cell of each row in the table whose first heading is `heading`."""
    table = guide().partition(f"| {heading} |")[2].partition("\n\n")[0]
    return re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)


def test_it_lists_every_reason() -> None:
    listed = [reason for row in rows("reason") for reason in re.findall(r"`(\w+)`", row)]
    source = (FUNCTION / "src" / "reason.zig").read_text("utf-8").partition("{")[2].partition("}")[0]

    assert listed == re.findall(r"\w+", source)
    assert set(listed) == set(REASONS) - OF_THE_PLATFORM | OF_THE_FUNCTION


def test_the_table_of_limits_has_every_cart() -> None:
    assert rows("cart") == ["---", *map(str, [*ORDINARY, *VALID, *HOSTILE])][1:]


def test_the_table_of_sizes_is_measured() -> None:
    assert "\n".join(rows_of_sizes()) in guide()


def test_each_reason_is_stored_in_the_order_of_the_checks() -> None:
    order = [reason for reason in REASONS if reason not in OF_THE_PLATFORM]
    listed = [reason for row in rows("reason") for reason in re.findall(r"`(\w+)`", row)]
    assert order == [reason for reason in listed if reason not in OF_THE_FUNCTION]
