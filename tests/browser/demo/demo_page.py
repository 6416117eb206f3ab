"""A driver for the demo storefront, as shoppers and developers use it."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.builder import Builder


class Demo:
    """The page at /demo."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.builder = Builder(page)

    @property
    def panel(self) -> Locator:
        """The switches for developers."""
        return self.page.get_by_role("region", name="For developers", include_hidden=True)

    @property
    def drawer(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def entries(self) -> Locator:
        """Bundles in the cart."""
        return self.page.get_by_test_id("cart-entry")

    @property
    def receipt(self) -> Locator:
        return self.page.get_by_test_id("receipt")

    @property
    def charges(self) -> Locator:
        """The lines of the receipt that show a charge."""
        return self.page.get_by_test_id("charge")

    @property
    def refusals(self) -> Locator:
        return self.page.get_by_test_id("refusal")

    @property
    def total(self) -> Locator:
        return self.page.get_by_test_id("total")

    @property
    def market_total(self) -> Locator:
        return self.page.get_by_test_id("market-total")

    @property
    def market_fees(self) -> Locator:
        """The price of each fee in the currency in which the shopper pays."""
        return self.page.locator("[data-kind=fee] > .charge .amount > :first-child")

    @property
    def cart_count(self) -> Locator:
        return self.page.locator("#cart-count")

    @property
    def verdict(self) -> Locator:
        return self.page.get_by_test_id("verdict")

    @property
    def buy(self) -> Locator:
        """The button that places an order."""
        return self.drawer.get_by_role("button", name=re.compile("^(Buy|Kaufen)$"))

    @property
    def proof(self) -> Locator:
        """The verdict on all bundles of the order."""
        return self.page.get_by_test_id("proof")

    @property
    def order_bundles(self) -> Locator:
        return self.page.get_by_test_id("order-bundle")

    @property
    def order_total(self) -> Locator:
        return self.page.get_by_test_id("order-total")

    @property
    def quotes(self) -> Locator:
        """The quoted refunds, one per policy."""
        return self.page.get_by_test_id("quote")

    def place_order(self) -> None:
        """Check out from the open cart drawer, and wait for the order."""
        self.buy.click()
        expect(self.page.get_by_test_id("order")).not_to_have_attribute("aria-busy", "true")
        expect(self.drawer).to_be_hidden()

    def switch(self, label: str, value: str) -> None:
        """Choose a value in the developer panel, opening the panel first."""
        switch = self.panel.get_by_role("combobox", name=label, exact=True, include_hidden=True)
        if not switch.is_visible():
            self.page.get_by_role("button", name="Developer").click()
        switch.select_option(value)

    def open_cart(self) -> None:
        self.page.locator("#cart-button").click()
        expect(self.drawer).to_be_visible()

    def close_cart(self) -> None:
        self.drawer.get_by_role("button", name="Close").click()
        expect(self.drawer).to_be_hidden()

    def remove(self, title: str) -> None:
        self.drawer.get_by_role("button", name=f"Remove {title}").click()

    def checked_out(self, act: Callable[[], object]) -> None:
        """Perform an action that makes the simulator fetch a receipt, and wait for the receipt."""
        with self.page.expect_response("**/demo/checkout"):
            act()
        expect(self.page.get_by_test_id("simulator")).not_to_have_attribute("aria-busy", "true")
