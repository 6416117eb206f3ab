"""Short notations for selections and prices."""

from typing import Any

from tests.api.conftest import Response

Json = dict[str, Any]


def item(chosen: str) -> Json:
    """Parse "1001@2": variant 1001 in section 2. In the test shops, a variant's id is its product's id followed by one digit."""
    variant, _, section = chosen.partition("@")
    return {"variant": variant, "product": variant[:-1], "section": int(section)}


def items(*chosen: str) -> list[Json]:
    """Parse items: "1001@2*3" is three units of 1001@2."""
    return [item(one) for each in chosen for one in [each.partition("*")[0]] * int(each.partition("*")[2] or 1)]


def price_body(*chosen: str, **more: object) -> Json:
    return {"products": items(*chosen), **more}


def configure_body(*chosen: str, type: str = "native", **more: object) -> Json:  # noqa: A002 - the field's name in the body
    return {"type": type, "products": items(*chosen), **more}


def pricing(original: str, discounted: str, discount: str = "none 0.00", currency: str = "EUR") -> Json:
    """A complete Pricing; `discount` is a type and a value such as "percentage 10.00"."""
    type_, value = discount.split()
    return {
        "originalPrice": original,
        "discountedPrice": discounted,
        "discountType": type_,
        "discountValue": value,
        "currency": currency,
    }


def reading_path(configured: Json) -> str:
    """The path for reading the native bundle in this configure response."""
    configured_id, _, unique_id = configured["cart"]["line_items"][0]["properties"]["_bundle_data"].split("#")
    return f"/configured-bundles/{configured_id}?unique={unique_id}"


def without_presentment(price: Json) -> Json:
    """A price response without its presentment (tests/api/headless/test_presentment.py)."""
    return {name: value for name, value in price.items() if name != "presentment"}


def details(response: Response) -> list[Json]:
    """The details of a 400 response, without their messages. Asserts that each detail has a message."""
    found = response.json["details"]
    assert all(isinstance(detail["message"], str) and detail["message"] for detail in found)
    return [{name: value for name, value in detail.items() if name != "message"} for detail in found]
