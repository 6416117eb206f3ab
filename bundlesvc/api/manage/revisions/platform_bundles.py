"""Bundles defined on the shop's platform, which can be imported into a draft through the management API."""

from typing import Any

from aiohttp import hdrs, web
from marshmallow import fields
from marshmallow.validate import OneOf

from bundlesvc.api.app_keys import CALLER
from bundlesvc.api.manage.responses import json_response, next_part
from bundlesvc.api.manage.revisions.app_keys import BUNDLES_TO_IMPORT
from bundlesvc.api.requests.paging import CURSOR_FAULT, text_of
from bundlesvc.api.requests.parsing import QueryReader
from bundlesvc.api.responses.fields import ResponseSchema, amount, described, many, number, text
from bundlesvc.domain.errors import InvalidRequest
from bundlesvc.domain.live_platform.platform_bundle import FAULTS, PlatformBundle
from bundlesvc.domain.money import amount_text


class ComponentSchema(ResponseSchema):
    """A product that is always part of a bundle."""

    platformProductId = text("The id of the product.", "1001")
    title = text("The title of the product.", "First Light")
    variantIds = fields.List(
        fields.String(),
        required=True,
        metadata=described("The ids of the variants, one of which is in the bundle.", ["10011"]),
    )
    quantity = number("The number of units in the bundle.", 2)


class PriceRangeSchema(ResponseSchema):
    """The price range of a bundle's components. The lowest and the highest price are equal unless the price depends on the
    variant."""

    lowest = amount("The lowest price.", "30.00")
    highest = amount("The highest price; equal to the lowest if the price does not depend on the variant.", "34.00")


class PlatformBundleSchema(ResponseSchema):
    """A bundle that is defined on the platform."""

    platformProductId = text("The id of the product that represents the bundle on the platform.", "9001")
    platformVariantId = text(
        "The id of the product's variant; null when the bundle is the whole product.", "90011", allow_none=True
    )
    title = text(
        "The title of the product, followed by the title of the variant if the bundle is a variant.", "Breakfast set"
    )
    imageUrl = text("The URL of an image of the bundle; empty if there is none.", "https://shop.example/set.png")
    prices = fields.List(
        amount("A price of the bundle.", "27.00"),
        required=True,
        metadata={
            "description": "The prices of the bundle in the shop's currency; several if the price depends on the variant."
        },
    )
    componentsPrice = fields.Nested(
        PriceRangeSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "The price of the components without the bundle, in the shop's currency; null when the components are "
            "not fixed, or not all known."
        },
    )
    components = many(ComponentSchema, "The products that are always in the bundle.")
    faults = fields.List(
        fields.String(validate=OneOf(FAULTS)),
        required=True,
        metadata=described(
            "The reasons why the bundle cannot be imported as it is: its components are unknown, or shoppers choose a quantity; "
            "it has more components, variants or items than a bundle may have here; a component is itself a bundle, is not for "
            "sale, or shares a variant with another component; the price depends on the variant, or is higher than the price of "
            "the components.",
            [],
        ),
    )


async def list_platform_bundles(request: web.Request) -> web.Response:
    query = QueryReader(request)
    after = query.take("cursor", text_of, CURSOR_FAULT)
    if query.faults:
        raise InvalidRequest(query.faults)
    found = await request.app[BUNDLES_TO_IMPORT].find(request[CALLER].tenant, after)
    response = json_response([*map(_body, found.bundles)])
    if found.next is not None:
        response.headers[hdrs.LINK] = next_part(request, found.next)
    return response


def _body(bundle: PlatformBundle) -> dict[str, Any]:
    alone = bundle.components_price
    return {
        "platformProductId": str(bundle.product_id),
        "platformVariantId": None if bundle.variant_id is None else str(bundle.variant_id),
        "title": bundle.title,
        "imageUrl": bundle.image_url,
        "prices": [amount_text(price) for price in bundle.prices],
        "componentsPrice": alone and {"lowest": amount_text(alone.lowest), "highest": amount_text(alone.highest)},
        "components": [
            {
                "platformProductId": str(each.product_id),
                "title": each.title,
                "variantIds": [str(variant.id) for variant in each.variants],
                "quantity": quantity,
            }
            for each, quantity in bundle.fixed_components
        ],
        "faults": bundle.faults,
    }
