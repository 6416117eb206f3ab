"""The demo's responses, as plain data for the serializer."""

from typing import Any

from bundlesvc.api.responses.rendering import settings
from bundlesvc.demo.receipt import Amount, Charge, Component, Receipt
from bundlesvc.demo.showcase import ShopView
from bundlesvc.domain.checkout.cart_bundles import Refusal
from bundlesvc.domain.money import amount_text, plain_text, presentment_price_text

Json = dict[str, Any]


def shop(view: ShopView, key: str, base_path: str, *, can_buy: bool) -> Json:
    """Render the data that the demo's page needs when it loads."""
    own = view.shop
    return {
        "apiKey": key,
        "basePath": base_path,
        "canBuy": can_buy,
        "shop": {"handle": own.handle, "name": own.name, "domain": own.domain},
        "settings": settings(own, view.settings),
        "locale": view.language,
        "languages": list(view.languages),
        "templates": list(own.templates),
        "countries": [{"code": code, "currency": currency} for code, currency in view.markets.items()],
        "experiments": [
            {"id": one.id, "bundleId": one.bundle_id, "arms": [arm.bundle_id for arm in one.arms]}
            for one in view.experiments
        ],
    }


def receipt(charged: Receipt, country: str | None) -> Json:
    """Render a receipt. Amounts are in shop currency, except those in fields named `market…`, which are in the country's
    currency, or null without a country."""
    market = country is not None
    return {
        "currency": charged.currencies.shop,
        "countryCode": country,
        "marketCurrency": charged.currencies.market if market else None,
        "lines": [_charge(charge, market=market) for charge in charged.charges],
        "refusals": [_refusal(refusal) for refusal in charged.refusals],
        **_amount("total", charged.total, market=market),
    }


def _charge(charge: Charge, *, market: bool) -> Json:
    return {
        "kind": charge.kind,
        "configuredBundleId": charge.configured_id,
        "title": charge.title,
        "variantTitle": charge.variant_title,
        "imageUrl": charge.image,
        "quantity": charge.quantity,
        "percentage": plain_text(charge.percentage),
        **_amount("original", charge.original, market=market),
        **_amount("total", charge.amount, market=market),
        "properties": dict(charge.properties),
        "contents": list(charge.contents),
        "components": [_component(component, market=market) for component in charge.components],
    }


def _component(component: Component, *, market: bool) -> Json:
    line, goods = component.line, component.goods
    return {
        "title": goods.title,
        "variantTitle": goods.variant_title,
        "imageUrl": goods.image,
        "quantity": line.quantity,
        **_amount("unitPrice", goods.price, market=market),
        **_amount("total", goods.price.times(line.quantity), market=market),
        "properties": dict(line.properties),
    }


def _refusal(refusal: Refusal) -> Json:
    return {
        "code": refusal.code,
        "message": refusal.message,
        "configuredBundleId": refusal.configured_id,
        "items": [int(index) for index in refusal.line_ids],
        "details": dict(refusal.details),
    }


def _amount(name: str, amount: Amount, *, market: bool) -> Json:
    of_market = f"market{name[0].upper()}{name[1:]}"
    return {name: amount_text(amount.shop), of_market: presentment_price_text(amount.market) if market else None}
