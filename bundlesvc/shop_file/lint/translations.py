"""Languages that the shop speaks elsewhere, and texts that a translation leaves out."""

from collections.abc import Iterable, Iterator, Mapping

from bundlesvc.domain.bundle import TIERED, Bundle, BundleTranslation, SectionTranslation
from bundlesvc.domain.conditions import ACTION
from bundlesvc.domain.product import Product, ProductTranslation
from bundlesvc.domain.shop import CONDITIONS, TRANSLATIONS, Shop
from bundlesvc.domain.shop_file import ShopFile
from bundlesvc.domain.translation import find_translation
from bundlesvc.shop_file.document import TreePath, quoted
from bundlesvc.shop_file.lint.findings import Code, Remark, warning
from bundlesvc.shop_file.lint.words import listed

_SPEAKING = ("message", "block-cart")


def check_translations(shop_file: ShopFile) -> Iterator[Remark]:
    """Of bundles, and of the products that they name; only for a shop that has the feature."""
    shop = shop_file.shop
    if not shop.has(TRANSLATIONS):
        return
    spoken = _spoken(shop_file)
    for place, bundle in enumerate(shop_file.bundles):
        path = ("bundles", place)
        yield from _check_missing(shop, spoken, bundle.translations, path, f"Bundle {bundle.id}")
        for language, translation in bundle.translations.items():
            yield from _check_texts(_bundle_gaps(shop, bundle, translation), (*path, "translations", language))
    named = {product_id for bundle in shop_file.bundles for product_id in bundle.product_ids}
    for place, product in enumerate(shop_file.products):
        path = ("products", place)
        if product.id in named:
            yield from _check_missing(shop, spoken, product.translations, path, f"Product {product.id}")
            for language, words in product.translations.items():
                yield from _check_texts(_product_gaps(product, words), (*path, "translations", language))


def _spoken(shop_file: ShopFile) -> list[str]:
    """Every language that something is translated into, in the order of the file."""
    products = (language for product in shop_file.products for language in product.translations)
    bundles = (language for bundle in shop_file.bundles for language in bundle.translations)
    return list(dict.fromkeys((*products, *bundles)))


def _check_missing(
    shop: Shop, spoken: Iterable[str], translations: Mapping[str, object], path: TreePath, name: str
) -> Iterator[Remark]:
    missing = [
        language
        for language in spoken
        if find_translation(translations, language) is None and not _is_same(language, shop.locale)
    ]
    if missing:
        message = f"{name} is not translated into {listed(missing)}, which the shop speaks elsewhere."
        yield warning(Code.TRANSLATION_MISSING, (*path, "translations"), message)


def _is_same(language: str, other: str) -> bool:
    """Whether the two differ in region or script at most: the shop's own words serve then."""
    return language.lower().partition("-")[0] == other.lower().partition("-")[0]


def _check_texts(gaps: Iterable[str], path: TreePath) -> Iterator[Remark]:
    missing = list(gaps)
    if missing:
        message = f"Not translated: {listed(missing)}."
        yield warning(Code.TRANSLATION_INCOMPLETE, path, message)


def _bundle_gaps(shop: Shop, bundle: Bundle, words: BundleTranslation) -> Iterator[str]:
    """What the bundle says in the shop's language and not in this one."""
    yield from _gap("name", bundle.name, words.name)
    yield from _gap("description", bundle.description, words.description)
    for section in bundle.sections:
        translated = words.sections.get(section.id, SectionTranslation())
        yield from _gap(f"name of section {section.id}", section.name, translated.name)
        yield from _gap(f"description of section {section.id}", section.description, translated.description)
    discount = bundle.discount
    for index, tier in enumerate(discount.tiers if discount and discount.flat_or_tiered == TIERED else ()):
        custom_text = words.tiers[index].custom_text if index in words.tiers else ""
        yield from _gap(f"text of tier {index}", tier.custom_text or "", custom_text)
    if shop.has(CONDITIONS):
        for node in bundle.graph.nodes:
            if node["kind"] == ACTION and node["type"] in _SPEAKING:
                yield from _gap(f"text of action {quoted(node['id'])}", node["text"], words.texts.get(node["id"], ""))


def _product_gaps(product: Product, words: ProductTranslation) -> Iterator[str]:
    """Option values may stay as they are: S and M need no translation."""
    yield from _gap("title", product.title, words.title)
    yield from _gap("descriptionHtml", product.description_html, words.description_html)
    for option in product.options:
        translated = words.options[option.name].name if option.name in words.options else ""
        yield from _gap(f"option {quoted(option.name)}", option.name, translated)


def _gap(what: str, own: str, translated: str) -> Iterator[str]:
    if own.strip() and not translated.strip():
        yield what
