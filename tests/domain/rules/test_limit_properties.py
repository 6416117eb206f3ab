"""Properties of limit rules for every selection."""

from collections.abc import Sequence
from decimal import Decimal
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import Discount, LimitRule
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.errors import Fault
from bundlesvc.domain.line import Line
from bundlesvc.domain.pricing.selection_price import price_selection
from bundlesvc.domain.rules.limit_rules import Scope, check_limit_rules
from tests.domain.builders import EUR, bundle, line, rule
from tests.domain.rules.checks import BEFORE, ITEMS, MULTIPLES, PRICE, check
from tests.domain.strategies import PROPERTY, currencies, discounts, limit_rules, percentages, selections


@PROPERTY
@given(
    data=st.data(),
    currency=currencies,
    discount=discounts,
    subscription=st.none() | percentages,
    rules=st.lists(limit_rules, max_size=6),
    order=st.randoms(use_true_random=False),
)
def test_order_of_items_does_not_change_which_rules_fail(
    data: st.DataObject,
    currency: str,
    discount: Discount | None,
    subscription: Decimal | None,
    rules: list[LimitRule],
    order: Random,
) -> None:
    lines = data.draw(selections(currency))
    shuffled = order.sample(lines, len(lines))

    def failures(these: Sequence[Line]) -> set[tuple[str, ...]]:
        priced = price_selection(bundle(discount=discount), Outcome(tuple(these)), currency, subscription)
        return {_told(fault) for fault in check_limit_rules(rules, Scope(priced, "lb"))}

    assert failures(lines) == failures(shuffled)


def _told(fault: Fault) -> tuple[str, ...]:
    """Return the comparable values of a fault. For alternative rules, details about the product that the fault names are left
    out, because that product depends on the order of items in the request."""
    fixed = (fault.path, fault.code, fault.extra["limit"], str(fault.extra.get("alternatives")))
    names = (fault.extra.get("platformProductId", ""), fault.extra.get("platformVariantId", ""))
    if any(names) and "alternatives" in fault.extra:
        return fixed
    return (*fixed, *names, fault.extra["actual"], fault.extra["missing"])


@PROPERTY
@given(
    type_=st.sampled_from([ITEMS, MULTIPLES]),
    operation=st.sampled_from(["gt", "gte"]),
    value=st.sampled_from(["0.9", "1.5", "2.5", "3", "3.00", "6", "12"]),
    count=st.integers(1, 30),
)
def test_adding_the_missing_items_meets_the_rule(type_: str, operation: str, value: str, count: int) -> None:
    wanted = rule(type_, operation, value)
    for fault in check([wanted], [line(count)]):
        missing = int(fault.extra["missing"])
        assert missing >= 1
        assert not check([wanted], [line(count + missing)])
        assert all(check([wanted], [line(count + less)]) for less in range(missing))


@PROPERTY
@given(
    operation=st.sampled_from(["gt", "gte"]),
    type_=st.sampled_from([PRICE, BEFORE]),
    currency=currencies,
    units=st.integers(0, 5000),
    limit=st.decimals(0, 50, places=2),
)
def test_adding_the_missing_amount_meets_the_rule(
    operation: str, type_: str, currency: str, units: int, limit: Decimal
) -> None:
    step = Decimal("0.01") if currency == EUR else Decimal(1)
    wanted = rule(type_, operation, str(limit))

    def holds(amount: Decimal) -> bool:
        return not check([wanted], [line(price=str(amount))], currency=currency)

    for fault in check([wanted], [line(price=str(units * step))], currency=currency):
        missing = Decimal(fault.extra["missing"])
        assert holds(units * step + missing)
        assert not holds(units * step + missing - step)


@PROPERTY
@given(
    lines=selections(),
    rules=st.lists(limit_rules, max_size=6),
    void=st.frozensets(st.sampled_from([1, 2])),
    discount=discounts,
)
def test_void_rules_are_ignored(
    lines: list[Line], rules: list[LimitRule], void: frozenset[int], discount: Discount | None
) -> None:
    remaining = [place for place, one in enumerate(rules) if one.section_id not in void]

    details = [fault.as_detail() for fault in check(rules, lines, discount=discount, void=void)]
    alone = [fault.as_detail() for fault in check([rules[place] for place in remaining], lines, discount=discount)]

    for detail in alone:
        detail["path"] = f"limitRules.{remaining[int(detail['path'].removeprefix('limitRules.'))]}"
    assert details == alone
