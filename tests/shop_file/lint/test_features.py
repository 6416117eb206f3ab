"""Findings about features that are used although they are turned off."""

import pytest

from tests.shop_file.lint.linted import FEATURES, country, discount_action, lint, nodes, shop

USES = {
    "conditions": shop(nodes(country("c", "CH"), discount_action("a", "c"))),
    "subscriptions": shop("subscription: {groups: [{id: 1, options: [{frequency: 1, unit: month}]}]}"),
    "personalisation": shop("personalisation: {100: [{key: name, type: text}]}"),
    "ab-testing": shop() + "\nexperiments: [{id: e, bundleId: 1, arms: [{bundleId: 1, weight: 1}]}]",
    "translations": shop("translations: {en-GB: {name: Box}}"),
}


@pytest.mark.parametrize("feature", USES)
def test_a_feature_that_is_off_but_used(feature: str) -> None:
    assert lint(USES[feature]) == []
    others = ", ".join(each for each in FEATURES.split(", ") if each != feature)
    (finding,) = lint(USES[feature].replace(FEATURES, others))
    assert (finding.code, finding.severity, finding.path) == ("feature-off", "warning", "shop.activeFeatures")
    assert f"'{feature}' is off" in finding.message


def test_features_that_are_not_used_may_be_off() -> None:
    assert lint(shop(features="")) == []
    assert lint(shop("subscription: {mode: disabled}", "personalisation: {100: []}", features="")) == []
