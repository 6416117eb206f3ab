"""The rules that a selection must meet to be configured (docs/contract.md#valid-selections)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundlesvc.domain.bundle import Bundle, RequiredProduct
from bundlesvc.domain.conditions.graph import Outcome
from bundlesvc.domain.errors import Fault
from bundlesvc.domain.line import Line
from bundlesvc.domain.pricing.selection_price import price_selection
from bundlesvc.domain.product import MarketPrice
from bundlesvc.domain.rules.configure_rules import check_rules
from bundlesvc.domain.rules.limit_rules import Scope
from tests.domain.builders import EUR, bundle, flat, line, line_of, product, rule, variant
from tests.domain.strategies import PROPERTY, selections


def check(
    lines: Sequence[Line],
    *,
    of: Bundle | None = None,
    type_: str = "native",
    outcome: Outcome | None = None,
    market_prices: Mapping[int, MarketPrice] | None = None,
) -> list[Fault]:
    """Check a selection against the bundle's rules, and return the faults. Without `outcome`, all units are paid for."""
    of = of or bundle()
    outcome = outcome or Outcome(tuple(lines))
    scope = Scope(price_selection(of, outcome, EUR), "kg")
    return check_rules(of, type_, lines, outcome, scope, market_prices or {})


def codes_and_paths(faults: Sequence[Fault]) -> list[tuple[str, str]]:
    return [(fault.code, fault.path) for fault in faults]


def in_market(*, for_sale: bool) -> MarketPrice:
    return MarketPrice(Decimal("11.00"), "USD", Decimal("10.00"), for_sale)


def test_valid_selection_meets_every_rule() -> None:
    of = bundle(
        limit_rules=(rule("total-number-of-products", "gte", "2"),), required_products=(RequiredProduct(1, (), 1),)
    )

    assert check([line(2)], of=of, market_prices={11: in_market(for_sale=True)}) == []


@pytest.mark.parametrize("sent", ["native", "multiple-products", "single-product"])
@pytest.mark.parametrize("actual", ["native", "multiple-products", "single-product"])
def test_type_must_match_the_bundle(actual: str, sent: str) -> None:
    faults = check([line()], of=bundle(type=actual), type_=sent)

    assert codes_and_paths(faults) == ([] if sent == actual else [("type_mismatch", "type")])


@pytest.mark.parametrize(
    ("type_", "product_id", "parent", "blocked"),
    [
        pytest.param("native", 900, 9001, False, id="native with product and parent variant"),
        pytest.param("native", 900, None, True, id="native without a parent variant"),
        pytest.param("native", None, None, True, id="native without a product"),
        pytest.param("single-product", 900, None, False, id="others need no parent variant"),
        pytest.param("multiple-products", None, None, True, id="others without a product"),
    ],
)
def test_bundle_needs_a_product_on_the_platform(
    type_: str, product_id: int | None, parent: int | None, blocked: bool
) -> None:
    of = bundle(type=type_, product_id=product_id, parent_variant_id=parent)

    assert [fault.code for fault in check([line()], of=of, type_=type_)] == (["blocked"] if blocked else [])


@pytest.mark.parametrize(
    ("status", "refused"), [("ACTIVE", False), ("ARCHIVED", True), ("DRAFT", True)], ids=["active", "archived", "draft"]
)
def test_products_must_be_active(status: str, refused: bool) -> None:
    owner = product(1, variant(11), variant(12), status=status)
    lines = [
        line(variant_id=21),
        line_of(owner, 11, first=1),
        line_of(owner, 12, first=2),
        line_of(owner, 11, section=2, first=3),
    ]

    assert codes_and_paths(check(lines)) == ([("not_active", "products.1")] if refused else [])


@pytest.mark.parametrize(
    ("stock", "policy", "counts", "refused"),
    [
        pytest.param(3, "deny", (3,), False, id="just enough"),
        pytest.param(3, "deny", (4,), True, id="one too many"),
        pytest.param(3, "deny", (1, 2), False, id="just enough over two sections"),
        pytest.param(3, "deny", (2, 2), True, id="one too many over two sections"),
        pytest.param(0, "deny", (1,), True, id="none left"),
        pytest.param(-1, "deny", (1,), True, id="oversold"),
        pytest.param(0, "continue", (9,), False, id="sold beyond stock"),
        pytest.param(None, "deny", (9,), False, id="untracked"),
    ],
)
def test_stock_must_cover_the_selected_count(
    stock: int | None, policy: str, counts: tuple[int, ...], refused: bool
) -> None:
    owner = product(1, variant(11, stock=stock, policy=policy), variant(12, stock=0, policy="continue"))
    lines = [line_of(owner, 11, count, section=place, first=place) for place, count in enumerate(counts, 1)]

    assert codes_and_paths(check([line_of(owner, 12), *lines])) == ([("sold_out", "products.1")] if refused else [])


def test_granted_units_need_stock_too() -> None:
    owner = product(1, variant(11, stock=3))
    outcome = Outcome(paid=(line_of(owner, 11, 3),), granted=(line_of(owner, 11, 1),))

    assert codes_and_paths(check([line_of(owner, 11, 4)], outcome=outcome)) == [("sold_out", "products.0")]


@pytest.mark.parametrize(
    ("market_prices", "codes"),
    [
        pytest.param({}, [], id="no country"),
        pytest.param({11: in_market(for_sale=True), 21: in_market(for_sale=True)}, [], id="all sold there"),
        pytest.param(
            {11: in_market(for_sale=True), 21: in_market(for_sale=False)},
            [("not_sold_in_country", "products.1")],
            id="one not sold there",
        ),
        pytest.param(
            {11: in_market(for_sale=False), 21: in_market(for_sale=False)},
            [("not_sold_in_country", "products.0"), ("not_sold_in_country", "products.1")],
            id="none sold there",
        ),
    ],
)
def test_variants_must_be_sold_in_the_country(
    market_prices: dict[int, MarketPrice], codes: list[tuple[str, str]]
) -> None:
    lines = [line(variant_id=11), line(variant_id=21, first=1), line(variant_id=21, section=2, first=2)]

    assert codes_and_paths(check(lines, market_prices=market_prices)) == codes


@pytest.mark.parametrize(
    ("outcome", "codes"),
    [
        pytest.param(Outcome(()), [], id="nothing hidden"),
        pytest.param(Outcome((), hidden_sections=frozenset({1})), [("section_hidden", "products.0")], id="section 1"),
        pytest.param(
            Outcome((), hidden_sections=frozenset({2})),
            [("section_hidden", "products.1"), ("section_hidden", "products.2")],
            id="section 2",
        ),
        pytest.param(Outcome((), hidden_sections=frozenset({3})), [], id="a section without items"),
        pytest.param(
            Outcome((), hidden_products=frozenset({(1, None)})),
            [("product_hidden", "products.0"), ("product_hidden", "products.1")],
            id="product 1 everywhere",
        ),
        pytest.param(
            Outcome((), hidden_products=frozenset({(1, 2)})),
            [("product_hidden", "products.1")],
            id="product 1 in section 2",
        ),
        pytest.param(Outcome((), hidden_products=frozenset({(2, 1)})), [], id="product 2 where it was not chosen"),
        pytest.param(
            Outcome((), blocks=("Not this one.", "Nor this.")),
            [("blocked", "conditions"), ("blocked", "conditions")],
            id="blocked twice",
        ),
    ],
)
def test_hidden_sections_and_products_are_refused(outcome: Outcome, codes: list[tuple[str, str]]) -> None:
    lines = (line(), line(section=2, first=1), line(variant_id=21, section=2, first=2))
    whole = Outcome(
        lines,
        hidden_sections=outcome.hidden_sections,
        hidden_products=outcome.hidden_products,
        blocks=outcome.blocks,
    )

    assert codes_and_paths(check(lines, outcome=whole)) == codes


def test_block_reports_the_merchants_text() -> None:
    (fault,) = check([line()], outcome=Outcome((line(),), blocks=("Not with this mug.",)))

    assert fault.message == "Not with this mug."


@pytest.mark.parametrize(
    ("required", "actual", "missing"),
    [
        # selected: 2 of variant 11 (sections 1 and 2) and 1 of variant 12, both of product 1; 1 of product 2
        pytest.param(RequiredProduct(1, (), 3), None, None, id="all variants, just enough"),
        pytest.param(RequiredProduct(1, (), 4), "3", "1", id="all variants, one too few"),
        pytest.param(RequiredProduct(1, (11,), 2), None, None, id="one variant, over two sections"),
        pytest.param(RequiredProduct(1, (11,), 3), "2", "1", id="one variant, one too few"),
        pytest.param(RequiredProduct(1, (11, 12), 3), None, None, id="two variants together"),
        pytest.param(RequiredProduct(1, (13,), 1), "0", "1", id="another variant"),
        pytest.param(RequiredProduct(3, (), 2), "0", "2", id="another product"),
    ],
)
def test_required_products_must_be_selected(required: RequiredProduct, actual: str | None, missing: str | None) -> None:
    owner = product(1, variant(11), variant(12))
    lines = [line_of(owner, 11), line_of(owner, 11, section=2), line_of(owner, 12, section=0), line(variant_id=21)]

    faults = check(lines, of=bundle(required_products=(RequiredProduct(2, (), 1), required)))

    expected = [] if missing is None else [("requiredProducts.1", "required_missing", actual, missing)]
    assert [(one.path, one.code, one.extra["actual"], one.extra["missing"]) for one in faults] == expected


def test_granted_units_do_not_count_as_required_products() -> None:
    """Granted units do not count as required products, because they are free, and free units do not count towards any rule."""
    of = bundle(required_products=(RequiredProduct(1, (), 2),))
    outcome = Outcome(paid=(line(1),), granted=(line(1),))

    (fault,) = check([line(2)], of=of, outcome=outcome)

    assert (fault.code, fault.extra["actual"], fault.extra["missing"]) == ("required_missing", "1", "1")


def test_limit_rules_apply_except_in_hidden_sections() -> None:
    items = "total-number-of-products"
    of = bundle(limit_rules=(rule(items, "gte", "5"), rule(items, "gte", "5", 1), rule(items, "gte", "5", 2)))

    faults = check([line(2)], of=of, outcome=Outcome((line(2),), hidden_sections=frozenset({2})))

    assert codes_and_paths(faults) == [("limit_not_met", "limitRules.0"), ("limit_not_met", "limitRules.1")]


def test_all_faults_are_reported_together() -> None:
    draft = product(1, variant(11, stock=1), status="DRAFT")
    of = bundle(
        required_products=(RequiredProduct(3, (), 1),),
        limit_rules=(rule("total-number-of-products", "gte", "9"), rule("amount-of-one-product", "gte", "9")),
    )
    lines = [line_of(draft, 11, 2), line(variant_id=21, section=2, first=2)]
    outcome = Outcome(
        tuple(lines), hidden_sections=frozenset({2}), hidden_products=frozenset({(1, 1)}), blocks=("No.",)
    )

    faults = check(lines, of=of, type_="single-product", outcome=outcome, market_prices={11: in_market(for_sale=False)})

    assert set(codes_and_paths(faults)) == {
        ("type_mismatch", "type"),
        ("not_active", "products.0"),
        ("sold_out", "products.0"),
        ("not_sold_in_country", "products.0"),
        ("product_hidden", "products.0"),
        ("section_hidden", "products.2"),
        ("required_missing", "requiredProducts.0"),
        ("limit_not_met", "limitRules.0"),
        ("limit_not_met", "limitRules.1"),
        ("blocked", "conditions"),
    }
    assert len(faults) == 11  # limitRules.1 fails for each product
    assert all(fault.message for fault in faults)


def test_price_rule_measures_the_discounted_price() -> None:
    of = bundle(discount=flat("percentage", "10"), limit_rules=(rule("bundle-price", "gte", "20.00"),))

    (fault,) = check([line(2)], of=of)

    assert (fault.extra["actual"], fault.extra["missing"]) == ("18", "2")


@PROPERTY
@given(
    lines=selections(),
    hidden=st.frozensets(st.sampled_from([1, 2, 3])),
    required=st.builds(RequiredProduct, st.sampled_from([1, 2]), st.sampled_from([(), (11,)]), st.integers(1, 5)),
    unsold=st.frozensets(st.sampled_from([11, 12, 21])),
    order=st.randoms(use_true_random=False),
)
def test_order_of_items_does_not_change_the_faults(
    lines: list[Line], hidden: frozenset[int], required: RequiredProduct, unsold: frozenset[int], order: Random
) -> None:
    drafts = [
        replace(one, first=0, product=replace(one.product, status="DRAFT" if one.product.id == 2 else "ACTIVE"))
        for one in lines
    ]
    prices = {variant_id: in_market(for_sale=variant_id not in unsold) for variant_id in (11, 12, 21, 22)}

    def refused(these: list[Line]) -> list[tuple[str, str, str]]:
        outcome = Outcome(tuple(these), hidden_sections=hidden, hidden_products=frozenset({(1, 1), (3, None)}))
        faults = check(these, of=bundle(required_products=(required,)), outcome=outcome, market_prices=prices)
        return sorted((fault.code, fault.path, str(sorted(fault.extra.items()))) for fault in faults)

    assert refused(drafts) == refused(order.sample(drafts, len(drafts)))
