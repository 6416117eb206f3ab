"""The service returns the results that the shared vectors specify. `selections.test.mjs` checks that the client does too."""

from collections import Counter

import pytest

from bundlesvc.domain.bundle import DISCOUNT_TYPES, TIER_TYPES
from bundlesvc.domain.measures import COMPARISONS
from bundlesvc.domain.rules.rule_types import MULTIPLES, RULE_TYPES
from tests.storefront.selection_vectors import FILE, Vector, read_vectors, text_of

VECTORS = read_vectors()


@pytest.mark.parametrize("vector", list(VECTORS), ids=lambda vector: vector.name)
def test_service_gives_the_expected_results(vector: Vector) -> None:
    assert VECTORS.answers(vector) == vector.expected


@pytest.mark.parametrize("shop", VECTORS.written["shops"])
def test_service_shows_the_shop_as_in_the_file(shop: str) -> None:
    assert VECTORS.shown(shop) == VECTORS.written["shops"][shop]["shown"]


def test_file_is_up_to_date() -> None:
    assert FILE.read_text("utf-8") == f"{text_of(VECTORS.written)}\n"


def test_vector_names_are_unique() -> None:
    assert [name for name, count in Counter(vector.name for vector in VECTORS).items() if count > 1] == []


def test_vectors_apply_every_discount() -> None:
    applied = {pricing["discountType"] for vector in VECTORS if (pricing := vector.expected.pricing)}
    bundles = [bundle for shop in VECTORS.shops.values() for bundle in shop.bundles.values()]
    tiers = [tier for bundle in bundles if bundle.discount for tier in bundle.discount.tiers]

    assert applied == {*DISCOUNT_TYPES, "none"}
    assert {tier.type for tier in tiers} == set(TIER_TYPES)
    assert {tier.operation for tier in tiers} == set(COMPARISONS)


def test_vectors_break_every_limit_rule_with_every_operation() -> None:
    details = [detail for vector in VECTORS if (refusal := vector.expected.refusal) for detail in refusal["details"]]
    failed = {(detail["rule"], detail["operation"]) for detail in details if detail["code"] == "limit_not_met"}
    compared = set(RULE_TYPES) - {MULTIPLES.name}

    assert {(type_, operation) for type_ in compared for operation in COMPARISONS} <= failed
    assert (MULTIPLES.name, "eq") in failed


def test_vectors_have_every_code_of_a_refusal() -> None:
    """The vectors cover every refusal code, except `blocked` for a bundle without its own product, which only the service can
    detect."""
    refusals = [refusal for vector in VECTORS if (refusal := vector.expected.refusal)]
    codes = {(refusal["code"], detail["code"]) for refusal in refusals for detail in refusal["details"]}

    assert codes == {
        *(("selection_invalid", code) for code in SELECTION),
        *(("personalisation_invalid", code) for code in PERSONALISATION),
        *(("subscription_invalid", code) for code in SUBSCRIPTION),
        *(("rules_not_met", code) for code in RULES),
    }


SELECTION = (
    "item_count",
    "unknown_section",
    "unknown_product",
    "unknown_variant",
    "not_in_section",
    "variant_not_allowed",
)
PERSONALISATION = (
    "unknown_field",
    "required",
    "too_long",
    "not_offered",
    "invalid",
    "invalid_character",
    "answers_too_long",
)
SUBSCRIPTION = ("not_offered", "required", "invalid_email", "unknown_group", "unknown_option")
RULES = (
    "type_mismatch",
    "not_active",
    "sold_out",
    "not_sold_in_country",
    "section_hidden",
    "product_hidden",
    "required_missing",
    "limit_not_met",
    "blocked",
)
