"""Checks for missing or incomplete translations."""

from collections.abc import Iterable, Iterator, Mapping

from bundlesvc.domain.bundle import (
    TIERED,
    Bundle,
    BundleTranslation,
    FieldTranslation,
    GroupTranslation,
    PersonalisationField,
    SectionTranslation,
)
from bundlesvc.domain.conditions.action_types import ACTION_TYPES
from bundlesvc.domain.conditions.graph import ACTION
from bundlesvc.domain.product import Product, ProductTranslation
from bundlesvc.domain.shop import CONDITIONS, PERSONALISATION, TRANSLATIONS, Shop
from bundlesvc.domain.shop_files.shop_file import ShopFile
from bundlesvc.domain.subscription import offers_subscription
from bundlesvc.domain.texts.translation import find_translation
from bundlesvc.shop_file.lint.findings import Code, Remark, warning
from bundlesvc.shop_file.lint.subject import listed
from bundlesvc.shop_file.tree import TreePath, quoted


def check_translations(shop_file: ShopFile) -> Iterator[Remark]:
    """Check the translations of bundles, and of the products in them, if the shop has the translations feature."""
    shop = shop_file.shop
    if not shop.has(TRANSLATIONS):
        return
    languages = _languages(shop_file)
    for place, bundle in enumerate(shop_file.bundles):
        path = ("bundles", place)
        yield from _translation_missing(shop, languages, bundle.translations, path, f"bundle {bundle.id}")
        for language, own in bundle.translations.items():
            gaps = _bundle_gaps(shop, bundle, find_translation(bundle.translations, language) or own)
            yield from _translation_incomplete(gaps, (*path, "translations", language))
    named = {product_id for bundle in shop_file.bundles for product_id in bundle.product_ids}
    for place, product in enumerate(shop_file.products):
        path = ("products", place)
        if product.id in named:
            yield from _translation_missing(shop, languages, product.translations, path, f"product {product.id}")
            for language, words in product.translations.items():
                gaps = _product_gaps(product, find_translation(product.translations, language) or words)
                yield from _translation_incomplete(gaps, (*path, "translations", language))


def _languages(shop_file: ShopFile) -> list[str]:
    """Return every language that something is translated into, in the order of the file."""
    products = (language for product in shop_file.products for language in product.translations)
    bundles = (language for bundle in shop_file.bundles for language in bundle.translations)
    return list(dict.fromkeys((*products, *bundles)))


def _translation_missing(
    shop: Shop, languages: Iterable[str], translations: Mapping[str, object], path: TreePath, name: str
) -> Iterator[Remark]:
    missing = [
        language
        for language in languages
        if find_translation(translations, language) is None and not _is_same(language, shop.locale)
    ]
    if missing:
        message = f"{name.capitalize()} is not translated into {listed(missing)}, but other parts of the shop are."
        yield warning(Code.TRANSLATION_MISSING, (*path, "translations"), message)


def _is_same(language: str, other: str) -> bool:
    """Whether the two languages differ at most in region or script, in which case the shop's own texts suffice."""
    return language.lower().partition("-")[0] == other.lower().partition("-")[0]


def _translation_incomplete(gaps: Iterable[str], path: TreePath) -> Iterator[Remark]:
    missing = list(gaps)
    if missing:
        yield warning(Code.TRANSLATION_INCOMPLETE, path, f"Not translated: {listed(missing)}.")


def _bundle_gaps(shop: Shop, bundle: Bundle, words: BundleTranslation) -> Iterator[str]:
    """Yield the texts that the bundle has in the shop's language but not in this translation."""
    yield from _gap("name", bundle.name, words.name)
    yield from _gap("description", bundle.description, words.description)
    for section in bundle.sections:
        translated = words.sections.get(section.id, SectionTranslation())
        yield from _gap(f"name of section {section.id}", section.name, translated.name)
        yield from _gap(f"description of section {section.id}", section.description, translated.description)
    yield from _tier_gaps(bundle, words)
    if shop.has(CONDITIONS):
        for node in bundle.graph.nodes:
            if node["kind"] == ACTION and ACTION_TYPES[node["type"]].has_text:
                yield from _gap(f"text of action {quoted(node['id'])}", node["text"], words.texts.get(node["id"], ""))
    if shop.has(PERSONALISATION):
        yield from _personalisation_gaps(bundle, words)
    if offers_subscription(shop, bundle):
        for group in bundle.subscription.groups:
            name = words.groups.get(group.id, GroupTranslation()).name
            yield from _gap(f"name of group {group.id}", group.name if group.options else "", name)


def _personalisation_gaps(bundle: Bundle, words: BundleTranslation) -> Iterator[str]:
    for product_id, fields in bundle.personalisation.items():
        own = words.personalisation.get(product_id, {})
        for field in fields:
            where = f"of field {quoted(field.key)} of product {product_id}"
            for what, text, translated in _field_texts(field, own.get(field.key, FieldTranslation())):
                yield from _gap(f"{what} {where}", text, translated)


def _field_texts(field: PersonalisationField, words: FieldTranslation) -> Iterator[tuple[str, str, str]]:
    """Yield each text of a field, as the name of the text, the text in the shop's language, and its translation."""
    yield "label", field.label, words.label
    yield "placeholder", field.placeholder, words.placeholder
    yield "helpText", field.help_text, words.help_text
    for option in field.options:
        yield f"option {quoted(option)}", option, words.options.get(option, "")


def _tier_gaps(bundle: Bundle, words: BundleTranslation) -> Iterator[str]:
    discount = bundle.discount
    for index, tier in enumerate(discount.tiers if discount and discount.flat_or_tiered == TIERED else ()):
        custom_text = words.tiers[index].custom_text if index in words.tiers else ""
        yield from _gap(f"text of tier {index}", tier.custom_text or "", custom_text)


def _product_gaps(product: Product, words: ProductTranslation) -> Iterator[str]:
    """Yield the product's texts that this translation lacks. Option values need no translation, because values such as S and M
    are the same everywhere."""
    yield from _gap("title", product.title, words.title)
    yield from _gap("descriptionHtml", product.description_html, words.description_html)
    for option in product.options:
        translated = words.options[option.name].name if option.name in words.options else ""
        yield from _gap(f"option {quoted(option.name)}", option.name, translated)


def _gap(what: str, own: str, translated: str) -> Iterator[str]:
    if own.strip() and not translated.strip():
        yield what
