"""Findings about missing or incomplete parts of a bundle that prevent it from being bought."""

import pytest

from tests.shop_file.lint.linted import FEATURES, OWN_PRODUCT, Case, assert_found, found, live, shop

NO_SECTIONS = "sections: []"


def groups(*options: str) -> str:
    return "groups: [" + ", ".join(f"{{id: {place}, options: [{each}]}}" for place, each in enumerate(options, 1)) + "]"


MONTHLY = "{frequency: 1, unit: month}"
SUBSCRIPTIONS = [
    Case("an option", [f"subscription: {{mode: required, {groups(MONTHLY)}}}"]),
    Case(
        "no option",
        [f"subscription: {{mode: required, {groups('')}}}"],
        ["error subscription-without-options subscription"],
    ),
    Case("an option in another group", [f"subscription: {{mode: required, {groups('', MONTHLY)}}}"]),
    Case(
        "no group: sold once", ["subscription: {mode: required}"], ["warning subscription-without-options subscription"]
    ),
    Case(
        "no option, and none needed",
        [f"subscription: {{{groups('')}}}"],
        ["warning subscription-without-options subscription"],
    ),
    Case("no option of a disabled program", [f"subscription: {{mode: disabled, {groups('')}}}"]),
]

THREAD = "personalisation: {100: [{key: name, type: text, required: true}, {key: thread, type: dropdown, %s}]}"
FIELDS = [
    Case("nothing to choose", [THREAD % "required: true"], ["warning field-without-options personalisation.100.1"]),
    Case("something to choose", [THREAD % "required: true, options: [Red]"]),
    Case("nothing needed", [THREAD % "required: false"]),
    Case(
        "nothing to choose for what is required",
        [THREAD % "required: true", "requiredProducts: [{platformProductId: 100}]"],
        ["error field-without-options personalisation.100.1"],
    ),
    Case(
        "nothing to choose besides what is required",
        [THREAD % "required: true", "requiredProducts: [{platformProductId: 200}]"],
        ["warning field-without-options personalisation.100.1"],
    ),
]


@pytest.mark.parametrize(
    ("kind", "own", "findings"),
    [
        ("native", OWN_PRODUCT, []),
        ("native", "platformProductId: 900", ["error bundle-without-product"]),
        ("native", "", ["error bundle-without-product"]),
        ("multiple-products", "platformProductId: 900", []),
        ("single-product", "", ["error bundle-without-product"]),
    ],
)
def test_a_bundle_needs_a_product_of_its_own(kind: str, own: str, findings: list[str]) -> None:
    assert found(shop(kind=kind, own=own)) == findings


def test_a_draft_needs_no_product() -> None:
    assert found(shop(NO_SECTIONS, "published: false", own="")) == []


def test_a_bundle_must_offer_something() -> None:
    assert found(shop(NO_SECTIONS)) == found(live(NO_SECTIONS)) == ["error nothing-offered"]
    assert found(shop("sections: [{id: 1}]")) == ["error nothing-offered"]
    assert found(shop(NO_SECTIONS, "requiredProducts: [{platformProductId: 100}]")) == []


@pytest.mark.parametrize("case", SUBSCRIPTIONS, ids=str)
def test_a_subscription_needs_options(case: Case) -> None:
    assert_found(case)


def test_subscriptions_are_ignored_without_the_feature() -> None:
    text = shop(f"subscription: {{mode: required, {groups('')}}}", features="conditions")
    assert found(text) == ["warning feature-off shop.activeFeatures"]


@pytest.mark.parametrize("case", FIELDS, ids=str)
def test_a_required_dropdown_needs_options(case: Case) -> None:
    assert_found(case)


def test_personalisation_is_ignored_without_the_feature() -> None:
    features = FEATURES.replace("personalisation, ", "")
    assert found(shop(THREAD % "required: true", features=features)) == ["warning feature-off shop.activeFeatures"]
