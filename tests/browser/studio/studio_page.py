"""Drives the studio in a browser, in the way that a shop's staff use it."""

from typing import Any

import orjson
from playwright.sync_api import Locator, Page, expect

from tests.browser.service import Service

EDITOR = ("manage:read", "manage:write", "manage:publish")

# The listeners are on `document`: when the target moves before a click arrives, Playwright intercepts the click at the window and
# retries it, and such a click must not be counted twice.
COUNT = """window.used = { clicks: 0, keys: 0 };
document.addEventListener("pointerdown", () => { used.clicks += 1; }, true);
document.addEventListener("keydown", () => { used.keys += 1; }, true);"""


class Studio:
    """The page at /studio, in one browser."""

    def __init__(self, page: Page, service: Service) -> None:
        self.page = page
        self.service = service
        page.add_init_script(COUNT)

    def log_in(self, label: str = "Anna", **request: object) -> str:
        """Log in with a new key, which is returned."""
        key = self.service.new_key("demo", **{"label": label, "scopes": EDITOR, **request})
        self.page.goto(f"{self.service.origin}/studio")
        self.page.get_by_label("Management key").fill(key)
        self.page.get_by_role("button", name="Log in").click()
        expect(self.title).to_have_text("Bundles")
        return key

    def go(self, place: str) -> None:
        """Open a view by its address."""
        self.page.goto(f"{self.service.origin}/studio#/{place}")

    @property
    def title(self) -> Locator:
        return self.page.locator("#title")

    @property
    def state(self) -> Locator:
        return self.page.locator("#save-state")

    @property
    def draft(self) -> Locator:
        return self.page.locator("#draft")

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def preview(self) -> Locator:
        return self.page.get_by_role("region", name="Preview")

    @property
    def used(self) -> tuple[int, int]:
        """The number of clicks and key presses since the page was loaded."""
        clicks, keys = self.page.evaluate("[used.clicks, used.keys]")
        return int(clicks), int(keys)

    def field(self, *path: object) -> Locator:
        """The form field for a part of the bundle, given by its path."""
        return self.page.locator(f"#f-{'-'.join(map(str, path))}")

    def panel(self, name: str) -> Locator:
        return self.page.locator(f"#panel-{name}")

    def open_panel(self, name: str) -> Locator:
        panel = self.panel(name)
        if panel.get_attribute("open") is None:
            panel.locator("> summary").click()
        return panel

    def saved(self) -> None:
        expect(self.state).to_have_text("Saved")

    def choose_kind(self, name: str) -> None:
        self.page.get_by_role("link", name="New bundle").click()
        self.page.locator(f"#template-{name}").click()

    def tick(self, *titles: str, question: str = "products") -> None:
        for title in titles:
            self.page.locator(f"#ask-{question} .picker-item", has_text=title).click()

    def make(self, name: str) -> int:
        """Create the bundle from the answers that were entered, wait until its title is `name`, and return its id."""
        self.page.get_by_role("button", name="Make the bundle").click()
        expect(self.title).to_have_text(name)
        return int(self.page.url.rpartition("/")[2])

    def publish(self, message: str = "") -> None:
        self.page.get_by_role("button", name="Review and publish").click()
        if message:
            self.dialog.get_by_label("What is it about?").fill(message)
        self.dialog.get_by_role("button", name="Publish", exact=True).click()
        expect(self.dialog).to_have_count(0)
        expect(self.draft).to_have_text("Everything is live")

    def read(self, path: str) -> Any:
        """Send a GET request for a path of the management API through the studio, and return the response body."""
        return self.page.evaluate(
            "async (path) => (await fetch(`/studio/api${path}`, { headers: { Accept: 'application/json' } })).json()",
            path,
        )

    def stored(self, bundle: int) -> Any:
        """The bundle as stored in the newest draft."""
        (draft, *_) = self.read("/revisions?state=draft")
        return self.read(f"/revisions/{draft['number']}/bundles/{bundle}")

    def priced(self, bundle: int, units: list[dict[str, Any]]) -> Any:
        """The price that shoppers pay for a selection."""
        key = self.service.key("demo")
        answer = self.service.server.post(
            f"/api/headless/v1/bundles/{bundle}/price", key, orjson.loads(orjson.dumps({"products": units}))
        )
        assert answer.status == 200, answer.body
        return answer.json
