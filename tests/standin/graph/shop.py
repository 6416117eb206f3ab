"""Shop settings, languages, versions, and the app's scopes."""

from tests.standin.data.gids import gid
from tests.standin.data.shop import Shop
from tests.standin.graph.items import Node
from tests.standin.operations.scopes import ALL
from tests.standin.operations.versions import SUPPORTED


def shop_node(shop: Shop) -> Node:
    return {
        "__typename": "Shop",
        "id": gid("Shop", 1),
        "name": shop.name,
        "myshopifyDomain": shop.domain,
        "primaryDomain": {"id": gid("Domain", 1), "host": shop.domain, "url": f"https://{shop.domain}"},
        "url": f"https://{shop.domain}",
        "currencyCode": shop.currency,
        "currencyFormats": {
            "moneyFormat": shop.money_format,
            "moneyWithCurrencyFormat": f"{shop.money_format} {shop.currency}",
        },
        "enabledPresentmentCurrencies": _presentment_currencies(shop),
        "weightUnit": shop.weight_unit,
        "unitSystem": "METRIC_SYSTEM" if shop.weight_unit in ("GRAMS", "KILOGRAMS") else "IMPERIAL_SYSTEM",
        "taxesIncluded": shop.taxes_included,
        "ianaTimezone": "Etc/UTC",
        "plan": {"publicDisplayName": "Stand-in", "shopifyPlus": False, "partnerDevelopment": True},
        "resourceLimits": {"maxProductVariants": shop.max_variants, "maxProductOptions": shop.max_options},
    }


def locale_nodes(shop: Shop) -> list[Node]:
    return [
        {
            "locale": locale,
            "name": locale,
            "primary": locale == shop.locales[0],
            "published": locale not in shop.unpublished_locales,
        }
        for locale in shop.locales
    ]


def app_installation_node(missing_scopes: frozenset[str]) -> Node:
    granted = sorted(ALL - missing_scopes - {scope.replace("read_", "write_", 1) for scope in missing_scopes})
    return {
        "__typename": "AppInstallation",
        "id": gid("AppInstallation", 1),
        "accessScopes": [{"handle": handle, "description": handle.replace("_", " ")} for handle in granted],
    }


def version_nodes() -> list[Node]:
    return [{"handle": version, "displayName": version, "supported": True} for version in SUPPORTED]


def _presentment_currencies(shop: Shop) -> list[str]:
    return sorted({shop.currency, *(market.currency for market in shop.active_markets)})
