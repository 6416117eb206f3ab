"""Personalisation fields of every type, and their fees."""

import pytest
from playwright.sync_api import expect

from tests.browser.builder import Builder
from tests.browser.visit import Visit

PICTURE = "https://pictures.example/mira.jpg"


@pytest.fixture
def builder(visit: Visit) -> Builder:
    """The builder with one plate that is not personalised yet."""
    builder = visit.show(2, shop="corner")
    builder.choose("Plate")
    return builder


def test_answers_of_every_type(builder: Builder) -> None:
    """Answers become properties of the cart line. The fee is shown and charged, but never discounted."""
    builder.answer("Script", "Sans")
    builder.answer("Wrap it", "yes")
    builder.answer("Picture", PICTURE)
    expect(builder.part("note").filter(has_text="Plus £2.50")).to_have_count(0)
    builder.answer("Name", "Mira")
    expect(builder.part("note").filter(has_text="Plus £2.50 for personalisation")).to_be_visible()
    expect(builder.total).to_have_text("£6.00")

    result = builder.add_to_cart()["result"]

    plate, fee = result["cart"]["line_items"]
    answers = {name: value for name, value in plate["properties"].items() if not name.startswith("_")}
    assert answers == {"Name": "Mira", "Script": "Sans", "Wrap it": "true", "Picture": PICTURE}
    assert (fee["id"], fee["quantity"], fee["properties"]["_bundle_fee"]) == (4101, 1, "400")
    assert result["pricing"]["discountedPrice"] == "6.00"


def test_missing_required_fields_are_named(builder: Builder) -> None:
    expect(builder.reasons).to_have_text(["Name: please fill this in", "Script: please fill this in"])
    builder.try_to_buy()
    expect(builder.root.get_by_label("Name")).to_be_focused()
    expect(builder.root.get_by_label("Name")).to_have_attribute("aria-invalid", "true")


def test_text_has_a_maximum_length(builder: Builder) -> None:
    builder.root.get_by_label("Name").press_sequentially("Bartholomew the Great")
    expect(builder.root.get_by_label("Name")).to_have_value("Bartholome")
    expect(builder.card("Plate")).to_contain_text("On the rim. 10 of 10 characters")


def test_picture_needs_an_https_address(builder: Builder) -> None:
    builder.answer("Name", "Mira")
    builder.answer("Script", "Serif")
    for address in ("mira.jpg", "http://pictures.example/mira.jpg", "javascript:alert(1)"):
        builder.answer("Picture", address)
        expect(builder.reasons).to_have_text(["Picture: please enter an address that starts with https://"])
        expect(builder.total).to_have_text("£6.00")
        assert builder.events("bundle:change")[-1]["pricing"]["discountedPrice"] == "6.00"
        builder.answer("Picture", PICTURE)
        expect(builder.reasons).to_have_count(0)


def test_each_unit_has_its_own_answers(builder: Builder) -> None:
    """Each unit has its own answers; units with different answers become separate lines, each with a fee."""
    builder.choose("Plate")
    names = builder.root.get_by_label("Name")
    names.nth(0).fill("Mira")
    names.nth(1).fill("Jan")
    for script in builder.root.get_by_label("Script").all():
        script.select_option("Serif")
    expect(builder.part("note").filter(has_text="Plus £5.00 for personalisation")).to_be_visible()

    items = builder.add_to_cart()["result"]["cart"]["line_items"]

    assert [item["properties"].get("Name") for item in items] == ["Mira", "Jan", None]
    assert items[-1]["quantity"] == 2


def test_removing_a_unit_removes_its_answers(builder: Builder) -> None:
    builder.choose("Plate")
    builder.root.get_by_label("Name").nth(0).fill("Mira")
    builder.root.get_by_role("button", name="One less: Plate").click()
    expect(builder.root.get_by_label("Name")).to_have_count(1)
    expect(builder.root.get_by_label("Name")).to_have_value("Mira")
