"""Renders a bundle as plain data, with only those details of its products that an assistant needs to choose."""

from collections.abc import Iterable, Iterator, Mapping

from bundlesvc.api.agents.messages import Json
from bundlesvc.api.agents.results import RULES_FORMAT
from bundlesvc.api.responses import rendering
from bundlesvc.domain.bundle import Bundle, SectionProduct
from bundlesvc.domain.money import amount_text, presentment_price_text
from bundlesvc.domain.product import ACTIVE, CONTROL_TAG_PREFIX, Product, Variant, unit_price
from bundlesvc.domain.selection import NO_SECTION
from bundlesvc.services.agents.describe_bundle import DescribedBundle, RuleSentences
from bundlesvc.services.products import ProductList


def described(found: DescribedBundle) -> Json:
    """Render the result of get_bundle."""
    view, products = found.view.bundle, found.view.products
    whole = rendering.bundle_whole(view, found.language)
    return {
        "id": view.bundle.id,
        "name": view.bundle.name,
        "description": view.bundle.description,
        "language": found.language,
        "currency": products.currency,
        "sections": list(_sections(view.bundle, products)),
        "rules": _rules(whole, products.currency, found.sentences),
        "sellingPlans": whole.get("sellingPlans", []),
        "personalisation": whole.get("personalisation", {}),
    }


def _rules(whole: Json, currency: str, sentences: RuleSentences) -> Json:
    """Render the rules of a bundle in the API's format, each with an English sentence that states it."""
    return {
        "schema": RULES_FORMAT,
        "currency": currency,
        "weightUnit": whole["weightUnit"],
        "limits": [
            {**rule, "sentence": sentence} for rule, sentence in zip(whole["limitRules"], sentences.limits, strict=True)
        ],
        "required": [
            {
                "product": required["platformProductId"],
                "variants": required["variantIds"],
                "quantity": required["quantity"],
                "sentence": sentence,
            }
            for required, sentence in zip(whole["requiredProducts"], sentences.required, strict=True)
        ],
        "conditions": [
            {"actionId": condition.action_id, "sentence": condition.sentence} for condition in sentences.conditions
        ],
        "conditionNodes": whole.get("conditionsEngineNodes", []),
        "discount": whole["discount"],
        "discountSentence": sentences.discount,
        "subscription": {"required": sentences.subscription is not None, "sentence": sentences.subscription},
    }


def _sections(bundle: Bundle, listed: ProductList) -> Iterator[Json]:
    products = {product.id: product for product in listed.products}
    for section in sorted(bundle.sections, key=lambda each: each.order):
        yield {
            "id": section.id,
            "name": section.name,
            "description": section.description,
            "products": list(_products(section.products, products, listed)),
        }
    required = list(_products(_only_required(bundle, products), products, listed))
    if required:
        yield {"id": NO_SECTION, "name": "Required products", "description": "", "products": required}


def _only_required(bundle: Bundle, products: Mapping[int, Product]) -> Iterator[SectionProduct]:
    """Yield the variants that count towards required products but that no section offers."""
    offered = [each for section in bundle.sections for each in section.products]
    for required in bundle.required_products:
        product = products.get(required.product_id)
        variants = [] if product is None else [variant.id for variant in product.variants]
        alone = tuple(
            variant
            for variant in variants
            if required.accepts(required.product_id, variant)
            and not any(each.product_id == required.product_id and each.allows(variant) for each in offered)
        )
        if alone:
            yield SectionProduct(0, required.product_id, alone)


def _products(
    offered: Iterable[SectionProduct], products: Mapping[int, Product], listed: ProductList
) -> Iterator[Json]:
    """Render the offered products that are active."""
    for each in offered:
        product = products.get(each.product_id)
        if product is not None and product.status == ACTIVE:
            yield {
                "product": str(product.id),
                "title": product.title,
                "tags": [tag for tag in product.tags if not tag.startswith(CONTROL_TAG_PREFIX)],
                "variants": [
                    _variant(product, variant, listed) for variant in product.variants if each.allows(variant.id)
                ],
            }


def _variant(product: Product, variant: Variant, listed: ProductList) -> Json:
    market = (listed.prices or {}).get(variant.id)
    names = [option.name for option in product.options]
    rendered: Json = {
        "variant": str(variant.id),
        "title": product.title_of(variant),
        "options": dict(zip(names, variant.option_values, strict=False)),
        "price": amount_text(unit_price(variant, market, listed.currency)),
        "available": variant.available and (market is None or market.available_for_sale),
        "grams": variant.grams,
        "left": None if variant.in_stock(variant.inventory_quantity + 1) else max(variant.inventory_quantity, 0),
    }
    if market is not None:
        rendered["presentmentPrice"] = presentment_price_text(market.presentment_price)
        rendered["presentmentCurrency"] = market.presentment_currency
    return rendered
