"""A shop in which a second person must publish each draft (docs/revisions.md#second-person)."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.axe import serious_faults
from tests.browser.conftest import MakeStudio
from tests.browser.service import DEMO_SHOP, Service
from tests.browser.studio.studio_page import Studio

BREAKFAST = 101


def test_author_is_refused_and_another_person_publishes(
    make_studio: MakeStudio, studio_service: Service, tmp_path: Path
) -> None:
    shop = tmp_path / "two-persons.yaml"
    shop.write_text(
        DEMO_SHOP.read_text("utf-8").replace("\nshop:\n", "\nshop:\n  secondPersonPublishes: true\n", 1), "utf-8"
    )
    studio_service.load(shop)
    anna, ben = make_studio(), make_studio()
    anna.log_in("Anna")
    anna.go(f"bundles/{BREAKFAST}")
    anna.field("name").fill("Brunch Box")
    anna.saved()

    anna.page.get_by_role("button", name="Review and publish").click()
    anna.dialog.get_by_role("button", name="Publish", exact=True).click()
    expect(anna.dialog.get_by_role("alert")).to_have_text(
        "You have changed this draft, so another person must publish it. Your changes stay in the draft."
    )
    assert serious_faults(anna.page) == []
    anna.dialog.get_by_role("button", name="Cancel").click()
    expect(anna.draft).to_contain_text("Draft")
    assert live_name(anna) == "Breakfast Box"

    ben.log_in("Ben")
    ben.publish("Looked at it")
    assert live_name(ben) == "Brunch Box"
    expect(anna.draft).to_have_text("Everything is live")


def live_name(studio: Studio) -> str:
    return str(studio.read(f"/revisions/live/bundles/{BREAKFAST}")["name"])
