"""The JSON Schema of shop files, which editors use for completion and checks (docs/shop-file.md#in-an-editor), and the schemas of
single items, which the API uses."""

import json

from bundlesvc.shop_file.json_schema.document import shop_file_schema
from bundlesvc.shop_file.json_schema.items import item_components

__all__ = ["item_components", "schema_text", "shop_file_schema"]


def schema_text() -> str:
    """Return the schema as the content of a file: indented JSON, with a final line break."""
    return json.dumps(shop_file_schema(), indent=1, ensure_ascii=False) + "\n"
