"""A driver that reads and clicks the web component in a page, as a shopper would."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect


class Builder:
    """A driver for `<bundle-builder>`, with attributes and methods named in a shopper's words."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator("bundle-builder")

    # What the component shows

    def part(self, name: str) -> Locator:
        return self.root.locator(f"[part~={name}]")

    @property
    def name(self) -> Locator:
        """The bundle's name, in the header of the component or the page."""
        return self.root.locator("[part~=name]:visible, h1:visible")

    @property
    def total(self) -> Locator:
        return self.part("sum").locator("[part~=now]")

    @property
    def before(self) -> Locator:
        """The struck-through price."""
        return self.part("sum").locator("s")

    @property
    def tier(self) -> Locator:
        return self.part("tier")

    @property
    def reasons(self) -> Locator:
        """The reasons why the bundle cannot be bought yet."""
        return self.part("reasons").get_by_role("listitem")

    @property
    def messages(self) -> Locator:
        return self.part("messages").get_by_role("listitem")

    @property
    def lines(self) -> Locator:
        """The lines of the summary."""
        return self.part("line")

    @property
    def spoken(self) -> Locator:
        """The text that screen readers announce after changes."""
        return self.root.locator("p[role=status]").last

    @property
    def outcome(self) -> Locator:
        return self.part("outcome")

    @property
    def news(self) -> Locator:
        """The messages about what has changed while the shopper was choosing."""
        return self.part("news-text")

    @property
    def confirm(self) -> Locator:
        """The button that accepts a new price and buys."""
        return self.part("confirm")

    @property
    def notice(self) -> Locator:
        """The message shown in place of a bundle."""
        return self.root.get_by_role("alert")

    @property
    def waiting(self) -> Locator:
        """The message shown in place of a bundle while the component waits to try again."""
        return self.root.locator("[part~=notice]:not([role=alert])")

    @property
    def buy(self) -> Locator:
        return self.part("buy")

    @property
    def finish(self) -> Locator:
        """The button that completes the selection, and afterwards undoes the completion."""
        return self.part("finish")

    def card(self, title: str) -> Locator:
        return self.root.get_by_role("article", name=title, exact=True)

    def value(self, title: str, value: str) -> Locator:
        """An option value of a product, such as a size."""
        return self.card(title).get_by_role("radio", name=re.compile(rf"^\s*{re.escape(value)}( |$)"))

    def amount(self, title: str) -> Locator:
        """The chosen number of units of a product."""
        return self.card(title).locator("[part~=amount]")

    def selected(self) -> Any:
        """The component's selection."""
        return self.root.evaluate("(builder) => builder.selection")

    # Its events

    def events(self, type_: str) -> list[Any]:
        """The details of all events of this type so far."""
        return list(
            self.page.evaluate(
                "(type) => seen.events.filter((one) => one.type === type).map((one) => one.detail)", type_
            )
        )

    def after(self, type_: str, act: Callable[[], object]) -> Any:
        """Perform an action, and return the detail of the event that it causes."""
        count = len(self.events(type_))
        act()
        self.page.wait_for_function(
            "([type, count]) => seen.events.filter((one) => one.type === type).length > count", arg=[type_, count]
        )
        return self.events(type_)[count]

    def shown(self) -> "Builder":
        """Wait until the bundle is shown, and return the builder itself."""
        expect(self.part("head")).to_be_attached()
        expect(self.name).to_be_visible()
        return self

    # What a shopper does

    def go_to(self, title: str) -> None:
        """Open the step that a product is in, unless it is open."""
        if self.card(title).is_visible():
            return
        step = self.root.locator(f'section:has(article[aria-label="{title}"])').get_attribute("aria-label")
        self.part("step-button").filter(has_text=step).click()

    def choose(self, title: str, *values: str, times: int = 1) -> None:
        """Choose a product's option values, and add `times` units of the variant that has them."""
        self.go_to(title)
        for value in values:
            self.pick(title, value)
        for _ in range(times):
            self.card(title).locator("[part~=more]").click()
            if not self.card(title).is_visible():  # the component has left the finished step
                self.go_to(title)

    def pick(self, title: str, value: str) -> None:
        self.card(title).locator("label").filter(has=self.page.get_by_role("radio")).filter(has_text=value).click()

    def answer(self, label: str, answer: str) -> None:
        """Answer the field with this label: select an option, tick a checkbox, or enter text."""
        field = self.root.get_by_label(label, exact=False)
        kind = field.evaluate("(field) => field.type")
        if kind == "select-one":
            field.select_option(answer)
        elif kind == "checkbox":
            field.check()
        else:
            field.fill(answer)

    def subscribe(self, how_often: str, email: str) -> None:
        self.root.get_by_role("radio", name=re.compile(f"^{how_often}")).check()
        self.email.fill(email)

    @property
    def email(self) -> Locator:
        return self.part("plans").get_by_label("Your e-mail address")

    def try_to_buy(self) -> None:
        """Click the buy button although it is disabled."""
        self.buy.click(force=True)

    def add_to_cart(self) -> Any:
        """Click the buy button, and return the detail of the event: the configure result, the bundle and the selection."""
        return self.after("bundle:addtocart", self.buy.click)

    def open_reminder(self, title: str, *values: str) -> Locator:
        """Open the reminder form of a sold-out variant, and return it."""
        for value in values:
            self.pick(title, value)
        self.card(title).get_by_text("Notify me when it is back in stock").click()
        return self.card(title).locator("form")
