"""Editing a bundle: saving while typing, undo, reordering, findings, preview, import, history."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.axe import serious_faults
from tests.browser.builder import Builder
from tests.browser.conftest import MakeStudio
from tests.browser.keyboard import Keyboard
from tests.browser.studio.studio_page import Studio

BREAKFAST, NAME_MUG, WINTER = 101, 109, 110


def test_typing_is_saved_and_undone(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    name = studio.field("name")
    expect(name).to_have_value("Breakfast Box")
    expect(studio.draft).to_have_text("Everything is live")

    name.fill("Brunch Box")
    studio.saved()
    studio.field("description").fill("For late risers.")
    studio.saved()
    expect(studio.title).to_have_text("Brunch Box")
    expect(studio.draft).to_contain_text("2 changes")
    expect(studio.preview.locator("bundle-builder")).to_contain_text("For late risers.")
    assert studio.stored(BREAKFAST)["name"] == "Brunch Box"

    studio.page.keyboard.press("Control+z")
    studio.page.keyboard.press("Control+z")
    expect(name).to_have_value("Breakfast Box")
    studio.page.keyboard.press("Control+Shift+Z")
    expect(name).to_have_value("Brunch Box")
    studio.saved()
    stored = studio.stored(BREAKFAST)
    assert (stored["name"], stored["description"]) == (
        "Brunch Box",
        "Three things or more for the best hour of the day.",
    )


def test_products_are_put_in_order_by_keys_and_by_dragging(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    rows = studio.panel("sections").locator(".section-card").first.locator(".product-row")
    expect(rows).to_have_count(4)

    studio.page.get_by_role("button", name="Move First Light down").click()
    expect(rows.first).to_contain_text("Harbour Blend")
    expect(studio.page.locator("#product-0-down-1")).to_be_focused()
    studio.page.keyboard.press("Alt+ArrowUp")
    expect(rows.first).to_contain_text("First Light")
    rows.nth(3).locator(".handle").drag_to(rows.first)
    expect(rows.first).to_contain_text("Colombia Huila")

    studio.saved()
    section = studio.stored(BREAKFAST)["sections"][0]
    assert [product["platformProductId"] for product in section["products"]] == [1005, 1001, 1002, 1003]


def test_products_are_found_and_added_with_their_variants(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    studio.page.locator("#add-products-1").click()
    studio.dialog.get_by_label("Search products").fill("kenya")
    studio.dialog.get_by_role("checkbox", name="Kenya Nyeri").check()
    studio.dialog.get_by_role("button", name="Take").click()

    row = studio.panel("sections").locator(".product-row", has_text="Kenya Nyeri")
    row.get_by_text("All variants").click()
    row.get_by_role("checkbox").first.uncheck()
    studio.saved()

    added = studio.stored(BREAKFAST)["sections"][1]["products"][-1]
    assert added["platformProductId"] == 1006
    assert len(added["variantIds"]) == 1
    expect(studio.preview.locator("bundle-builder")).to_contain_text("Something sweet")


def test_findings_stand_at_their_fields_and_a_broken_draft_is_not_shown(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    studio.field("limitRules", 1, "value").fill("2")
    contradiction = studio.panel("rules").locator(".finding")
    expect(contradiction.first).to_contain_text("contradicts")
    expect(studio.panel("rules").locator("summary")).to_contain_text("1")

    studio.field("limitRules", 1, "value").fill("12")
    expect(contradiction).to_have_count(0)
    studio.field("name").fill("")
    expect(studio.panel("basics").locator(".finding")).to_contain_text("required")
    expect(studio.preview.locator("bundle-builder")).to_contain_text("Breakfast Box")
    studio.page.get_by_role("button", name="Review and publish").click()
    expect(studio.dialog.get_by_role("button", name="Publish", exact=True)).to_be_disabled()


def test_conditions_are_sentences(studio: Studio) -> None:
    studio.go(f"bundles/{WINTER}")
    panel = studio.panel("conditions")
    cards = panel.locator(".section-card")
    expect(cards).to_have_count(3)

    panel.get_by_role("button", name="Add an if-then sentence").click()
    expect(cards).to_have_count(4)
    card = cards.nth(3)
    card.get_by_label("number", exact=True).fill("5")
    card.get_by_role("button", name="And if").click()
    card.get_by_label("what is tested").nth(1).select_option("country")
    card.get_by_role("textbox", name="Country").fill("CH")
    card.get_by_label("what happens").select_option("block-cart")
    card.get_by_label("Text for shoppers").fill("Not five to Switzerland.")
    studio.saved()

    nodes = {node["id"]: node for node in studio.stored(WINTER)["conditions"]}
    (blocked,) = (node for node in nodes.values() if node.get("type") == "block-cart")
    group = nodes[blocked["when"]]
    assert (blocked["text"], group["mode"]) == ("Not five to Switzerland.", "all")
    tests = [nodes[child] for child in group["children"]]
    assert [(test["type"], test["value"]) for test in tests] == [("total-products", "5"), ("country", "CH")]

    card.get_by_role("button", name="Remove sentence 4").click()
    studio.saved()
    assert len(studio.stored(WINTER)["conditions"]) == len(nodes) - 4


def test_preview_shows_country_language_and_width(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    shown = studio.preview.locator("bundle-builder")
    expect(shown).to_contain_text("€9.90")
    studio.preview.get_by_label("Country").select_option("JP")
    expect(shown).to_contain_text("1,609")
    studio.preview.get_by_label("Language").select_option("de")
    expect(shown).to_contain_text("Frühstücksbox")
    studio.preview.get_by_role("button", name="Desktop").click()
    assert shown.evaluate("(node) => node.offsetWidth") > 900


def test_preview_shows_the_bundle_as_at_a_time(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    studio.page.locator("#more-times > summary").click()
    studio.field("publishedFrom").fill("2030-11-29T00:00")
    studio.saved()
    builder = Builder(studio.page).shown()
    time = studio.preview.get_by_label("As on")

    time.fill("2030-11-28T23:59")
    expect(studio.preview.locator("bundle-builder")).to_contain_text("not available")
    expect(studio.preview).to_contain_text("Prices and stock are today")
    time.fill("2030-11-29T00:00")
    expect(studio.preview.locator("bundle-builder")).to_contain_text("First Light")
    builder.choose("First Light")
    studio.preview.get_by_role("button", name="Now").press("Enter")
    expect(time).to_be_focused()
    expect(time).to_have_value("")
    expect(studio.preview.locator("bundle-builder")).to_contain_text("First Light")


def test_preview_at_a_time_has_what_is_scheduled_until_then(studio: Studio) -> None:
    """Without a draft, a preview for a future time includes the revisions that are scheduled to be published by then.
    With a draft, the preview only names the scheduled revision."""
    studio.go(f"bundles/{BREAKFAST}")
    studio.field("description").fill("Only in winter.")
    studio.saved()
    studio.page.get_by_role("button", name="Review and publish").click()
    studio.dialog.get_by_label("What is it about?").fill("Winter")
    studio.dialog.get_by_text("At another time").click()
    studio.dialog.locator("#publish-at").fill("2030-12-01T08:00")
    studio.dialog.get_by_role("button", name="Publish", exact=True).click()
    expect(studio.draft).to_have_text("Everything is live")
    shown, told = studio.preview.locator("bundle-builder"), studio.page.locator("#preview-scheduled")
    time = studio.preview.get_by_label("As on")

    time.fill("2030-12-24T18:00")
    expect(told).to_contain_text("With Revision 2 “Winter”, which is published on Dec 1, 2030")
    expect(shown).to_contain_text("Only in winter.")
    assert serious_faults(studio.page) == []
    time.fill("2030-11-24T18:00")
    expect(told).to_be_empty()
    expect(shown).to_contain_text("Three things or more")

    time.fill("2030-12-24T18:00")
    studio.field("name").fill("Brunch Box")
    studio.saved()
    expect(told).to_contain_text("Revision 2 “Winter” is published before, on Dec 1, 2030")
    expect(shown).to_contain_text("Brunch Box")
    expect(shown).to_contain_text("Three things or more")
    studio.preview.get_by_role("button", name="Now").click()
    expect(told).to_be_empty()


def test_arms_of_a_test_are_edited_with_their_findings(studio: Studio) -> None:
    studio.go(f"bundles/{WINTER}")
    panel = studio.open_panel("arms")
    panel.get_by_role("button", name="Start an A/B test").press("Enter")
    expect(panel.locator("li")).to_have_count(2)
    panel.get_by_label("Bundle of the arm").select_option(str(BREAKFAST))
    weight = panel.get_by_label("Weight of Breakfast Box")
    weight.fill("3")
    weight.press("Tab")
    expect(panel).to_contain_text("75")
    expect(panel.locator("summary")).to_contain_text("2 arms")
    Builder(studio.page).shown()
    assert serious_faults(studio.page) == []
    panel.get_by_role("button", name="Add an arm").click()
    expect(panel.locator("li")).to_have_count(3)
    panel.get_by_role("button", name="Remove").last.click()
    expect(panel.locator("li")).to_have_count(2)
    (draft,) = studio.read("/revisions?state=draft")
    content = studio.read(f"/revisions/{draft['number']}/content")
    test = next(each for each in content["experiments"] if each["bundleId"] == WINTER)
    assert [(arm["bundleId"], float(arm["weight"])) for arm in test["arms"]] == [(WINTER, 1), (BREAKFAST, 3)]
    studio.page.reload()
    expect(panel).to_contain_text("75")

    studio.page.evaluate("location.hash = '#/'")
    expect(studio.title).to_have_text("Bundles")
    studio.page.locator(f"#remove-{BREAKFAST}").click()
    studio.dialog.get_by_role("button", name="Delete").click()
    studio.go(f"bundles/{WINTER}")
    expect(studio.panel("arms").locator(".finding")).to_contain_text(f"There is no bundle {BREAKFAST}")

    studio.open_panel("arms").get_by_role("button", name="End the test").click()
    expect(panel.get_by_role("button", name="Start an A/B test")).to_be_visible()


def test_box_is_finished_in_the_preview(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    builder = Builder(studio.page).shown()
    builder.choose("First Light")
    builder.finish.click()

    expect(builder.finish).to_have_text("Undo")
    expect(builder.buy).not_to_have_attribute("aria-disabled", "true")


def test_preview_can_be_bought_from_and_stores_nothing(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    builder = Builder(studio.page).shown()
    builder.choose("First Light", times=3)
    builder.buy.click()

    expect(studio.preview).to_contain_text("A shopper would have bought this now, for €28.21.")
    assert studio.service.configured == 0


def test_bundle_is_made_by_keys_alone(studio: Studio) -> None:
    keyboard = Keyboard(studio.page)
    studio.page.locator("#bundle-search").focus()
    keyboard.tab_to("New bundle")
    keyboard.press("Enter")
    expect(studio.page.locator("#template-box")).to_be_visible()
    studio.page.locator("#title").focus()
    keyboard.tab_to("Box of NShoppers fill a box with a number of products of their choice, and save.")
    keyboard.press("Enter")
    expect(studio.page.locator("#ask-name")).to_be_focused()
    expect(studio.page.locator("#ask-products .picker-item").first).to_be_visible()
    keyboard.type("By keys")
    keyboard.tab_to("First Light€9.90")
    keyboard.press("Space")
    keyboard.tab_to("Make the bundle")
    keyboard.press("Enter")

    expect(studio.title).to_have_text("By keys")


def test_history_restores_an_earlier_revision(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    studio.field("name").fill("Brunch Box")
    studio.publish("Brunch is the new breakfast")
    studio.go("history")
    live = studio.page.locator(".revision[data-state=live]")
    expect(live).to_contain_text("Brunch is the new breakfast")
    expect(live).to_contain_text("Anna")
    live.get_by_role("button", name="Show changes").click()
    expect(studio.dialog).to_contain_text("Name: Breakfast Box becomes Brunch Box")
    studio.dialog.get_by_role("button", name="Close").click()

    studio.page.locator(".revision[data-state=past]").get_by_role("button", name="Restore").click()
    studio.dialog.get_by_role("button", name="Make a draft").click()

    expect(studio.draft).to_contain_text("1 change")
    expect(studio.page.get_by_role("link", name="Breakfast Box", exact=True)).to_be_visible()
    studio.publish()


def test_table_of_products_is_imported(studio: Studio, tmp_path: Path) -> None:
    table = tmp_path / "products.csv"
    table.write_text("Name;Cost;Size\nOolong;4,50;S\nOolong;8,90;L\nSencha;free;\n", "utf-8")
    studio.go("import")
    studio.page.get_by_label("A table of products").set_input_files(table)

    result = studio.page.locator(".import-card").nth(1)
    expect(result).to_have_text("No column has the price. Choose it above, or add it to the file.")
    studio.page.get_by_label("Price", exact=True).select_option("Cost")
    expect(result).to_contain_text("1 product can be imported")
    expect(result).to_contain_text("Line 4: “free” is not a price.")
    result.get_by_role("button", name="Import 1 product").click()
    expect(studio.page.get_by_role("heading", name="1 product imported")).to_be_visible()

    studio.choose_kind("box")
    expect(studio.page.locator("#ask-products")).to_contain_text("Oolong")


def test_faults_of_a_table_are_shown_in_part(make_studio: MakeStudio, tmp_path: Path) -> None:
    studio = make_studio(locale="de-DE")
    studio.page.goto(f"{studio.service.origin}/studio")
    studio.page.get_by_role("button", name="Mit dem Demo-Shop ausprobieren").click()
    table, picture = tmp_path / "products.csv", tmp_path / "tea.csv"
    table.write_text("Titel;Preis\n" + "Oolong;$4,50\n" * 150, "utf-8")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    studio.go("import")

    studio.page.get_by_label("Eine Tabelle mit Artikeln").set_input_files(picture)
    expect(studio.page.get_by_role("alert")).to_contain_text("Diese Datei ist keine Tabelle als Text.")
    studio.page.get_by_label("Eine Tabelle mit Artikeln").set_input_files(table)

    faults = studio.page.get_by_role("list", name="150 Zeilen lassen sich nicht nutzen").get_by_role("listitem")
    expect(faults).to_have_count(100)
    expect(faults.first).to_have_text("Zeile 2: „$4,50“ ist in $, der Shop verkauft aber in EUR.")
    expect(studio.page.get_by_text("und 50 weitere")).to_be_visible()

    table.write_text("Titel;Preis in CHF\nOolong;4,50\n", "utf-8")
    studio.page.get_by_role("button", name="Andere Datei").click()
    studio.page.get_by_label("Eine Tabelle mit Artikeln").set_input_files(table)
    result = studio.page.locator(".import-card").nth(1)
    expect(result).to_have_text("Die Spalte „Preis in CHF“ ist in CHF, der Shop verkauft aber in EUR.")


def test_import_refuses_a_file_that_is_too_large(studio: Studio, tmp_path: Path) -> None:
    table = tmp_path / "products.csv"
    with table.open("wb") as file:
        file.truncate(20_000_001)
    studio.go("import")
    studio.page.get_by_label("A table of products").set_input_files(table)
    expect(studio.page.get_by_role("alert")).to_have_text(
        "This file is larger than 20 MB. Divide it, and choose one part after the other."
    )


def test_import_names_the_product_that_is_refused_and_can_go_on(studio: Studio, tmp_path: Path) -> None:
    table = tmp_path / "products.csv"
    sizes = "".join(f"Cup;9;{'x' * 245}{number:05}\n" for number in range(10_000))
    table.write_text(f"Title;Price;Size\nOolong;4,50;S\n{sizes}", "utf-8")
    studio.go("import")
    studio.page.get_by_label("A table of products").set_input_files(table)
    take = studio.page.get_by_role("button", name="Import 2 products")
    fault = studio.page.get_by_role("alert")

    for _ in range(2):
        take.click()
        expect(fault).to_have_text(
            "Line 3, “Cup”, was not imported: it has more variants than the service accepts at once."
        )
        expect(take).to_be_enabled()

    (draft, *_) = studio.read("/revisions?state=draft")
    stored = studio.read(f"/revisions/{draft['number']}/content")["products"]
    assert [product["title"] for product in stored if product["title"] in ("Oolong", "Cup")] == ["Oolong"]


def test_reader_can_look_and_change_nothing(make_studio: MakeStudio) -> None:
    studio = make_studio()
    studio.log_in("Ben", scopes=("manage:read",))

    expect(studio.page.get_by_role("link", name="New bundle")).to_have_count(0)
    studio.go(f"bundles/{BREAKFAST}")
    expect(studio.field("name")).to_be_disabled()
    expect(studio.preview.locator("bundle-builder")).to_contain_text("Breakfast Box")


def test_buttons_stay_in_place_during_a_search(studio: Studio) -> None:
    """A click on Take is not lost when results arrive and the list of products gets shorter or longer."""
    studio.go(f"bundles/{BREAKFAST}")
    studio.page.get_by_role("button", name="Add products").first.click()
    found, take = studio.dialog.locator(".picker-item"), studio.dialog.get_by_role("button", name="Take")
    expect(found.nth(3)).to_be_visible()
    before = take.bounding_box()

    studio.page.get_by_role("searchbox", name="Search products").fill("Lettering")
    expect(found).to_have_count(1)
    assert take.bounding_box() == before
    found.click()
    expect(take).to_be_enabled()
    assert take.bounding_box() == before
    studio.page.get_by_role("searchbox", name="Search products").fill("there is no such product")
    expect(found).to_have_count(0)
    assert take.bounding_box() == before


def test_personalisation_costs_a_fee(studio: Studio) -> None:
    studio.go(f"bundles/{NAME_MUG}")
    panel = studio.open_panel("personalisation")
    amount = studio.page.get_by_label("Fee for Hand Lettering")
    expect(amount).to_have_value("4")

    amount.fill("5.5")
    studio.saved()
    assert fee(studio) == {"variantId": 10411, "amount": "5.50", "currencyCode": "EUR"}

    panel.get_by_role("button", name="Remove Hand Lettering").click()
    studio.saved()
    assert fee(studio) is None

    panel.get_by_role("button", name="Charge a fee").first.click()
    studio.page.get_by_role("searchbox", name="Search products").fill("Lettering")
    studio.dialog.get_by_role("radio", name="Hand Lettering").check()
    studio.dialog.get_by_role("button", name="Take").click()
    expect(amount).to_have_value("4")
    studio.saved()
    assert fee(studio) == {"variantId": 10411, "amount": "4.00", "currencyCode": "EUR"}


def fee(studio: Studio) -> object:
    """The stored fee for the mug's first personalisation field."""
    (fields,) = studio.stored(NAME_MUG)["personalisation"].values()
    return fields[0].get("fee")
