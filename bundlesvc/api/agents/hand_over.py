"""The URL on the shop's own storefront where a shopper continues with a configured bundle."""

import re
from urllib.parse import quote

from aiohttp import web

from bundlesvc.api.agents.messages import Json

_NAME = re.compile(r"\{(\w+)\}")


class HandOver:
    """Builds storefront URLs from a template such as `https://shop.example/box?id={id}&unique={unique}`."""

    def __init__(self, template: str) -> None:
        self._template = template
        self._names = frozenset(_NAME.findall(template))

    def address(self, shop: str, bundle_id: int, configured: Json) -> str | None:
        """Build the URL for a configured bundle from the response of `configure`. Returns None when the template contains a
        placeholder for which this bundle has no value: only native bundles have `unique` (from their cart lines), and only other
        bundles have `variant` (the variant to add to the cart)."""
        values = {
            "shop": shop,
            "bundle": str(bundle_id),
            "id": str(configured["configured_bundle_id"]),
            **_sold_as(configured),
        }
        if not self._names <= values.keys():
            return None
        return _NAME.sub(lambda match: quote(values[match[1]], safe=""), self._template)


def _sold_as(configured: Json) -> dict[str, str]:
    if configured["cart"] is None:
        return {"variant": configured["variant_id"]}
    mark: str = configured["cart"]["line_items"][0]["properties"]["_bundle_data"]
    return {"unique": mark.rpartition("#")[2]}


HAND_OVER = web.AppKey("hand_over", HandOver)
"""The builder of storefront URLs. Absent when no template is set."""
