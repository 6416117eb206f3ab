"""Translation of a bundle and its products (docs/contract.md#languages). Untranslated texts stay in the shop's language."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from bundlesvc.domain.bundle import (
    Bundle,
    BundleTranslation,
    Discount,
    FieldTranslation,
    GroupTranslation,
    PersonalisationField,
    Section,
    SectionTranslation,
    SubscriptionProgram,
    TierTranslation,
)
from bundlesvc.domain.product import Option, OptionTranslation, Product, ProductTranslation, Variant

T = TypeVar("T")


def choose_language(requested: Sequence[str], available: Sequence[str], own: str) -> str:
    """Return the first requested language that is available, by its exact tag or otherwise by its language alone ("de-CH", then
    "de"). When none is available, return `own`, the shop's language. Tags are compared case-insensitively (BCP 47)."""
    by_tag = {tag.lower(): tag for tag in (*available, own)}
    for tag in requested:
        for candidate in (tag.lower(), tag.lower().partition("-")[0]):
            if candidate in by_tag:
                return by_tag[candidate]
    return own


def same_language(tag: str, own: str) -> bool:
    """Whether a requested tag matches the shop's `own` language, either exactly or by its language alone (`de-CH` matches
    `de`)."""
    return own.lower() in (tag.lower(), tag.lower().partition("-")[0])


def wants_another(requested: Sequence[str], own: str) -> bool:
    """Whether the first requested language differs from the shop's own language, `own`."""
    return bool(requested) and not same_language(requested[0], own)


def find_translation(translations: Mapping[str, T], language: str) -> T | None:
    """Return the translation into a language, or None when there is no translation. Each text is looked up by the exact tag
    first, then by the language alone."""
    by_tag = {tag.lower(): translation for tag, translation in translations.items()}
    exact, general = by_tag.get(language.lower()), by_tag.get(language.lower().partition("-")[0])
    return exact or general if exact is None or general is None or exact is general else _completed(exact, general)


def _completed(exact: Any, general: Any) -> Any:
    """Return the texts of `exact`; texts that it lacks are taken from `general`."""
    if isinstance(exact, str):
        return exact or general
    if isinstance(exact, Mapping):
        shared = {key: _completed(exact[key], general[key]) for key in exact.keys() & general.keys()}
        return {**general, **exact, **shared}
    parts = (part.name for part in fields(exact))
    return replace(exact, **{name: _completed(getattr(exact, name), getattr(general, name)) for name in parts})


def translate_bundle(bundle: Bundle, language: str) -> Bundle:
    """Return the bundle with its texts in this language."""
    words = find_translation(bundle.translations, language)
    if words is None:
        return bundle
    return replace(
        bundle,
        name=words.name or bundle.name,
        description=words.description or bundle.description,
        discount=bundle.discount and _translate_discount(bundle.discount, words),
        sections=tuple(_translate_section(section, words) for section in bundle.sections),
        conditions=tuple(_translate_node(node, words) for node in bundle.conditions),
        personalisation={
            product_id: tuple(_translate_field(field, words.personalisation.get(product_id, {})) for field in own)
            for product_id, own in bundle.personalisation.items()
        },
        subscription=_translate_program(bundle.subscription, words),
    )


def _translate_discount(discount: Discount, words: BundleTranslation) -> Discount:
    return replace(
        discount,
        tiers=tuple(
            replace(tier, custom_text=words.tiers.get(index, TierTranslation()).custom_text or tier.custom_text)
            for index, tier in enumerate(discount.tiers)
        ),
    )


def _translate_section(section: Section, words: BundleTranslation) -> Section:
    own = words.sections.get(section.id, SectionTranslation())
    return replace(section, name=own.name or section.name, description=own.description or section.description)


def _translate_node(node: Mapping[str, Any], words: BundleTranslation) -> Mapping[str, Any]:
    text = words.texts.get(node["id"])
    return {**node, "text": text} if text and "text" in node else node


def _translate_field(field: PersonalisationField, words: Mapping[str, FieldTranslation]) -> PersonalisationField:
    """Translate a personalisation field. The options stay untranslated, because an answer must be one of them in every
    language."""
    own = words.get(field.key, FieldTranslation())
    return replace(
        field,
        label=own.label or field.label,
        placeholder=own.placeholder or field.placeholder,
        help_text=own.help_text or field.help_text,
        option_labels={option: label for option, label in own.options.items() if label},
    )


def _translate_program(program: SubscriptionProgram, words: BundleTranslation) -> SubscriptionProgram:
    return replace(
        program,
        groups=tuple(
            replace(group, name=words.groups.get(group.id, GroupTranslation()).name or group.name)
            for group in program.groups
        ),
    )


def translate_product(product: Product, language: str) -> Product:
    """Return the product with its text in `language`, as far as it is translated. Variant titles are composed from the
    translated option values."""
    words = find_translation(product.translations, language)
    if words is None:
        return product
    return replace(
        product,
        title=words.title or product.title,
        description_html=words.description_html or product.description_html,
        options=tuple(_translate_option(option, words) for option in product.options),
        variants=tuple(_translate_variant(variant, product, words) for variant in product.variants),
    )


def _translate_option(option: Option, words: ProductTranslation) -> Option:
    own = words.options.get(option.name, OptionTranslation())
    return replace(
        option,
        name=own.name or option.name,
        values=tuple(_value(own, value) for value in option.values),
        swatches={_value(own, value): swatch for value, swatch in option.swatches.items()},
    )


def _translate_variant(variant: Variant, product: Product, words: ProductTranslation) -> Variant:
    by_option = [words.options.get(option.name, OptionTranslation()) for option in product.options]
    if len(by_option) != len(variant.option_values):
        return variant
    values = tuple(_value(own, value) for own, value in zip(by_option, variant.option_values, strict=True))
    put_together = variant.title == " / ".join(variant.option_values)
    return replace(variant, option_values=values, title=" / ".join(values) if put_together else variant.title)


def _value(own: OptionTranslation, value: str) -> str:
    return own.values.get(value) or value
