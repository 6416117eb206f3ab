"""Three bundles are created in the studio without editing a shop file, and shoppers can buy them. Clicks and key presses are
counted."""

from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.studio.studio_page import Studio

COFFEES = ("First Light", "Harbour Blend", "Colombia Huila")


def unit(product: str, variant: str) -> dict[str, Any]:
    return {"variant": variant, "product": product, "section": 1}


FIRST_LIGHT = unit("1001", "10011")


def units(price: Any) -> Decimal:
    return Decimal(price["discountedPrice"]) / Decimal(price["originalPrice"])


def test_box_of_six_with_ten_percent_off(studio: Studio, record_property: Any) -> None:
    before = studio.used
    studio.choose_kind("box")
    studio.page.keyboard.type("Six")
    studio.tick(*COFFEES)
    bundle = studio.make("Six")
    studio.publish()
    clicks, keys = (now - then for now, then in zip(studio.used, before, strict=True))
    record_property("clicks and keys", (clicks, keys))

    assert (clicks, keys) == (8, 3)
    assert units(studio.priced(bundle, [FIRST_LIGHT] * 6)) == Decimal("0.9")
    assert studio.service.server.get(f"/api/headless/v1/bundles/{bundle}", studio.service.key("demo")).json[
        "limitRules"
    ] == [{"type": "total-number-of-products", "operation": "eq", "value": "6", "sectionId": None}]


def test_buy_more_save_more_with_three_tiers(studio: Studio, record_property: Any) -> None:
    before = studio.used
    studio.choose_kind("more")
    studio.page.keyboard.type("More")
    studio.tick(*COFFEES)
    studio.page.locator("#tier-0-value").focus()
    for number in ("3", "5", "6", "12", "12", "20"):
        studio.page.keyboard.press("Control+A")
        studio.page.keyboard.type(number)
        studio.page.keyboard.press("Tab")
    bundle = studio.make("More")
    expect(studio.page.locator("#chart figcaption")).to_contain_text("12 for")
    studio.publish()
    clicks, keys = (now - then for now, then in zip(studio.used, before, strict=True))
    record_property("clicks and keys", (clicks, keys))

    assert (clicks, keys) == (8, 31)
    paid = {count: studio.priced(bundle, [FIRST_LIGHT] * count)["discountedPrice"] for count in (2, 3, 6, 12)}
    assert paid == {2: "19.80", 3: "28.21", 6: "52.27", 12: "95.04"}


def test_subscription_with_a_personalised_mug_in_two_languages(studio: Studio, record_property: Any) -> None:
    before = studio.used
    studio.choose_kind("subscription")
    studio.page.keyboard.type("Mug of the month")
    studio.tick("Stoneware Mug", "First Light")
    bundle = studio.make("Mug of the month")

    studio.open_panel("personalisation").get_by_role("button", name="Personalise").click()
    mug = studio.page.locator("[id^='f-personalisation-'][id$='-0-label']")
    studio.page.keyboard.type("Name")
    studio.page.locator("[id^='f-personalisation-'][id$='-0-required']").click()
    expect(mug).to_have_value("Name")

    german = studio.open_panel("translations").locator(".language")
    for label, text in {
        "Name": "Becher des Monats",
        "Name of the section": "Deine Wahl",
        "Name of the plan": "Im Takt",
        "Stoneware Mug: Label": "Name darauf",
    }.items():
        german.get_by_label(f"{label}: translation of").first.click()
        studio.page.keyboard.type(text)
    expect(german.locator(".tag")).to_have_text("complete")
    studio.saved()
    studio.publish()
    clicks, keys = (now - then for now, then in zip(studio.used, before, strict=True))
    record_property("clicks and keys", (clicks, keys))

    assert (clicks, keys) == (15, 65)
    embedded = studio.service.server.get(
        f"/api/headless/v1/embed/api/v1/bundle?id={bundle}&lang=de", studio.service.key("demo")
    ).json
    assert embedded["name"] == "Becher des Monats"
    assert embedded["sections"][0]["name"] == "Deine Wahl"
    (fields,) = embedded["personalisation"].values()
    assert [(field["label"], field["required"]) for field in fields] == [("Name darauf", True)]
    assert {plan["savingPercent"] for plan in embedded["sellingPlans"]} == {"10.00", "5.00"}


@pytest.mark.parametrize(("kind", "name"), [("set", "A set"), ("gift", "A present"), ("personal", "A mug for you")])
def test_other_templates_make_bundles_without_findings(studio: Studio, kind: str, name: str) -> None:
    studio.choose_kind(kind)
    studio.page.locator("#ask-name").fill(name)
    studio.tick(*COFFEES)
    if kind == "set":
        studio.page.locator("#ask-price").fill("20")
    else:
        studio.tick("Stoneware Mug", question="gift")
    studio.make(name)

    expect(studio.preview.locator("bundle-builder")).to_contain_text(name)
    expect(studio.page.locator(".finding[data-severity=error]")).to_have_count(0)


def test_unanswered_question_is_named(studio: Studio) -> None:
    studio.choose_kind("box")
    studio.page.get_by_role("button", name="Make the bundle").click()

    expect(studio.page.get_by_role("alert")).to_have_text("Still to be answered: What can shoppers choose from?")
