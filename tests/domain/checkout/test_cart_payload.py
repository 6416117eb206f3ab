"""The cart contents for a configured bundle."""

from hypothesis import given

from bundlesvc.domain.checkout.cart_payload import bundles_entry, entry_items
from bundlesvc.domain.configured import configured_items, variant_counts
from bundlesvc.domain.line import Line
from tests.domain.builders import bundle
from tests.domain.configured_bundles import UNIQUE, cart_lines_of, claims_of, configured, item
from tests.domain.strategies import PROPERTY, selections


def test_equal_variants_are_one_cart_line() -> None:
    lines = cart_lines_of(configured(item(21, 2), item(11), item(21, 1, 2)))

    properties = {"_bundle_data": f"555#9001#{UNIQUE}"}
    assert lines == [
        {"id": 21, "quantity": 3, "properties": properties},
        {"id": 11, "quantity": 1, "properties": properties},
    ]


def test_the_entry_of_the_cart_attribute() -> None:
    of = bundle(id=42, name="Box", image_url="https://cdn.example/box.png")

    entry = bundles_entry(configured(), of, entry_items({21: 3, 11: 1}), "gAAAA")

    assert entry == {
        "555": {
            "configuredBundleId": 555,
            "discount": "gAAAA",
            "title": "Box",
            "items": [{"variantId": 21, "count": 3}, {"variantId": 11, "count": 1}],
            "image": "https://cdn.example/box.png",
            "note": "",
            "id": 42,
        }
    }


@PROPERTY
@given(lines=selections())
def test_cart_and_attribute_contain_every_unit(lines: list[Line]) -> None:
    whole = configured(*configured_items(bundle(), lines))
    units = sum(one.count for one in lines)

    assert sum(one["quantity"] for one in cart_lines_of(whole)) == units
    assert sum(one["count"] for one in entry_items(variant_counts(whole.items))) == units
    assert sum(claims_of(whole)["variants"].values()) == units
