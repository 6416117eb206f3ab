"""Products, options and option values as translatable resources."""

from hashlib import sha256

from tests.standin.data.gids import Gid, parse_gid
from tests.standin.data.shop import Option, OptionValue, Product, Shop
from tests.standin.graph.items import Node
from tests.standin.graph.translations import Texts, name_texts, product_texts, rows


def translatable_resource_node(shop: Shop, global_id: str) -> Node | None:
    """Build the node of a translatable resource. Returns None if the resource does not exist or has no translatable content."""
    named = parse_gid(global_id)
    resource = _resource(shop, named) if named else None
    if resource is None:
        return None
    return {
        "resourceId": global_id,
        "translatableContent": _content(_own_texts(resource), shop.locales[0]),
        "translations": lambda arguments: rows(_texts(resource, arguments["locale"]), arguments),
    }


def _resource(shop: Shop, named: Gid) -> Product | Option | OptionValue | None:
    for product in shop.products.values():
        if named == Gid("Product", product.id):
            return product
        for option in product.options:
            if named == Gid("ProductOption", option.id):
                return option
            for value in option.values:
                if named == Gid("ProductOptionValue", value.id):
                    return value
    return None


def _own_texts(resource: Product | Option | OptionValue) -> Texts:
    if isinstance(resource, Product):
        return {"title": resource.title, "body_html": resource.description_html, "handle": resource.handle}
    return {"name": resource.name}


def _texts(resource: Product | Option | OptionValue, locale: str) -> Texts:
    return product_texts(resource, locale) if isinstance(resource, Product) else name_texts(resource, locale)


def _content(texts: Texts, locale: str) -> list[Node]:
    return [
        {"key": key, "value": value, "locale": locale, "digest": sha256((value or "").encode()).hexdigest()}
        for key, value in texts.items()
    ]
