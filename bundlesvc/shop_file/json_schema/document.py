"""The JSON Schema of a whole shop file."""

from bundlesvc.shop_file.bundle_format import BundleSchema
from bundlesvc.shop_file.format_fields import FileSchema
from bundlesvc.shop_file.json_schema.definitions import Definitions, JsonSchema
from bundlesvc.shop_file.json_schema.descriptions import described
from bundlesvc.shop_file.json_schema.single_values import nullable
from bundlesvc.shop_file.shop_format import ExperimentSchema, MarketSchema, ProductSchema, ShopSchema

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ID = "urn:bundlesvc:shop-file:1"

_LISTS: dict[str, type[FileSchema]] = {
    "markets": MarketSchema,
    "products": ProductSchema,
    "bundles": BundleSchema,
    "experiments": ExperimentSchema,
}


def shop_file_schema() -> JsonSchema:
    """Build the schema of a whole shop file (JSON Schema 2020-12)."""
    definitions = Definitions()
    lists = {
        key: described("shop file", key, nullable({"type": "array", "items": definitions.reference(schema())}))
        for key, schema in _LISTS.items()
    }
    shop = described("shop file", "shop", definitions.reference(ShopSchema()))
    return {
        "$schema": DIALECT,
        "$id": ID,
        "title": "A shop file of bundlesvc",
        "description": "One shop: its settings, markets, products, bundles and experiments.",
        "type": "object",
        "properties": {"shop": shop, **lists},
        "required": ["shop"],
        "additionalProperties": False,
        "$defs": dict(sorted(definitions.by_name.items())),
    }
