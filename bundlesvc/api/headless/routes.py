"""The route table of the main API. It defines both the routes and the OpenAPI document."""

from bundlesvc.api.endpoint import (
    BODY_ERRORS,
    CONFIGURE_ERRORS,
    COUNTRY,
    ID_SCHEMA,
    IDEMPOTENCY_KEY,
    IF_NONE_MATCH,
    PATH_ID,
    PLATFORM_ERRORS,
    SELECTION_ERRORS,
    Endpoint,
    Parameter,
)
from bundlesvc.api.headless import handlers
from bundlesvc.api.headless.lists import LANGUAGE_PATTERN, MAX_HANDLE, OFFER, cursor_after
from bundlesvc.api.posts.configure import configure
from bundlesvc.api.posts.request import handler_of
from bundlesvc.api.requests.schemas import ConfigureRequestSchema, PriceRequestSchema
from bundlesvc.api.responses.bundles import BundleSchema, BundleSummarySchema
from bundlesvc.api.responses.configured import ConfiguredBundleSchema, ConfigureResultSchema, PriceResultSchema
from bundlesvc.api.responses.products import ProductsSchema, SettingsSchema
from bundlesvc.domain.texts.characters import LINE_PATTERN
from bundlesvc.services.bundles import MAX_LISTED

LANG = Parameter(
    "lang", "query", "A language tag.", "de", {"type": "string", "maxLength": 44, "pattern": LANGUAGE_PATTERN}
)
HANDLE = Parameter(
    "handle",
    "query",
    "Lists only the bundles whose own product has this handle.",
    "coffee-box",
    {"type": "string", "minLength": 1, "maxLength": MAX_HANDLE, "pattern": LINE_PATTERN},
)
INCLUDE = Parameter(
    "include",
    "query",
    "`offer` adds the fields for a card in a list: `handle`, `fromPrice`, `discountSummary`.",
    OFFER,
    {"type": "string", "enum": [OFFER]},
)
LIMIT = Parameter(
    "limit",
    "query",
    "The number of bundles per page.",
    20,
    {"type": "integer", "minimum": 1, "maximum": MAX_LISTED, "default": MAX_LISTED},
)
CURSOR = Parameter("cursor", "query", "The cursor from the `Link` header of the previous page.", cursor_after(101))

CONFIGURED_BUNDLES = "/configured-bundles"
"""The path of configured bundles. A key needs the scope `headless` or `embed` for it."""

_CONFIGURED_ID = Parameter(
    "id", "path", "The `configured_bundle_id` of a configure response.", 4503599627370496, ID_SCHEMA
)
_UNIQUE = Parameter(
    "unique",
    "query",
    "The unique id of the configured bundle, which is the last part of `_bundle_data` in its cart lines.",
    "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    {"type": "string", "pattern": "^[0-9a-f]{32}$"},
)

ENDPOINTS = (
    Endpoint(
        "GET",
        "/bundles",
        handlers.list_bundles,
        name="listBundles",
        summary="List published bundles",
        description="Up to 100 published bundles of the shop, in order of id, without sections and products. With any parameter, "
        "texts are in `lang` or the shop's language, image URLs are absolute, and `Link` points to the next page.",
        response=BundleSummarySchema(many=True),
        parameters=(LANG, HANDLE, INCLUDE, LIMIT, CURSOR, IF_NONE_MATCH),
        errors=("invalid_request", *PLATFORM_ERRORS),
    ),
    Endpoint(
        "GET",
        "/bundles/{id}",
        handlers.get_bundle,
        name="getBundle",
        summary="Read a bundle",
        description="The full configuration of a bundle. Titles, prices and stock are in its products.",
        response=BundleSchema(),
        parameters=(PATH_ID, IF_NONE_MATCH),
        errors=("invalid_request", "not_found", *PLATFORM_ERRORS),
    ),
    Endpoint(
        "GET",
        "/bundles/{id}/products",
        handlers.get_products,
        name="getBundleProducts",
        summary="Read a bundle's products",
        description="The products of all sections and all required products, whatever their status, with their variants.",
        response=ProductsSchema(),
        parameters=(PATH_ID, COUNTRY, IF_NONE_MATCH),
        errors=("invalid_request", "not_found", *PLATFORM_ERRORS),
    ),
    Endpoint(
        "POST",
        "/bundles/{id}/configure",
        handler_of(configure),
        name="configureBundle",
        summary="Configure a bundle",
        description="Checks a selection against every rule, prices and stores it, and returns what to add to the cart. "
        "A 200 means that the configured bundle is on disk.",
        request=ConfigureRequestSchema(),
        response=ConfigureResultSchema(),
        parameters=(PATH_ID, IDEMPOTENCY_KEY),
        errors=CONFIGURE_ERRORS,
        respond=configure,
        writes=True,
    ),
    Endpoint(
        "POST",
        "/bundles/{id}/price",
        handler_of(handlers.price),
        name="priceBundle",
        summary="Price a selection",
        description="The price that configure would charge, with `presentment` in the currency of the shopper's market. "
        "Nothing is created, and rules are not checked.",
        request=PriceRequestSchema(),
        response=PriceResultSchema(),
        parameters=(PATH_ID,),
        errors=("not_found", *BODY_ERRORS, *SELECTION_ERRORS, *PLATFORM_ERRORS),
        respond=handlers.price,
    ),
    Endpoint(
        "GET",
        f"{CONFIGURED_BUNDLES}/{{id}}",
        handlers.read_configured,
        name="readConfiguredBundle",
        summary="Read a configured bundle",
        description="The selection in the form that `configure` accepts, and whether it would still be accepted. The key "
        "needs the scope `headless` or `embed`. Without the right `unique`, the response is 404, as for an unknown ID.",
        response=ConfiguredBundleSchema(),
        parameters=(_CONFIGURED_ID, _UNIQUE),
        errors=("not_found", *PLATFORM_ERRORS),
        stored_by_caches=False,
    ),
    Endpoint(
        "GET",
        "/settings",
        handlers.get_settings,
        name="getSettings",
        summary="Read shop settings",
        description="The shop's features, currency, money format and weight unit.",
        response=SettingsSchema(),
        parameters=(IF_NONE_MATCH,),
        errors=PLATFORM_ERRORS,
    ),
)
