"""Checks rules that concern several parts of a shop file. The checks read the raw tree and skip broken parts, so that the faults
found by the schemas and by the checks are reported together.
"""

from collections.abc import Callable, Iterable, Iterator

from bundlesvc.domain.bundle import BUNDLE_TYPES, NATIVE
from bundlesvc.domain.measures import WEIGHT
from bundlesvc.domain.rules.rule_types import RULE_TYPES
from bundlesvc.domain.shop import WITH_CHANNELS, WITHOUT_GHOSTS, WITHOUT_WEIGHTS
from bundlesvc.shop_file import scalars
from bundlesvc.shop_file.bundle_checks import check_bundle
from bundlesvc.shop_file.format_fields import MISSING
from bundlesvc.shop_file.known_ids import KnownProducts, is_live, known_products
from bundlesvc.shop_file.shop_format import PLATFORM_SETTINGS
from bundlesvc.shop_file.tree import Tree, TreeFault
from bundlesvc.shop_file.tree_nodes import TreeNode, repeated


def check_tree(tree: Tree, progress: Callable[[int, int], None]) -> Iterator[TreeFault]:
    """Find every inconsistency between parts of a shop file. `progress` is called with the number of bundles checked so far, and
    the total number of bundles."""
    top = TreeNode((), tree)
    products = known_products(top)
    yield from _check_platform(top)
    yield from _check_ids(top)
    for product in top.items("products"):
        yield from _check_product(product)
    for market in top.items("markets"):
        yield from _check_market(market, products)
    bundles = top.items("bundles")
    yield from _check_possibilities(top, bundles)
    for done, bundle in enumerate(bundles, start=1):
        yield from check_bundle(bundle, products)
        progress(done, len(bundles))
    yield from _check_experiments(top)


def _check_platform(top: TreeNode) -> Iterator[TreeFault]:
    """Check that a file for a live platform contains the shop's domain and nothing that the platform owns, and that any other
    file contains the currency."""
    shop = top.at("shop")
    if not shop.is_mapping:
        return
    platform, live = shop.at("platform"), is_live(top)
    needed = platform.at("domain") if live else shop.at("currency")
    if needed.value is None:
        yield needed.fault(MISSING)
    owned = [*(shop.at(key) for key in PLATFORM_SETTINGS), top.at("products"), top.at("markets")] if live else []
    for node in owned:
        if node.value not in (None, []):
            yield node.fault("This comes from the live platform; remove it.")
    yield from _check_channels(platform)


def _check_channels(platform: TreeNode) -> Iterator[TreeFault]:
    """Check that channels and markets are set only for platforms that support them, and that no market is repeated."""
    if platform.is_mapping and platform.at("kind").value not in WITH_CHANNELS:
        for node in (platform.at("channel"), platform.at("markets")):
            if node.value not in (None, []):
                yield node.fault("This platform does not have it; remove it.")
    yield from repeated(
        (market.at("countryCode") for market in platform.items("markets")), scalars.country, "A market for"
    )


def _check_possibilities(top: TreeNode, bundles: Iterable[TreeNode]) -> Iterator[TreeFault]:
    """Check that the platform supports what the bundles need: ghost variants for every type except native, and weights for weight
    rules."""
    kind = top.at("shop").at("platform").at("kind").value
    for bundle in bundles:
        type_ = bundle.at("type")
        if kind in WITHOUT_GHOSTS and type_.value in BUNDLE_TYPES and type_.value != NATIVE:
            yield type_.fault("This platform sells native bundles only: set type: native.")
        for rule in bundle.items("limitRules") if kind in WITHOUT_WEIGHTS else ():
            row = RULE_TYPES.get(str(rule.at("type").value))
            if row and row.unit == WEIGHT:
                yield rule.at("type").fault("This platform has no weights: remove this rule.")


def _check_ids(top: TreeNode) -> Iterator[TreeFault]:
    products = top.items("products")
    variants = (variant for product in products for variant in product.items("variants"))
    handles = (product.at("handle") for product in products if product.at("handle").value != "")
    markets = (market.at("countryCode") for market in top.items("markets"))
    yield from repeated((product.at("id") for product in products), scalars.product_id, "Product")
    yield from repeated((variant.at("id") for variant in variants), scalars.variant_id, "Variant")
    yield from repeated(handles, scalars.short_text, "A product with the handle")
    yield from repeated(markets, scalars.country, "A market for")
    yield from repeated((bundle.at("id") for bundle in top.items("bundles")), scalars.number_id, "Bundle")


def _check_product(product: TreeNode) -> Iterator[TreeFault]:
    names = [option.at("name") for option in product.items("options")]
    known = {name.read(scalars.name) for name in names}
    yield from repeated(names, scalars.name, "Option")
    for variant in product.items("variants"):
        yield from _check_option_values(variant, len(names))
    for _, translation in product.entries("translations"):
        for name, option in translation.entries("options"):
            if name not in known:
                yield option.fault("The product has no option with this name.")


def _check_option_values(variant: TreeNode, options: int) -> Iterator[TreeFault]:
    values = variant.at("optionValues")
    count = len(values.items())
    if variant.is_mapping and isinstance(values.value, list | None) and count != options:
        yield values.fault(
            f"The product has {_counted(options, 'option')}, but this variant has {_counted(count, 'value')}."
        )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _check_market(market: TreeNode, products: KnownProducts) -> Iterator[TreeFault]:
    for variant_id, price in market.entries("prices"):
        yield from products.missing_variant_key(variant_id, price)
    for variant in market.items("unavailableVariantIds"):
        yield from products.missing_variant(variant)


def _check_experiments(top: TreeNode) -> Iterator[TreeFault]:
    experiments = top.items("experiments")
    entries = [experiment.at("bundleId") for experiment in experiments]
    bundles = {bundle.at("id").read(scalars.number_id) for bundle in top.items("bundles")}
    yield from repeated((experiment.at("id") for experiment in experiments), scalars.name, "Experiment")
    yield from repeated(entries, scalars.number_id, "An experiment for bundle")
    for experiment, entry in zip(experiments, entries, strict=True):
        yield from _check_arms(experiment, entry, bundles)


def _check_arms(experiment: TreeNode, entry: TreeNode, bundles: set[int | None]) -> Iterator[TreeFault]:
    arms = [arm.at("bundleId") for arm in experiment.items("arms")]
    for named in (entry, *arms):
        bundle_id = named.read(scalars.number_id)
        if bundle_id is not None and bundle_id not in bundles:
            yield named.fault(f"There is no bundle {bundle_id} in this file.")
    if experiment.is_mapping and experiment.at("arms").value in (None, []):
        yield experiment.at("arms").fault("An experiment must have at least one arm.")
    first = arms[0].read(scalars.number_id) if arms else None
    if first is not None and first != entry.read(scalars.number_id):
        yield arms[0].fault("The first arm must be the bundle of the experiment itself.")
