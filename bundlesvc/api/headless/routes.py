"""The main API's route table: it serves the requests and makes the OpenAPI document."""

from bundlesvc.api.endpoint import PLATFORM_ERRORS, Endpoint, Parameter
from bundlesvc.api.headless import handlers
from bundlesvc.api.headless.requests import ConfigureRequestSchema, PriceRequestSchema
from bundlesvc.api.headless.responses import (
    BundleSchema,
    BundleSummarySchema,
    ConfiguredSchema,
    PricingSchema,
    ProductsSchema,
    SettingsSchema,
)

_ID = Parameter("id", "path", "Bundle ID.", 101, {"type": "integer", "minimum": 1, "maximum": 2**53 - 1})
_COUNTRY = Parameter(
    "countryCode", "query", "ISO 3166-1 alpha-2; adds market prices and availability.", "US", {"type": "string"}
)
_IDEMPOTENCY_KEY = Parameter(
    "Idempotency-Key",
    "header",
    "1 to 255 printable ASCII characters. The same bytes within 24 hours get the first answer again.",
    "3f0c7a52-6f8e-4b39-9e4b-0c6f5d1a2b3c",
    {"type": "string", "minLength": 1, "maxLength": 255},
)
_IF_NONE_MATCH = Parameter("If-None-Match", "header", "An ETag: 304 when nothing changed.", '"5d41402abc4b2a76"')
_BODY_ERRORS = ("invalid_json", "invalid_request", "body_too_large", "selection_invalid")
_SELECTION_ERRORS = ("subscription_invalid", "personalisation_invalid", "conditions_discount_mismatch")

ENDPOINTS = (
    Endpoint(
        "GET",
        "/bundles",
        handlers.list_bundles,
        name="listBundles",
        summary="List published bundles",
        description="The shop's published bundles by id, at most 100, without sections and products.",
        response=BundleSummarySchema(many=True),
        parameters=(_IF_NONE_MATCH,),
    ),
    Endpoint(
        "GET",
        "/bundles/{id}",
        handlers.get_bundle,
        name="getBundle",
        summary="Read a bundle",
        description="A bundle's full configuration. Product detail comes from its products.",
        response=BundleSchema(),
        parameters=(_ID, _IF_NONE_MATCH),
        errors=("invalid_request", "not_found", *PLATFORM_ERRORS),
    ),
    Endpoint(
        "GET",
        "/bundles/{id}/products",
        handlers.get_products,
        name="getBundleProducts",
        summary="Read a bundle's products",
        description="Live products and variants of every section and required product, whatever their status.",
        response=ProductsSchema(),
        parameters=(_ID, _COUNTRY, _IF_NONE_MATCH),
        errors=("invalid_request", "not_found", *PLATFORM_ERRORS),
    ),
    Endpoint(
        "POST",
        "/bundles/{id}/configure",
        handlers.configure,
        name="configureBundle",
        summary="Configure a bundle",
        description="Checks a selection against every rule, prices and stores it, and answers with cart data. "
        "A 200 means that it is on disk.",
        request=ConfigureRequestSchema(),
        response=ConfiguredSchema(),
        parameters=(_ID, _IDEMPOTENCY_KEY),
        errors=(
            "idempotency_key_invalid",
            "idempotency_key_reused",
            "not_found",
            *_BODY_ERRORS,
            *_SELECTION_ERRORS,
            "rules_not_met",
            *PLATFORM_ERRORS,
        ),
    ),
    Endpoint(
        "POST",
        "/bundles/{id}/price",
        handlers.price,
        name="priceBundle",
        summary="Price a selection",
        description="What configure would charge, without creating anything. Rules are not checked.",
        request=PriceRequestSchema(),
        response=PricingSchema(),
        parameters=(_ID,),
        errors=("not_found", *_BODY_ERRORS, *_SELECTION_ERRORS, *PLATFORM_ERRORS),
    ),
    Endpoint(
        "GET",
        "/settings",
        handlers.get_settings,
        name="getSettings",
        summary="Read shop settings",
        description="Features, currency, money format and weight unit of the shop.",
        response=SettingsSchema(),
        parameters=(_IF_NONE_MATCH,),
        errors=PLATFORM_ERRORS,
    ),
)
