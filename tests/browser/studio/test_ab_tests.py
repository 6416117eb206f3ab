"""The A/B test in the editor of a bundle: undo and redo include changes to the test, and the test can be renamed until its
first visitor is counted."""

from typing import Any

import pytest
from playwright.sync_api import expect

from bundlesvc.domain.assignment import Exposure
from bundlesvc.ports.experiments import SeenArm
from bundlesvc.storage.access.keys import SqlKeyStore
from bundlesvc.storage.database.interface import Database
from bundlesvc.storage.experiments.visitors import SqlExperimentStore
from tests.browser.axe import serious_faults
from tests.browser.conftest import MakeStudio
from tests.browser.service import Service, elsewhere
from tests.browser.studio.studio_page import EDITOR, Studio
from tests.browser.studio.test_together import stored_tests
from tests.process.serving import in_database

BREAKFAST, WINTER = 101, 110
RUNNING = "breakfast-layout"
"""The A/B test that is running in the demo shop."""


def own_test(studio: Studio, bundle: int) -> Any:
    """The stored A/B test of a bundle, or None if the bundle has none."""
    return next((each for each in stored_tests(studio) if each["bundleId"] == bundle), None)


def test_undo_and_redo_reach_the_test(studio: Studio) -> None:
    """Undo and redo include changes to the A/B test, in sequence with changes to the bundle."""
    studio.go(f"bundles/{WINTER}")
    description = studio.field("description")
    before = description.input_value()
    panel = studio.open_panel("arms")
    arms, weight = panel.locator("li"), studio.page.locator("#arm-weight-1")
    description.fill("For long evenings.")
    panel.get_by_role("button", name="Start an A/B test").click()
    expect(arms).to_have_count(2)
    weight.fill("3")
    weight.press("Tab")
    expect(panel).to_contain_text("75")

    studio.page.keyboard.press("Control+z")
    expect(weight).to_have_value("1")
    studio.page.get_by_role("button", name="Undo").click()
    expect(arms).to_have_count(0)
    expect(description).to_have_value("For long evenings.")
    studio.page.get_by_role("button", name="Undo").click()
    expect(description).to_have_value(before)
    expect(studio.page.get_by_role("button", name="Undo")).to_be_disabled()

    for _ in range(3):
        studio.page.get_by_role("button", name="Redo").click()
    expect(studio.page.get_by_role("button", name="Redo")).to_be_disabled()
    expect(panel).to_contain_text("75")
    expect(description).to_have_value("For long evenings.")
    studio.saved()
    assert [float(arm["weight"]) for arm in own_test(studio, WINTER)["arms"]] == [1, 3]


def test_test_that_was_ended_comes_back(studio: Studio) -> None:
    studio.go(f"bundles/{BREAKFAST}")
    panel = studio.open_panel("arms")
    panel.get_by_role("button", name="End the test").click()
    expect(panel.get_by_role("button", name="Start an A/B test")).to_be_visible()
    assert own_test(studio, BREAKFAST) is None

    studio.page.get_by_role("button", name="Undo").click()
    expect(panel.locator("li")).to_have_count(2)
    expect(panel.get_by_label("Name of the test")).to_have_value(RUNNING)
    expect(studio.draft).to_contain_text("0 changes")


def test_new_test_is_renamed(studio: Studio) -> None:
    studio.go(f"bundles/{WINTER}")
    panel = studio.open_panel("arms")
    panel.get_by_role("button", name="Start an A/B test").click()
    name = panel.get_by_label("Name of the test")
    expect(name).to_have_value(f"test-{WINTER}")

    name.fill("winter evenings / 2030")
    name.press("Enter")
    expect(panel.locator("#test-name-fault")).to_be_empty()
    studio.page.get_by_role("button", name="Undo").click()
    expect(name).to_have_value(f"test-{WINTER}")
    studio.page.get_by_role("button", name="Redo").click()
    expect(name).to_have_value("winter evenings / 2030")
    expect(studio.draft).to_contain_text("1 change")
    studio.saved()
    assert [each["id"] for each in stored_tests(studio)] == [RUNNING, "winter evenings / 2030"]

    name.fill(RUNNING)
    name.press("Tab")
    expect(panel.get_by_role("alert")).to_contain_text(f"There is a test {RUNNING} already.")
    expect(name).to_have_value("winter evenings / 2030")
    assert serious_faults(studio.page) == []


@pytest.mark.parametrize(
    ("scopes", "visitors", "reason"),
    [
        (EDITOR, 0, "your key cannot see whether it has counted visitors"),
        ((*EDITOR, "reports"), 1, "This test has counted visitors (1) under its name."),
        ((*EDITOR, "reports"), 0, None),
    ],
)
def test_running_test_is_renamed_only_while_it_has_no_visitors(
    make_studio: MakeStudio, studio_service: Service, scopes: tuple[str, ...], visitors: int, reason: str | None
) -> None:
    if visitors:
        elsewhere(lambda: in_database(studio_service.folder, count_visitor))
    studio = make_studio()
    studio.log_in(scopes=scopes)
    studio.go(f"bundles/{BREAKFAST}")
    panel = studio.open_panel("arms")
    name = panel.get_by_label("Name of the test")

    name.fill("two layouts")
    name.press("Tab")
    if reason is None:
        expect(studio.draft).to_contain_text("2 changes")
        expect(name).to_have_value("two layouts")
        assert [each["id"] for each in stored_tests(studio)] == ["two layouts"]
    else:
        expect(panel.get_by_role("alert")).to_contain_text(reason)
        expect(name).to_have_value(RUNNING)
        expect(studio.draft).to_have_text("Everything is live")


async def count_visitor(database: Database) -> None:
    tenant = await SqlKeyStore(database).tenant("demo")
    assert tenant is not None
    exposure = Exposure(RUNNING, 0, "3b241101-e2bb-4255-8caf-4136c566a962")
    await SqlExperimentStore(database).add([SeenArm(tenant.id, exposure, 1, test=False)])
