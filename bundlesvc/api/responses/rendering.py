"""Renders the bodies of the main API as plain data for the serialiser. The schemas in this package describe the fields, and tests
keep rendering and schemas consistent (docs/decisions/0019-one-description-per-wire-shape.md)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from bundlesvc.domain.bundle import REQUIRED, TIERED, Bundle, Discount, PersonalisationField, Section, Tier
from bundlesvc.domain.identifiers import product_gid, variant_gid
from bundlesvc.domain.money import amount_text, plain_text, presentment_price_text, round_amount
from bundlesvc.domain.personalisation import character_limit
from bundlesvc.domain.pricing.presentment import Presentment
from bundlesvc.domain.pricing.selection_price import Pricing
from bundlesvc.domain.product import CONTROL_TAG_PREFIX, MarketPrice, Product, Variant
from bundlesvc.domain.selection import SelectedItem
from bundlesvc.domain.shop import CONDITIONS, PERSONALISATION, Shop, ShopSettings
from bundlesvc.domain.subscription import SubscriptionChoice, offers_subscription
from bundlesvc.domain.texts.cadence import cadence_label
from bundlesvc.services.bundles import BundleView
from bundlesvc.services.configure_bundle import ConfigureResult
from bundlesvc.services.configured_selections import ReadSelection
from bundlesvc.services.listings import Offer
from bundlesvc.services.products import ProductList

Json = dict[str, Any]


def bundle_summary(bundle: Bundle) -> Json:
    return {
        "id": bundle.id,
        "name": bundle.name,
        "description": bundle.description,
        "imageUrl": bundle.image_url,
        "type": bundle.type,
        "bundlingOption": bundle.bundling_option,
        "published": bundle.published,
    }


def offer(listed: Offer) -> Json:
    price = listed.from_price
    return {
        "handle": listed.handle,
        "fromPrice": None if price is None else amount_text(price),
        "discountSummary": listed.discount_summary,
    }


def bundle_whole(view: BundleView, language: str) -> Json:
    """Render a bundle, with the fields of the features that the shop has (docs/contract.md#features). `language` is the language
    of the service's own texts."""
    bundle = view.bundle
    return {
        **bundle_summary(bundle),
        "layout": bundle.layout,
        "discount": _discount(bundle.discount) if bundle.discount else None,
        "sections": [_section(section) for section in bundle.sections],
        "requiredProducts": [
            {
                "platformProductId": str(required.product_id),
                "variantIds": [str(variant) for variant in required.variant_ids],
                "quantity": required.quantity,
            }
            for required in bundle.required_products
        ],
        "limitRules": [
            {"type": rule.type, "operation": rule.operation, "value": rule.value, "sectionId": rule.section_id}
            for rule in bundle.limit_rules
        ],
        "weightUnit": view.settings.weight_unit,
        **_conditions(view.shop, bundle),
        **_selling_plans(view, language),
        **_personalisation(view.shop, bundle),
    }


def _discount(discount: Discount) -> Json:
    return {
        "type": discount.type,
        "value": amount_text(discount.value),
        "flatOrTiered": discount.flat_or_tiered,
        "minimum": None if discount.minimum is None else amount_text(discount.minimum),
        "operator": discount.operator,
        "tiers": [_tier(tier) for tier in discount.tiers] if discount.flat_or_tiered == TIERED else [],
    }


def _tier(tier: Tier) -> Json:
    return {
        "type": tier.type,
        "value": tier.value,
        "operation": tier.operation,
        "discount": amount_text(tier.discount),
        "customText": tier.custom_text,
    }


def _section(section: Section) -> Json:
    return {
        "id": section.id,
        "name": section.name,
        "description": section.description,
        "imageUrl": section.image_url,
        "order": section.order,
        "autoNextSection": section.auto_next_section,
        "products": [
            {
                "bundleItemId": offered.bundle_item_id,
                "platformProductId": str(offered.product_id),
                "variantIds": [str(variant) for variant in offered.variant_ids],
            }
            for offered in section.products
        ],
    }


def _conditions(shop: Shop, bundle: Bundle) -> Json:
    if not shop.has(CONDITIONS):
        return {"conditionsEngineEnabled": False, "conditionsPartial": False}
    return {
        "conditionsEngineEnabled": bool(bundle.conditions),
        "conditionsEngineNodes": list(bundle.graph.nodes),
        "conditionsPartial": bundle.graph.partial,
    }


def _selling_plans(view: BundleView, language: str) -> Json:
    bundle = view.bundle
    if not offers_subscription(view.shop, bundle):
        return {}
    program = bundle.subscription
    return {
        "sellingPlans": [
            {
                "sellingPlanId": view.selling_plans.get((bundle.product_id or 0, option.frequency, option.unit), ""),
                "name": group.name,
                "cadenceLabel": cadence_label(option.frequency, option.unit, language),
                "savingPercent": amount_text(option.discount) if option.discount else "0.00",
                "groupId": group.id,
                "frequency": option.frequency,
                "unit": option.unit,
                "required": program.mode == REQUIRED,
            }
            for group in program.groups
            for option in group.options
        ]
    }


def _personalisation(shop: Shop, bundle: Bundle) -> Json:
    if not (shop.has(PERSONALISATION) and bundle.personalisation):
        return {}
    return {
        "personalisation": {
            str(product): [_personalisation_field(field) for field in fields]
            for product, fields in bundle.personalisation.items()
        }
    }


def _personalisation_field(field: PersonalisationField) -> Json:
    fee = field.fee
    return {
        "id": field.id,
        "key": field.key,
        "label": field.label,
        "type": field.type,
        "required": field.required,
        "placeholder": field.placeholder,
        "characterLimit": character_limit(field),
        "options": list(field.options),
        "optionLabels": {option: field.option_labels.get(option, option) for option in field.options},
        "helpText": field.help_text,
        "fee": fee
        and {
            "variantId": str(fee.variant_id),
            "amount": amount_text(fee.amount),
            "currencyCode": fee.currency_code,
        },
    }


def products_of_bundle(listed: ProductList) -> Json:
    """Render the body of GET /bundles/{id}/products."""
    return {"products": [_product(product, listed) for product in listed.products]}


def _product(product: Product, listed: ProductList) -> Json:
    return {
        "platformProductId": str(product.id),
        "platformProductGid": product_gid(product.id),
        "title": product.title,
        "handle": product.handle,
        "imageUrl": product.image_url,
        "status": product.status,
        "tags": [tag for tag in product.tags if not tag.startswith(CONTROL_TAG_PREFIX)],
        "descriptionHtml": product.description_html,
        "options": [
            {
                "name": option.name,
                "position": position,
                "values": list(option.values),
                "swatches": {
                    value: {"color": swatch.color, "imageUrl": swatch.image_url}
                    for value, swatch in option.swatches.items()
                },
            }
            for position, option in enumerate(product.options, start=1)
        ],
        "variants": [_variant(variant, listed) for variant in product.variants],
    }


def _variant(variant: Variant, listed: ProductList) -> Json:
    compare_at = variant.compare_at_price
    rendered: Json = {
        "platformVariantId": str(variant.id),
        "platformVariantGid": variant_gid(variant.id),
        "title": variant.title,
        "price": amount_text(round_amount(variant.price, listed.currency)),
        "compareAtPrice": None if compare_at is None else amount_text(round_amount(compare_at, listed.currency)),
        "sku": variant.sku,
        "available": variant.available,
        "inventoryQuantity": variant.inventory_quantity,
        "grams": variant.grams,
        "optionValues": list(variant.option_values),
    }
    if variant.image:
        rendered["image"] = variant.image
    return rendered | _market_fields(variant, listed.prices)


def _market_fields(variant: Variant, prices: Mapping[int, MarketPrice] | None) -> Json:
    """Render the market-specific fields of a variant, which are present only when the request names a country."""
    price = (prices or {}).get(variant.id)
    if price is None:
        return {}
    rate = price.exchange_rate
    return {
        "presentmentPrice": presentment_price_text(price.presentment_price),
        "presentmentCurrency": price.presentment_currency,
        "priceInShopCurrency": amount_text(price.price_in_shop_currency),
        "availableForSale": price.available_for_sale,
        **({} if rate is None else {"exchangeRate": plain_text(rate)}),
    }


def pricing(priced: Pricing) -> Json:
    texts = priced.texts
    return {
        "originalPrice": texts.original,
        "discountedPrice": texts.discounted,
        "discountType": priced.discount_type,
        "discountValue": texts.discount_value,
        "currency": priced.currency,
    }


def price(priced: Pricing, presentment: Presentment | None) -> Json:
    """Render the body of a price response."""
    return {**pricing(priced), **_presentment(presentment)}


def _presentment(total: Presentment | None) -> Json:
    """Render the `presentment` of a price, which is present when the market's currency differs from the shop's. Amounts have as
    many decimal places as the market's currency."""
    if total is None:
        return {}
    amounts = {"originalPrice": str(total.original), "discountedPrice": str(total.discounted)}
    return {"presentment": {**amounts, "currency": total.currency}}


def configure_result(result: ConfigureResult) -> bytes:
    """Serialise the body of a configure response, in the form that is stored and sent."""
    cart = result.cart
    return orjson.dumps(
        {
            "configured_bundle_id": result.configured_bundle_id,
            "variant_id": str(result.variant_id),
            "product_id": str(result.product_id),
            "discount": result.discount,
            "subscription_id": result.subscription_id,
            "pricing": pricing(result.pricing),
            **_presentment(result.presentment),
            "cart": cart and {"line_items": cart.lines, "attributes": {"_bundles": orjson.dumps(cart.entry).decode()}},
        }
    )


def read_configured(found: ReadSelection) -> Json:
    stored, now = found.stored, found.quote
    return {
        "configuredBundleId": stored.id,
        "bundleId": stored.bundle_id,
        "type": stored.bundle_type,
        "selection": {
            "products": [selected_unit(item) for item in found.items],
            "countryCode": stored.country,
            **_subscription(stored.subscription),
        },
        "pricing": pricing(stored.pricing),
        "configuredAt": datetime.fromtimestamp(stored.configured_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "stillValid": now is not None,
        "pricingNow": now and price(now.priced.pricing, now.presentment),
        "details": [fault.as_detail() for fault in found.faults],
    }


def selected_unit(item: SelectedItem) -> Json:
    unit: Json = {"variant": str(item.variant_id), "product": str(item.product_id), "section": item.section_id}
    return {**unit, "personalisation": dict(item.answers)} if item.answers else unit


def _subscription(chosen: SubscriptionChoice | None) -> Json:
    if chosen is None:
        return {}
    return {"subscription": {"id": chosen.group_id, "frequency": chosen.frequency, "unit": chosen.unit}}


def settings(shop: Shop, of_platform: ShopSettings) -> Json:
    return {
        "activeFeatures": list(shop.active_features),
        "currency": of_platform.currency,
        "moneyFormat": of_platform.money_format,
        "weightUnit": of_platform.weight_unit,
    }
