"""The route table of the embed API. It defines both the routes and the OpenAPI document."""

from bundlesvc.api.embed import handlers
from bundlesvc.api.embed.requests import FRESH, ContentRequestSchema, NotifyRequestSchema
from bundlesvc.api.embed.responses import (
    ContentsSchema,
    EmbedBundleSchema,
    EmbedSettingsSchema,
    NotifiedSchema,
    VariantItemsSchema,
)
from bundlesvc.api.endpoint import (
    BODY_ERRORS,
    CONFIGURE_ERRORS,
    COUNTRY,
    EMBED,
    ID_SCHEMA,
    IDEMPOTENCY_KEY,
    IF_NONE_MATCH,
    PATH_ID,
    PLATFORM_ERRORS,
    Endpoint,
    Parameter,
)
from bundlesvc.api.posts.configure import configure
from bundlesvc.api.posts.request import handler_of
from bundlesvc.api.requests.schemas import ConfigureRequestSchema
from bundlesvc.api.responses.configured import ConfigureResultSchema

_LANG = Parameter("lang", "query", "A language tag. Default: Accept-Language, then the shop's language.", "de")
_ACCEPT_LANGUAGE = Parameter("Accept-Language", "header", "Used when `lang` is absent.", "de-CH, de;q=0.9")
BUNDLE_PARAMETERS = (
    Parameter("id", "query", "Bundle ID. Required without `productHandle`.", 101, ID_SCHEMA),
    Parameter(
        "productHandle",
        "query",
        "Handle of the bundle's product. `id` takes precedence when both are given.",
        "coffee-box",
    ),
    COUNTRY,
    _LANG,
    Parameter("forceTemplate", "query", "A template of the shop to use instead of the bundle's.", "compact"),
    Parameter(
        "visitor_id",
        "query",
        "The visitor, for A/B tests.",
        "7d444840-9dc0-11d1-b245-5ffdce74fad2",
        {"type": "string", "format": "uuid"},
    ),
    Parameter(
        "ab_bypass",
        "query",
        "If true, the requested bundle is served without an A/B test.",
        example=False,
        schema={"type": "boolean"},
    ),
    Parameter(
        FRESH,
        "query",
        "A value that no earlier request has used. The response is then rendered for this request, and is `no-store`.",
        "k3v9x1",
    ),
    _ACCEPT_LANGUAGE,
    IF_NONE_MATCH,
)
_VARIANT_ID = Parameter("variantId", "path", "The id of a ghost variant.", 8000000000000000, ID_SCHEMA)

EMBED_ENDPOINTS = (
    Endpoint(
        "GET",
        "/bundle",
        handlers.get_bundle,
        name="embedBundle",
        summary="Read a bundle with everything that a page needs",
        description="The bundle that A/B tests select, with its products, settings and texts in the visitor's language.",
        response=EmbedBundleSchema(),
        parameters=BUNDLE_PARAMETERS,
        errors=("invalid_request", "not_found", *PLATFORM_ERRORS),
        tag=EMBED,
    ),
    Endpoint(
        "GET",
        "/settings",
        handlers.get_settings,
        name="embedSettings",
        summary="Read the component's settings",
        description="Shop settings, templates, and the component's texts in the visitor's language.",
        response=EmbedSettingsSchema(),
        parameters=(_LANG, _ACCEPT_LANGUAGE, IF_NONE_MATCH),
        errors=PLATFORM_ERRORS,
        tag=EMBED,
    ),
    Endpoint(
        "POST",
        "/bundle/{id}/product",
        handler_of(configure),
        name="embedConfigure",
        summary="Configure a bundle from the component",
        description="Like POST /bundles/{id}/configure in the main API.",
        request=ConfigureRequestSchema(),
        response=ConfigureResultSchema(),
        parameters=(PATH_ID, IDEMPOTENCY_KEY),
        errors=CONFIGURE_ERRORS,
        tag=EMBED,
        respond=configure,
        writes=True,
    ),
    Endpoint(
        "GET",
        "/bundle/{id}/variant/{variantId}",
        handlers.get_variant,
        name="embedVariant",
        summary="Read the items behind a ghost variant",
        description="The distinct items of the newest configured bundle sold as this variant, each with the variants that "
        "its section allows.",
        response=VariantItemsSchema(),
        parameters=(PATH_ID, _VARIANT_ID),
        errors=("invalid_request", "not_found", *PLATFORM_ERRORS),
        tag=EMBED,
    ),
    Endpoint(
        "POST",
        "/content",
        handlers.content,
        name="embedContent",
        summary="Read configured bundles as plain text",
        description="One line per variant, with the titles at the time of configuration.",
        request=ContentRequestSchema(),
        response=ContentsSchema(),
        errors=BODY_ERRORS,
        tag=EMBED,
    ),
    Endpoint(
        "POST",
        "/notify",
        handlers.notify,
        name="embedNotify",
        summary="Register a stock reminder",
        description="Stores one reminder per variant and address. 404 if the shop does not have the `stock-reminders` feature.",
        request=NotifyRequestSchema(),
        response=NotifiedSchema(),
        errors=("not_found", *BODY_ERRORS, *PLATFORM_ERRORS),
        tag=EMBED,
    ),
)
