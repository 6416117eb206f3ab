"""One line for each key of a shop file, which an editor shows while the key is written. Format: docs/shop-file.md."""

from collections.abc import Mapping
from typing import Any

_ANYWHERE: Mapping[str, str] = {
    "id": "A whole number from 1, which stays the same when the file changes.",
    "name": "What shoppers read.",
    "description": "A longer text for shoppers.",
    "imageUrl": "The address of a picture. One that begins with / is on the service itself.",
    "platformProductId": "The id of a product.",
    "variantIds": "The variants that may be chosen. Without them, all variants of the product.",
    "currency": "A currency code (ISO 4217), such as EUR.",
    "translations": "Texts in other languages, by language tag. What is missing there is shown in the shop's language.",
    "title": "What shoppers read.",
    "operation": "How the measure is compared with the value: gt, gte, lt, lte or eq.",
    "sectionId": "Only units of this section count. Without it, those of the whole bundle.",
}

_BY_SUBJECT: Mapping[str, Mapping[str, str]] = {
    "shop file": {
        "shop": "The shop's settings.",
        "markets": "Countries with prices of their own. All others buy at the shop's prices.",
        "products": "The products, variants and stock of the embedded platform.",
        "bundles": "What shoppers put together.",
        "experiments": "A/B tests: different bundles for different visitors.",
    },
    "Shop": {
        "handle": "The shop's name in commands and addresses: letters, digits, dots, hyphens and underscores.",
        "domain": "The shop's own domain.",
        "moneyFormat": "How storefronts write amounts, such as €{{amount}}.",
        "weightUnit": "The unit of amount-of-weight rules: g, kg, oz or lb.",
        "locale": "The language of the texts in this file, such as en or pt-BR.",
        "headlessEnabled": "Whether the APIs answer for this shop.",
        "activeFeatures": "What the shop uses besides bundles and prices.",
        "platform": "Where products, stock and checkout are. Without it, in this file and the service's own database.",
        "timezone": "The IANA name of the shop's time zone, such as Europe/Berlin, in which bundles begin and end.",
        "templates": "Templates of the web component. The first one is the default.",
    },
    "Platform": {
        "kind": "embedded for products in this file, or the kind of a live platform.",
        "domain": "The host name of the live shop, without https:// and path.",
        "channel": "The token of the shop's channel, on a platform with channels. Without it, the default channel.",
        "markets": "Countries with prices of their own, on a platform that does not know countries.",
    },
    "PlatformMarket": {
        "countryCode": "The country (ISO 3166-1 alpha-2), such as DE.",
        "currency": "The currency of the prices that the country sees (ISO 4217).",
        "exchangeRate": "How much of that currency one unit of the shop's currency is.",
        "channel": "The token of the channel with the country's prices. Without it, the shop's own channel.",
    },
    "Market": {
        "countryCode": "The country (ISO 3166-1 alpha-2), such as DE.",
        "currency": "The currency of the market's prices (ISO 4217).",
        "exchangeRate": "How much of the market's currency one unit of the shop's currency is.",
        "priceAdjustment": "A percentage added to all prices of the market, or taken off if it is negative.",
        "prices": "Fixed prices in the market's currency, by variant id.",
        "unavailableVariantIds": "Variants that are not sold in this country.",
    },
    "Product": {
        "id": "The product's id, a number or gid://platform/Product/1234.",
        "handle": "The product's name in addresses.",
        "status": "ACTIVE products are for sale; DRAFT and ARCHIVED ones are not.",
        "tags": "Words for storefronts. Tags that begin with bundlesvc: never leave the service.",
        "descriptionHtml": "The description as HTML.",
        "options": "What the variants differ in, such as size and colour.",
        "variants": "What can be bought, one for each combination of option values.",
    },
    "Option": {
        "name": "The option's name, such as Size.",
        "values": "The option's values, in the order in which shoppers see them.",
        "swatches": "A colour or picture for a value.",
    },
    "Swatch": {"color": "A colour as #RRGGBB."},
    "Variant": {
        "id": "The variant's id, below 8000000000000000.",
        "title": "What shoppers read. Without it, the option values.",
        "price": "The price in the shop's currency, with up to two decimals.",
        "compareAtPrice": "A former, higher price, which storefronts show crossed out.",
        "sku": "The shop's own number of the variant.",
        "inventoryTracked": "Whether stock is counted. Otherwise the variant never sells out.",
        "inventoryPolicy": "continue sells beyond the stock; deny does not.",
        "inventoryQuantity": "Units in stock.",
        "grams": "The weight in grams, for amount-of-weight rules.",
        "optionValues": "One value for each option of the product, in their order.",
        "image": "The variant's own picture.",
    },
    "ProductTranslation": {
        "descriptionHtml": "The description as HTML, in this language.",
        "options": "Names and values of options in this language, by the option's name.",
    },
    "OptionTranslation": {
        "name": "The option's name in this language.",
        "values": "The values in this language, by the value.",
    },
    "Bundle": {
        "name": "The bundle's name.",
        "type": "native: the cart has a line for each item. multiple-products and single-product: one line for all.",
        "bundlingOption": "A mark for storefronts; normally bundles.",
        "published": "Whether it is for sale. Only test keys see an unpublished bundle.",
        "publishedFrom": "The local time, such as 2026-11-27T00:00, from which a published bundle is for sale.",
        "publishedUntil": "The local time from which it is no longer for sale.",
        "layout": "single-page, or multiple-sections: one step after the other.",
        "platformProductId": "The bundle's own product. Without it the bundle cannot be configured.",
        "parentVariantId": "The variant of that product that the cart shows. Native bundles need it.",
        "templateCode": "The template of the web component. Without it, the shop's first one.",
        "discount": "What a valid selection costs less.",
        "sections": "Groups of products to choose from.",
        "requiredProducts": "Products that every selection must have.",
        "limitRules": "How much may and must be chosen.",
        "conditions": "If-then rules: discounts, free items, messages, hidden sections (docs/conditions.md).",
        "personalisation": "Fields that shoppers fill in, by product id.",
        "subscription": "Repeated deliveries that shoppers may choose.",
    },
    "Discount": {
        "type": "percentage, fixed (an amount off), or price (of the whole bundle).",
        "value": "The percentage or amount of a flat discount.",
        "flatOrTiered": "flat takes the value, tiered the tiers. Without it, tiered if there are tiers.",
        "minimum": "The discount applies from this amount on.",
        "operator": "max takes the tier that reduces most; cumulative adds up all tiers that hold.",
        "tiers": "Discounts that depend on what is chosen.",
    },
    "Tier": {
        "type": "What is measured: total_products, bulk_buy (units of one product) or total_price.",
        "value": "The threshold of the tier.",
        "discount": "The percentage or amount of this tier.",
        "customText": "A text for shoppers instead of the component's own.",
    },
    "Section": {
        "order": "Sections are shown in this order. Without it, in the order of the file.",
        "autoNextSection": "Whether the component goes on to the next section when this one is complete.",
        "products": "The products to choose from, in order.",
    },
    "SectionProduct": {"bundleItemId": "An id of this entry within the bundle."},
    "RequiredProduct": {"quantity": "How many units of it every selection must have."},
    "LimitRule": {
        "type": "What is measured, such as total-number-of-products.",
        "value": "The limit, a number.",
    },
    "PersonalisationField": {
        "id": "An id for storefronts. Without it, the key.",
        "key": "The name of the answer in a selection.",
        "label": "What shoppers read, and the name of the line's property in the cart.",
        "type": "text, dropdown, checkbox or image.",
        "required": "Whether every unit needs an answer.",
        "placeholder": "An example in the empty field.",
        "characterLimit": "The longest answer to a text field. Without it, 500.",
        "options": "The choices of a dropdown, which are also the answers.",
        "helpText": "An explanation below the field.",
        "fee": "What an answer costs: a variant that is added to the cart.",
    },
    "PersonalisationFee": {
        "variantId": "The variant of the fee.",
        "amount": "The fee, equal to the variant's price.",
        "currencyCode": "The shop's currency.",
    },
    "Subscription": {
        "mode": "optional, required or disabled. Without it, optional if there are groups.",
        "groups": "Plans that shoppers choose from.",
    },
    "RecurringGroup": {"options": "How often the plan delivers."},
    "SubscriptionOption": {
        "frequency": "Every how many units of time.",
        "unit": "day, week, month or year.",
        "discount": "A percentage off for subscribers.",
    },
    "BundleTranslation": {
        "name": "The bundle's name in this language.",
        "sections": "Names and descriptions of sections, by section id.",
        "tiers": "Texts of tiers, by their position in the list, from 0.",
        "texts": "Texts of messages and blocked carts, by the id of the action.",
        "personalisation": "Texts of personalisation fields, by product id and key of the field.",
        "groups": "Names of the subscription's groups, by group id.",
    },
    "FieldTranslation": {
        "label": "The field's label in this language. The cart line's property keeps the label of the field.",
        "placeholder": "An example in the empty field, in this language.",
        "helpText": "An explanation below the field, in this language.",
        "options": "What shoppers read for an option in this language, by the option. The answer stays the option.",
    },
    "GroupTranslation": {"name": "The group's name in this language."},
    "TierTranslation": {"customText": "The tier's text in this language."},
    "GraphDiscount": {
        "type": "percentage, fixed (an amount off), or price (of the whole bundle).",
        "value": "The percentage or amount.",
    },
    "Experiment": {
        "id": "The experiment's name, which stays the same while it runs.",
        "bundleId": "The bundle that visitors open.",
        "arms": "The bundles that visitors see instead. The first one is the bundle itself.",
    },
    "Arm": {"bundleId": "A bundle of this shop.", "weight": "The share of visitors, in relation to the other arms."},
}

_OF_CONDITIONS: Mapping[str, str] = {
    "id": "The name of the node, unique within the bundle.",
    "kind": "condition, group or action.",
    "type": "What a condition measures, or what an action does.",
    "mode": "all: every child holds. any: one of them. none: none of them.",
    "children": "Ids of conditions and groups.",
    "when": "The id of the condition or group that the action waits for. Without it, the action always happens.",
    "value": "The number, or the country code, to compare with.",
    "productId": "The id of a product of the bundle.",
    "variantId": "The id of a variant.",
    "quantity": "How many units are free.",
    "text": "What shoppers read.",
    "discount": "The discount that replaces the bundle's own.",
}


def described(subject: str, key: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with the description of this key. Raises KeyError for a key without one."""
    own = _BY_SUBJECT.get(subject, _OF_CONDITIONS)
    return schema | {"description": own[key] if key in own else _ANYWHERE[key]}
