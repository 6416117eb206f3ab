"""The address where a shopper goes on with a configured bundle, on the shop's own storefront."""

import re
from urllib.parse import quote

from aiohttp import web

from bundlesvc.api.agents.messages import Json

_NAME = re.compile(r"\{(\w+)\}")


class HandOver:
    """Makes the addresses of a storefront from a template, as in `https://shop.example/box?id={id}&unique={unique}`."""

    def __init__(self, template: str) -> None:
        self._template = template
        self._names = frozenset(_NAME.findall(template))

    def address(self, shop: str, bundle_id: int, configured: Json) -> str | None:
        """The address for a configured bundle, from the response of configure. None where the template names what this bundle
        does not have: `unique` is in the cart lines of a native bundle, `variant` is what the cart takes of any other."""
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
"""Absent when no template is set."""
