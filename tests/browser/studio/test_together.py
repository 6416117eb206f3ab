"""Two browsers editing one shop, a network that fails and recovers, and sessions that end."""

from typing import Any

import pytest
from playwright.sync_api import APIResponse, Route, expect

from bundlesvc.storage.access.keys import SqlKeyStore
from tests.browser.conftest import MakeStudio
from tests.browser.service import elsewhere
from tests.browser.studio.studio_page import Studio
from tests.browser.visit import Gate
from tests.process.serving import in_database

BREAKFAST = 101
AFTER_THE_PAUSE_MS = 1500
"""Milliseconds after which the page has begun to save what was typed."""


@pytest.fixture
def two(make_studio: MakeStudio) -> tuple[Studio, Studio]:
    """Anna and Ben, each with the same bundle open in the same draft."""
    anna, ben = make_studio(), make_studio()
    for studio, label in ((anna, "Anna"), (ben, "Ben")):
        studio.log_in(label)
    anna.go(f"bundles/{BREAKFAST}")
    anna.field("imageUrl").fill("https://shop.example/box.png")
    anna.saved()
    ben.page.reload()
    ben.go(f"bundles/{BREAKFAST}")
    expect(ben.draft).to_contain_text("Draft 2")
    return anna, ben


def test_two_edit_one_bundle_and_lose_nothing(two: tuple[Studio, Studio]) -> None:
    anna, ben = two
    anna.field("name").fill("Brunch Box")
    ben.field("description").fill("For late risers.")
    anna.field("discount", "tiers", 0, "discount").fill("6")
    ben.field("limitRules", 0, "value").fill("4")
    ben.page.get_by_role("button", name="Move First Light down").click()
    anna.saved()
    ben.saved()

    for studio in two:
        expect(studio.field("name")).to_have_value("Brunch Box")
        expect(studio.field("description")).to_have_value("For late risers.")
        expect(studio.field("limitRules", 0, "value")).to_have_value("4")
    stored = anna.stored(BREAKFAST)
    assert (stored["name"], stored["description"]) == ("Brunch Box", "For late risers.")
    assert stored["discount"]["tiers"][0]["discount"] == "6.00"
    assert stored["limitRules"][0]["value"] == "4"
    assert stored["sections"][0]["products"][0]["platformProductId"] == 1002


def test_same_field_of_two_is_asked_about(two: tuple[Studio, Studio]) -> None:
    anna, ben = two
    ben.page.context.set_offline(True)
    ben.field("name").fill("Late Box")
    anna.field("name").fill("Brunch Box")
    anna.saved()
    ben.page.context.set_offline(False)

    expect(ben.dialog).to_contain_text("It was: Breakfast Box")
    expect(ben.dialog).to_contain_text("Late Box")
    expect(ben.dialog).to_contain_text("Brunch Box")
    ben.dialog.get_by_role("radio", name="Mine").check()
    ben.dialog.get_by_role("button", name="Take these").click()
    ben.saved()

    expect(anna.field("name")).to_have_value("Late Box")
    assert anna.stored(BREAKFAST)["name"] == "Late Box"


def test_same_field_is_asked_about_when_it_was_changed_while_a_save_waited(two: tuple[Studio, Studio]) -> None:
    """The studio asks about a field changed in both browsers when Anna's change arrives while Ben's is waiting to be saved."""
    anna, ben = two
    content = Gate(ben.page, "**/content")
    with ben.page.expect_request("**/content"):
        anna.field("name").fill("Brunch Box")
    ben.field("name").fill("Late Box")
    ben.page.wait_for_timeout(AFTER_THE_PAUSE_MS)
    content.open()

    expect(ben.dialog).to_contain_text("Brunch Box")
    assert anna.stored(BREAKFAST)["name"] == "Brunch Box"


def test_change_that_is_read_while_a_save_waits_is_shown(two: tuple[Studio, Studio]) -> None:
    anna, ben = two
    content = Gate(ben.page, "**/content")
    with ben.page.expect_request("**/content"):
        anna.field("name").fill("Brunch Box")
    ben.field("description").fill("For late risers.")
    ben.page.wait_for_timeout(AFTER_THE_PAUSE_MS)
    content.open()

    expect(ben.field("name")).to_have_value("Brunch Box")
    ben.saved()
    stored = anna.stored(BREAKFAST)
    assert (stored["name"], stored["description"]) == ("Brunch Box", "For late risers.")


def test_conflict_with_what_was_published_is_asked_about(make_studio: MakeStudio) -> None:
    anna, ben = make_studio(), make_studio()
    anna.log_in("Anna")
    ben.log_in("Ben")
    for studio, name in ((anna, "Brunch Box"), (ben, "Late Box")):  # each in their own draft
        studio.go(f"bundles/{BREAKFAST}")
        studio.field("name").fill(name)
    ben.field("description").fill("For late risers.")
    expect(anna.draft).to_contain_text("Draft")
    anna.saved()
    ben.saved()
    if anna.draft.inner_text().split("·")[0] == ben.draft.inner_text().split("·")[0]:
        pytest.fail("Both have the same draft.")
    anna.publish()

    ben.page.get_by_role("button", name="Review and publish").click()
    ben.dialog.get_by_role("button", name="Publish", exact=True).click()
    conflict = ben.page.get_by_role("dialog", name="This was published meanwhile")
    expect(conflict).to_contain_text("Brunch Box")
    conflict.get_by_role("radio", name="As it is live").check()
    conflict.get_by_role("button", name="Take these").click()
    expect(ben.dialog).to_contain_text("Description")
    ben.dialog.get_by_role("button", name="Publish", exact=True).click()
    expect(ben.draft).to_have_text("Everything is live")

    live = ben.read(f"/revisions/live/bundles/{BREAKFAST}")
    assert (live["name"], live["description"]) == ("Brunch Box", "For late risers.")


def test_network_goes_and_comes_back(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    expect(studio.field("name")).to_have_value("Breakfast Box")
    studio.page.context.set_offline(True)
    studio.field("name").fill("Brunch Box")
    expect(studio.state).to_contain_text("Not saved yet")
    studio.field("description").fill("For late risers.")
    studio.page.context.set_offline(False)

    studio.saved()
    stored = studio.stored(BREAKFAST)
    assert (stored["name"], stored["description"]) == ("Brunch Box", "For late risers.")


def test_leaving_without_network_loses_nothing(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    expect(studio.field("name")).to_have_value("Breakfast Box")
    studio.page.route("**/studio/api/**", lambda route: route.abort())
    studio.field("name").fill("Brunch Box")
    expect(studio.state).to_contain_text("Not saved yet")
    studio.page.goto("about:blank")
    studio.page.unroute_all()

    studio.go("")
    expect(studio.page.get_by_role("link", name="Brunch Box")).to_be_visible()
    assert studio.stored(BREAKFAST)["name"] == "Brunch Box"


def test_revoked_key_ends_the_session(make_studio: MakeStudio) -> None:
    studio = make_studio()
    key = studio.log_in()
    studio.go(f"bundles/{BREAKFAST}")
    expect(studio.field("name")).to_have_value("Breakfast Box")
    folder = studio.service.folder
    assert elsewhere(lambda: in_database(folder, lambda database: SqlKeyStore(database).revoke_key(key[:16])))

    expect(studio.page.get_by_label("Management key")).to_be_visible()
    studio.page.get_by_label("Management key").fill(key)
    studio.page.get_by_role("button", name="Log in").click()
    expect(studio.page.get_by_role("alert")).to_have_text("This key does not exist, or it was revoked.")


def test_key_that_is_typed_while_the_session_ends_stays(studio: Studio) -> None:
    key = studio.service.new_key(label="Cleo", scopes=("manage:read",))
    held: list[tuple[Route, APIResponse]] = []
    studio.page.route(
        "**/studio/session",
        lambda route: held.append((route, route.fetch())) if route.request.method == "DELETE" else route.continue_(),
    )
    studio.page.get_by_role("button", name="Log out").click()
    # The field is shown because another request has already found that the session has ended.
    studio.page.get_by_label("Management key").fill(key)
    ((route, answer),) = held
    with studio.page.expect_response("**/studio/session"):
        route.fulfill(response=answer)
    studio.page.wait_for_load_state("networkidle")

    expect(studio.page.get_by_label("Management key")).to_have_value(key)
    studio.page.get_by_role("button", name="Log in").click()
    expect(studio.title).to_have_text("Bundles")


def test_page_stores_no_key(studio: Studio) -> None:
    key = studio.service.new_key(label="Cleo", scopes=("manage:read",))
    studio.page.get_by_role("button", name="Log out").click()
    studio.page.get_by_label("Management key").fill(key)
    studio.page.get_by_role("button", name="Log in").click()
    expect(studio.title).to_have_text("Bundles")

    stored = studio.page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])")
    assert key not in stored
    assert "bundlesvc_studio_" not in stored
    assert key not in studio.page.content()


def test_each_sees_who_else_is_there(two: tuple[Studio, Studio]) -> None:
    anna, ben = two
    expect(ben.page.locator("#others")).to_have_text("Also here: Anna (Breakfast Box)")
    expect(anna.page.locator("#others")).to_have_text("Also here: Ben (Breakfast Box)")
    ben.go("history")
    expect(anna.page.locator("#others")).to_have_text("Also here: Ben")
    ben.page.goto("about:blank")
    expect(anna.page.locator("#others")).to_be_empty()


def test_two_change_one_test_and_lose_nothing(two: tuple[Studio, Studio]) -> None:
    anna, ben = two
    for studio in two:
        studio.open_panel("arms")
        expect(studio.page.locator("#arm-weight-1")).to_be_visible()
    weights = [(anna, 0, "3"), (ben, 1, "2")]
    for studio, place, weight in weights:  # simultaneously, before either learns of the other's change
        studio.page.locator(f"#arm-weight-{place}").evaluate(
            "(field, weight) => { field.value = weight; field.dispatchEvent(new Event('change')); }", weight
        )

    for studio in two:
        for _, place, weight in weights:
            expect(studio.page.locator(f"#arm-weight-{place}")).to_have_value(weight)
    (test,) = [each for each in stored_tests(anna) if each["bundleId"] == BREAKFAST]
    assert [float(arm["weight"]) for arm in test["arms"]] == [3, 2]


def test_change_of_a_test_waits_for_the_network(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    studio.open_panel("arms")
    weight = studio.page.locator("#arm-weight-1")
    expect(weight).to_be_visible()
    studio.page.context.set_offline(True)
    weight.fill("2")
    weight.press("Tab")
    studio.page.wait_for_timeout(500)
    studio.page.context.set_offline(False)
    expect(studio.draft).to_contain_text("Draft")
    (test,) = [each for each in stored_tests(studio) if each["bundleId"] == BREAKFAST]
    assert [float(arm["weight"]) for arm in test["arms"]] == [50, 2]


def stored_tests(studio: Studio) -> list[Any]:
    """The A/B tests in the newest draft."""
    (draft, *_) = studio.read("/revisions?state=draft")
    tests: list[Any] = studio.read(f"/revisions/{draft['number']}/content")["experiments"]
    return tests
