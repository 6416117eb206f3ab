"""Checks for features that bundles, products or experiments use although the shop has turned them off."""

from collections.abc import Iterator

from bundlesvc.domain.bundle import DISABLED
from bundlesvc.domain.shop import AB_TESTING, CONDITIONS, PERSONALISATION, SUBSCRIPTIONS, TRANSLATIONS
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.shop_file.lint.findings import Code, Remark, warning
from bundlesvc.shop_file.lint.subject import listed
from bundlesvc.shop_file.tree import quoted


def check_features(shop_file: ShopFile) -> Iterator[Remark]:
    """Report each feature that is used but turned off."""
    for feature, users in _feature_users(shop_file).items():
        if users and not shop_file.shop.has(feature):
            message = f"The feature {quoted(feature)} is off, but used by {listed(users)}."
            yield warning(Code.FEATURE_OFF, ("shop", "activeFeatures"), message)


def _feature_users(shop_file: ShopFile) -> dict[str, list[str]]:
    bundles, products = shop_file.bundles, shop_file.products
    return {
        CONDITIONS: [f"bundle {bundle.id}" for bundle in bundles if bundle.conditions],
        SUBSCRIPTIONS: [f"bundle {bundle.id}" for bundle in bundles if bundle.subscription.mode != DISABLED],
        PERSONALISATION: [f"bundle {bundle.id}" for bundle in bundles if any(bundle.personalisation.values())],
        AB_TESTING: [f"experiment {quoted(experiment.id)}" for experiment in shop_file.experiments],
        TRANSLATIONS: [
            *(f"bundle {bundle.id}" for bundle in bundles if bundle.translations),
            *(f"product {product.id}" for product in products if product.translations),
        ],
    }
