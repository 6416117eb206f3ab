"""Features that the file uses and the shop has not: what needs them is passed over without a word."""

from collections.abc import Iterator

from bundlesvc.domain.bundle import DISABLED, Bundle
from bundlesvc.domain.product import Product
from bundlesvc.domain.shop import AB_TESTING, CONDITIONS, PERSONALISATION, SUBSCRIPTIONS, TRANSLATIONS
from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.shop_file.document import quoted
from bundlesvc.shop_file.lint.findings import Code, Remark, warning
from bundlesvc.shop_file.lint.words import listed


def check_features(shop_file: ShopFile) -> Iterator[Remark]:
    """One remark for each feature that is off and used."""
    for feature, users in _users(shop_file).items():
        if users and not shop_file.shop.has(feature):
            message = f"The feature {quoted(feature)} is off, and used by {listed(users)}."
            yield warning(Code.FEATURE_OFF, ("shop", "activeFeatures"), message)


def _users(shop_file: ShopFile) -> dict[str, list[str]]:
    bundles, products = shop_file.bundles, shop_file.products
    return {
        CONDITIONS: [_bundle(bundle) for bundle in bundles if bundle.conditions],
        SUBSCRIPTIONS: [_bundle(bundle) for bundle in bundles if bundle.subscription.mode != DISABLED],
        PERSONALISATION: [_bundle(bundle) for bundle in bundles if any(bundle.personalisation.values())],
        AB_TESTING: [f"experiment {quoted(experiment.id)}" for experiment in shop_file.experiments],
        TRANSLATIONS: [
            *(_bundle(bundle) for bundle in bundles if bundle.translations),
            *(_product(product) for product in products if product.translations),
        ],
    }


def _bundle(bundle: Bundle) -> str:
    return f"bundle {bundle.id}"


def _product(product: Product) -> str:
    return f"product {product.id}"
