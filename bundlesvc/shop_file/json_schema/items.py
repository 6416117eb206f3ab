"""The schemas of the individual items of a shop file, for the OpenAPI document of the API that writes them."""

from bundlesvc.shop_file.json_schema.definitions import Definitions, JsonSchema
from bundlesvc.shop_file.loading import LISTS, SHOP
from bundlesvc.shop_file.plain import NAMES

COMPONENTS = "#/components/schemas/"


def item_components() -> dict[str, JsonSchema]:
    """Build the OpenAPI components for the shop and each kind of item, by name, and the components that these refer to. Examples
    are `Bundle`, `BundleInput` (in which the id is optional) and the merge patch `BundlePatch`."""
    definitions = Definitions(COMPONENTS)
    for schema in (SHOP, *LISTS.values()):
        definitions.reference(schema)
        definitions.patch_reference(schema)
    for kind, key in NAMES.items():
        definitions.input_reference(LISTS[kind], key)
    return dict(sorted(definitions.by_name.items()))
